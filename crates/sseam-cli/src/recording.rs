//! What came over a connection and when, to a file and back.
//!
//! A recording is JSON lines, as `docs/recordings.md` describes: one that says
//! so, then for each response its head, each read with its bytes and its time,
//! and its end. There is nothing of the request but its method and its path:
//! headers, query and body hold keys.

mod write; // Reads with their times -> a file that only its owner may read.
mod read; // A file -> reads with their times.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub(crate) use read::{Beginning, Lines, beginning};
pub(crate) use write::Recorder;

/// One line after the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line<'a> {
    /// Which response it is about, from 1.
    pub(crate) response: u32,
    /// Microseconds since the request, or since the first one of several.
    pub(crate) t_us: u64,
    /// The head of a response.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub(crate) head: Option<Head<'a>>,
    /// The number of a read, from 1; over all responses of one `get`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read: Option<u64>,
    /// The bytes of a read, where they are UTF-8.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub(crate) data: Option<Cow<'a, str>>,
    /// The bytes of a read in hexadecimal digits, where they are not.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub(crate) hex: Option<Cow<'a, str>>,
    /// How the response ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
}

/// What is kept of a request and of the head of its response.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head<'a> {
    #[serde(borrow)]
    pub(crate) method: Cow<'a, str>,
    /// Without the query.
    #[serde(borrow)]
    pub(crate) path: Cow<'a, str>,
    pub(crate) status: u16,
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    pub(crate) content_type: Option<Cow<'a, str>>,
}

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum End {
    /// As HTTP says.
    Clean,
    /// Before its end: a FIN, an RST, or a fault of the framing.
    Cut,
    /// The reader left.
    Left,
    /// A later version knows it.
    #[serde(other)]
    Other,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct First {
    sseam_recording: u32,
}

/// What a recording begins with, and nothing else that is worth a replay.
const MAGIC: &[u8] = b"{\"sseam_recording\":";

const VERSION: u32 = 1;

#[cfg(test)]
mod tests;
