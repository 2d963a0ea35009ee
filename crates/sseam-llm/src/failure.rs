//! Stage 2, failures: the value of an `error`, or an event that is one itself,
//! in; its code and its message out.
//!
//! Servers have many ways to say that they failed, and put them where output
//! would be: an object named `error`, one within another, a list of them, a flat
//! code and message, FastAPI's `detail`, a vendor's own status.

use crate::json::{Json, members};
use crate::piece::Piece;
use crate::scan::whole_number;

/// A failure as an event tells it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Failure<'e> {
    /// A code, or the error's type or status.
    pub(crate) code: Piece<'e>,
    pub(crate) message: Piece<'e>,
}

/// Errors within errors that are looked into.
const NESTED_MAX: u8 = 3;

impl<'e> Failure<'e> {
    pub(crate) const UNKNOWN: Failure<'static> = Failure {
        code: Piece::EMPTY,
        message: Piece::EMPTY,
    };

    const fn saying(message: Piece<'e>) -> Self {
        Failure {
            code: Piece::EMPTY,
            message,
        }
    }

    /// Reads the value of a key named `error`: nothing if it is falsy, as `null`,
    /// an empty string or an empty object.
    #[inline(never)]
    pub(crate) fn read(json: &mut Json<'e>) -> Option<Self> {
        // Walked on a cursor of its own, since errors may nest and cursors do not.
        Failure::of_value(json.value(), NESTED_MAX)
    }

    fn of_value(value: &'e [u8], depth: u8) -> Option<Self> {
        let mut json = Json::new(value);
        match json.peek() {
            b'{' => Fields::read(&mut json).failure(depth),
            b'"' => {
                let message = json.string()?;
                (!message.is_empty()).then_some(Failure::saying(message))
            }
            b'[' => {
                let first = (json.enter_array() && json.element()).then(|| json.value())?;
                Some(Failure::of_value(first, depth.checked_sub(1)?).unwrap_or(Failure::UNKNOWN))
            }
            _ => {
                let is_falsy =
                    matches!(value, b"" | b"null" | b"false") || whole_number(value) == Some(0);
                (!is_falsy).then_some(Failure {
                    code: Piece::verbatim(value),
                    message: Piece::EMPTY,
                })
            }
        }
    }

    /// Reads an event that may be the failure itself, though no dialect knows it:
    /// nothing if it has no error, no detail, and no code of one.
    #[inline(never)]
    pub(crate) fn of_event(data: &'e [u8]) -> Option<Self> {
        let fields = Fields::read(&mut Json::new(data));
        let inner = [fields.error, fields.errors, fields.detail];
        let inner = inner.into_iter().find_map(|value| fields.nested(value));
        let inner = inner.or_else(|| of_vendor(fields.vendor));
        let is_bad = !fields.code.is_empty() && !is_good_code(fields.code);
        let is_flat = is_bad && !fields.message.is_empty();
        let is_error = fields.kind == "error" || fields.object == "error";
        match inner {
            Some(failure) => Some(Failure {
                message: or(failure.message, fields.message),
                code: or(failure.code, unless_good(fields.code)),
            }),
            None if is_flat || is_error => Some(Failure {
                code: fields.own_code(),
                message: fields.message,
            }),
            None => None,
        }
    }

    /// Reads an event whose type says that it is a failure, or a line named so:
    /// whatever it holds, be it plain text.
    pub(crate) fn of_error_event(data: &'e [u8]) -> Self {
        let data = data.trim_ascii();
        match data.first() {
            Some(b'{' | b'[' | b'"') => {
                let failure = Failure::of_event(data);
                let failure = failure.or_else(|| Failure::of_value(data, NESTED_MAX));
                failure.map_or(Failure::UNKNOWN, |failure| Failure {
                    code: unless(failure.code, "error"),
                    ..failure
                })
            }
            _ => Failure::saying(Piece::verbatim(data)),
        }
    }
}

/// What an object may have that tells a failure.
struct Fields<'e> {
    code: Piece<'e>,
    kind: Piece<'e>,
    status: Piece<'e>,
    object: Piece<'e>,
    message: Piece<'e>,
    /// A vendor's own status.
    vendor: &'e [u8],
    error: &'e [u8],
    errors: &'e [u8],
    detail: &'e [u8],
    is_empty: bool,
}

impl<'e> Fields<'e> {
    fn read(json: &mut Json<'e>) -> Self {
        let mut fields = Fields {
            code: Piece::EMPTY,
            kind: Piece::EMPTY,
            status: Piece::EMPTY,
            object: Piece::EMPTY,
            message: Piece::EMPTY,
            vendor: &[],
            error: &[],
            errors: &[],
            detail: &[],
            is_empty: true,
        };
        if json.enter_object() {
            let before = json.remaining().trim_ascii_start().first();
            fields.is_empty = before == Some(&b'}');
            members!(json,
                b"code" | b"error_code" | b"status_code" => {
                    let code = json.any().unwrap_or(Piece::EMPTY);
                    fields.code = or(fields.code, code);
                },
                b"type" => fields.kind = json.any().unwrap_or(Piece::EMPTY),
                b"status" => fields.status = json.any().unwrap_or(Piece::EMPTY),
                b"object" => fields.object = json.text(),
                b"message" | b"msg" | b"error_msg" | b"error_message" | b"status_msg" => {
                    fields.message = or(fields.message, json.text());
                },
                b"base_resp" => fields.vendor = json.value(),
                b"error" => fields.error = json.value(),
                b"errors" => fields.errors = json.value(),
                b"detail" => fields.detail = json.value(),
            );
        }
        fields
    }

    /// The code that an object gives itself.
    fn own_code(&self) -> Piece<'e> {
        or(self.code, or(unless(self.kind, "error"), self.status))
    }

    fn nested(&self, value: &'e [u8]) -> Option<Failure<'e>> {
        (!value.is_empty()).then(|| Failure::of_value(value, NESTED_MAX))?
    }

    /// What an object comes to that is the value of `error`.
    fn failure(self, depth: u8) -> Option<Failure<'e>> {
        if self.is_empty {
            return None;
        }
        let inner = [self.error, self.errors, self.detail];
        let inner = inner.into_iter().find(|value| !value.is_empty());
        let inner = match (inner, depth.checked_sub(1)) {
            (Some(value), Some(depth)) => Failure::of_value(value, depth),
            _ => None,
        };
        let inner = inner.unwrap_or(Failure::UNKNOWN);
        Some(Failure {
            code: or(or(self.code, or(self.kind, self.status)), inner.code),
            message: or(self.message, inner.message),
        })
    }
}

/// What a vendor's status beside the output tells, as MiniMax's `base_resp`.
pub(crate) fn of_vendor(status: &[u8]) -> Option<Failure<'_>> {
    let inner = Fields::read(&mut Json::new(status));
    let code = unless_good(inner.code);
    (!code.is_empty()).then_some(Failure {
        code,
        message: inner.message,
    })
}

/// Whether a code says that nothing went wrong.
pub(crate) fn is_good_code(code: Piece<'_>) -> bool {
    let mut buffer = [0; 16];
    let code = crate::unit::word(code, &mut buffer);
    ["0", "200", "success", "ok"]
        .iter()
        .any(|good| code.eq_ignore_ascii_case(good.as_bytes()))
}

fn unless_good(code: Piece<'_>) -> Piece<'_> {
    match is_good_code(code) {
        true => Piece::EMPTY,
        false => code,
    }
}

fn unless<'e>(piece: Piece<'e>, word: &str) -> Piece<'e> {
    match piece == word {
        true => Piece::EMPTY,
        false => piece,
    }
}

fn or<'e>(piece: Piece<'e>, other: Piece<'e>) -> Piece<'e> {
    match piece.is_empty() {
        true => other,
        false => piece,
    }
}
