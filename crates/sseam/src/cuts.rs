//! A stream comes in, the ways to cut it go out, for tests of what reads one.

use std::fmt;

/// Every way to cut a stream that tends to break its readers.
///
/// Whole; byte by byte; byte by byte with an empty chunk before each and after
/// the last; and in two at every offset, both ends included. That is one item
/// more than the length squared in bytes in all, so keep the streams short.
///
/// Whatever reads a stream must give the same for each of them:
///
/// ```
/// let stream = "data: 你好\r\n\r\nevent: end\rdata\r\r".as_bytes();
/// for chunks in sseam::every_cut(stream) {
///     let events = sseam::events(chunks).collect::<Result<Vec<_>, _>>()?;
///     assert_eq!(events.len(), 2);
///     assert_eq!(events[0].data(), "你好");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn every_cut(stream: &[u8]) -> EveryCut<'_> {
    EveryCut {
        stream,
        next: Some(Cut::Whole),
    }
}

/// The iterator that [`every_cut`] makes; its items are chunks in order.
#[derive(Clone)]
pub struct EveryCut<'s> {
    stream: &'s [u8],
    next: Option<Cut>,
}

/// How the stream is cut next.
///
/// ```text
/// Whole --> ByteByByte --> WithEmptyChunks --> InTwo(0) --> ... --> InTwo(length)
/// ```
#[derive(Debug, Clone, Copy)]
enum Cut {
    Whole,
    ByteByByte,
    WithEmptyChunks,
    /// At this offset; <= length of the stream
    InTwo(usize),
}

impl<'s> Iterator for EveryCut<'s> {
    type Item = Vec<&'s [u8]>;

    fn next(&mut self) -> Option<Vec<&'s [u8]>> {
        let cut = self.next?;
        self.next = match cut {
            Cut::Whole => Some(Cut::ByteByByte),
            Cut::ByteByByte => Some(Cut::WithEmptyChunks),
            Cut::WithEmptyChunks => Some(Cut::InTwo(0)),
            Cut::InTwo(at) => (at < self.stream.len()).then_some(Cut::InTwo(at + 1)),
        };
        let single_bytes = self.stream.chunks(1);
        Some(match cut {
            Cut::Whole => vec![self.stream],
            Cut::ByteByByte => single_bytes.collect(),
            Cut::WithEmptyChunks => single_bytes
                .flat_map(|byte| [&[], byte])
                .chain([&[][..]])
                .collect(),
            Cut::InTwo(at) => {
                let (head, tail) = self.stream.split_at(at);
                vec![head, tail]
            }
        })
    }
}

impl std::iter::FusedIterator for EveryCut<'_> {}

/// Shows how the stream is cut next, not what it says.
impl fmt::Debug for EveryCut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EveryCut")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
