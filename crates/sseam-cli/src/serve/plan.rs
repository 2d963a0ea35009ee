//! A file and flags to what is sent: pieces with their times, a fault, and where
//! a client that resumes goes on.

use std::fs;
use std::path::Path;
use std::time::Duration;

use sseam::{Field, GrowingMemory, Limits, Parser, Token, Tokenizer};

use crate::args::{FaultArgs, ResponseArgs, ServeArgs};
use crate::recording::{self, Beginning, Lines};

/// What every client gets.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) body: Vec<u8>,
    /// In order; together they are the body.
    pub(crate) pieces: Vec<Piece>,
    /// The ends of blocks, in order: a comment may stand there.
    pub(crate) block_ends: Vec<usize>,
    /// Ids that were set, and where the stream goes on after each.
    resumes: Vec<(Vec<u8>, usize)>,
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) is_chunked: bool,
    pub(crate) heartbeat: Option<Duration>,
    pub(crate) fault: Option<Fault>,
}

/// What is sent at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// When, since the head.
    pub(crate) at: Duration,
    /// Index of the body after it; above that of the piece before.
    pub(crate) end: usize,
}

/// What happens instead of the rest of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// Index of the body; at most its length.
    pub(crate) at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// A FIN before the end.
    Cut,
    /// An RST.
    Drop,
    /// Silence.
    Stall,
}

/// A block of the stream.
struct Block {
    end: usize,
    /// The last event id after it, if it sets one.
    id: Option<Vec<u8>>,
}

/// What a recording says of one response.
#[derive(Default)]
struct Recorded {
    body: Vec<u8>,
    pieces: Vec<Piece>,
    status: Option<u16>,
    content_type: Option<String>,
    /// What the recorded connection did in place of an end.
    fault: Option<FaultKind>,
}

impl Plan {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// Why it cannot be served, in words.
    pub(crate) fn load(path: &Path, args: &ServeArgs) -> Result<Plan, String> {
        let bytes = fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
        let response = &args.response;
        if recording::beginning(&bytes) == Beginning::Recording {
            let recorded = recorded(&bytes, response.response.unwrap_or(1))?;
            return Ok(Plan::new(recorded, response, &args.faults));
        }
        if response.response.is_some() {
            return Err("--response is for recordings, and this is none".to_owned());
        }
        let plain = Recorded {
            body: bytes,
            ..Recorded::default()
        };
        Ok(Plan::new(plain, response, &args.faults))
    }

    fn new(recorded: Recorded, args: &ResponseArgs, faults: &FaultArgs) -> Plan {
        let body = recorded.body;
        let blocks = blocks(&body);
        let block_ends: Vec<usize> = blocks.iter().map(|block| block.end).collect();
        let mut pieces = match args.chunk_size {
            Some(size) => ends_of(body.len(), size.get()),
            None if recorded.pieces.is_empty() => ends_at(&block_ends, body.len()),
            None => recorded.pieces,
        };
        if let Some(delay) = args.delay {
            for (index, piece) in pieces.iter_mut().enumerate() {
                let index = u32::try_from(index).unwrap_or(u32::MAX);
                piece.at = delay.saturating_mul(index);
            }
        }
        let recorded_fault = recorded.fault.map(|kind| (kind, body.len()));
        let fault = fault(faults).or(recorded_fault);
        let resumes = blocks.into_iter();
        Plan {
            pieces,
            block_ends,
            resumes: resumes
                .filter_map(|block| Some((block.id?, block.end)))
                .collect(),
            status: args.status.or(recorded.status).unwrap_or(200),
            content_type: args
                .content_type
                .clone()
                .or(recorded.content_type)
                .unwrap_or_else(|| "text/event-stream".to_owned()),
            headers: args.header.clone(),
            is_chunked: !args.no_chunked,
            heartbeat: args.heartbeat.filter(|every| !every.is_zero()),
            fault: fault.map(|(kind, at)| Fault {
                kind,
                at: at.min(body.len()),
            }),
            body,
        }
    }

    /// Where the stream goes on for a client whose last event id is `id`.
    pub(crate) fn resume(&self, id: &[u8]) -> Option<usize> {
        let mut resumes = self.resumes.iter();
        let found = resumes.rfind(|(known, _)| known == id && !id.is_empty());
        found.map(|(_, end)| *end)
    }
}

fn fault(args: &FaultArgs) -> Option<(FaultKind, usize)> {
    let cut = args.cut_at.map(|at| (FaultKind::Cut, at));
    let drop = args.drop_at.map(|at| (FaultKind::Drop, at));
    let stall = args.stall_at.map(|at| (FaultKind::Stall, at));
    cut.or(drop).or(stall)
}

/// Pieces of `size` bytes.
fn ends_of(len: usize, size: usize) -> Vec<Piece> {
    let starts = (0..len).step_by(size);
    let piece = |start: usize| Piece {
        at: Duration::ZERO,
        end: start.saturating_add(size).min(len),
    };
    starts.map(piece).collect()
}

/// Pieces that end with blocks; the last with the body.
fn ends_at(block_ends: &[usize], len: usize) -> Vec<Piece> {
    let rest = Some(len).filter(|len| *len > block_ends.last().copied().unwrap_or(0));
    let ends = block_ends.iter().copied().chain(rest);
    let piece = |end| Piece {
        at: Duration::ZERO,
        end,
    };
    ends.map(piece).collect()
}

/// The blocks of a stream, as its clients will see them.
fn blocks(body: &[u8]) -> Vec<Block> {
    let (mut tokenizer, mut input) = (Tokenizer::new(), body);
    let mut parser = Parser::growing(GrowingMemory::new(), Limits::LARGE);
    let (mut blocks, mut start, mut has_id) = (Vec::new(), 0, false);
    while let Some(token) = tokenizer.next_token(&mut input) {
        match token {
            Token::Value {
                field: Field::Id, ..
            } => has_id = true,
            Token::Blank => {
                let end = body.len() - input.len();
                let block = body.get(start..end).unwrap_or_default();
                // "\r\n" is one line end, and belongs to the block whole.
                let is_cut = block.ends_with(b"\r") && input.starts_with(b"\n");
                let end = end + usize::from(is_cut);
                let mut rest = body.get(start..end).unwrap_or_default();
                // What is over a limit sets no id that a client could know.
                while let Ok(Some(_)) = parser.next_event(&mut rest) {}
                let id = has_id.then(|| parser.last_event_id().as_bytes().to_vec());
                blocks.push(Block { end, id });
                (start, has_id) = (end, false);
            }
            _ => {}
        }
    }
    blocks
}

/// Reads one response of a recording.
fn recorded(bytes: &[u8], response: u32) -> Result<Recorded, String> {
    let mut lines = Lines::new(bytes);
    let (mut recorded, mut head_at) = (Recorded::default(), None);
    let (mut is_there, mut end) = (false, None);
    while let Some(line) = lines.next_line().map_err(|error| error.to_string())? {
        if line.response != response {
            continue;
        }
        is_there = true;
        let begin = *head_at.get_or_insert(line.t_us);
        if let Some(head) = &line.head {
            recorded.status = Some(head.status);
            recorded.content_type = head.content_type.as_deref().map(str::to_owned);
        }
        end = line.end.or(end);
        let piece = line.bytes().unwrap_or_default();
        if !piece.is_empty() {
            recorded.body.extend_from_slice(&piece);
            recorded.pieces.push(Piece {
                at: Duration::from_micros(line.t_us.saturating_sub(begin)),
                end: recorded.body.len(),
            });
        }
    }
    recorded.fault = match end {
        Some(recording::End::Clean) => None,
        // Its reader left while nothing more came.
        Some(recording::End::Left) => Some(FaultKind::Stall),
        // The recorder was ended, and the connection with it.
        Some(recording::End::Cut | recording::End::Other) | None => Some(FaultKind::Cut),
    };
    match is_there {
        true => Ok(recorded),
        false => Err(format!("the recording has no response {response}")),
    }
}

#[cfg(test)]
mod tests;
