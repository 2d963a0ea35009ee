//! The header `Retry-After`: seconds or a date come in, a time to wait goes out.

use std::time::{Duration, SystemTime};

/// How long to wait, if the value says. A date counts from the response's own
/// `Date`, whose clock may be wrong, but then wrong in the same way.
pub(crate) fn retry_after(value: &[u8], date: Option<&[u8]>) -> Option<Duration> {
    let value = std::str::from_utf8(value).ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Digits that are too many mean longer than anybody waits.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let then = seconds(value)?;
    let date = date.and_then(|date| seconds(std::str::from_utf8(date).ok()?));
    let now = date.or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.ok().map(|now| now.as_secs())
    })?;
    Some(Duration::from_secs(then.saturating_sub(now)))
}

/// A date of HTTP in any of its three forms, as seconds since 1970.
fn seconds(date: &str) -> Option<u64> {
    let mut words = date
        .split([' ', ',', '-', ':'])
        .filter(|word| !word.is_empty());
    words.next()?; // The day of the week says nothing new.
    let mut next = || words.next();
    let first = next()?;
    let (day, month, year, time) = if first.starts_with(|c: char| c.is_ascii_digit()) {
        // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
        let (month, year) = (next()?, next()?);
        (first, month, year, [next()?, next()?, next()?])
    } else {
        // Sun Nov  6 08:49:37 1994
        let (day, time) = (next()?, [next()?, next()?, next()?]);
        (day, first, next()?, time)
    };
    let [hours, minutes, seconds] = time.map(|word| word.parse::<u64>().ok());
    let (hours, minutes, seconds) = (hours?, minutes?, seconds?);
    if hours > 23 || minutes > 59 || seconds > 60 {
        return None;
    }
    let days = days(full_year(year)?, month_index(month)?, day.parse().ok()?)?;
    Some(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
}

/// "[A year] that appears to be more than 50 years in the future [is] the most
/// recent year in the past that had the same last two digits."
fn full_year(word: &str) -> Option<u64> {
    let year: u64 = word.parse().ok()?;
    Some(match word.len() {
        2 if year < 77 => 2000 + year,
        2 => 1900 + year,
        4 => year,
        _ => return None,
    })
}

/// From 0.
fn month_index(word: &str) -> Option<usize> {
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    months.iter().position(|month| *month == word)
}

/// Days from 1 January 1970 to a day.
fn days(year: u64, month: usize, day: u64) -> Option<u64> {
    let lengths = [
        31,
        if is_leap(year) { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    if year < 1970 || day == 0 || day > *lengths.get(month)? {
        return None;
    }
    // The 366th day of each leap year before this one.
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    let before = (year - 1970) * 365 + leaps(year - 1) - leaps(1969);
    Some(before + lengths.iter().take(month).sum::<u64>() + day - 1)
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests;
