//! Stage 2, what one event says in the terms of all APIs: a dialect writes it
//! from the event alone, the state acts on it, the signals are read from it.
//!
//! Events with several choices, parts or calls are not gathered: their first one
//! is in the unit, and the others stay JSON until their turn comes.

use crate::calls::{CallKind, Name};
use crate::due::Due;
use crate::failure::Failure;
use crate::fault::{JsonError, JsonFault};
use crate::list::{List, ListKind};
use crate::origin::Sender;
use crate::partial::Passage;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::repeats::PartName;
use crate::usage::Told;

/// What is due, and what it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit<'e> {
    pub(crate) due: Due,
    /// Something was said already.
    pub(crate) has_signalled: bool,
    /// A part was read.
    pub(crate) has_part: bool,
    /// A choice was read.
    pub(crate) has_choice: bool,
    /// It is what the API's events are: no failure of another shape.
    pub(crate) has_shape: bool,
    /// What a signal without a name of its own shows.
    pub(crate) is_progress: bool,
    /// The part is one of the item that was at hand last.
    pub(crate) is_of_last_item: bool,
    /// It stands in the place of a delta.
    pub(crate) is_message: bool,
    /// Texts and arguments stand here whole, and may have come before.
    pub(crate) is_repeat: bool,
    /// Text here is told again by blocks that follow.
    pub(crate) is_foretold: bool,
    /// Text here is no repetition of what was told ahead.
    pub(crate) is_free: bool,
    /// What begins here is no call, and has the index from now on.
    pub(crate) takes_index: bool,
    /// Nothing is said of a call but that it ended.
    pub(crate) only_closes: bool,
    /// The arguments stand where the call begins, and may come once more.
    pub(crate) is_told: bool,
    /// The arguments are text, of which each byte counts, and no JSON within JSON.
    pub(crate) has_text_arguments: bool,
    /// The API says that the call is not whole.
    pub(crate) is_cut: bool,
    /// The arguments come as paths and values.
    pub(crate) is_partial: bool,
    /// A call is one that is known, or none.
    pub(crate) opens_none: bool,
    pub(crate) is_tool_error: bool,
    /// Signals of the answer's end are being read: its calls, then its halves.
    pub(crate) is_ending: bool,
    pub(crate) is_closing: bool,
    /// Only the end of the input told of the end.
    pub(crate) is_at_end: bool,
    pub(crate) choice: u32,
    pub(crate) part: PartName,
    /// Of the tool call, as the event names it.
    pub(crate) name: Name<'e>,
    pub(crate) kind: CallKind,
    /// Of the tool call, once it is found.
    pub(crate) key: u32,
    pub(crate) reasoning: Piece<'e>,
    pub(crate) text: Piece<'e>,
    pub(crate) refusal: Piece<'e>,
    pub(crate) call_id: Piece<'e>,
    pub(crate) call_name: Piece<'e>,
    pub(crate) arguments: Piece<'e>,
    /// Paths and values that were not read yet.
    pub(crate) partials: List<'e>,
    /// The one that is being told, how its path was reached, and the next of its
    /// pieces.
    pub(crate) partial: &'e [u8],
    pub(crate) passage: Option<Passage>,
    pub(crate) piece_at: u8,
    pub(crate) reason: Reason,
    /// The API's own word for `reason`.
    pub(crate) word: Piece<'e>,
    pub(crate) usage: Told,
    pub(crate) failure: Failure<'e>,
    pub(crate) fault: JsonError,
    pub(crate) sender: Sender<'e>,
    /// The innermost list comes last.
    pub(crate) inner: [List<'e>; 3],
    pub(crate) outer: List<'e>,
    pub(crate) sequence_number: Option<u64>,
    pub(crate) event_id: Piece<'e>,
    pub(crate) is_background: Option<bool>,
}

impl<'e> Unit<'e> {
    pub(crate) const NOTHING: Unit<'static> = Unit {
        due: Due::NOTHING,
        has_signalled: false,
        has_part: false,
        has_choice: false,
        has_shape: false,
        is_progress: false,
        is_of_last_item: false,
        is_message: false,
        is_repeat: false,
        is_foretold: false,
        is_free: false,
        takes_index: false,
        only_closes: false,
        is_told: false,
        has_text_arguments: true,
        is_cut: false,
        is_partial: false,
        opens_none: false,
        is_tool_error: false,
        is_ending: false,
        is_closing: false,
        is_at_end: false,
        choice: 0,
        part: PartName::NONE,
        name: Name::NONE,
        kind: CallKind::FUNCTION,
        key: 0,
        reasoning: Piece::EMPTY,
        text: Piece::EMPTY,
        refusal: Piece::EMPTY,
        call_id: Piece::EMPTY,
        call_name: Piece::EMPTY,
        arguments: Piece::EMPTY,
        partials: List::NONE,
        partial: &[],
        passage: None,
        piece_at: 0,
        reason: Reason::Other,
        word: Piece::EMPTY,
        usage: Told::NOTHING,
        failure: Failure::UNKNOWN,
        fault: JsonError {
            fault: JsonFault::Unexpected,
            offset: 0,
        },
        sender: Sender::UNKNOWN,
        inner: [List::NONE; 3],
        outer: List::NONE,
        sequence_number: None,
        event_id: Piece::EMPTY,
        is_background: None,
    };

    /// A unit that says nothing, not even that something came.
    pub(crate) const SILENT: Unit<'static> = Unit {
        has_signalled: true,
        ..Unit::NOTHING
    };

    /// A unit that says one thing.
    pub(crate) fn saying(due: Due) -> Self {
        Unit {
            due,
            ..Unit::NOTHING
        }
    }

    /// Forgets what a part, a call or a choice said, before the next one, or
    /// before a key that was there already: the last of two counts.
    pub(crate) fn clear_part(&mut self) {
        self.reasoning = Piece::EMPTY;
        self.text = Piece::EMPTY;
        self.refusal = Piece::EMPTY;
        self.due.remove(Due::MEDIA);
        self.clear_call();
    }

    /// Forgets a call.
    pub(crate) fn clear_call(&mut self) {
        self.name = Name::NONE;
        self.kind = CallKind::FUNCTION;
        self.call_id = Piece::EMPTY;
        self.call_name = Piece::EMPTY;
        self.arguments = Piece::EMPTY;
        self.partials = List::NONE;
        (self.is_told, self.is_cut) = (false, false);
        (self.is_partial, self.opens_none) = (false, false);
        self.due.remove(Due::PARTIAL);
        self.due.remove(Due::CALL);
        self.due.remove(Due::CLOSE);
    }

    /// Puts the elements of an array where they are read next.
    pub(crate) fn push_array(&mut self, kind: ListKind, array: &'e [u8]) {
        let list = List::of(array, kind);
        let free = self.inner.iter_mut().find(|list| list.rest.is_empty());
        if let (Some(place), false) = (free, list.rest.is_empty()) {
            *place = list;
        }
    }

    pub(crate) fn clear_lists(&mut self) {
        self.inner = [List::NONE; 3];
    }

    /// The list that is read next, if there is one.
    pub(crate) fn last_list(&mut self) -> Option<&mut List<'e>> {
        let lists = self.inner.iter_mut();
        lists.rev().find(|list| !list.rest.is_empty())
    }

    /// Announces those of its pieces that are not empty.
    #[inline]
    pub(crate) fn announce_pieces(&mut self) {
        self.due.add_if(!self.reasoning.is_empty(), Due::REASONING);
        self.due.add_if(!self.text.is_empty(), Due::TEXT);
        self.due.add_if(!self.refusal.is_empty(), Due::REFUSAL);
        self.due.add_if(!self.arguments.is_empty(), Due::ARGUMENTS);
    }

    /// Announces output that has no signal of its own: audio, images, details.
    pub(crate) fn announce_media(&mut self) {
        self.is_progress = true;
        self.due.add(Due::MEDIA);
    }

    /// Whether anything of it is output.
    pub(crate) fn has_output(&self) -> bool {
        let pieces = [
            self.text,
            self.reasoning,
            self.refusal,
            self.arguments,
            self.call_name,
        ];
        let has_piece = pieces.iter().any(|piece| !piece.is_empty());
        let has_list = self.inner.iter().any(|list| !list.rest.is_empty());
        has_piece || has_list || self.due.has(Due::MEDIA)
    }

    pub(crate) fn announce_usage(&mut self) {
        let is_known = !self.usage.is_unknown();
        self.due.add_if(is_known, Due::USAGE);
    }

    /// Announces why a choice ended.
    pub(crate) fn announce_finish(&mut self, reason: Reason, word: Piece<'e>) {
        self.reason = reason;
        self.word = word;
        self.due.add(Due::FINISH);
    }

    pub(crate) fn announce_failure(&mut self, failure: Option<Failure<'e>>) {
        if let Some(failure) = failure {
            self.failure = failure;
            self.due.add(Due::ERROR);
        }
    }
}

/// The text of a short word, such as a type: as it stands, or from `buffer`
/// where it has escapes.
#[inline]
pub(crate) fn word<'w>(piece: Piece<'w>, buffer: &'w mut [u8]) -> &'w [u8] {
    match piece.as_plain() {
        Some(body) => body,
        None => piece.decode_or_empty(buffer),
    }
}

/// What an event is about: what its JSON says, or where that says nothing, the
/// type of its SSE event, which is the same word.
#[inline]
pub(crate) fn word_or<'w>(
    piece: Piece<'w>,
    event_type: &'w [u8],
    buffer: &'w mut [u8],
) -> &'w [u8] {
    match piece.is_empty() {
        true => event_type,
        false => word(piece, buffer),
    }
}

/// The reason that a word of an API's stands for; nothing if it is no end.
pub(crate) fn reason_of(piece: Piece<'_>) -> Option<Reason> {
    Reason::of(word(piece, &mut [0; WORD_LEN_MAX]))
}

/// What a table says about a word.
pub(crate) fn lookup<T: Copy>(word: &[u8], table: &[(&str, T)]) -> Option<T> {
    let mut rows = table.iter();
    rows.find(|(name, _)| name.as_bytes() == word)
        .map(|(_, meaning)| *meaning)
}

/// Longest word that is ever compared.
pub(crate) const WORD_LEN_MAX: usize = 64;

/// Whether a value is `{}`, or none.
pub(crate) fn is_empty_object(value: Piece<'_>) -> bool {
    let raw = value.raw();
    let inner = raw
        .strip_prefix(b"{")
        .and_then(|rest| rest.strip_suffix(b"}"));
    raw.is_empty() || inner.is_some_and(|inner| inner.trim_ascii().is_empty())
}
