//! The definition of the command line to completion scripts and man pages.

use std::io;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::Console;
use crate::args::Args;
use crate::escape;
use crate::exit::Exit;
use crate::stop::Stop;

/// Writes the completion script for a shell.
pub(crate) fn completions(shell: Shell, console: &mut Console<'_>) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "sseam", &mut script);
    let result = console.stdout.write_all(&script);
    written(result, console)
}

/// Writes the man page of one command, or of all.
pub(crate) fn man(command: Option<&str>, console: &mut Console<'_>) -> Exit {
    let mut whole = Args::command();
    // Gives each command its full name.
    whole.build();
    let page = match command {
        None => Some(whole),
        Some(name) => whole.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        let name = escape::escaped(command.unwrap_or_default());
        let _ = writeln!(
            console.stderr,
            "sseam: no command is called {name}; `sseam --help` lists them"
        );
        return Exit::Usage;
    };
    let mut text = Vec::new();
    let result = render(page, &mut text).and_then(|()| console.stdout.write_all(&text));
    written(result, console)
}

/// Writes a man page whose examples keep their lines.
fn render(command: clap::Command, out: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.has_subcommands();
    let source = concat!("sseam ", env!("CARGO_PKG_VERSION"));
    let man = clap_mangen::Man::new(command).source(source);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    let mut notes = Vec::new();
    man.render_extra_section(&mut notes)?;
    let notes = String::from_utf8_lossy(&notes).replacen(".SH EXTRA", ".SH NOTES\n.nf", 1);
    out.extend(notes.as_bytes());
    out.extend(b".fi\n");
    Ok(())
}

/// What it comes to when something was written that is no stream.
pub(crate) fn written(result: io::Result<()>, console: &mut Console<'_>) -> Exit {
    let result = result.and_then(|()| console.stdout.flush());
    let Err(error) = result else {
        return Exit::Clean;
    };
    let stop = Stop::Write(error);
    if !stop.is_quiet() {
        let _ = writeln!(console.stderr, "sseam: standard output: {stop}");
    }
    stop.exit()
}
