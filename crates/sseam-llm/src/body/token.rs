//! Stage 2, a token of a body: its bytes one by one in, its text out.

use crate::piece::{Piece, put};
use crate::state::MESSAGE_LEN_MAX;

/// The start of the string or the scalar at hand, as it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    bytes: [u8; MESSAGE_LEN_MAX],
    /// At most [`MESSAGE_LEN_MAX`].
    len: usize,
    pub(super) is_string: bool,
}

impl Token {
    pub(super) const EMPTY: Token = Token {
        bytes: [0; MESSAGE_LEN_MAX],
        len: 0,
        is_string: false,
    };

    pub(super) const STRING: Token = Token {
        is_string: true,
        ..Token::EMPTY
    };

    /// Keeps a byte; those beyond the room are not needed.
    pub(super) fn keep(&mut self, byte: u8) {
        if self.len < MESSAGE_LEN_MAX {
            self.len += put(&mut self.bytes, self.len, &[byte]);
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    pub(super) fn text(&self) -> Piece<'_> {
        Piece::json(self.as_bytes(), self.is_string)
    }

    pub(super) fn is_falsy(&self) -> bool {
        match self.is_string {
            true => self.len == 0,
            false => matches!(self.as_bytes(), b"" | b"null" | b"false" | b"0"),
        }
    }

    pub(super) fn is_bad_code(&self) -> bool {
        !crate::failure::is_good_code(self.text())
    }
}
