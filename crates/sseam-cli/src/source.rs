//! A file or standard input to bytes, and what is known about either.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::escape;

/// Where a stream comes from.
pub(crate) struct Source<'io> {
    reader: Box<dyn Read + 'io>,
    /// What messages call it, fit for a terminal and on one line.
    name: String,
    /// How long it is; `None` where only its end will tell.
    len: Option<u64>,
    /// How many bytes it has given.
    offset: u64,
}

impl<'io> Source<'io> {
    /// Opens a file, or takes standard input for `-`.
    pub(crate) fn open(path: &Path, stdin: &'io mut dyn Read) -> io::Result<Source<'io>> {
        let (reader, len): (Box<dyn Read + 'io>, _) = if path == Path::new("-") {
            (Box::new(stdin), None)
        } else {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            let len = metadata.is_file().then_some(metadata.len());
            (Box::new(file), len)
        };
        Ok(Source {
            reader,
            name: name(path),
            len,
            offset: 0,
        })
    }

    /// Reads what there is into `buffer`; 0 bytes mean the end.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(count) => {
                    self.offset += count as u64;
                    return Ok(count);
                }
            }
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether somebody may still be writing to it: a pipe, a terminal, a device.
    pub(crate) const fn is_followed(&self) -> bool {
        self.len.is_none()
    }

    /// How long it was when it was opened; `None` where only its end will tell.
    pub(crate) const fn len(&self) -> Option<u64> {
        self.len
    }

    /// How many bytes it has given.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }
}

/// What messages call the source at `path`.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    escape::escaped(&path.display().to_string())
}
