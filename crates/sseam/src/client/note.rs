//! What the client does, as log lines where the feature `log` is on. They hold
//! origins, statuses, figures and errors, and nothing that was given or received.

use std::fmt;

/// Writes a line at the level `debug`, under the target `sseam::client`.
#[cfg(feature = "log")]
pub(crate) fn note(line: fmt::Arguments<'_>) {
    log::debug!(target: "sseam::client", "{line}");
}

/// Nobody listens.
#[cfg(not(feature = "log"))]
pub(crate) const fn note(_: fmt::Arguments<'_>) {}
