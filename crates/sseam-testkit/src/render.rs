//! A report as short, stable text, one fact per line, for assert messages and
//! text-based checks.
//!
//! ```text
//! event "message" "a\nb" id "1" 0..15
//! comment " ping" of 5
//! ignored "foo: x" of 6
//! retry 1500
//! skipped data max 4 came to 9 type "message" head "abcd" 15..40
//! bytes 40 lines 9 events 1 comments 1 ignored_lines 1 skipped 1
//! retry 1500 last_event_id "1"
//! truncated: line data
//! ```

use std::fmt::{self, Display, Formatter, Write as _};

use crate::report::{Counters, Failure, Item, Limit, Report, Unfinished};

impl Report {
    /// The items and how the run ended, without counters and state.
    pub fn render_items(&self) -> String {
        let mut text: String = self.items.iter().map(|item| format!("{item}\n")).collect();
        text.push_str(&self.ending());
        text.push('\n');
        text
    }

    fn ending(&self) -> String {
        match (&self.failure, self.pending) {
            (Some(failure), None) => format!("{failure}"),
            (Some(failure), Some(pending)) => {
                format!(
                    "{failure}, and yet truncated: {}",
                    pending.names().join(" ")
                )
            }
            (None, Some(pending)) => format!("truncated: {}", pending.names().join(" ")),
            (None, None) => "clean".to_owned(),
        }
    }
}

/// Items, counters, state, ending.
impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for item in &self.items {
            writeln!(f, "{item}")?;
        }
        writeln!(f, "{}", self.counters)?;
        match self.retry {
            Some(retry) => write!(f, "retry {retry}")?,
            None => write!(f, "no retry")?,
        }
        writeln!(f, " last_event_id {}", quoted(&self.last_event_id))?;
        if let Some(Unfinished {
            event_type,
            data,
            id,
        }) = &self.unfinished
        {
            let (event_type, data, id) = (quoted(event_type), quoted(data), quoted(id));
            writeln!(f, "unfinished {event_type} {data} id {id}")?;
        }
        writeln!(f, "{}", self.ending())
    }
}

impl Display for Item {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event {
                event_type,
                data,
                id,
                span,
            } => {
                let (event_type, data, id) = (quoted(event_type), quoted(data), quoted(id));
                write!(
                    f,
                    "event {event_type} {data} id {id} {}..{}",
                    span.0, span.1
                )
            }
            Self::Comment { prefix, len } => write!(f, "comment {} of {len}", quoted(prefix)),
            Self::Ignored { prefix, len } => write!(f, "ignored {} of {len}", quoted(prefix)),
            Self::Retry(milliseconds) => write!(f, "retry {milliseconds}"),
            Self::Skipped {
                limit,
                max,
                bytes,
                span,
                event_type,
                head,
            } => {
                let event_type = match event_type {
                    Some(event_type) => quoted(event_type),
                    None => "unknown".to_owned(),
                };
                write!(
                    f,
                    "skipped {limit} max {max} came to {bytes} type {event_type}"
                )?;
                write!(f, " head {} {}..{}", quoted(head), span.0, span.1)
            }
        }
    }
}

impl Display for Counters {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            bytes,
            lines,
            events,
            comments,
            ignored_lines,
            skipped,
        } = self;
        write!(
            f,
            "bytes {bytes} lines {lines} events {events} comments {comments}"
        )?;
        write!(f, " ignored_lines {ignored_lines} skipped {skipped}")
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "failed: {} max {} at {}",
            self.limit, self.max, self.offset
        )
    }
}

/// The names that the command prints.
impl Display for Limit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Line => "line",
            Self::Data => "data",
            Self::EventType => "type",
            Self::Id => "id",
            Self::Events => "events",
        })
    }
}

/// Bytes between quotes: text where they are UTF-8, `\xNN` where they are not.
///
/// Long bytes are shown by their beginning, end and length, or one failed
/// assertion over a 10 MB line would bury the message.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    if bytes.len() <= SHOWN_LEN_MAX {
        return format!("\"{}\"", escaped(bytes));
    }
    let (head, tail) = (
        &bytes[..SHOWN_LEN_MAX / 2],
        &bytes[bytes.len() - SHOWN_LEN_MAX / 4..],
    );
    format!(
        "\"{}…{}\" ({} bytes)",
        escaped(head),
        escaped(tail),
        bytes.len()
    )
}

fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            // A combining mark or a BOM alone would be invisible or would
            // change what stands beside it, so those are escaped too.
            text.extend(character.escape_debug());
        }
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02X}").unwrap_or_default();
        }
    }
    text
}

/// More than any hand-written vector's data but the `long` group's.
const SHOWN_LEN_MAX: usize = 200;
