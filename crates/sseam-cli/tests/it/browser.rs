//! The same bytes to `sseam get` and to a browser's `EventSource`: same events.
//!
//! A page connects to one stream after the other, and sends what it was given to
//! a server of the test. It asks for the event types by name, since that is the
//! only way in which a browser hands them out.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sseam_testkit::server::{Answer, Server};
use sseam_testkit::vectors;

use crate::command::{argument, repository, run};
use crate::serve::file;
use crate::server::Served;

/// An event as the page reports it and as `get` prints it.
#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Seen {
    event: String,
    data: String,
    id: String,
}

/// A stream for the page.
#[derive(Serialize)]
struct Job {
    url: String,
    types: Vec<String>,
}

/// Every stream of the examples and one of all line ends, cut at every byte by
/// `sseam serve`.
#[test]
#[ignore = "wants a browser: cargo xtask test client"]
fn served_bytes_are_the_same_events_to_get_and_to_a_browser() {
    let every_line_end = "\u{feff}data: \u{4f60}\r\ndata:b\rid: 1\n\revent: x\r\n\
                          data: c\n\n: c\r\rretry: 5\r\ndata\r\n\r\ndata: cut";
    let (_folder, mixed) = file(every_line_end);
    let mut paths = vec![mixed];
    for entry in std::fs::read_dir(repository("examples/streams")).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "sse") {
            paths.push(argument(&path));
        }
    }
    let cross = ["--chunk-size=1", "-HAccess-Control-Allow-Origin: *"];
    let served: Vec<Served> = paths
        .iter()
        .map(|path| Served::start(&[&[&**path], &cross[..]].concat()))
        .collect();
    let got: Vec<Vec<Seen>> = served.iter().map(|it| get(&it.url("/"))).collect();
    let jobs = served.iter().zip(&got).map(|(served, got)| Job {
        url: served.url("/"),
        types: types(got.iter().map(|seen| &*seen.event)),
    });
    let seen = browse(jobs.collect());
    assert!(got.len() > 40 && got.iter().flatten().count() > 200);
    for ((path, got), seen) in paths.iter().zip(&got).zip(&seen) {
        assert_eq!(got, seen, "{path}");
    }
    assert_eq!(got.len(), seen.len());
}

/// The vectors hold for the browser that is there, and for `get`.
#[test]
#[ignore = "wants a browser: cargo xtask test client"]
fn vectors_hold_for_a_browser() {
    let all: Vec<_> = vectors::all().filter(|vector| !vector.is_long()).collect();
    let answers = all.iter().map(|vector| {
        let answer = Answer::stream().header("access-control-allow-origin", "*");
        answer.send(vector.stream())
    });
    let server = Server::start(answers.collect());
    let jobs = all.iter().enumerate().map(|(index, vector)| Job {
        url: server.url(&format!("/{index}")),
        types: types(vector.events.iter().map(|event| &*event.event_type)),
    });
    let seen = browse(jobs.collect());
    assert_eq!(seen.len(), all.len());
    assert!(all.len() > 400, "{}", all.len());
    for (vector, seen) in all.iter().zip(seen) {
        let expected = vector.events.iter().map(|event| Seen {
            event: event.event_type.clone(),
            data: event.data.clone(),
            id: event.id.clone(),
        });
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{}", vector.name);
    }
    assert_eq!(server.connections().len(), all.len());
}

/// What `sseam get` prints of a stream.
fn get(url: &str) -> Vec<Seen> {
    let ran = run(&["get", url, "--lossy", "--summary=none"], b"");
    let parsed = |line: &str| serde_json::from_str(line).expect("a line of JSON");
    ran.stdout.lines().map(parsed).collect()
}

/// The types to listen for: those that are there, and the one by default.
fn types<'a>(found: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut types: Vec<String> = found.map(str::to_owned).collect();
    types.push("message".to_owned());
    types.sort();
    types.dedup();
    types
}

/// Lets a browser read the streams; its events, stream by stream.
fn browse(jobs: Vec<Job>) -> Vec<Vec<Seen>> {
    let collector = Server::start(vec![Answer::status(204)]);
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let jobs = serde_json::to_string(&jobs)
        .expect("JSON")
        .replace('<', "\\u003c");
    let text = PAGE
        .replace("JOBS", &jobs)
        .replace("COLLECTOR", &collector.url("/"));
    std::fs::write(&page, text).expect("a page");
    let _browser = Browser(
        Command::new(browser())
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            // Without it a headless browser may end with the page's loading.
            .arg("--remote-debugging-port=0")
            .arg(format!(
                "--user-data-dir={}",
                argument(&folder.path().join("profile"))
            ))
            .arg(format!("file://{}", argument(&page)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a browser"),
    );
    let is_told = collector.wait_for_requests(1, Duration::from_secs(120));
    assert!(is_told, "the page reports");
    serde_json::from_slice(&collector.requests()[0].body).expect("a report")
}

/// The browser's program: `SSEAM_BROWSER`, or one that is known.
fn browser() -> PathBuf {
    let named = std::env::var_os("SSEAM_BROWSER").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let known = ["chromium", "chromium-browser", "google-chrome"];
    let mut there = folders
        .iter()
        .flat_map(|folder| known.iter().map(move |name| folder.join(name)))
        .filter(|program| program.is_file());
    named
        .or_else(|| there.next())
        .expect("Chromium is installed")
}

/// Ends with the test.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The end of a stream is an `error` of the source, which then connects again: it
/// is closed there. A stream may have events of that type too.
const PAGE: &str = r#"<!doctype html><meta charset="utf-8"><script>
const jobs = JOBS;
const report = [];
function next(index) {
  if (index === jobs.length) {
    fetch("COLLECTOR", {method: "POST", mode: "no-cors", body: JSON.stringify(report)});
    return;
  }
  const source = new EventSource(jobs[index].url);
  const seen = [];
  for (const type of jobs[index].types) {
    source.addEventListener(type, (event) => {
      if (event instanceof MessageEvent) {
        seen.push({event: event.type, data: event.data, id: event.lastEventId});
      }
    });
  }
  source.addEventListener("error", (event) => {
    if (event instanceof MessageEvent) return;
    source.close();
    report.push(seen);
    next(index + 1);
  });
}
next(0);
</script>"#;
