//! Stage 1, bytes to line ends: a slice in, the index of its first CR or LF out.
//!
//! This is the only loop over all bytes of a stream. It remembers nothing: the
//! tokenizer never asks about a byte twice.
//!
//! # Why not memchr alone
//!
//! memchr2 is fast over a long line, but a call costs some 40 instructions
//! before it has looked at anything, and most lines of an event stream are short:
//! half of them are blank. With the feature `wide-scan` this file looks for any
//! byte below 14 instead: one comparison where CR and LF need two. Other control
//! characters hardly occur in text, and are passed over when they do. The code is
//! plain and safe; compilers turn its blocks into vector instructions. Small
//! targets leave the feature off and call memchr2: less flash, same answers.

/// Index of the first CR or LF, or the length if there is none.
///
/// No other character ends a line: not VT or FF, not U+0085, not U+2028.
#[inline(always)]
pub(crate) fn line_end(bytes: &[u8]) -> usize {
    #[cfg(feature = "wide-scan")]
    return blocks::line_end(bytes);
    #[cfg(not(feature = "wide-scan"))]
    memchr::memchr2(b'\n', b'\r', bytes).unwrap_or(bytes.len())
}

/// Index of the first NUL, which makes an `id` line void.
#[inline]
pub(crate) fn nul(bytes: &[u8]) -> Option<usize> {
    memchr::memchr(0, bytes)
}

#[cfg(feature = "wide-scan")]
mod blocks {
    /// No byte from here on ends a line: CR is 13 and LF is 10.
    const CONTROL_END: u8 = 14;

    const WORD_LEN: usize = 8;
    const BLOCK_LEN: usize = 16;
    const STRIDE_LEN: usize = 4 * BLOCK_LEN;

    /// The first block is looked at where the call stands: in it ends every
    /// short value, and no call is made for those.
    #[inline(always)]
    pub(super) fn line_end(bytes: &[u8]) -> usize {
        if let Some(block) = bytes.first_chunk()
            && is_in_block(block)
        {
            let index = control_in_block(block);
            if matches!(block.get(index), Some(b'\n' | b'\r')) {
                return index;
            }
        }
        line_end_beyond(bytes)
    }

    #[inline(never)]
    fn line_end_beyond(bytes: &[u8]) -> usize {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            at += control(rest);
            if matches!(bytes.get(at), Some(b'\n' | b'\r')) {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// Index of the first byte below [`CONTROL_END`], or the length: by ever
    /// smaller blocks.
    #[inline(always)]
    fn control(bytes: &[u8]) -> usize {
        let (strides, rest) = bytes.as_chunks::<STRIDE_LEN>();
        let clear = strides
            .iter()
            .position(is_in_stride)
            .unwrap_or(strides.len());
        let (blocks, rest) = match strides.get(clear) {
            Some(stride) => (stride.as_chunks::<BLOCK_LEN>().0, rest),
            None => rest.as_chunks::<BLOCK_LEN>(),
        };
        let mut at = clear * STRIDE_LEN;
        for block in blocks {
            if is_in_block(block) {
                return at + control_in_block(block);
            }
            at += BLOCK_LEN;
        }
        at + rest
            .iter()
            .position(|&byte| byte < CONTROL_END)
            .unwrap_or(rest.len())
    }

    /// Index of the first byte below [`CONTROL_END`] of a block that has one.
    #[inline(always)]
    fn control_in_block(block: &[u8; BLOCK_LEN]) -> usize {
        let (words, _) = block.as_chunks();
        let [first, second] = words else {
            return BLOCK_LEN;
        };
        match control_in_word(*first) {
            WORD_LEN => WORD_LEN + control_in_word(*second),
            index => index,
        }
    }

    /// Takes the smallest byte of each column first: one comparison for all.
    #[inline(always)]
    fn is_in_stride(stride: &[u8; STRIDE_LEN]) -> bool {
        let mut smallest = [u8::MAX; BLOCK_LEN];
        for block in stride.as_chunks::<BLOCK_LEN>().0 {
            for (smallest, &byte) in smallest.iter_mut().zip(block) {
                *smallest = byte.min(*smallest);
            }
        }
        is_in_block(&smallest)
    }

    #[inline(always)]
    fn is_in_block(block: &[u8; BLOCK_LEN]) -> bool {
        block
            .iter()
            .fold(false, |is_in, &byte| is_in | (byte < CONTROL_END))
    }

    /// Index of the first byte below [`CONTROL_END`], or the length of a word.
    ///
    /// Subtracting borrows into the top bit of each byte that is too small; a
    /// borrow can spoil only bytes above, so the lowest mark is right.
    #[inline(always)]
    fn control_in_word(word: [u8; WORD_LEN]) -> usize {
        const LIMIT: u64 = u64::from_le_bytes([CONTROL_END; WORD_LEN]);
        const TOPS: u64 = u64::from_le_bytes([0x80; WORD_LEN]);
        let word = u64::from_le_bytes(word);
        let marks = word.wrapping_sub(LIMIT) & !word & TOPS;
        marks.trailing_zeros() as usize / 8
    }
}
