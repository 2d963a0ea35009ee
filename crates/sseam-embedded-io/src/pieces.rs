//! What is sent, piece by piece: a block or a request comes in, and what is left
//! of it can be kept between writes.

use sseam_core::Encoded;

use crate::request::EncodedRequest;

/// Bytes to be sent, in pieces that need not be copied together.
pub trait Pieces: Clone {
    /// The next piece, or `None` after the last one.
    fn next_piece(&mut self) -> Option<&[u8]>;
}

impl Pieces for Encoded<'_> {
    fn next_piece(&mut self) -> Option<&[u8]> {
        Encoded::next_piece(self)
    }
}

impl Pieces for EncodedRequest<'_> {
    fn next_piece(&mut self) -> Option<&[u8]> {
        EncodedRequest::next_piece(self)
    }
}

/// What is left to be sent.
///
/// It is outside of the future that sends it, so that a future that was dropped
/// in the middle of a block does not lose the place: hand the same value to the
/// next one, and the block goes on with its next byte.
#[derive(Debug, Clone)]
pub struct Outgoing<P> {
    pieces: P,
    /// Bytes of the next piece that were sent; <= its length.
    sent: usize,
}

impl<P: Pieces> Outgoing<P> {
    /// All of it.
    pub const fn new(pieces: P) -> Self {
        Outgoing { pieces, sent: 0 }
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.pieces.clone().next_piece().is_none()
    }

    /// The bytes to be sent next, with what follows the piece they are in.
    ///
    /// Given to `send`, which tells how many of them it took.
    pub(crate) fn ahead(&self) -> P {
        self.pieces.clone()
    }

    /// How much of the next piece was sent.
    pub(crate) const fn sent(&self) -> usize {
        self.sent
    }

    /// Takes in that `len` more bytes were sent, of a piece of `piece_len` bytes
    /// that is followed by `rest`.
    pub(crate) fn advance(&mut self, len: usize, piece_len: usize, rest: P) {
        self.sent += len;
        if self.sent >= piece_len {
            self.sent = 0;
            self.pieces = rest;
        }
    }
}
