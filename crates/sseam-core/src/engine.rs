//! Stage 4, chunk to steps: the one compiled body that every reader drives.
//!
//! A chunk and the event memory come in, and one step goes out: an item is
//! complete, or the chunk is used up, or more memory is needed, or a limit was
//! passed. The engine owns no bytes. It remembers positions, in the chunk for
//! what lies whole there and in the memory for what does not; before it lets go
//! of a chunk it copies what an unfinished block still needs from it.
//!
//! # Limits without a second look
//!
//! The tokenizer is let run first. Only where a line came out longer than its
//! limit is that token taken again up to the last byte allowed, so the limit
//! costs one comparison for each token, and the error names the same byte for
//! every cut.

use crate::block::{Block, Halt, Ids, Lack, Piece, Value};
use crate::counters::{Counters, Span};
use crate::error::Error;
use crate::item::{Event, Item, Items, LineView, Skipped};
use crate::limits::{Limit, Limits};
use crate::memory::{Layout, Region, slice};
use crate::token::{Field, Token, Tokenizer};

/// What one call of [`Engine::step`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Step {
    /// The chunk is used up, and nothing in it is needed any more.
    NeedInput,
    /// Nothing was taken: lend at least [`Engine::memory_wanted`] bytes and call
    /// again with the same chunk.
    NeedMemory,
    /// An event was dispatched: see [`Engine::event`].
    Event,
    /// A comment ended: see [`Engine::line`].
    Comment,
    /// A line without effect ended: see [`Engine::line`].
    Ignored,
    /// The reconnection time was set: see [`Engine::retry`].
    Retry,
    /// A block was left out: see [`Engine::skipped`].
    Skipped,
    /// The stream went wrong and stays so until a reset: see [`Engine::error`].
    Failed,
}

/// Whether input is still taken.
///
/// ```text
/// Open --limit passed--> Failed        Open --finish--> Finished --take--> Taken
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Input is taken.
    Open,
    /// A limit was passed at the byte that `Counters::bytes` names.
    Failed(Limit),
    /// The end of input was told; an unfinished event may still be taken.
    Finished,
    /// The unfinished event was taken.
    Taken,
}

/// Bytes to events, over memory and chunks that are lent to each call.
///
/// This is what adapters are built on; [`Parser`](crate::Parser) is the engine
/// with its memory. Every call must be lent the same memory, or longer memory
/// that begins with the same bytes.
///
/// ```
/// use sseam_core::{Engine, Items, Limits, Step};
///
/// let mut memory = [0; Limits::SMALL.memory_len()];
/// let mut engine = Engine::new(Limits::SMALL);
/// let chunk = b"data: hello\n\n";
/// let (used, step) = engine.step(&mut memory, chunk, Items::EVENTS);
/// assert_eq!((used, step), (chunk.len(), Step::Event));
/// assert_eq!(engine.event(&memory, chunk).data(), "hello");
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    pub(crate) limits: Limits,
    pub(crate) layout: Layout,
    pub(crate) counters: Counters,
    pub(crate) retry: Option<u64>,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) block: Block,
    pub(crate) value: Value,
    pub(crate) ids: Ids,
    pub(crate) lack: Lack,
    /// Bytes of the chunk dealt with before more memory was asked for; 0 but
    /// between `NeedMemory` and the next step.
    pub(crate) cursor: usize,
    /// Index in the chunk of the end of the line announced last; <= its length.
    line_end: usize,
    pub(crate) announced: Step,
    pub(crate) phase: Phase,
}

impl Engine {
    /// An engine for memory of [`Limits::memory_len`] bytes, lent whole.
    pub const fn new(limits: Limits) -> Self {
        Engine::with_layout(limits, Layout::full(&limits))
    }

    /// An engine for memory that begins empty and grows on demand, up to
    /// [`Limits::memory_len`]. See [`Engine::adopt_memory`].
    pub const fn growing(limits: Limits) -> Self {
        Engine::with_layout(limits, Layout::EMPTY)
    }

    const fn with_layout(limits: Limits, layout: Layout) -> Self {
        Engine {
            limits,
            layout,
            counters: Counters::ZERO,
            retry: None,
            tokenizer: Tokenizer::new(),
            block: Block::EMPTY,
            value: Value::EMPTY,
            ids: Ids::EMPTY,
            lack: Lack::NONE,
            cursor: 0,
            line_end: 0,
            announced: Step::NeedInput,
            phase: Phase::Open,
        }
    }

    /// Takes bytes off the front of `chunk` until there is something to tell.
    ///
    /// Returns how many bytes were taken. Besides events, it stops for the items
    /// in `want`; the others are counted and act all the same. What a step
    /// announced may be viewed until the next call, with the same chunk.
    pub fn step(&mut self, memory: &mut [u8], chunk: &[u8], want: Items) -> (usize, Step) {
        self.settle();
        if !matches!(self.phase, Phase::Open) {
            let is_idle = chunk.is_empty() && !matches!(self.phase, Phase::Failed(_));
            return (
                0,
                if is_idle {
                    Step::NeedInput
                } else {
                    Step::Failed
                },
            );
        }
        let room = self.limits.bytes_max.saturating_sub(self.counters.bytes);
        let allowed = usize::try_from(room)
            .ok()
            .and_then(|room| chunk.get(..room));
        let window = allowed.unwrap_or(chunk);
        loop {
            match self.advance(memory, window, want) {
                Ok(Some(step)) => return self.announce(step),
                Ok(None) if self.cursor < window.len() => {}
                Ok(None) if window.len() < chunk.len() => {
                    return self.fail(Limit::Bytes, window.len());
                }
                Ok(None) => match self.park(memory, window) {
                    Ok(()) => return self.announce(Step::NeedInput),
                    Err(_) => return (0, Step::NeedMemory),
                },
                Err(Halt::NeedMemory) => return (0, Step::NeedMemory),
                Err(Halt::Over { limit, at }) => return self.fail(limit, at),
            }
        }
    }

    /// The event announced by [`Step::Event`].
    ///
    /// `memory` and `chunk` are those of that step, unchanged.
    #[inline]
    pub fn event<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> Event<'a> {
        Event {
            event_type: self.type_view(memory, chunk),
            data: self.data_view(memory, chunk),
            id: self.last_event_id(memory),
            span: self.span(),
            is_complete: matches!(self.phase, Phase::Open),
        }
    }

    /// What `step` announced, as an item; `None` for steps that are none.
    pub fn item<'a>(&self, step: Step, memory: &'a [u8], chunk: &'a [u8]) -> Option<Item<'a>> {
        match step {
            Step::Event => Some(Item::Event(self.event(memory, chunk))),
            Step::Comment => Some(Item::Comment(self.line(memory, chunk))),
            Step::Ignored => Some(Item::Ignored(self.line(memory, chunk))),
            Step::Retry => self.retry.map(Item::Retry),
            Step::Skipped => Some(Item::Skipped(self.skipped(memory, chunk))),
            Step::NeedInput | Step::NeedMemory | Step::Failed => None,
        }
    }

    /// The line announced by [`Step::Comment`] or [`Step::Ignored`].
    pub fn line<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> LineView<'a> {
        let is_comment = matches!(self.announced, Step::Comment);
        let len = self.tokenizer.line_len() - u64::from(is_comment);
        let kept = usize::try_from(len)
            .unwrap_or(usize::MAX)
            .min(self.limits.comment_len_max);
        let in_chunk = usize::try_from(len)
            .ok()
            .and_then(|len| self.line_end.checked_sub(len));
        let prefix = match in_chunk {
            Some(at) => slice(chunk, at, kept),
            None => slice(memory, self.layout.offset(Region::Comment, 0), kept),
        };
        LineView { prefix, len }
    }

    /// The block announced by [`Step::Skipped`].
    pub fn skipped<'a>(&self, memory: &'a [u8], chunk: &'a [u8]) -> Skipped<'a> {
        let limit = self.block.skip_limit().unwrap_or(Limit::Data);
        Skipped {
            limit,
            max: self.limits.value(limit),
            bytes: self.block.skip_bytes(),
            span: self.span(),
            event_type: (!self.block.type_is_unknown).then(|| self.type_view(memory, chunk)),
            head: self.data_view(memory, chunk),
        }
    }

    /// The reconnection time in milliseconds, as the stream set it last.
    #[inline]
    pub const fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// The last event id: that of the last block that ended.
    #[inline]
    pub fn last_event_id<'a>(&self, memory: &'a [u8]) -> &'a [u8] {
        let id = self.ids.committed;
        slice(memory, self.layout.offset(Region::Id, id.slot), id.len)
    }

    /// What was counted since the start or the last reset.
    #[inline]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// The limits it was made with.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Why the last step was [`Step::Failed`]; `None` while input is taken.
    pub const fn error(&self) -> Option<Error> {
        match self.phase {
            Phase::Open => None,
            Phase::Failed(limit) => Some(Error::LimitPassed {
                limit,
                max: self.limits.value(limit),
                offset: self.counters.bytes,
            }),
            Phase::Finished | Phase::Taken => Some(Error::Finished),
        }
    }

    /// Bytes of memory that the next step needs, after [`Step::NeedMemory`].
    pub fn memory_wanted(&self) -> usize {
        let layout = self
            .layout
            .widened(self.lack.region, self.lack.len, &self.limits);
        let data = match self.lack.region {
            Region::Data => self.lack.len,
            _ => self.block.data_len_in_memory(),
        };
        layout.offset(Region::Data, 0).saturating_add(data)
    }

    /// Bytes at the front of the memory that are in use; a growing memory may
    /// give back the rest between two steps.
    pub fn memory_held(&self) -> usize {
        self.layout
            .offset(Region::Data, 0)
            .saturating_add(self.block.data_len_in_memory())
    }

    /// Takes over longer memory that begins with the old bytes.
    ///
    /// To be called between [`Step::NeedMemory`] and the next step, for an engine
    /// made by [`Engine::growing`]. Memory that is shorter than
    /// [`Engine::memory_wanted`] changes nothing.
    pub fn adopt_memory(&mut self, memory: &mut [u8]) {
        if memory.len() < self.memory_wanted() {
            return;
        }
        let wider = self
            .layout
            .widened(self.lack.region, self.lack.len, &self.limits);
        self.layout
            .rearrange(&wider, memory, self.block.data_len_in_memory());
        self.layout = wider;
    }

    /// Takes one token and lets it act. The cursor moves unless memory is short.
    fn advance(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let before = self.tokenizer;
        let mut input = window.get(self.cursor..).unwrap_or_default();
        let mut token = self.tokenizer.next_token(&mut input);
        let mut end = window.len() - input.len();
        if self.tokenizer.line_len() > self.limits.line_len_max as u64 && !self.block.is_skipping()
        {
            let at = self.first_byte_over(token, end);
            if at == self.cursor {
                self.pass(Limit::Line, at, 0)?;
            } else {
                self.tokenizer = before;
                input = window.get(self.cursor..at).unwrap_or_default();
                token = self.tokenizer.next_token(&mut input);
                end = at - input.len();
            }
        }
        let Some(token) = token else {
            self.cursor = end;
            return Ok(None);
        };
        let step = self.act(memory, window, token, end, want);
        match step {
            Err(Halt::NeedMemory) => self.tokenizer = before,
            Err(Halt::Over { .. }) => {}
            Ok(_) => self.cursor = end,
        }
        step
    }

    /// Index of the first byte by which the line in progress is too long; never
    /// before the cursor, behind which everything has been taken.
    fn first_byte_over(&self, token: Option<Token<'_>>, end: usize) -> usize {
        let ends_line = matches!(
            token,
            Some(
                Token::Value {
                    ends_line: true,
                    ..
                } | Token::Comment {
                    ends_line: true,
                    ..
                } | Token::Ignored {
                    ends_line: true,
                    ..
                }
            )
        );
        let over = self.tokenizer.line_len() - self.limits.line_len_max as u64;
        let over = usize::try_from(over).unwrap_or(usize::MAX);
        let content_end = end - usize::from(ends_line);
        content_end.saturating_sub(over).max(self.cursor)
    }

    /// Lets a token act. All that can fail for want of memory comes before
    /// anything has acted, so that the token may be taken again.
    fn act(
        &mut self,
        memory: &mut [u8],
        window: &[u8],
        token: Token<'_>,
        end: usize,
        want: Items,
    ) -> Result<Option<Step>, Halt> {
        let (bytes, ends_line) = match token {
            Token::Value {
                bytes, ends_line, ..
            }
            | Token::Comment { bytes, ends_line }
            | Token::Ignored { bytes, ends_line } => (bytes, ends_line),
            Token::Blank => return self.blank(end, want),
        };
        let line_end = end - usize::from(ends_line);
        let is_item = ends_line && self.may_be_wanted(token, want);
        if is_item {
            // The caller comes back with the rest of the chunk: what the block
            // holds in the part before it would be lost.
            self.park_block(memory, window)?;
            self.keep_line(
                memory,
                window,
                line_end,
                matches!(token, Token::Comment { .. }),
            )?;
        }
        let told = match token {
            Token::Value { field, .. } => {
                let piece = Piece {
                    field,
                    bytes,
                    at: line_end - bytes.len(),
                    ends_line,
                };
                self.gather(memory, window, piece)?
            }
            Token::Comment { .. } => Step::Comment,
            _ => self.keep_rejected(memory, bytes)?,
        };
        if !ends_line {
            return Ok(None);
        }
        let told = if self.block.is_lost() {
            Step::NeedInput
        } else {
            told
        };
        self.commit_line(told, line_end);
        self.line_end = line_end;
        let is_wanted = match told {
            Step::Comment => want.contains(Items::COMMENTS),
            Step::Ignored => want.contains(Items::IGNORED),
            Step::Retry => want.contains(Items::RETRY),
            _ => false,
        };
        Ok((is_item && is_wanted).then_some(told))
    }

    /// Whether the line that ends with this token may be an item the caller wants.
    fn may_be_wanted(&self, token: Token<'_>, want: Items) -> bool {
        let items = match token {
            Token::Comment { .. } => Items::COMMENTS,
            Token::Ignored { .. } => Items::IGNORED,
            Token::Value {
                field: Field::Retry,
                ..
            } => Items::IGNORED.with(Items::RETRY),
            Token::Value {
                field: Field::Id,
                bytes,
                ..
            } if self.is_void_id(bytes) => Items::IGNORED,
            _ => return false,
        };
        want.intersects(items)
    }

    /// Copies out of the chunk what an unfinished block needs from it.
    fn park(&mut self, memory: &mut [u8], window: &[u8]) -> Result<(), Halt> {
        self.park_block(memory, window)?;
        if self.tokenizer.may_be_ignored() {
            let is_comment = self.tokenizer.is_within_comment();
            self.keep_line(memory, window, window.len(), is_comment)?;
        }
        Ok(())
    }

    fn announce(&mut self, step: Step) -> (usize, Step) {
        let used = core::mem::take(&mut self.cursor);
        self.counters.bytes += used as u64;
        self.announced = step;
        (used, step)
    }

    /// Ends the stream at `at` bytes into the chunk; all before it counts.
    fn fail(&mut self, limit: Limit, at: usize) -> (usize, Step) {
        self.cursor = at;
        self.phase = Phase::Failed(limit);
        self.announce(Step::Failed)
    }

    /// Forgets the block that the last step announced.
    #[inline]
    pub(crate) fn settle(&mut self) {
        if matches!(self.announced, Step::Event | Step::Skipped) {
            self.block.clear();
        }
        self.announced = Step::NeedInput;
    }

    pub(crate) fn span(&self) -> Span {
        Span {
            start: self.block.start,
            end: self.counters.bytes,
        }
    }
}
