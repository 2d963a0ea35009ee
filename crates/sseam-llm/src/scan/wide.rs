//! Stage 1, sixteen bytes of JSON at a time, where a vector holds them: a block in,
//! the place of the first byte that is not plain out.

use wide::u8x16;

pub(super) const BLOCK_LEN: usize = 16;

/// How many plain bytes stand before the first other one, if one does.
#[inline(always)]
pub(super) fn block_len(block: &[u8; BLOCK_LEN]) -> Option<usize> {
    let bytes = u8x16::new(*block);
    let is_control = bytes.min(u8x16::splat(b' ' - 1)).simd_eq(bytes);
    let is_quote = bytes.simd_eq(u8x16::splat(b'"'));
    let is_backslash = bytes.simd_eq(u8x16::splat(b'\\'));
    let ends = (is_quote | is_backslash | is_control).to_bitmask();
    if ends == 0 {
        return None;
    }
    Some(ends.trailing_zeros() as usize)
}
