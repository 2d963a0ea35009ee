//! JSON or calls to what a server does with each connection.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What the server does with one connection.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answer {
    /// The port is closed: the client is refused, until
    /// [`Server::open`](super::Server::open).
    pub refuse: bool,
    /// The request is read and never answered.
    pub accept_only: bool,
    /// The connection is reset as soon as the request was read.
    pub reset: bool,
    /// Nothing is read as HTTP or TLS, and nothing is sent.
    pub silent: bool,
    /// Before the head; with `accept_only`, until the connection is closed.
    #[serde(rename = "wait_ms", deserialize_with = "milliseconds")]
    pub wait: Duration,
    /// The status.
    pub status: u16,
    /// The headers of the response. Those of framing are added.
    pub headers: BTreeMap<String, String>,
    /// Where the body ends.
    pub framing: Framing,
    /// These bytes instead of a status line and headers.
    pub raw_head: Option<String>,
    /// What follows the head.
    pub body: Vec<Step>,
    /// Headers, by their lower-case names, that the request must have. An empty
    /// value demands that there is none.
    pub expect_request: BTreeMap<String, String>,
}

/// How the end of a body is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// A chunk for each [`Step::Send`].
    #[default]
    Chunked,
    /// The end of the connection.
    Close,
    /// A `content-length` of the script's own, or none.
    None,
}

/// One step of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// These bytes at once.
    Send(Vec<u8>),
    /// Nothing for so long.
    Wait(Duration),
    /// The end; what follows is not played.
    End(End),
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// As HTTP says.
    Clean,
    /// Not at all: the connection stays open until the client closes it.
    Hold,
    /// With an RST.
    Rst,
    /// With a FIN before the last chunk.
    TruncateChunked,
    /// With a FIN inside a chunk.
    CutChunk,
    /// With a FIN, and over TLS without `close_notify`.
    Cut,
    /// With a chunk size that is no number.
    BadChunk,
    /// With the last chunk, but without the CRLF after it.
    NoFinalCrlf,
    /// The line is dead: nothing is sent, and what the client does has no effect.
    Blackhole,
}

impl Answer {
    /// An event stream without any step yet.
    pub fn stream() -> Answer {
        Answer::status(200).header("content-type", "text/event-stream")
    }

    /// A response of that status without any header.
    pub fn status(status: u16) -> Answer {
        Answer {
            status,
            ..Answer::default()
        }
    }

    /// A closed port.
    pub fn refuse() -> Answer {
        Answer {
            refuse: true,
            ..Answer::default()
        }
    }

    /// A request that is never answered.
    pub fn accept_only() -> Answer {
        Answer {
            accept_only: true,
            wait: Duration::from_secs(600),
            ..Answer::default()
        }
    }

    /// A connection on which nothing happens: a handshake waits for ever.
    pub fn silent() -> Answer {
        Answer {
            silent: true,
            ..Answer::default()
        }
    }

    /// With a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Answer {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// With another way of telling where the body ends.
    #[must_use]
    pub fn framing(mut self, framing: Framing) -> Answer {
        self.framing = framing;
        self
    }

    /// Then sends `bytes`.
    #[must_use]
    pub fn send(mut self, bytes: impl AsRef<[u8]>) -> Answer {
        self.body.push(Step::Send(bytes.as_ref().to_vec()));
        self
    }

    /// Then waits.
    #[must_use]
    pub fn wait_ms(mut self, milliseconds: u64) -> Answer {
        let duration = Duration::from_millis(milliseconds);
        self.body.push(Step::Wait(duration));
        self
    }

    /// Then ends.
    #[must_use]
    pub fn end(mut self, end: End) -> Answer {
        self.body.push(Step::End(end));
        self
    }

    /// Demands a header of the request; an empty value demands that there is
    /// none.
    #[must_use]
    pub fn expect(mut self, name: &str, value: &str) -> Answer {
        let name = name.to_ascii_lowercase();
        self.expect_request.insert(name, value.to_owned());
        self
    }
}

/// Written as an object with one of the keys `send`, `wait_ms` and `end`.
impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Keys {
            send: Option<String>,
            wait_ms: Option<u64>,
            end: Option<End>,
        }
        let keys = Keys::deserialize(deserializer)?;
        match (keys.send, keys.wait_ms, keys.end) {
            (Some(text), None, None) => Ok(Step::Send(text.into_bytes())),
            (None, Some(ms), None) => Ok(Step::Wait(Duration::from_millis(ms))),
            (None, None, Some(end)) => Ok(Step::End(end)),
            _ => Err(serde::de::Error::custom("one of send, wait_ms, end")),
        }
    }
}

fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}

/// The answers of a case, its `repeat` applied.
pub(crate) fn answers(script: &Value, repeat: usize) -> Result<Vec<Answer>, serde_json::Error> {
    let once = Vec::<Answer>::deserialize(script)?;
    let len = once.len() * repeat;
    Ok(once.into_iter().cycle().take(len).collect())
}
