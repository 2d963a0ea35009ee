//! Pipes: when lines are handed on, what broken ones do, and progress.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::rc::Rc;
use std::time::Duration;

use sseam_cli::Exit;

use crate::command::{Chunks, Terminals, argument, run_from, run_to};

/// An output that both ends can see: written, and of that flushed.
#[derive(Clone, Default)]
struct Pipe {
    written: Rc<RefCell<Vec<u8>>>,
    flushed_len: Rc<RefCell<usize>>,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written.borrow_mut().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.flushed_len.borrow_mut() = self.written.borrow().len();
        Ok(())
    }
}

/// A source that notes how many lines were handed on when it was asked for more.
struct Asked<'s> {
    chunks: Chunks<'s>,
    pipe: Pipe,
    lines: Vec<usize>,
}

impl Read for Asked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let written = self.pipe.written.borrow();
        let flushed = &written[..*self.pipe.flushed_len.borrow()];
        let lines = flushed.iter().filter(|&&byte| byte == b'\n').count();
        self.lines.push(lines);
        self.chunks.read(buffer)
    }
}

/// Before it waits for more, everything it knows has been handed on.
#[test]
fn lines_are_handed_on_as_soon_as_they_are_known() {
    let chunks: [&[u8]; 4] = [
        b"data: 1\n\nda",
        b"ta: 2\n\ndata: 3\r\r",
        b"\n",
        b"data: 4\n",
    ];
    let pipe = Pipe::default();
    let mut source = Asked {
        chunks: Chunks::new(&chunks),
        pipe: pipe.clone(),
        lines: Vec::new(),
    };
    let mut stdout = pipe.clone();
    run_to(
        &["replay", "-"],
        &mut source,
        &mut stdout,
        Terminals::default(),
    );
    assert_eq!(source.lines, [0, 1, 3, 3, 3]);
}

/// A file is written in large pieces.
#[test]
fn files_are_buffered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.sse");
    std::fs::write(&path, "data: x\n\n".repeat(1000)).expect("a file");
    struct Counted(usize);
    impl Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut stdout = Counted(0);
    let args = ["replay", &argument(&path)];
    run_to(&args, &mut io::empty(), &mut stdout, Terminals::default());
    assert!(stdout.0 <= 3, "{} writes", stdout.0);
}

/// An output that takes some bytes and then fails.
struct Fails {
    room: usize,
    kind: ErrorKind,
}

impl Write for Fails {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            return Err(self.kind.into());
        }
        let len = bytes.len().min(self.room);
        self.room -= len;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whoever reads the output may leave, whatever the stream comes to.
#[test]
fn a_broken_pipe_is_quiet() {
    let streams = [
        "data: x\n\n".repeat(20),
        "data: x\n\ndata".to_owned(),
        "data: \0\n\n".repeat(9),
    ];
    for stream in streams {
        for room in [0, 1, 30] {
            for form in ["text", "json"] {
                let mut stdout = Fails {
                    room,
                    kind: ErrorKind::BrokenPipe,
                };
                let args = ["replay", "-", "--summary", form];
                let mut stdin = stream.as_bytes();
                let (exit, stderr) = run_to(&args, &mut stdin, &mut stdout, Terminals::default());
                assert_eq!((exit, stderr.as_str()), (Exit::Clean, ""), "{room}");
            }
        }
    }
    for args in [&["--help"][..], &["man"], &["completions", "zsh"]] {
        let mut stdout = Fails {
            room: 3,
            kind: ErrorKind::BrokenPipe,
        };
        let (exit, stderr) = run_to(args, &mut io::empty(), &mut stdout, Terminals::default());
        assert_eq!((exit, stderr.as_str()), (Exit::Clean, ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_is_not() {
    for args in [
        &["replay", "-"][..],
        &["--version"],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut stdout = Fails {
            room: 3,
            kind: ErrorKind::StorageFull,
        };
        let mut stdin = &b"data: x\n\n"[..];
        let (exit, stderr) = run_to(args, &mut stdin, &mut stdout, Terminals::default());
        assert_eq!(exit, Exit::Failure, "{args:?}");
        assert!(
            stderr.starts_with("sseam: standard output: writing failed: "),
            "{stderr}"
        );
    }
}

/// A source that takes its time.
struct Slow(VecDeque<&'static [u8]>);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_millis(600));
        let chunk = self.0.pop_front().unwrap_or_default();
        buffer[..chunk.len()].copy_from_slice(chunk);
        Ok(chunk.len())
    }
}

#[test]
fn progress_is_shown_where_a_person_waits() {
    let stream = || {
        Slow(VecDeque::from([
            &b"data: 1\n\n"[..],
            b"data: 2\n\n",
            b"data: 3\n\n",
        ]))
    };
    let run = |stdout, stderr| {
        let terminals = Terminals { stdout, stderr };
        run_from(&["replay", "-"], &mut stream(), terminals).stderr
    };
    let shown = run(false, true);
    let summary = "sseam: 3 events, 6 lines, 27 bytes\n";
    assert!(
        shown.starts_with("\rsseam: 0.0 MiB, 2 events\x1B[K\r"),
        "{shown:?}"
    );
    assert!(shown.ends_with(&format!("\r\x1B[K{summary}")), "{shown:?}");
    assert_eq!(run(false, false), summary);
    assert_eq!(run(true, true), summary);
}

#[test]
fn a_short_input_needs_no_progress() {
    let terminals = Terminals {
        stdout: false,
        stderr: true,
    };
    let ran = run_from(&["replay", "-"], &mut &b"data: 1\n\n"[..], terminals);
    assert_eq!(ran.stderr, "sseam: 1 event, 2 lines, 9 bytes\n");
}
