//! Stage 1, the tokens of JSON: bytes in, lengths and short spans out. What looks
//! at every byte is here, a block at a time where it can.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod wide; // Blocks of 16 bytes.
mod word; // Blocks of a word.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use wide::{BLOCK_LEN, block_len};
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use word::{BLOCK_LEN, block_len};

/// Between a key and its value.
pub(crate) const COLON: u8 = b':'; // tidy: JSON's colon, not the one of a field.

/// One of 64 bits for a key: by its length and its last byte, which tells apart
/// most keys that stand in one object.
#[inline(always)]
pub(crate) const fn key_bit(key: &[u8]) -> u64 {
    let last = match key {
        [.., last] => *last as usize,
        [] => 0,
    };
    1 << (last.wrapping_add(key.len().wrapping_mul(11)) & 63)
}

/// A key at the front of `rest` and what follows its colon, if it is written
/// without escapes and spaces.
#[inline(always)]
pub(crate) fn short_key(rest: &[u8], is_fresh: bool) -> Option<(&[u8], &[u8])> {
    let rest = match (is_fresh, rest) {
        (false, [b',', b'"', after @ ..]) | (true, [b'"', after @ ..]) => after,
        _ => return None,
    };
    // One test of lengths does for a key that is not long and what ends it.
    if let Some(window) = rest.first_chunk()
        && let Some(len) = key_len(window)
        && let Some([b'"', COLON]) = window.get(len..len + 2)
    {
        return Some((rest.get(..len)?, rest.get(len + 2..)?));
    }
    match short_string(rest)? {
        (body, [COLON, value @ ..]) => Some((body, value)),
        _ => None,
    }
}

/// Most keys are no longer.
const KEY_LEN: usize = 16;

/// Such a key, its closing quote and the colon.
type KeyWindow = [u8; KEY_LEN + 2];

/// Length of a key of at most [`KEY_LEN`] bytes, if it has no escapes.
#[inline(always)]
fn key_len(window: &KeyWindow) -> Option<usize> {
    let block = |at: usize| window.get(at..)?.first_chunk();
    let mut at = 0;
    while at < KEY_LEN {
        if let Some(len) = block_len(block(at)?) {
            return Some(at + len);
        }
        at += BLOCK_LEN;
    }
    None
}

/// What follows the value at the front of `rest`, if that is a string without
/// escapes, a plain number, `null` or an empty array.
#[inline(always)]
pub(crate) fn short_value(rest: &[u8]) -> Option<&[u8]> {
    match rest {
        [b'"', after @ ..] => Some(short_string(after)?.1),
        [b'n', b'u', b'l', b'l', after @ ..] | [b'[', b']', after @ ..] => Some(after),
        _ => Some(short_number(rest)?.1),
    }
}

/// The body of a string whose opening quote was taken, and what follows it, if
/// it has no escapes.
#[inline(always)]
pub(crate) fn short_string(after_quote: &[u8]) -> Option<(&[u8], &[u8])> {
    match after_quote.split_at_checked(plain_len(after_quote))? {
        (body, [b'"', rest @ ..]) => Some((body, rest)),
        _ => None,
    }
}

/// The digits of a number at the front of `rest`, and what follows them, if it
/// has neither sign nor fraction nor exponent.
#[inline(always)]
pub(crate) fn short_number(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let len = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_short = len == 1 || len > 1 && rest.first() != Some(&b'0');
    match rest.split_at_checked(len)? {
        (digits, after @ [b',' | b'}' | b']', ..]) if is_short => Some((digits, after)),
        _ => None,
    }
}

/// Length of `\uXXXX`.
pub(crate) const UNIT_LEN: usize = 6;

/// Length of the escape at the front of `rest`, if it is one.
#[inline]
pub(crate) fn escape_len(rest: &[u8]) -> Option<usize> {
    match rest.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = rest.get(2..UNIT_LEN)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(UNIT_LEN)
        }
        _ => None,
    }
}

/// Length of the run of plain bytes at the front of `text`: up to a quote, a
/// backslash or a control byte, or all of it.
#[inline]
pub(crate) fn plain_len(text: &[u8]) -> usize {
    let mut rest = text;
    while let Some((block, after)) = rest.split_first_chunk() {
        if let Some(len) = block_len(block) {
            return text.len() - rest.len() + len;
        }
        rest = after;
    }
    // What is left of a long block may hold a word.
    while BLOCK_LEN > word::BLOCK_LEN
        && let Some((word, after)) = rest.split_first_chunk()
    {
        if let Some(len) = word::block_len(word) {
            return text.len() - rest.len() + len;
        }
        rest = after;
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\') && **byte >= b' ';
    text.len() - rest.len() + rest.iter().take_while(is_plain).count()
}

pub(crate) fn literal_len(rest: &[u8], literal: &[u8]) -> Option<usize> {
    rest.starts_with(literal).then_some(literal.len())
}

/// Length of the number at the front of `rest`, if there is one.
#[inline]
pub(crate) fn number_len(rest: &[u8]) -> Option<usize> {
    let digits_end = |from: usize| {
        let digits = rest.get(from..).unwrap_or_default();
        from + digits
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let start = usize::from(rest.first() == Some(&b'-'));
    let mut end = match rest.get(start)? {
        b'0' => start + 1,
        b'1'..=b'9' => digits_end(start),
        _ => return None,
    };
    if rest.get(end) == Some(&b'.') {
        let after = end + 1;
        end = digits_end(after);
        if end == after {
            return None;
        }
    }
    if matches!(rest.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
        let after = end + 1 + sign;
        end = digits_end(after);
        if end == after {
            return None;
        }
    }
    Some(end)
}

/// The value of a token of digits alone, if it fits.
pub(crate) fn whole_number(token: &[u8]) -> Option<u64> {
    if token.is_empty() {
        return None;
    }
    token.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_LEN, block_len, word};

    /// Each byte at each place of a block of plain ones, before what is none.
    #[test]
    fn blocks_end_at_the_first_byte_that_is_not_plain() {
        for byte in 0..=u8::MAX {
            let is_plain = !matches!(byte, 0..=0x1F | b'"' | b'\\');
            for at in 0..BLOCK_LEN {
                let mut block = [b'\xE4'; BLOCK_LEN];
                block[at] = byte;
                let ends = [b'"', b'\\', 0, 0x1F, b'!', b' ', 0x7F, 0xFF];
                for end in ends {
                    block[at + 1..].fill(end);
                    let is_end = matches!(end, 0..=0x1F | b'"' | b'\\');
                    let expected = match (is_plain, is_end) {
                        (false, _) => Some(at),
                        (true, true) if at + 1 < BLOCK_LEN => Some(at + 1),
                        _ => None,
                    };
                    assert_eq!(block_len(&block), expected, "{block:?}");
                    let mut found = None;
                    for (index, word) in block.as_chunks().0.iter().enumerate() {
                        found = found.or_else(|| Some(index * word.len() + word::block_len(word)?));
                    }
                    assert_eq!(found, expected, "{block:?} by words");
                }
            }
        }
    }
}
