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

/// Index of the first byte below 14, or the length: where the line ends, if it is
/// a CR or an LF.
#[cfg(feature = "wide-scan")]
#[inline(always)]
pub(crate) fn control(bytes: &[u8]) -> usize {
    blocks::control(bytes)
}

/// The index of [`line_end`], where no line ends before index `at`.
#[cfg(feature = "wide-scan")]
#[inline]
pub(crate) fn line_end_from(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        None | Some(b'\n' | b'\r') => at,
        Some(_) => at + line_end(bytes.get(at..).unwrap_or_default()),
    }
}

/// Up to how many bytes [`copy_few_without_line_end`] copies: two blocks.
#[cfg(feature = "wide-scan")]
pub(crate) const FEW: usize = 32;

/// Copies a few bytes into `place`, which is as long, and tells whether no CR or
/// LF is among them; otherwise `place` holds anything.
#[cfg(feature = "wide-scan")]
#[inline(always)]
pub(crate) fn copy_few_without_line_end(bytes: &[u8], place: &mut [u8]) -> bool {
    blocks::copy_few(bytes, place)
}

/// Index of the first NUL, which makes an `id` line void, or the length.
#[inline]
pub(crate) fn nul(bytes: &[u8]) -> usize {
    let index = bytes.iter().position(|&byte| byte == 0);
    index.unwrap_or(bytes.len())
}

#[cfg(not(feature = "wide-scan"))]
mod words {
    const WORD_LEN: usize = 4;

    /// Steps over words without a byte below 14, and looks at others byte by byte.
    #[inline(never)]
    pub(super) fn line_end(bytes: &[u8]) -> usize {
        let mut rest = bytes;
        loop {
            while let Some((word, after)) = rest.split_first_chunk()
                && !has_control(*word)
            {
                rest = after;
            }
            match rest.split_first() {
                None => return bytes.len(),
                Some((b'\n' | b'\r', _)) => return bytes.len() - rest.len(),
                Some((_, after)) => rest = after,
            }
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

    #[inline(always)]
    pub(super) fn line_end(bytes: &[u8]) -> usize {
        let at = control(bytes);
        match bytes.get(at) {
            None | Some(b'\n' | b'\r') => at,
            Some(_) => line_end_after_control(bytes, at),
        }
    }

    /// Index of the first byte below [`CONTROL_END`], or the length.
    ///
    /// The first block is looked at where the call stands: in it ends every
    /// short value, and no call is made for those.
    #[inline(always)]
    pub(super) fn control(bytes: &[u8]) -> usize {
        match bytes.split_first_chunk() {
            Some((block, _)) if is_in_block(block) => control_in_block(block),
            Some((_, rest)) => control_beyond(bytes, rest),
            None => control_of_few(bytes),
        }
    }

    /// Copies by two blocks, which may overlap, or byte by byte. A control
    /// character that ends no line counts as one that does: it is rare.
    #[inline(always)]
    pub(super) fn copy_few(bytes: &[u8], place: &mut [u8]) -> bool {
        let Some((first, last)) = bytes.first_chunk().zip(bytes.last_chunk()) else {
            let mut pairs = place.iter_mut().zip(bytes);
            return pairs.all(|(place, &byte)| {
                *place = byte;
                byte >= CONTROL_END
            });
        };
        if let Some(place) = place.first_chunk_mut() {
            *place = *first;
        }
        if let Some(place) = place.last_chunk_mut() {
            *place = *last;
        }
        !is_in_block(first) && !is_in_block(last)
    }

    /// The index of [`line_end`], where the control character at index `at` ends
    /// no line, and none before it does.
    #[cold]
    #[inline(never)]
    fn line_end_after_control(bytes: &[u8], mut at: usize) -> usize {
        loop {
            at += 1;
            at += control(bytes.get(at..).unwrap_or_default());
            if matches!(bytes.get(at), None | Some(b'\n' | b'\r')) {
                return at;
            }
        }
    }

    /// The index of [`control`], where there is less than a block.
    #[inline(always)]
    fn control_of_few(bytes: &[u8]) -> usize {
        let index = bytes.iter().position(|&byte| byte < CONTROL_END);
        index.unwrap_or(bytes.len())
    }

    /// The index of [`control`], where the first block has none and is followed
    /// by `rest`: by ever smaller blocks.
    #[inline(never)]
    fn control_beyond(bytes: &[u8], mut rest: &[u8]) -> usize {
        // The names of event types end in the second block.
        if let Some((block, after)) = rest.split_first_chunk() {
            if is_in_block(block) {
                return BLOCK_LEN + control_in_block(block);
            }
            rest = after;
        }
        while let Some((stride, after)) = rest.split_first_chunk() {
            if is_in_stride(stride) {
                return bytes.len() - rest.len() + control_in_stride(stride);
            }
            rest = after;
        }
        while let Some((block, after)) = rest.split_first_chunk() {
            if is_in_block(block) {
                return bytes.len() - rest.len() + control_in_block(block);
            }
            rest = after;
        }
        // The last block overlaps the one before it, which has none.
        match bytes.last_chunk() {
            Some(block) if is_in_block(block) => bytes.len() - BLOCK_LEN + control_in_block(block),
            _ => bytes.len(),
        }
    }

    /// Index of the first byte below [`CONTROL_END`] of a stride that has one.
    #[inline(always)]
    fn control_in_stride(stride: &[u8; STRIDE_LEN]) -> usize {
        let mut at = 0;
        for block in stride.as_chunks().0 {
            if at == STRIDE_LEN - BLOCK_LEN || is_in_block(block) {
                return at + control_in_block(block);
            }
            at += BLOCK_LEN;
        }
        at
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
