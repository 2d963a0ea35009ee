//! Each C and C++ example: built with every warning an error, and run against a
//! server or on the recorded streams.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::cc::{Library, Program};
use super::server;
use crate::step::{self, Done, Step};
use crate::tool;

const TOOLS: &[tool::Tool] = &[tool::CC, tool::CXX];

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let step = |name: &str, work: fn(&Path) -> Result<Done>| {
        let root = root.to_path_buf();
        Step::call(format!("example {name}"), move || work(&root)).needs(TOOLS)
    };
    vec![
        step("of docs/c-api.md", first_ten_minutes),
        step("replay", replay),
        step("static_arena", static_arena),
        step("epoll_relay", epoll_relay),
        step("curl_client", curl_client).needs(&[tool::LIBCURL, tool::VALGRIND]),
        step("curl_client in C++", curl_client_cpp).needs(&[tool::LIBCURL]),
        step("beast_client", beast_client).needs(&[tool::BOOST]),
    ]
}

fn example(root: &Path, name: &str, library: Library, last: &[&str]) -> Result<PathBuf> {
    let (compiler, source) = match name.ends_with("pp") {
        true => ("g++ -std=c++17", format!("examples/cpp/{name}")),
        false => ("gcc -std=c99", format!("examples/c/{name}")),
    };
    let name = format!("example-{name}");
    let program = Program {
        name: &name,
        compiler,
        flags: &[],
        source: &source,
        library,
        last,
    };
    program.build(root)
}

/// The programs that the tour begins with, word for word.
fn first_ten_minutes(root: &Path) -> Result<Done> {
    let tour = fs::read_to_string(root.join("docs/c-api.md"))?;
    let is_program = |block: &&str| block.starts_with("c\n") && block.contains("int main(void)");
    let mut blocks = tour.split("```").filter(is_program);
    let mut program = |name: &str| {
        let block = blocks.next().context("no program in the tour")?;
        let source = root.join(format!("target/capi-tests/{name}.c"));
        fs::create_dir_all(source.parent().context("a folder")?)?;
        fs::write(&source, block.trim_start_matches("c\n"))?;
        let program = Program {
            name,
            compiler: "gcc -std=c99",
            flags: &[],
            source: source.to_str().context("the path is not UTF-8")?,
            library: Library::Shared,
            last: &[],
        };
        program.build(root)
    };
    let answer = program("first_answer")?;
    let whole = fs::read(root.join("examples/streams/openai-chat.sse"))?;
    let text = with_input(&answer, &whole)?;
    ensure!(text.status.success() && !text.stdout.is_empty(), "{text:?}");
    let cut = with_input(&answer, whole.get(..whole.len() / 2).unwrap_or_default())?;
    ensure!(cut.status.code() == Some(20), "{cut:?}");
    let output = with_input(
        &program("first_ten_minutes")?,
        b"event: greeting\ndata: hello\n\ndata: cut o",
    )?;
    same(
        &output,
        0,
        "greeting: hello\n",
        "broken off inside an event",
    )?;
    Ok(Done::Passed)
}

/// The same lines as the command, for every recorded stream.
fn replay(root: &Path) -> Result<Done> {
    let program = example(root, "replay.c", Library::Static, &[])?;
    let command = step::sseam(root)?;
    let mut count = 0;
    for entry in fs::read_dir(root.join("examples/streams"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "sse") {
            continue;
        }
        let expected = Command::new(&command).arg("replay").arg(&path).output()?;
        let found = Command::new(&program)
            .stdin(fs::File::open(&path)?)
            .output()?;
        let codes = (expected.status.code(), found.status.code());
        if !matches!(codes.0, Some(0 | 20)) {
            continue;
        }
        ensure!(
            expected.stdout == found.stdout && codes.0 == codes.1,
            "{} replayed differently: {codes:?}",
            path.display()
        );
        count += 1;
    }
    ensure!(count >= 10, "only {count} streams were compared");
    println!("{count} streams as the command replays them");
    Ok(Done::Passed)
}

fn with_input(program: &Path, input: &[u8]) -> Result<Output> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().context("no input")?.write_all(input)?;
    Ok(child.wait_with_output()?)
}

fn static_arena(root: &Path) -> Result<Done> {
    let program = example(root, "static_arena.c", Library::Static, &[])?;
    let big = "x".repeat(513);
    let stream = format!("data: a\n\nevent: b\ndata: {big}\n\nevent: c\ndata: d\ndata: e\n\ndata");
    let output = with_input(&program, stream.as_bytes())?;
    same(
        &output,
        0,
        "message: a\n(an event of 513 bytes left out)\nc: d\ne\n",
        "broken off",
    )?;
    Ok(Done::Passed)
}

fn epoll_relay(root: &Path) -> Result<Done> {
    const STREAMS: usize = 200;
    let program = example(root, "epoll_relay.c", Library::Shared, &[])?;
    let port = server::start()?.to_string();
    let output = Command::new(&program)
        .args([&port, &STREAMS.to_string()])
        .output()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {told}", output.status);
    ensure!(told.contains("0 after it"), "allocations: {told}");
    for event in 0..20 {
        let block = format!("event: tick\nid: {event}\ndata: event {event}\ndata: line\n\n");
        let count = printed.matches(&block).count();
        ensure!(count == STREAMS, "event {event} was relayed {count} times");
    }
    println!("{told}");
    Ok(Done::Passed)
}

fn curl_client(root: &Path) -> Result<Done> {
    let program = example(root, "curl_client.c", Library::Static, &["-lcurl"])?;
    let url = format!("http://127.0.0.1:{}", server::start()?);
    let run = |path: &str, more: &[&str]| {
        let output = Command::new(&program)
            .arg(format!("{url}{path}"))
            .args(more)
            .output();
        output.context("cannot start the client")
    };
    let all =
        "1 message: one\n2 note: 二\ntwo\n3 message: three\n4 message: four\n5 message: five\n";
    same(&run("/events", &[])?, 0, all, "it will be asked for again")?;
    same(&run("/error", &[])?, 30, "", "")?;
    same(&run("/html", &[])?, 31, "", "")?;
    idle(&program, &url)?;
    let mut checked = Command::new("valgrind");
    checked.args(["--quiet", "--leak-check=full", "--error-exitcode=9"]);
    let output = checked
        .arg(&program)
        .arg(format!("{url}/events"))
        .output()?;
    same(&output, 0, all, "it will be asked for again")?;
    Ok(Done::Passed)
}

/// A stream that gives one event and then stalls, each time it is asked for: every
/// attempt brings something, so the client asks on until the test stops it, once
/// it has said that it was kept waiting.
fn idle(program: &Path, url: &str) -> Result<()> {
    let mut client = Command::new(program)
        .args([&format!("{url}/stall"), "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut told = BufReader::new(client.stderr.take().context("no standard error")?).lines();
    let is_idle = |line: std::io::Result<String>| {
        line.is_ok_and(|line| line.contains("nothing came for 1 s"))
    };
    ensure!(told.any(is_idle), "the client ended and was never idle");
    step::run(Command::new("kill").args(["-INT", &client.id().to_string()]))?;
    let start = Instant::now();
    while told.next().is_some() {}
    let output = client.wait_with_output()?;
    // Far more than it takes, and far less than the server stalls.
    ensure!(
        start.elapsed() < Duration::from_secs(10),
        "stopping took {:?}",
        start.elapsed()
    );
    // How often it asked depends on the machine; what it got each time does not.
    let count = String::from_utf8_lossy(&output.stdout).lines().count();
    let all = " message: a\n".repeat(count);
    ensure!(count > 0, "nothing was printed");
    same(&output, 130, &all, "")
}

fn curl_client_cpp(root: &Path) -> Result<Done> {
    let program = example(root, "curl_client.cpp", Library::Shared, &["-lcurl"])?;
    let url = format!("http://127.0.0.1:{}", server::start()?);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command
            .arg(format!("{url}{}", arguments[0]))
            .args(&arguments[1..]);
        command.output().context("cannot start the client")
    };
    same(&run(&["/whole"])?, 0, "a\nb\nc\n", "")?;
    same(&run(&["/whole", "b"])?, 3, "a\nb\n", "the handler threw: b")?;
    same(&run(&["/broken"])?, 1, "a\n", "broken off")?;
    same(&run(&["/html"])?, 1, "", "no event stream")?;
    same(&run(&["/error"])?, 1, "", "status 500")?;
    Ok(Done::Passed)
}

fn beast_client(root: &Path) -> Result<Done> {
    let program = example(root, "beast_client.cpp", Library::Static, &["-pthread"])?;
    let port = server::start()?.to_string();
    let run = |path: &str| {
        let output = Command::new(&program)
            .args(["127.0.0.1", &port, path])
            .output();
        output.context("cannot start the client")
    };
    same(&run("/whole")?, 0, "message: a\nb: b\nmessage: c\n", "")?;
    same(&run("/broken")?, 1, "message: a\n", "broken off")?;
    same(&run("/html")?, 1, "", "no event stream")?;
    Ok(Done::Passed)
}

/// Exit code and output, and what is told on standard error.
fn same(output: &Output, code: i32, printed: &str, told: &str) -> Result<()> {
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    if output.status.code() != Some(code) || out != printed || !err.contains(told) {
        bail!(
            "{}, not {code}; printed:\n{out}\nexpected:\n{printed}\ntold:\n{err}",
            output.status
        );
    }
    Ok(())
}
