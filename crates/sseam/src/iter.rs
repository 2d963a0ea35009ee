//! Readers come in, iterators of owned events go out.

use std::io::Read;
use std::iter::FusedIterator;

use crate::error::ReadError;
use crate::owned::OwnedEvent;
use crate::reader::EventReader;

/// The owned events of a reader that it borrows, up to the end or an error.
///
/// Made by [`EventReader::events`].
#[derive(Debug)]
pub struct ReaderEvents<'r, R> {
    reader: &'r mut EventReader<R>,
    has_failed: bool,
}

/// The owned events of a reader that it owns, up to the end or an error.
///
/// Made by `for`, or `into_iter`, over an [`EventReader`].
#[derive(Debug, Clone)]
pub struct IntoEvents<R> {
    reader: EventReader<R>,
    has_failed: bool,
}

impl<'r, R> ReaderEvents<'r, R> {
    pub(crate) const fn new(reader: &'r mut EventReader<R>) -> Self {
        ReaderEvents {
            reader,
            has_failed: false,
        }
    }
}

impl<R> IntoEvents<R> {
    /// The reader, to be asked for ids and counters or to be read on after an
    /// error.
    pub const fn reader(&self) -> &EventReader<R> {
        &self.reader
    }

    /// The reader, after the events that were taken.
    pub fn into_reader(self) -> EventReader<R> {
        self.reader
    }
}

impl<R: Read> IntoIterator for EventReader<R> {
    type Item = Result<OwnedEvent, ReadError>;
    type IntoIter = IntoEvents<R>;

    fn into_iter(self) -> IntoEvents<R> {
        IntoEvents {
            reader: self,
            has_failed: false,
        }
    }
}

impl<R: Read> Iterator for ReaderEvents<'_, R> {
    type Item = Result<OwnedEvent, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_owned(self.reader, &mut self.has_failed)
    }
}

impl<R: Read> Iterator for IntoEvents<R> {
    type Item = Result<OwnedEvent, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        next_owned(&mut self.reader, &mut self.has_failed)
    }
}

impl<R: Read> FusedIterator for ReaderEvents<'_, R> {}

impl<R: Read> FusedIterator for IntoEvents<R> {}

/// Without the fuse, a `for` over a source that keeps failing would not end.
fn next_owned<R: Read>(
    reader: &mut EventReader<R>,
    has_failed: &mut bool,
) -> Option<Result<OwnedEvent, ReadError>> {
    if *has_failed {
        return None;
    }
    let event = reader.next_event().transpose()?;
    *has_failed = event.is_err();
    Some(event.map(OwnedEvent::from))
}
