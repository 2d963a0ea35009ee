//! `sseam serve` as a process, and what a bare socket gets from it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A process that is ended when the test is.
pub(crate) struct Served {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub(crate) address: String,
}

/// What a client got.
#[derive(Debug)]
pub(crate) struct Got {
    /// The status line and the headers.
    pub(crate) head: String,
    /// The body as it came, with its framing.
    pub(crate) raw: Vec<u8>,
    /// Whether an RST ended it.
    pub(crate) is_reset: bool,
}

impl Served {
    /// Runs `sseam serve ARGS` and waits for its address.
    pub(crate) fn start(args: &[&str]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sseam"));
        Served::of(command.args([&["serve"], args].concat()))
    }

    /// The same in a process that can write no file of more than some KiB.
    #[cfg(unix)]
    pub(crate) fn start_without_space(args: &[&str]) -> Served {
        let script = "trap '' XFSZ; ulimit -f 4; exec \"$0\" serve \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_sseam")]);
        Served::of(command.args(args))
    }

    fn of(command: &mut Command) -> Served {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("UTF-8");
        let address = line.trim().strip_prefix("http://");
        let address = address.and_then(|rest| rest.strip_suffix('/'));
        let Some(address) = address else {
            let mut stderr = String::new();
            let _ = child
                .stderr
                .take()
                .expect("a pipe")
                .read_to_string(&mut stderr);
            panic!("no address but {line:?}: {stderr}");
        };
        let address = address.to_owned();
        Served { child, address }
    }

    /// The address of `path`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends a GET with these header lines, each with its CRLF.
    pub(crate) fn get(&self, headers: &str) -> Got {
        self.ask(&format!("GET / HTTP/1.1\r\nhost: x\r\n{headers}\r\n"))
    }

    /// Sends a request and reads to the end.
    pub(crate) fn ask(&self, request: &str) -> Got {
        let mut stream = self.connect(request);
        let mut bytes = Vec::new();
        let is_reset = stream.read_to_end(&mut bytes).is_err();
        let at = bytes.windows(4).position(|it| it == b"\r\n\r\n");
        let at = at.map_or(bytes.len(), |at| at + 4);
        let raw = bytes.split_off(at);
        let head = String::from_utf8(bytes).expect("a head");
        Got {
            head,
            raw,
            is_reset,
        }
    }

    /// Sends a request and leaves the response to the caller.
    pub(crate) fn connect(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let longest = Some(Duration::from_secs(10));
        stream.set_read_timeout(longest).expect("a socket");
        stream.write_all(request.as_bytes()).expect("it reads");
        stream
    }

    /// Ends with the process, which is expected to end; its code and messages.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let mut stderr = String::new();
        let mut pipe = self.child.stderr.take().expect("a pipe");
        pipe.read_to_string(&mut stderr).expect("UTF-8");
        (self.child.wait().expect("it ends").code(), stderr)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Got {
    /// The chunks of the body, and whether the last one came.
    pub(crate) fn chunks(&self) -> (Vec<Vec<u8>>, bool) {
        let (mut chunks, mut rest) = (Vec::new(), self.raw.as_slice());
        while let Some(at) = rest.windows(2).position(|it| it == b"\r\n") {
            let size = std::str::from_utf8(&rest[..at]).expect("a size");
            let size = usize::from_str_radix(size, 16).expect("a size");
            if size == 0 {
                assert_eq!(&rest[at..], b"\r\n\r\n");
                return (chunks, true);
            }
            chunks.push(rest[at + 2..at + 2 + size].to_vec());
            rest = &rest[at + size + 4..];
        }
        assert_eq!(rest, b"");
        (chunks, false)
    }

    /// The body without its framing.
    pub(crate) fn body(&self) -> Vec<u8> {
        self.chunks().0.concat()
    }
}
