//! A length of time as it is written in a flag.

use std::time::Duration;

/// Parses `500ms`, `5s`, `2m`, or `0`.
///
/// # Errors
///
/// What is wanted instead, in words.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits_len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, unit) = text.split_at(digits_len);
    let number: u64 = digits.parse().map_err(|_| WANTED.to_owned())?;
    let milliseconds = match (unit, number) {
        ("ms", _) => Some(number),
        ("s", _) => number.checked_mul(1000),
        ("m", _) => number.checked_mul(60_000),
        ("", 0) => Some(0),
        _ => return Err(WANTED.to_owned()),
    };
    let milliseconds = milliseconds.filter(|it| *it <= MILLISECONDS_MAX);
    let milliseconds = milliseconds.ok_or_else(|| "longer than 30 days".to_owned())?;
    Ok(Duration::from_millis(milliseconds))
}

/// Parses a timeout, where 0 is none.
///
/// # Errors
///
/// As [`parse_duration`].
pub(crate) fn parse_timeout(text: &str) -> Result<Timeout, String> {
    let duration = parse_duration(text)?;
    Ok(Timeout(Some(duration).filter(|it| !it.is_zero())))
}

/// A timeout, or none. A type of its own, since clap gives `Option` a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeout(pub(crate) Option<Duration>);

const WANTED: &str = "wanted is a number and a unit, such as 500ms, 5s or 2m";

/// 30 days: a clock can be added to it without overflow.
const MILLISECONDS_MAX: u64 = 30 * 24 * 3600 * 1000;

#[cfg(test)]
mod tests;
