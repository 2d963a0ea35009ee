//! The way back: a block of the encoder comes in, its bytes go to a `Write`.

use std::io::{self, Write};

use sseam_core::Encoded;

/// Lets every [`Write`] take what an [`Encoder`](crate::Encoder) makes.
pub trait WriteBlock: Write {
    /// Writes the whole block, its short pieces in one go. It does not flush.
    ///
    /// ```
    /// use sseam::{Encoder, WriteBlock};
    ///
    /// let mut wire = Vec::new();
    /// wire.write_block(Encoder::retry(1500))?;
    /// wire.write_block(Encoder::event(b"", b"two\nlines", Some(b"7"))?)?;
    /// wire.write_block(Encoder::comment(b"ping"))?;
    /// assert_eq!(wire, b"retry: 1500\nid: 7\ndata: two\ndata: lines\n\n: ping\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer. Part of the block may have been written then; what a
    /// stream's reader has got of it is no event.
    fn write_block(&mut self, block: Encoded<'_>) -> io::Result<()> {
        write_pieces(self, block)
    }
}

impl<W: Write + ?Sized> WriteBlock for W {}

/// Pieces are gathered, because on a socket without a buffer each `write` is a
/// packet.
fn write_pieces<W: Write + ?Sized>(out: &mut W, mut block: Encoded<'_>) -> io::Result<()> {
    let mut gathered = [0; GATHERED_LEN_MAX];
    let mut len = 0;
    while let Some(piece) = block.next_piece() {
        if piece.len() > gathered.len() - len {
            out.write_all(&gathered[..len])?;
            len = 0;
        }
        if piece.len() > gathered.len() {
            out.write_all(piece)?;
            continue;
        }
        gathered[len..len + piece.len()].copy_from_slice(piece);
        len += piece.len();
    }
    out.write_all(&gathered[..len])
}

/// What a block's field names, line ends and short values come to.
const GATHERED_LEN_MAX: usize = 1024;
