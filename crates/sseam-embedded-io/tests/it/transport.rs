//! Sources that give bytes in chosen portions and fail on demand.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::task::Poll;

use embedded_io::{BufRead, Error, ErrorKind, ErrorType, Read, ReadReady};

/// What a transport does when it is asked.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// Gives these bytes, at most so many as fit.
    Give(Vec<u8>),
    /// Fails once.
    Fail,
    /// Has nothing now; a task waits once.
    Wait,
}

/// A transport that does one thing after the other, then ends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) acts: VecDeque<Act>,
    /// Calls of `read` or `fill_buf` so far.
    pub(crate) reads: usize,
    /// Calls after the end was told.
    pub(crate) reads_after_end: usize,
    /// Bytes of the first act that were given.
    given: usize,
    has_ended: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Overrun;

impl std::fmt::Display for Overrun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("overrun")
    }
}

impl std::error::Error for Overrun {}

impl Error for Overrun {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

impl Script {
    pub(crate) fn new(acts: impl IntoIterator<Item = Act>) -> Script {
        Script {
            acts: acts.into_iter().collect(),
            ..Script::default()
        }
    }

    /// Every chunk in one read each; empty ones would be the end.
    pub(crate) fn chunks(chunks: &[&[u8]]) -> Script {
        let chunks = chunks.iter().filter(|chunk| !chunk.is_empty());
        Script::new(chunks.map(|chunk| Act::Give(chunk.to_vec())))
    }

    /// The same, with a wait before each chunk and before the end.
    pub(crate) fn waiting(chunks: &[&[u8]]) -> Script {
        let chunks = chunks.iter().filter(|chunk| !chunk.is_empty());
        let acts = chunks.flat_map(|chunk| [Act::Wait, Act::Give(chunk.to_vec())]);
        Script::new(acts.chain([Act::Wait]))
    }

    fn give(&mut self, buffer: &mut [u8]) -> Result<usize, Overrun> {
        self.reads += 1;
        self.reads_after_end += usize::from(self.has_ended);
        while matches!(self.acts.front(), Some(Act::Wait)) {
            self.acts.pop_front();
        }
        match self.acts.pop_front() {
            Some(Act::Give(bytes)) => {
                let rest = &bytes[self.given..];
                let len = rest.len().min(buffer.len());
                buffer[..len].copy_from_slice(&rest[..len]);
                if len < rest.len() {
                    self.given += len;
                    self.acts.push_front(Act::Give(bytes));
                } else {
                    self.given = 0;
                }
                Ok(len)
            }
            Some(Act::Fail) => Err(Overrun),
            _ => {
                self.has_ended = true;
                Ok(0)
            }
        }
    }

    /// Waits where the script says so; dropped while it waits, it has waited.
    async fn wait(&mut self) {
        poll_fn(|context| {
            if matches!(self.acts.front(), Some(Act::Wait)) {
                self.acts.pop_front();
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            Poll::Ready(())
        })
        .await;
    }
}

impl ErrorType for Script {
    type Error = Overrun;
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Overrun> {
        self.give(buffer)
    }
}

impl ReadReady for Script {
    fn read_ready(&mut self) -> Result<bool, Overrun> {
        Ok(match self.acts.front() {
            Some(Act::Wait) => {
                self.acts.pop_front();
                false
            }
            _ => true,
        })
    }
}

impl embedded_io_async::Read for Script {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Overrun> {
        self.wait().await;
        self.give(buffer)
    }
}

/// A script behind a ring buffer that it lends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    pub(crate) script: Script,
    held: Vec<u8>,
    start: usize,
    /// Fails when asked again for bytes that it holds.
    pub(crate) fails_when_full: bool,
}

impl Ring {
    pub(crate) fn new(script: Script) -> Ring {
        Ring {
            script,
            ..Ring::default()
        }
    }

    fn fill(&mut self) -> Result<(), Overrun> {
        let is_full = self.start < self.held.len();
        if is_full && std::mem::take(&mut self.fails_when_full) {
            return Err(Overrun);
        }
        if !is_full {
            let len = match self.script.acts.front() {
                Some(Act::Give(bytes)) => bytes.len(),
                _ => 1,
            };
            self.start = 0;
            self.held.resize(len, 0);
            let len = self.script.give(&mut self.held);
            self.held.truncate(*len.as_ref().unwrap_or(&0));
            len?;
        }
        Ok(())
    }
}

impl ErrorType for Ring {
    type Error = Overrun;
}

impl Read for Ring {
    fn read(&mut self, _: &mut [u8]) -> Result<usize, Overrun> {
        panic!("a reader in place has no buffer to read into");
    }
}

impl BufRead for Ring {
    fn fill_buf(&mut self) -> Result<&[u8], Overrun> {
        self.fill()?;
        Ok(&self.held[self.start..])
    }

    fn consume(&mut self, len: usize) {
        assert!(
            len <= self.held.len() - self.start,
            "more is consumed than was lent"
        );
        self.start += len;
    }
}

impl embedded_io_async::Read for Ring {
    async fn read(&mut self, _: &mut [u8]) -> Result<usize, Overrun> {
        panic!("a reader in place has no buffer to read into");
    }
}

impl embedded_io_async::BufRead for Ring {
    /// Waits also when it holds bytes, as a lock around it might.
    async fn fill_buf(&mut self) -> Result<&[u8], Overrun> {
        self.script.wait().await;
        self.fill()?;
        Ok(&self.held[self.start..])
    }

    fn consume(&mut self, len: usize) {
        assert!(
            len <= self.held.len() - self.start,
            "more is consumed than was lent"
        );
        self.start += len;
    }
}

/// A transport that takes at most so many bytes at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sink {
    pub(crate) taken: Vec<u8>,
    /// Bytes that one call takes; none are an error of the transport's.
    pub(crate) most: usize,
    /// Whether a task waits before each call.
    pub(crate) waits: bool,
    pub(crate) has_waited: bool,
}

impl ErrorType for Sink {
    type Error = Overrun;
}

impl embedded_io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Overrun> {
        let len = bytes.len().min(self.most);
        self.taken.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> Result<(), Overrun> {
        Ok(())
    }
}

impl embedded_io_async::Write for Sink {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Overrun> {
        poll_fn(|_| {
            self.has_waited = self.waits && !self.has_waited;
            if self.has_waited {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
        embedded_io::Write::write(self, bytes)
    }

    async fn flush(&mut self) -> Result<(), Overrun> {
        Ok(())
    }
}
