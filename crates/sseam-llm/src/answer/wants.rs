//! Stage 5, what an answer wants of its source: where it has come to in, whether to
//! read on and for how long out.

use core::time::Duration;

use super::{Answer, Phase};
use crate::turn::DRAIN_MILLIS_MAX;

/// How long to wait for more once all choices have finished, unless told: usage
/// and `[DONE]` come within a second or two of the last one.
pub const SETTLE_DEFAULT: Duration = Duration::from_secs(2);

/// What a source is to do next.
///
/// ```
/// use std::io::{self, Read};
/// use std::net::TcpStream;
/// use std::time::Duration;
/// use sseam_core::Memory;
/// use sseam_llm::{Answer, Close, TransportEnd, Wants};
///
/// /// Reads an answer off a socket, and waits no longer than it asks for.
/// fn read<M: Memory>(mut socket: TcpStream, answer: &mut Answer<M>) -> io::Result<()> {
///     let mut buffer = [0; 4096];
///     let close = loop {
///         let quiet = match answer.wants() {
///             Wants::Nothing => break Close::Settled,
///             Wants::MoreUntilQuiet(quiet) => Some(quiet),
///             _ => Some(Duration::from_secs(60)),
///         };
///         socket.set_read_timeout(quiet)?;
///         match socket.read(&mut buffer) {
///             Ok(0) => break Close::Transport(TransportEnd::Clean),
///             Ok(len) => answer.feed(&buffer[..len], |text| print!("{text}")),
///             Err(error) if error.kind() == io::ErrorKind::WouldBlock => break Close::Settled,
///             Err(error) => return Err(error),
///         }
///     };
///     answer.end(close);
///     Ok(())
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wants {
    /// Read on: the answer is not over.
    More,
    /// Read on until nothing comes for this long, and then end with
    /// [`Close::Settled`](crate::Close::Settled): all choices have finished, or the
    /// API's own end came and its reason may follow.
    MoreUntilQuiet(Duration),
    /// Nothing more matters: hang up.
    Nothing,
}

impl<M> Answer<M> {
    /// What the source is to do next.
    pub fn wants(&self) -> Wants {
        match self.phase {
            Phase::Reading if self.turn.is_finished() => Wants::MoreUntilQuiet(self.settle),
            Phase::Reading => Wants::More,
            Phase::Draining(_) if !self.turn.is_over() => {
                Wants::MoreUntilQuiet(Duration::from_millis(DRAIN_MILLIS_MAX))
            }
            _ => Wants::Nothing,
        }
    }
}
