//! A file or standard input to bytes, and what is known about either. A
//! recording gives the bytes that it holds, read by read.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use crate::escape;
use crate::recording::{self, Beginning, End, Lines};

/// Where a stream comes from.
pub(crate) struct Source<'io> {
    content: Content<'io>,
    /// What messages call it, fit for a terminal and on one line.
    name: String,
    /// How long it is; `None` where only its end will tell.
    len: Option<u64>,
    /// How many bytes it has given.
    offset: u64,
    /// Which response of a recording it gives.
    response: u32,
}

/// What the bytes of a source are.
///
/// ```text
/// Unread --first bytes--> Plain, or Recorded
/// ```
enum Content<'io> {
    Unread(Box<dyn Read + 'io>),
    Plain(Box<dyn Read + 'io>),
    Recorded(Box<Recorded<'io>>),
}

/// A recording that is being read.
struct Recorded<'io> {
    lines: Lines<BufReader<Box<dyn Read + 'io>>>,
    /// What is left of the last read.
    rest: Vec<u8>,
    mark: Mark,
    end: Option<End>,
    /// The highest number of a response.
    responses: u32,
}

/// When bytes came, and with which read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mark {
    pub(crate) t_us: u64,
    pub(crate) read: u64,
}

impl<'io> Source<'io> {
    /// Opens a file, or takes standard input for `-`.
    pub(crate) fn open(
        path: &Path,
        stdin: &'io mut dyn Read,
        response: Option<u32>,
    ) -> io::Result<Source<'io>> {
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
            content: Content::Unread(reader),
            response: response.unwrap_or(1),
            name: name(path),
            len,
            offset: 0,
        })
    }

    /// Reads what there is into `buffer`; 0 bytes mean the end. Of a recording,
    /// it is never more than one read.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Content::Unread(_) = self.content {
            let count = self.begin(buffer)?;
            if let Content::Plain(_) = self.content {
                return Ok(count);
            }
        }
        let count = match &mut self.content {
            Content::Unread(reader) | Content::Plain(reader) => read(reader, buffer)?,
            Content::Recorded(recorded) => recorded.read(self.response, buffer)?,
        };
        self.offset += count as u64;
        Ok(count)
    }

    /// Reads the first bytes, and finds out what they are.
    fn begin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let nothing = Content::Plain(Box::new(io::empty()));
        let Content::Unread(mut reader) = std::mem::replace(&mut self.content, nothing) else {
            return Ok(0);
        };
        let mut len = 0;
        let beginning = loop {
            let room = buffer.get_mut(len..).unwrap_or_default();
            let count = read(&mut reader, room)?;
            len += count;
            match recording::beginning(buffer.get(..len).unwrap_or_default()) {
                Beginning::Unknown if count > 0 => {}
                beginning => break beginning,
            }
        };
        if beginning != Beginning::Recording {
            self.content = Content::Plain(reader);
            self.offset += len as u64;
            return Ok(len);
        }
        let begun = buffer.get(..len).unwrap_or_default().to_vec();
        let whole: Box<dyn Read + 'io> = Box::new(Cursor::new(begun).chain(reader));
        self.content = Content::Recorded(Box::new(Recorded {
            lines: Lines::new(BufReader::new(whole)),
            rest: Vec::new(),
            mark: Mark::default(),
            end: None,
            responses: 0,
        }));
        // Its length says little about what it holds.
        self.len = self.len.map(|_| 0);
        Ok(0)
    }

    /// When the bytes of the last read came; `None` if it is no recording.
    pub(crate) fn mark(&self) -> Option<Mark> {
        match &self.content {
            Content::Recorded(recorded) => Some(recorded.mark),
            Content::Unread(_) | Content::Plain(_) => None,
        }
    }

    /// Of a recording of a body that was not read to its end, whether that is
    /// known to have been the connection's fault.
    pub(crate) fn cut(&self) -> Option<bool> {
        match &self.content {
            Content::Recorded(recorded) => match recorded.end {
                Some(End::Clean) => None,
                end => Some(end == Some(End::Cut)),
            },
            Content::Unread(_) | Content::Plain(_) => None,
        }
    }

    /// What is left out of a recording, or missing there, in words.
    pub(crate) fn note(&self) -> Option<String> {
        let Content::Recorded(recorded) = &self.content else {
            return None;
        };
        let Source { response, .. } = self;
        match recorded.responses {
            0 | 1 if *response == 1 => None,
            last if *response > last => Some(format!("there is no response {response}")),
            last => Some(format!(
                "this was response {response} of {last}; --response N prints another"
            )),
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

impl Recorded<'_> {
    fn read(&mut self, response: u32, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            let line = self.lines.next_line().map_err(io::Error::other)?;
            let Some(line) = line else {
                return Ok(0);
            };
            self.responses = self.responses.max(line.response);
            if line.response != response {
                continue;
            }
            self.end = line.end.or(self.end);
            self.rest = line.bytes().unwrap_or_default();
            if let Some(read) = line.read {
                let t_us = line.t_us;
                self.mark = Mark { t_us, read };
            }
        }
        let count = self.rest.as_slice().read(buffer)?;
        self.rest.drain(..count);
        Ok(count)
    }
}

fn read(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// What messages call the source at `path`.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    escape::escaped(&path.display().to_string())
}
