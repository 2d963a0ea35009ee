//! Stage 1, whole numbers in JSON: those of one digit, which most are, those that fit
//! in any case, and the rest.

use super::Json;
use crate::scan::whole_number;

impl Json<'_> {
    /// The whole number that stands here; any other value is stepped over.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(crate) fn number(&mut self) -> Option<u64> {
        if let [digit @ b'0'..=b'9', rest @ ..] = self.rest
            && let [b',' | b'}' | b']', ..] = rest
        {
            self.rest = rest;
            return Some(u64::from(digit - b'0'));
        }
        self.long_number()
    }

    #[inline(never)]
    fn long_number(&mut self) -> Option<u64> {
        let (mut number, mut rest) = (0_u64, self.rest);
        while let [digit @ b'0'..=b'9', after @ ..] = rest {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            rest = after;
        }
        let len = self.rest.len() - rest.len();
        let is_short = matches!(len, 1..=SHORT_DIGITS) && self.rest.first() != Some(&b'0');
        if is_short && matches!(rest.first(), Some(b',' | b'}' | b']')) {
            self.rest = rest;
            return Some(number);
        }
        whole_number(self.value())
    }
}

/// So many digits fit in any case.
const SHORT_DIGITS: usize = 19;
