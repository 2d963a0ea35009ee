//! Help, version, completion scripts, man pages.

use sseam_cli::Exit;

use crate::command::run;

const REPLAY_FLAGS: [&str; 14] = [
    "--chunk-size",
    "--print",
    "--lossy",
    "--deliver-unfinished",
    "--overflow",
    "--max-line",
    "--max-data",
    "--max-type",
    "--max-id",
    "--max-total",
    "--max-events",
    "--last-event-id",
    "--event",
    "--summary",
];

const SERVE_FLAGS: [&str; 18] = [
    "--port",
    "--listen",
    "--requests",
    "--chunk-size",
    "--delay",
    "--heartbeat",
    "--status",
    "--content-type",
    "--header",
    "--no-chunked",
    "--response",
    "--cut-at",
    "--drop-at",
    "--stall-at",
    "--upstream",
    "--record",
    "--force",
    "--cacert",
];

const GET_FLAGS: [&str; 29] = [
    "--request",
    "--header",
    "--data",
    "--json",
    "--last-event-id",
    "--follow-post",
    "--allow-missing-content-type",
    "--cacert",
    "--connect-timeout",
    "--header-timeout",
    "--first-output-timeout",
    "--idle-timeout",
    "--progress-timeout",
    "--max-time",
    "--reconnect",
    "--reconnect-delay",
    "--retry-post",
    "--record",
    "--force",
    "--timing",
    "--print",
    "--text",
    "--dialect",
    "--end-data",
    "--text-field",
    "--outcome",
    "--summary",
    "--max-data",
    "--lossy",
];

#[track_caller]
fn printed(args: &[&str]) -> String {
    let ran = run(args, b"");
    assert_eq!(
        (ran.exit, ran.stderr.as_str()),
        (Exit::Clean, ""),
        "{args:?}"
    );
    ran.stdout
}

#[test]
fn help() {
    let help = printed(&["replay", "--help"]);
    for flag in REPLAY_FLAGS {
        assert!(help.contains(flag), "{flag}");
    }
    let serve = printed(&["serve", "--help"]);
    for flag in SERVE_FLAGS {
        assert!(serve.contains(flag), "{flag}");
    }
    let get = printed(&["get", "--help"]);
    // What it says of waits is what is done.
    assert!(get.contains("a timeout of 0 is none"), "{get}");
    assert!(!get.contains("never repeated"), "{get}");
    assert!(
        get.contains("give or take a quarter; 100ms to 30s"),
        "{get}"
    );
    for flag in GET_FLAGS {
        assert!(get.contains(flag), "{flag}");
    }
    assert!(help.contains("Examples:\n  sseam replay answer.sse\n"));
    assert!(help.contains("curl -N"));
    assert!(help.contains("16777216"), "the default limit of data");
    assert!(printed(&["--help"]).contains("replay"));
    assert!(printed(&["--version"]).starts_with("sseam 0."));
}

#[test]
fn completions() {
    for (shell, sign) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef sseam"),
        ("fish", "complete -c sseam"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.contains(sign), "{shell}");
        for flag in REPLAY_FLAGS.iter().chain(&SERVE_FLAGS).chain(&GET_FLAGS) {
            let bare = flag.trim_start_matches('-');
            assert!(script.contains(bare), "{flag} for {shell}");
        }
    }
}

#[test]
fn man_pages() {
    let page = printed(&["man"]);
    assert!(page.contains(".TH sseam 1"), "{page}");
    assert!(page.contains("sseam\\-replay(1)"), "{page}");
    let page = printed(&["man", "replay"]);
    assert!(page.contains(".TH sseam-replay 1"), "{page}");
    for flag in REPLAY_FLAGS {
        assert!(page.contains(&flag.replace('-', "\\-")), "{flag}");
    }
    assert!(page.contains("\n.nf\nExamples:\n"), "{page}");
    let page = printed(&["man", "get"]);
    assert!(page.contains(".TH sseam-get 1"), "{page}");
    for flag in GET_FLAGS {
        assert!(page.contains(&flag.replace('-', "\\-")), "{flag}");
    }
    let page = printed(&["man", "serve"]);
    assert!(page.contains(".TH sseam-serve 1"), "{page}");
    for flag in SERVE_FLAGS {
        assert!(page.contains(&flag.replace('-', "\\-")), "{flag}");
    }
    for command in ["completions", "man"] {
        assert!(printed(&["man", command]).contains(&format!("sseam-{command} 1")));
    }
}
