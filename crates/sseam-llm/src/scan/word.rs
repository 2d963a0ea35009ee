//! Stage 1, a word of JSON at a time, where no vector holds more: a block in, the
//! place of the first byte that is not plain out.

pub(super) const BLOCK_LEN: usize = size_of::<usize>();

/// How many plain bytes stand before the first other one, if one does.
///
/// Of each test the lowest bit that is set is exact, so the lowest of all is. With
/// its bit 1 turned over, a byte is at most 0x20 if it is a quote or a control
/// byte: one test for both.
#[inline(always)]
pub(super) fn block_len(block: &[u8; BLOCK_LEN]) -> Option<usize> {
    const ONES: usize = usize::MAX / 0xFF;
    const HIGH: usize = ONES << 7;
    let word = usize::from_le_bytes(*block);
    let quote_or_control = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
    let backslash = (word ^ (ONES * b'\\' as usize)).wrapping_sub(ONES);
    let ends = (quote_or_control | backslash) & !word & HIGH;
    (ends != 0).then(|| (ends.trailing_zeros() / 8) as usize)
}
