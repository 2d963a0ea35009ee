//! Reads with their times to a file that only its owner may read.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::{End, First, Head, Line, VERSION};

/// Writes a recording, each line at once: a recorder that is killed leaves what
/// it has seen.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: File,
}

impl Recorder {
    /// Makes the file, before any request.
    ///
    /// # Errors
    ///
    /// Those of the file: also that there is one, unless `overwrites`.
    pub(crate) fn create(path: &Path, overwrites: bool) -> io::Result<Recorder> {
        let mut options = OpenOptions::new();
        options.write(true);
        match overwrites {
            true => options.create(true).truncate(true),
            // In one step: nobody can make it, or a link, in between.
            false => options.create_new(true),
        };
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWNER_ONLY);
        let file = options.open(path)?;
        #[cfg(unix)]
        if overwrites && file.metadata()?.is_file() {
            // The mode above is for a file that is new.
            use std::os::unix::fs::PermissionsExt;
            file.set_permissions(std::fs::Permissions::from_mode(OWNER_ONLY))?;
        }
        let mut recorder = Recorder { file };
        recorder.line(&First {
            sseam_recording: VERSION,
        })?;
        Ok(recorder)
    }

    /// Writes the head of a response.
    pub(crate) fn head(&mut self, response: u32, at: Duration, head: Head<'_>) -> io::Result<()> {
        self.line(&Line {
            response,
            t_us: microseconds(at),
            head: Some(head),
            ..Line::default()
        })
    }

    /// Writes what a read gave.
    pub(crate) fn read(
        &mut self,
        response: u32,
        at: Duration,
        number: u64,
        bytes: &[u8],
    ) -> io::Result<()> {
        let (data, hex) = match std::str::from_utf8(bytes) {
            Ok(text) => (Some(Cow::Borrowed(text)), None),
            Err(_) => (None, Some(Cow::Owned(hex(bytes)))),
        };
        self.line(&Line {
            response,
            t_us: microseconds(at),
            read: Some(number),
            data,
            hex,
            ..Line::default()
        })
    }

    /// Writes the end of a response.
    pub(crate) fn end(&mut self, response: u32, at: Duration, end: End) -> io::Result<()> {
        self.line(&Line {
            response,
            t_us: microseconds(at),
            end: Some(end),
            ..Line::default()
        })
    }

    fn line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

fn microseconds(at: Duration) -> u64 {
    u64::try_from(at.as_micros()).unwrap_or(u64::MAX)
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Read and write for the owner, nothing for others: bodies hold what was said.
#[cfg(unix)]
const OWNER_ONLY: u32 = 0o600;
