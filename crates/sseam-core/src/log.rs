//! What may be logged with defmt: events and texts come in, their lengths and
//! offsets go out. Logs must not leak what a stream says.

use defmt::{Format, Formatter, write};

use crate::encode::Encoded;
use crate::engine::Engine;
use crate::item::{Event, Item, Items, LineView, Skipped};
use crate::text::Text;
use crate::token::Token;

impl Format for Text<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Text({=usize} bytes)", self.len());
    }
}

impl Format for Event<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "Event(type {=usize}, data {=usize}, id {=usize} bytes, {=u64}..{=u64}, whole {=bool})",
            self.event_type().len(),
            self.data().len(),
            self.last_event_id().len(),
            self.span().start,
            self.span().end,
            self.is_complete(),
        );
    }
}

impl Format for LineView<'_> {
    fn format(&self, f: Formatter<'_>) {
        let kept = self.prefix().len();
        write!(
            f,
            "LineView({=usize} of {=u64} bytes)",
            kept,
            self.full_len()
        );
    }
}

impl Format for Skipped<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "Skipped({} of {=u64}, {=u64} bytes, {=u64}..{=u64})",
            self.limit(),
            self.max(),
            self.bytes(),
            self.span().start,
            self.span().end,
        );
    }
}

impl Format for Item<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Item::Event(event) => event.format(f),
            Item::Comment(line) => write!(f, "Comment({})", line),
            Item::Ignored(line) => write!(f, "Ignored({})", line),
            Item::Retry(milliseconds) => write!(f, "Retry({=u64} ms)", *milliseconds),
            Item::Skipped(skipped) => skipped.format(f),
        }
    }
}

impl Format for Items {
    fn format(&self, f: Formatter<'_>) {
        write!(
            f,
            "Items(comments {=bool}, ignored {=bool}, retry {=bool}, skipped {=bool})",
            self.contains(Items::COMMENTS),
            self.contains(Items::IGNORED),
            self.contains(Items::RETRY),
            self.contains(Items::SKIPPED),
        );
    }
}

impl Format for Token<'_> {
    fn format(&self, f: Formatter<'_>) {
        match self {
            Token::Value {
                field,
                bytes,
                ends_line,
            } => {
                write!(
                    f,
                    "Value({}, {=usize} bytes, ends {=bool})",
                    field,
                    bytes.len(),
                    *ends_line
                );
            }
            Token::Comment { bytes, ends_line } => {
                write!(
                    f,
                    "Comment({=usize} bytes, ends {=bool})",
                    bytes.len(),
                    *ends_line
                );
            }
            Token::Ignored { bytes, ends_line } => {
                write!(
                    f,
                    "Ignored({=usize} bytes, ends {=bool})",
                    bytes.len(),
                    *ends_line
                );
            }
            Token::Blank => write!(f, "Blank"),
        }
    }
}

impl Format for Encoded<'_> {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Encoded({=usize} bytes left)", self.byte_len());
    }
}

impl Format for Engine {
    fn format(&self, f: Formatter<'_>) {
        write!(f, "Engine({}, {})", self.counters(), self.limits());
    }
}
