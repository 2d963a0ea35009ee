//! Stage 0, text of bounded length that a turn keeps: pieces in, a copy out.

use core::fmt;

use crate::piece::{Piece, put};

/// Text of at most `N` bytes, kept by value; `N` is at most 65535.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Short<const N: usize> {
    bytes: [u8; N],
    /// At most `N`; the bytes before it are UTF-8.
    len: u16,
}

impl<const N: usize> Short<N> {
    /// No text.
    pub const EMPTY: Short<N> = Short {
        bytes: [0; N],
        len: 0,
    };

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Its bytes.
    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// As much of the piece's text as fits, whole characters only.
    pub(crate) fn of(piece: Piece<'_>) -> Self {
        let mut short = Short::EMPTY;
        for part in piece.parts() {
            for character in part.chars() {
                if !short.push(character) {
                    return short;
                }
            }
        }
        short
    }

    /// The piece's text, if all of it fits.
    pub(crate) fn whole(piece: Piece<'_>) -> Option<Self> {
        (piece.text_len() <= N.min(usize::from(u16::MAX))).then(|| Short::of(piece))
    }

    pub(crate) fn push(&mut self, character: char) -> bool {
        let mut encoded = [0; 4];
        let encoded = character.encode_utf8(&mut encoded).as_bytes();
        let start = usize::from(self.len);
        let end = start + encoded.len();
        let Some(len) = u16::try_from(end).ok().filter(|_| end <= N) else {
            return false;
        };
        put(&mut self.bytes, start, encoded);
        self.len = len;
        true
    }
}

impl<const N: usize> fmt::Display for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Short<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Short({} bytes)", self.len)
    }
}
