//! No API at all.
//!
//! Rules: the text is each event's data and LF. A clean end is all that there
//! is to be known: exit 0. A block, or a line, that was not finished was
//! truncated, but for lenient mode, which takes it as an event.

use super::Mode;
use super::lines::{Piece, Stream};
use crate::field::Seen;

pub(super) fn read(stream: &Stream, mode: Mode) -> Seen {
    let events = stream.pieces.iter().filter_map(|piece| match piece {
        Piece::Event(_, data) => Some(data),
        Piece::Bare(_) => None,
    });
    let unfinished = stream.unfinished.iter().map(|event| &event.1);
    let is_lenient = mode == Mode::Lenient;
    let taken = unfinished.filter(|_| is_lenient);
    let text: String = events
        .chain(taken)
        .map(|data| format!("{data}\n"))
        .collect();
    let exit = match stream.is_pending && !is_lenient {
        _ if stream.is_no_event_stream() => 31,
        true => 20,
        false => 0,
    };
    Seen {
        exit,
        output: !text.is_empty(),
        text,
        dialect: "plain".to_owned(),
        ..Seen::default()
    }
}
