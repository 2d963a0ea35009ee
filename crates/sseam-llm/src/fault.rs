//! Stage 0, why bytes are not JSON.

use core::fmt;

/// Why bytes are not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonFault {
    /// They end before the value does.
    Truncated,
    /// A byte stands where the grammar has no place for it.
    Unexpected,
    /// More than [`JSON_DEPTH_MAX`](crate::JSON_DEPTH_MAX) containers within containers.
    TooDeep,
}

/// Where bytes stop being JSON, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonError {
    /// Why.
    pub fault: JsonFault,
    /// Index of the byte at which it showed.
    pub offset: usize,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.fault {
            JsonFault::Truncated => "ends too early",
            JsonFault::Unexpected => "has an unexpected byte",
            JsonFault::TooDeep => "nests too deep",
        };
        write!(f, "json {what} at its byte {}", self.offset)
    }
}

impl core::error::Error for JsonError {}
