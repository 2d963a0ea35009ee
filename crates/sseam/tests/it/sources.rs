//! A `Read` that does as it is told: steps come in, reads go out.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};

/// What one or more reads come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told<'s> {
    /// These bytes, in as many reads as the buffer makes necessary.
    Bytes(&'s [u8]),
    /// One read that fails.
    Error(ErrorKind),
}

/// Does what it is told step by step, then says that the input has ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script<'s> {
    /// The next step first.
    steps: VecDeque<Told<'s>>,
    /// Reads so far that gave bytes or an end.
    pub(crate) reads: usize,
}

impl<'s> Script<'s> {
    pub(crate) fn new(steps: impl IntoIterator<Item = Told<'s>>) -> Self {
        Script {
            steps: steps.into_iter().collect(),
            reads: 0,
        }
    }

    /// The chunks, each from a read of its own, with a read that is interrupted
    /// and one that fails before each of them and before the end. A read of no
    /// bytes would be an end, so an empty chunk is none.
    pub(crate) fn between(chunks: &[&'s [u8]], error: ErrorKind) -> Self {
        let errors = [Told::Error(ErrorKind::Interrupted), Told::Error(error)];
        let chunks = chunks.iter().filter(|chunk| !chunk.is_empty());
        let steps = chunks.flat_map(|chunk| [errors[0], errors[1], Told::Bytes(chunk)]);
        Script::new(steps.chain(errors))
    }
}

impl Read for Script<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(Told::Error(kind)) = self.steps.front() {
            let kind = *kind;
            self.steps.pop_front();
            return Err(kind.into());
        }
        self.reads += 1;
        let Some(Told::Bytes(bytes)) = self.steps.front_mut() else {
            return Ok(0);
        };
        let len = bytes.len().min(buffer.len());
        let (head, rest) = bytes.split_at(len);
        buffer[..len].copy_from_slice(head);
        *bytes = rest;
        if rest.is_empty() {
            self.steps.pop_front();
        }
        Ok(len)
    }
}
