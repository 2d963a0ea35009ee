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
    words::line_end(bytes)
}

/// Index of the first NUL, which makes an `id` line void.
#[inline]
pub(crate) fn nul(bytes: &[u8]) -> Option<usize> {
    #[cfg(feature = "wide-scan")]
    return memchr::memchr(0, bytes);
    #[cfg(not(feature = "wide-scan"))]
    bytes.iter().position(|&byte| byte == 0)
}

#[cfg(not(feature = "wide-scan"))]
mod words {
    const WORD_LEN: usize = 4;

    /// Steps over words without a byte below 14, and looks at others byte by byte.
    pub(super) fn line_end(bytes: &[u8]) -> usize {
        let mut rest = bytes;
        loop {
            while let Some((word, after)) = rest.split_first_chunk()
                && !has_control(*word)
            {
                rest = after;
            }
            let Some((byte, after)) = rest.split_first() else {
                return bytes.len();
            };
            if matches!(byte, b'\n' | b'\r') {
                return bytes.len() - rest.len();
            }
            rest = after;
        }
    }

    /// Whether a byte is below 14, or behind one that is.
    fn has_control(word: [u8; WORD_LEN]) -> bool {
        const LIMIT: u32 = u32::from_le_bytes([14; WORD_LEN]);
        const TOPS: u32 = u32::from_le_bytes([0x80; WORD_LEN]);
        let word = u32::from_le_bytes(word);
        word.wrapping_sub(LIMIT) & !word & TOPS != 0
    }
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
        let Some((block, rest)) = bytes.split_first_chunk() else {
            return line_end_of_few(bytes, 0);
        };
        line_end_of_block(block).unwrap_or_else(|| line_end_beyond(bytes, rest))
    }

    /// The same where the bytes before `rest` end no line: by ever smaller
    /// blocks.
    #[inline(never)]
    fn line_end_beyond(bytes: &[u8], mut rest: &[u8]) -> usize {
        while let Some((stride, after)) = rest.split_first_chunk::<STRIDE_LEN>() {
            if is_in_stride(stride) {
                break;
            }
            rest = after;
        }
        while let Some((block, after)) = rest.split_first_chunk() {
            if let Some(index) = line_end_of_block(block) {
                return bytes.len() - rest.len() + index;
            }
            rest = after;
        }
        line_end_of_few(bytes, bytes.len() - rest.len())
    }

    /// The same where there is less than a block from index `at` on.
    #[inline(always)]
    fn line_end_of_few(bytes: &[u8], at: usize) -> usize {
        let few = bytes.get(at..).unwrap_or_default();
        let index = few.iter().position(|&byte| is_line_end(byte));
        at + index.unwrap_or(few.len())
    }

    /// Index of the first CR or LF of a block.
    #[inline(always)]
    fn line_end_of_block(block: &[u8; BLOCK_LEN]) -> Option<usize> {
        if !is_in_block(block) {
            return None;
        }
        let index = control_in_block(block);
        match block.get(index) {
            Some(&byte) if is_line_end(byte) => Some(index),
            _ => line_end_among_controls(block),
        }
    }

    #[cold]
    fn line_end_among_controls(block: &[u8; BLOCK_LEN]) -> Option<usize> {
        block.iter().position(|&byte| is_line_end(byte))
    }

    #[inline(always)]
    const fn is_line_end(byte: u8) -> bool {
        matches!(byte, b'\n' | b'\r')
    }

    /// Index of the first byte below [`CONTROL_END`] of a block that has one.
    #[inline(always)]
    fn control_in_block(block: &[u8; BLOCK_LEN]) -> usize {
        let (words, _) = block.as_chunks();
        let [first, second] = words else {
            return BLOCK_LEN;
        };
        match control_marks(*first) {
            0 => WORD_LEN + control_marks(*second).trailing_zeros() as usize / 8,
            marks => marks.trailing_zeros() as usize / 8,
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

    /// Marks the top bit of the first byte below [`CONTROL_END`] of a word, and
    /// none where there is no such byte.
    ///
    /// Subtracting borrows into the top bit of each byte that is too small; a
    /// borrow can spoil only bytes above, so the lowest mark is right.
    #[inline(always)]
    fn control_marks(word: [u8; WORD_LEN]) -> u64 {
        const LIMIT: u64 = u64::from_le_bytes([CONTROL_END; WORD_LEN]);
        const TOPS: u64 = u64::from_le_bytes([0x80; WORD_LEN]);
        let word = u64::from_le_bytes(word);
        word.wrapping_sub(LIMIT) & !word & TOPS
    }
}
