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
        let len = fill(&mut short.bytes, piece);
        short.len = u16::try_from(len).unwrap_or(0);
        short
    }

    /// The piece's text, if all of it fits.
    pub(crate) fn whole(piece: Piece<'_>) -> Option<Self> {
        (piece.text_len() <= N.min(usize::from(u16::MAX))).then(|| Short::of(piece))
    }
}

/// Writes as many whole characters of a text as fit; gives their length.
#[inline(never)]
fn fill(bytes: &mut [u8], piece: Piece<'_>) -> usize {
    let mut len = 0;
    for part in piece.parts() {
        let room = bytes.len().saturating_sub(len);
        let mut fits = part.len().min(room);
        while !part.is_char_boundary(fits) {
            fits -= 1;
        }
        len += put(bytes, len, part.get(..fits).unwrap_or_default().as_bytes());
        if fits < part.len() {
            break;
        }
    }
    len
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
