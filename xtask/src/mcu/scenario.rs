//! Firmware that talks: the other side of a modem and of a network, and what is
//! logged.
//!
//! In: a machine and its programs. Out: a failure, or nothing. Everything stays
//! on the loopback interface.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::machine::{self, Guest, Machine, last};
use super::run::{replayed, streams};
use super::toolchain::Toolchain;

/// Length of the event that no machine here could hold twice, and one not once.
const BIG_LEN: usize = 20 * 1024;

/// Sends one event larger than the memory of the smallest machine.
pub(crate) fn big_event(machine: &Machine, release: &Path) -> Result<()> {
    let mut guest = Guest::start(machine, &release.join("big_event"), &[])?;
    expect(&guest, "ready")?;
    let line = vec![b'x'; BIG_LEN / 2 - 1];
    guest.send(
        &[
            b"id: 1\ndata: ",
            &line[..],
            b"\ndata: ",
            &line[..],
            b"\r\n\r\n",
        ]
        .concat(),
    )?;
    let (len, sum) = (
        BIG_LEN - 1,
        (BIG_LEN - 2) * usize::from(b'x') + usize::from(b'\n'),
    );
    expect(&guest, &format!("{len} bytes of data, sum {sum}"))?;
    guest.finish()?;
    Ok(())
}

/// Lets the firmware read a hundred thousand events.
pub(crate) fn soak(machine: &Machine, release: &Path) -> Result<()> {
    let guest = Guest::start(machine, &release.join("soak"), &[])?;
    expect(&guest, "1000 events, then 100000, 0 bytes of stack more")?;
    guest.finish()?;
    Ok(())
}

/// Runs the firmware with two tasks.
pub(crate) fn tasks(root: &Path, machine: &Machine, release: &Path) -> Result<()> {
    super::run::uart(root, machine, &release.join("tasks"))
}

/// Bytes of stack that the modem's firmware took, and what of them was lent.
#[derive(Default)]
pub(crate) struct ModemMemory {
    pub(crate) stack: u64,
    pub(crate) event_memory: u64,
    pub(crate) buffers: u64,
}

/// Plays the modem: answers commands, then gives an answer in frames.
pub(crate) fn modem(root: &Path, machine: &Machine, release: &Path) -> Result<ModemMemory> {
    let mut memory = ModemMemory::default();
    for (name, stream) in streams(root)? {
        let expected = replayed(root, &name, &stream)?;
        let mut guest = Guest::start(machine, &release.join("modem"), &[])?;
        expect(&guest, "AT+CIPSTART=\"SSL\",\"api.example\",443\r")?;
        guest.send(b"AT+CIPSTART (echo)\r\r\nCONNECT\r\n\r\nOK\r\n")?;
        let command = guest.line()?.unwrap_or_default();
        let Some(len) = command.strip_prefix("AT+CIPSEND=") else {
            bail!("the firmware says {command:?} and sends no request");
        };
        let len: usize = len.trim().parse()?;
        guest.send(b"\r\nOK\r\n> ")?;
        let request = read_request(&guest, len)?;
        if !request.starts_with("POST /v1/chat HTTP/1.1\r\n") {
            bail!("the request is {request:?}");
        }
        guest.send(b"\r\nRecv bytes\r\n\r\nSEND OK\r\n")?;
        for frame in answer(&stream).chunks(337) {
            guest.send(&[format!("\r\n+IPD,{}:", frame.len()).as_bytes(), frame].concat())?;
        }
        guest.send(b"\r\nCLOSED\r\n")?;
        let mut lines = guest.finish()?;
        // The body of the request, which ends no line.
        let body_len = len - request.len();
        if let Some(line) = lines.first_mut() {
            *line = line.get(body_len..).unwrap_or_default().to_string();
        }
        let printed: Vec<&String> = lines.iter().filter(|line| line.starts_with('{')).collect();
        if !printed.iter().copied().eq(&expected) {
            bail!(
                "{name}: {} events, not {}:\n{}",
                printed.len(),
                expected.len(),
                last(&lines)
            );
        }
        println!(
            "{}: {name}: {}, as the command says",
            machine.name,
            last(&lines[lines.len() - 1..])
        );
        let told = lines.last().map_or("", String::as_str);
        let numbers = told.split(' ').filter_map(|word| word.parse().ok());
        let [_, stack, event_memory, buffers] = numbers.collect::<Vec<u64>>()[..] else {
            bail!("{name}: the firmware ends with {told:?}");
        };
        memory = ModemMemory {
            stack: stack.max(memory.stack),
            event_memory,
            buffers,
        };
    }
    Ok(memory)
}

/// The JSON of a request has no line end behind it, so the lines of the head are
/// read, and what follows is left in the guest's next line.
fn read_request(guest: &Guest, len: usize) -> Result<String> {
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n") {
        request.push_str(&guest.line()?.context("the guest ended in its request")?);
        request.push('\n');
    }
    if request.len() > len {
        bail!("the request is longer than the {len} bytes that were told");
    }
    Ok(request)
}

/// An answer with chunks of several lengths, extensions and trailers.
fn answer(stream: &[u8]) -> Vec<u8> {
    let mut answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\
        Transfer-Encoding: chunked\r\n\r\n"
        .to_vec();
    let mut rest = stream;
    for len in [1, 3, 40, 500, 2000].into_iter().cycle() {
        let (chunk, after) = rest.split_at(len.min(rest.len()));
        if chunk.is_empty() {
            break;
        }
        answer.extend(format!("{:X};n={len}\r\n", chunk.len()).bytes());
        answer.extend([chunk, b"\r\n"].concat());
        rest = after;
    }
    answer.extend(b"0\r\nx-end: 1\r\n\r\n");
    answer
}

/// Serves one connection that the emulated network forwards, and no other.
pub(crate) fn net(root: &Path, toolchain: &Toolchain, machine: &Machine) -> Result<()> {
    let release = machine::build(root, toolchain, machine, "net", "s")?;
    let (_, stream) = streams(root)?.pop().context("no stream")?;
    let expected = replayed(root, "net", &stream)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let server = std::thread::spawn(move || serve(&listener, &answer(&stream)));
    // Nothing but this one port of the host can be reached.
    let forward = format!("user,restrict=on,guestfwd=tcp:10.0.2.100:8080-tcp:127.0.0.1:{port}");
    let guest = Guest::start(machine, &release.join("net"), &["-nic", &forward])?;
    let lines = guest.finish()?;
    let request = match server.join() {
        Ok(request) => request?,
        Err(_) => bail!("the server fell over"),
    };
    if !request.starts_with("GET /events HTTP/1.1\r\nHost: server.test\r\n") {
        bail!("the request is {request:?}");
    }
    let printed: Vec<&String> = lines.iter().filter(|line| line.starts_with('{')).collect();
    if !printed.iter().copied().eq(&expected) {
        bail!(
            "{} events, not {}:\n{}",
            printed.len(),
            expected.len(),
            last(&lines)
        );
    }
    println!(
        "{}: {}, as the command says",
        machine.name,
        last(&lines[lines.len() - 1..])
    );
    Ok(())
}

fn serve(listener: &TcpListener, answer: &[u8]) -> Result<String> {
    let (mut connection, _) = listener.accept()?;
    connection.set_read_timeout(Some(Duration::from_secs(60)))?;
    let (mut request, mut byte) = (Vec::new(), [0]);
    while !request.ends_with(b"\r\n\r\n") {
        connection.read_exact(&mut byte)?;
        request.push(byte[0]);
    }
    connection.write_all(answer)?;
    connection.shutdown(Shutdown::Write).ok();
    Ok(String::from_utf8_lossy(&request).into_owned())
}

/// Decodes what the firmware logs and compares it with what is stored.
pub(crate) fn logs(root: &Path, toolchain: &Toolchain, machine: &Machine) -> Result<()> {
    let release = machine::build(root, toolchain, machine, "logging", "s")?;
    let program = release.join("logging");
    let frames = Guest::output(machine, &program)?;
    let mut decoder = Command::new("defmt-print")
        .arg("-e")
        .arg(&program)
        .args(["--log-format", "{L} {s}", "stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start defmt-print")?;
    decoder
        .stdin
        .take()
        .context("no input")?
        .write_all(&frames)?;
    let decoded = String::from_utf8(decoder.wait_with_output()?.stdout)?;
    let stored = super::probe::workspace(root).join("logging/expected.txt");
    let expected = fs::read_to_string(&stored).unwrap_or_default();
    if decoded != expected {
        bail!(
            "{} differs from what is logged:\n{decoded}",
            stored.display()
        );
    }
    Ok(())
}

fn expect(guest: &Guest, wanted: &str) -> Result<()> {
    match guest.line()? {
        Some(line) if line == wanted => Ok(()),
        other => bail!("the firmware says {other:?} and not {wanted:?}"),
    }
}
