//! Stage 0, what an event's bytes look like to a reader: bytes in, text out.
//!
//! The standard decodes the whole stream before it looks for lines. Decoding
//! each value afterwards gives the same text, because CR, LF, colon and space
//! are never part of a malformed sequence.

use core::fmt;
use core::str::{Utf8Chunks, from_utf8};

/// Bytes that are meant to be UTF-8 and may not be.
///
/// ```
/// use sseam_core::Text;
///
/// let text = Text::new(b"a\xE2\x82b");
/// assert_eq!(text.to_str().unwrap_err().offset, 1);
/// assert_eq!(format!("{text}"), "a\u{FFFD}b");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Wraps bytes as they came.
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Text(bytes)
    }

    /// The bytes as they came.
    #[inline]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Length in bytes.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Whether there are no bytes.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The text, if all of it is valid UTF-8.
    ///
    /// # Errors
    ///
    /// Gives the index of the first byte that is not valid.
    #[inline]
    pub fn to_str(self) -> Result<&'a str, InvalidText> {
        from_utf8(self.0).map_err(|error| InvalidText {
            offset: error.valid_up_to(),
        })
    }

    /// The valid parts and what stands between them.
    ///
    /// Each invalid part is one maximal subpart, for which a browser shows one
    /// U+FFFD, as the Encoding standard's decoder does.
    #[inline]
    pub fn chunks(self) -> Utf8Chunks<'a> {
        self.0.utf8_chunks()
    }
}

/// Shows the text with U+FFFD for each maximal subpart that is not valid UTF-8.
impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

/// Shows the length only: logs must not leak what a stream says.
impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}

impl AsRef<[u8]> for Text<'_> {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<[u8]> for Text<'_> {
    fn eq(&self, other: &[u8]) -> bool {
        self.0 == other
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Text(text.as_bytes())
    }
}

/// Text is not valid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct InvalidText {
    /// Index of the first byte that is not valid, within the text.
    pub offset: usize,
}

impl fmt::Display for InvalidText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "text is not valid UTF-8 at its byte {}", self.offset)
    }
}

impl core::error::Error for InvalidText {}
