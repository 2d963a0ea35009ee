//! Stage 1, the long ways of a cursor: one member of an object, spaces, escapes,
//! containers that nobody asks for, ends and faults.

use super::{JSON_DEPTH_MAX, Json, before};
use crate::fault::{JsonError, JsonFault};
use crate::piece::Piece;
use crate::scan::{COLON, UNIT_LEN, escape_len, literal_len, number_len, plain_len};

impl<'e> Json<'e> {
    /// The string of the member `name` of the object that stands here.
    pub(crate) fn text_of(&mut self, name: &[u8]) -> Piece<'e> {
        let mut text = Piece::EMPTY;
        if self.enter_object() {
            while let Some(key) = self.key_piece() {
                match key.is(name) {
                    true => text = self.text(),
                    false => self.skip(),
                }
            }
        }
        text
    }

    /// The whole number of the member `name` of the object that stands here.
    pub(crate) fn number_of(&mut self, name: &[u8]) -> Option<u64> {
        let mut number = None;
        if self.enter_object() {
            while let Some(key) = self.key_piece() {
                match key.is(name) {
                    true => number = self.number(),
                    false => self.skip(),
                }
            }
        }
        number
    }

    /// Whatever the short way cannot take: spaces, escapes, ends and faults.
    #[inline(never)]
    pub(super) fn key_after_space(&mut self) -> Option<&'e [u8]> {
        if !self.has_next(b'}') {
            return None;
        }
        if self.peek() != b'"' {
            self.fail(JsonFault::Unexpected);
            return None;
        }
        let body = self.string_body()?;
        if self.peek() != COLON {
            self.fail(JsonFault::Unexpected);
            return None;
        }
        self.advance(1);
        Some(body)
    }

    #[inline(never)]
    pub(super) fn skip_elements(&mut self) -> &'e [u8] {
        let all = self.rest;
        let mut after = all;
        while self.element() {
            self.skip();
            after = self.rest;
        }
        before(all, after)
    }

    #[inline(never)]
    pub(super) fn peek_past_space(&mut self) -> u8 {
        loop {
            match self.rest {
                [byte, ..] if *byte > b' ' => return *byte,
                [b' ' | b'\t' | 0x0A | 0x0D, rest @ ..] => self.rest = rest,
                _ => return 0,
            }
        }
    }

    #[inline(never)]
    pub(super) fn enter_after_space(&mut self, open: u8) -> bool {
        if self.peek() != open {
            self.skip();
            return false;
        }
        if self.depth >= JSON_DEPTH_MAX {
            self.fail(JsonFault::TooDeep);
            return false;
        }
        self.advance(1);
        self.depth += 1;
        self.is_fresh = true;
        true
    }

    /// Takes a string that has an escape or a fault.
    #[inline(never)]
    pub(super) fn escaped_body(&mut self) -> Option<&'e [u8]> {
        let all = self.rest.get(1..).unwrap_or_default();
        self.has_escapes = true;
        self.rest = all;
        loop {
            self.advance(plain_len(self.rest));
            match (self.rest, escape_len(self.rest)) {
                ([b'"', rest @ ..], _) => {
                    let body = before(all, self.rest);
                    self.rest = rest;
                    return Some(body);
                }
                ([b'\\', ..], Some(len)) => self.advance(len),
                _ => {
                    let is_cut = self.is_cut();
                    self.fail(if is_cut {
                        JsonFault::Truncated
                    } else {
                        JsonFault::Unexpected
                    });
                    return None;
                }
            }
        }
    }

    /// Steps over a container without recursion: a bit for each one that is
    /// open, set for an object.
    #[inline(never)]
    pub(super) fn skip_container(&mut self) {
        let mut open = 0_u64;
        let outer = self.depth;
        loop {
            // A value is due.
            match self.peek() {
                byte @ (b'{' | b'[') => {
                    if !self.enter(byte) {
                        return;
                    }
                    open = (open << 1) | u64::from(byte == b'{');
                }
                b'"' => {
                    self.string_body();
                }
                _ => self.skip_scalar(),
            }
            // A value ended, or a container began: on to the next value.
            loop {
                let is_object = open & 1 == 1;
                let has_value = match is_object {
                    true => self.key_body().is_some(),
                    false => self.element(),
                };
                if self.error.is_some() {
                    return;
                }
                if has_value {
                    break;
                }
                open >>= 1;
                if self.depth == outer {
                    return;
                }
            }
        }
    }

    /// Steps over a number, `true`, `false` or `null`.
    #[inline(never)]
    pub(super) fn skip_scalar(&mut self) {
        let len = match self.rest {
            [b't', ..] => literal_len(self.rest, b"true"),
            [b'f', ..] => literal_len(self.rest, b"false"),
            [b'n', ..] => literal_len(self.rest, b"null"),
            _ => number_len(self.rest),
        };
        match len {
            Some(len) => self.advance(len),
            None if self.is_cut() => self.fail(JsonFault::Truncated),
            None => self.fail(JsonFault::Unexpected),
        }
    }

    /// Keeps the first fault, and lets nothing follow.
    #[cold]
    pub(super) fn fail(&mut self, fault: JsonFault) {
        if self.error.is_none() {
            let is_at_end = self.rest.is_empty();
            self.error = Some(JsonError {
                fault: if is_at_end {
                    JsonFault::Truncated
                } else {
                    fault
                },
                offset: self.len - self.rest.len(),
            });
        }
        self.rest = &[];
        self.is_fresh = false;
    }

    /// Whether the value or the escape that stands here is not wrong, only
    /// unfinished.
    pub(super) fn is_cut(&self) -> bool {
        let rest = self.rest;
        let is_number_byte =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        match rest {
            [] => true,
            [b't', ..] => b"true".starts_with(rest),
            [b'f', ..] => b"false".starts_with(rest),
            [b'n', ..] => b"null".starts_with(rest),
            [b'\\'] => true,
            [b'\\', b'u', digits @ ..] => {
                rest.len() < UNIT_LEN && digits.iter().all(u8::is_ascii_hexdigit)
            }
            [b'\\', ..] => false,
            _ => number_len(rest).is_none() && rest.iter().all(is_number_byte),
        }
    }
}
