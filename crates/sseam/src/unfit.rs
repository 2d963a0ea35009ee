//! The headers of a response come in, what of them is not those of an event stream
//! goes out. The client asks here, and whoever has responses from elsewhere.

use std::fmt;

use sseam_llm::Foreign;

/// What about a response is not that of an event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// Its content type.
    ContentType,
    /// It has no content type.
    MissingContentType,
    /// It is compressed, although that was asked not to be.
    ContentEncoding,
    /// Its bytes, whatever the head says.
    Body(Foreign),
}

impl Unfit {
    /// What is wrong with the headers, the encoding first: the values of each
    /// `Content-Encoding`, and that of `Content-Type`.
    ///
    /// Case and parameters of the type are free. Of encodings pass `identity`, and
    /// `none` and `utf-8`, which servers write for it, also in lists. With
    /// `takes_document`, one JSON document may stand in the place of a stream, as
    /// a server of MCP may answer.
    ///
    /// ```
    /// use sseam::Unfit;
    ///
    /// let event_stream = Some(&b"Text/Event-Stream; charset=utf-8"[..]);
    /// assert_eq!(Unfit::of_headers([], event_stream, false), None);
    /// let unfit = Unfit::of_headers([&b"gzip"[..]], event_stream, false);
    /// assert_eq!(unfit, Some(Unfit::ContentEncoding));
    /// ```
    pub fn of_headers<'h>(
        content_encodings: impl IntoIterator<Item = &'h [u8]>,
        content_type: Option<&[u8]>,
        takes_document: bool,
    ) -> Option<Unfit> {
        if !content_encodings.into_iter().all(is_identity) {
            return Some(Unfit::ContentEncoding);
        }
        match content_type {
            Some(value) if is(value, "text/event-stream") => None,
            Some(value) if takes_document && is(value, "application/json") => None,
            Some(_) => Some(Unfit::ContentType),
            None => Some(Unfit::MissingContentType),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::ContentType => f.write_str("the content type is not text/event-stream"),
            Unfit::MissingContentType => f.write_str("there is no content type"),
            Unfit::ContentEncoding => f.write_str("the content encoding is not identity"),
            Unfit::Body(foreign) => {
                let (name, advice) = (foreign.name(), foreign.advice());
                write!(f, "the body is {name}, no event stream; {advice}")
            }
        }
    }
}

/// Whether a content type is this one, whatever its case and parameters.
fn is(value: &[u8], content_type: &str) -> bool {
    let essence = value.split(|byte| *byte == b';').next().unwrap_or_default();
    essence
        .trim_ascii()
        .eq_ignore_ascii_case(content_type.as_bytes())
}

fn is_identity(value: &[u8]) -> bool {
    let mut codings = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    codings.all(|coding| {
        let mut known = IDENTITIES.iter();
        coding.is_empty() || known.any(|name| coding.eq_ignore_ascii_case(name))
    })
}

/// The coding that is none, and what servers write for it.
const IDENTITIES: [&[u8]; 3] = [b"identity", b"none", b"utf-8"];
