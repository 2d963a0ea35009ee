//! Stage 3, the tool calls of an answer: names and pieces in, which call they
//! belong to and whether it is whole out, in memory of fixed size.
//!
//! ```text
//! Open --the API ends it, arguments whole--> Closed
//! Open --the API ends it, arguments cut--> Open for good
//! Open --the API says it is incomplete--> Open for good
//! Open --the answer's own successful end, arguments whole--> Closed
//! ```
//!
//! A call stays in its place when it is closed, so that what repeats it is known
//! for a repetition, and makes room only where another call needs it.

mod name; // How an event names a call.

use crate::complete::Check;
use crate::piece::Piece;

use name::digest_of;
pub(crate) use name::{Name, digest};

/// Tool calls that may be kept track of at once: an answer with more open ones is
/// never complete.
pub const OPEN_CALLS_MAX: usize = if cfg!(target_os = "none") { 8 } else { 32 };

/// One call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    /// Of its id and of its other id; 0 if it has none.
    digest: u64,
    other_digest: u64,
    index: u32,
    /// What signals name it by; unique within the answer.
    pub(crate) key: u32,
    check: Check,
    /// Decoded bytes of its arguments so far.
    brought: u32,
    fate: Fate,
    /// The caller is to run it.
    pub(crate) is_client: bool,
    /// Its arguments are JSON; others are any text.
    is_json: bool,
    /// All of its arguments stood where it began: what follows repeats them.
    is_told: bool,
    is_retold: bool,
    /// Blocks that follow tell it again, closed as it is.
    is_foretold: bool,
    has_name: bool,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// It may go on.
    Open,
    /// A finish that may not be the last one ended it.
    Finished,
    /// The API ended it and its arguments were not whole, or said so.
    Cut,
    Closed,
}

/// No index was told.
const NO_INDEX: u32 = u32::MAX;

impl Call {
    const NOTHING: Call = Call {
        digest: 0,
        other_digest: 0,
        index: NO_INDEX,
        key: 0,
        check: Check::NOTHING,
        brought: 0,
        fate: Fate::Open,
        is_client: false,
        is_json: true,
        is_told: false,
        is_retold: false,
        is_foretold: false,
        has_name: false,
    };

    /// Whether its arguments are all there, as far as one can tell.
    const fn is_whole(&self) -> bool {
        !self.is_json || self.brought == 0 || self.check.is_whole()
    }

    /// Whether the answer's end closes it, where that is as it should be or not.
    fn ends_whole(&self, is_success: bool) -> bool {
        match self.fate {
            Fate::Open => is_success && self.is_json && self.brought > 0 && self.check.is_whole(),
            Fate::Finished => self.is_whole(),
            Fate::Cut | Fate::Closed => false,
        }
    }

    fn close_if(&mut self, is_whole: bool) -> Option<u32> {
        self.fate = if is_whole { Fate::Closed } else { Fate::Cut };
        is_whole.then_some(self.key)
    }
}

/// The calls of an answer, in no order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls {
    calls: [Call; OPEN_CALLS_MAX],
    /// At most [`OPEN_CALLS_MAX`]; calls behind it are nobody's.
    len: u8,
    next_key: u32,
    /// The call that a piece without any name belongs to.
    last_key: Option<u32>,
    /// A closed call made room: not every repetition is known for one any more.
    pub(crate) has_forgotten: bool,
}

impl Calls {
    pub(crate) const NONE: Calls = Calls {
        calls: [Call::NOTHING; OPEN_CALLS_MAX],
        len: 0,
        next_key: 0,
        last_key: None,
        has_forgotten: false,
    };

    pub(crate) fn with_key(&mut self, key: u32) -> Option<&mut Call> {
        self.known_mut().iter_mut().find(|call| call.key == key)
    }

    /// The key of the call that a name belongs to, if that was opened before.
    ///
    /// An item has another id besides, which names the same call.
    pub(crate) fn find(&mut self, name: &Name<'_>, call_id: Piece<'_>) -> Option<u32> {
        let (digest, other) = (digest_of(name.id), name.other_digest(call_id));
        let of_id = |call: &&mut Call| {
            let is_it =
                digest != 0 && call.digest == digest || other != 0 && call.other_digest == other;
            let is_again =
                name.is_start && !name.is_item && !call.is_foretold && call.fate >= Fate::Cut;
            // There are servers that give all calls of an answer one id.
            let is_elsewhere = name.id_opens
                && !name.is_item
                && call.index != NO_INDEX
                && name.index.is_some_and(|index| index != call.index);
            is_it && !is_again && !is_elsewhere
        };
        let key = match self.known_mut().iter_mut().find(of_id) {
            Some(call) => Some(call.key),
            None if name.is_start => None,
            None => self.find_by_index(digest, name),
        };
        self.last_key = key.or(self.last_key);
        key
    }

    fn find_by_index(&mut self, digest: u64, name: &Name<'_>) -> Option<u32> {
        let last_key = self.last_key;
        let may_be_it = |call: &&mut Call| {
            let is_there = match name.index {
                Some(index) => call.index == index,
                None => Some(call.key) == last_key,
            };
            // Of an id that opens a call only one without id may be the same,
            // which has told nothing yet.
            let is_blank = call.digest == 0 && call.brought == 0 && name.index.is_some();
            let fits = digest == 0 || !name.id_opens || is_blank;
            let may_go_on = call.fate < Fate::Cut || name.is_repeat && digest == 0;
            is_there && fits && may_go_on
        };
        let calls = self.known_mut().iter_mut();
        let call = calls.filter(may_be_it).max_by_key(|call| call.key)?;
        if digest != 0 && call.digest == 0 {
            call.digest = digest;
        }
        Some(call.key)
    }

    /// Whether a piece that has a name and nothing that tells calls apart begins
    /// another one: the last one has a name, and all of its arguments.
    pub(crate) fn last_is_whole(&mut self) -> bool {
        let last = self.last_key.and_then(|key| self.with_key(key));
        last.is_some_and(|call| call.has_name && call.brought > 0 && call.check.is_whole())
    }

    /// Opens a call; nothing where there is no room.
    pub(crate) fn open(
        &mut self,
        name: &Name<'_>,
        call_id: Piece<'_>,
        kind: CallKind,
        has_name: bool,
    ) -> Option<u32> {
        if name.is_start && !name.is_item {
            self.free_index(name.index);
        }
        let key = self.next_key;
        let call = Call {
            digest: digest_of(name.id),
            other_digest: name.other_digest(call_id),
            index: name.index.unwrap_or(NO_INDEX),
            key,
            is_client: kind.is_client,
            is_json: kind.is_json,
            has_name,
            ..Call::NOTHING
        };
        *self.place()? = call;
        self.next_key = key.wrapping_add(1);
        self.last_key = Some(key);
        Some(key)
    }

    /// A place behind the calls, or that of the oldest closed one.
    fn place(&mut self) -> Option<&mut Call> {
        let at = usize::from(self.len);
        if at < OPEN_CALLS_MAX {
            self.len += 1;
            return self.calls.get_mut(at);
        }
        self.has_forgotten = true;
        let closed = self.calls.iter_mut();
        let closed = closed.filter(|call| call.fate == Fate::Closed);
        closed.min_by_key(|call| call.key)
    }

    /// Takes a piece of arguments; gives whether it is new, and nothing where the
    /// call has ended and was whole without it.
    pub(crate) fn take(&mut self, key: u32, piece: Piece<'_>) -> Option<bool> {
        let Some(call) = self.with_key(key) else {
            return Some(false);
        };
        if call.fate >= Fate::Cut {
            let is_known = call.is_told || call.fate == Fate::Cut || !call.is_client;
            return is_known.then_some(false);
        }
        if call.is_told && !call.is_retold {
            // They come once more from their beginning, and must come whole.
            (call.check, call.brought) = (Check::NOTHING, 0);
            call.is_retold = true;
        }
        call.brought = call.brought.saturating_add(len_of(piece));
        if call.is_json {
            call.check.take(piece);
        }
        Some(!call.is_told)
    }

    /// Takes all arguments at once, where the API repeats what it brought in
    /// pieces; gives whether they are new, and whether they repeat just that. Where
    /// they are not text but JSON within JSON, spaces may differ.
    pub(crate) fn repeat(&mut self, key: u32, all: Piece<'_>, is_text: bool) -> (bool, bool) {
        let Some(call) = self.with_key(key) else {
            return (false, true);
        };
        if call.brought == 0 && call.fate < Fate::Cut {
            return (self.take(key, all) == Some(true), true);
        }
        let is_same = !is_text || call.brought == len_of(all);
        if !is_same {
            call.check.spoil();
        }
        (false, is_same || !call.is_client)
    }

    /// Notes that all arguments stood where the call began, or even before.
    pub(crate) fn note_told(&mut self, key: u32, is_foretold: bool) {
        if let Some(call) = self.with_key(key) {
            (call.is_told, call.is_foretold) = (true, is_foretold);
        }
    }

    /// Something else has this index from now on.
    pub(crate) fn free_index(&mut self, index: Option<u32>) {
        let calls = self.known_mut().iter_mut();
        calls
            .filter(|call| Some(call.index) == index && call.fate < Fate::Cut)
            .for_each(|call| call.index = NO_INDEX);
    }

    /// Its arguments can no longer become whole.
    pub(crate) fn spoil(&mut self, key: u32) {
        if let Some(call) = self.with_key(key) {
            call.check.spoil();
            call.brought = call.brought.max(1);
        }
    }

    /// The API ended this call; gives its key if that closes it.
    pub(crate) fn end(&mut self, key: u32, is_incomplete: bool) -> Option<u32> {
        let call = self.with_key(key).filter(|call| call.fate < Fate::Cut)?;
        let is_whole = call.is_whole() && !is_incomplete;
        call.close_if(is_whole)
    }

    /// A finish, which may not be the last, ended all calls.
    pub(crate) fn finish(&mut self) {
        let open = self.known_mut().iter_mut();
        open.filter(|call| call.fate == Fate::Open)
            .for_each(|call| call.fate = Fate::Finished);
    }

    /// The answer ended, as it should or not: closes the first call that this
    /// closes.
    pub(crate) fn close_next(&mut self, is_success: bool) -> Option<u32> {
        let calls = self
            .known_mut()
            .iter_mut()
            .filter(|call| call.ends_whole(is_success));
        calls.min_by_key(|call| call.key)?.close_if(true)
    }

    /// How many calls that the caller would have to run are closed by that, and not
    /// before.
    pub(crate) fn closed_by_end(&self, is_success: bool) -> u32 {
        self.count(|call| call.is_client && call.ends_whole(is_success))
    }

    /// Whether the caller is to run this call.
    pub(crate) fn is_client(&mut self, key: u32) -> bool {
        self.with_key(key).is_some_and(|call| call.is_client)
    }

    /// How many calls that the caller would have to run are open.
    pub(crate) fn open_client_calls(&self) -> u32 {
        self.count(|call| call.is_client && call.fate != Fate::Closed)
    }

    fn count(&self, is_one: impl Fn(&Call) -> bool) -> u32 {
        let known = self.calls.get(..usize::from(self.len)).unwrap_or_default();
        known.iter().map(|call| u32::from(is_one(call))).sum()
    }

    fn known_mut(&mut self) -> &mut [Call] {
        let len = usize::from(self.len);
        self.calls.get_mut(..len).unwrap_or_default()
    }
}

/// What kind of call one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CallKind {
    /// The caller is to run it, and not the server.
    pub(crate) is_client: bool,
    /// Its arguments are JSON, and no free text.
    pub(crate) is_json: bool,
}

impl CallKind {
    pub(crate) const FUNCTION: CallKind = CallKind {
        is_client: true,
        is_json: true,
    };
}

/// Decoded bytes of a piece.
pub(crate) fn len_of(piece: Piece<'_>) -> u32 {
    u32::try_from(piece.decoded_len()).unwrap_or(u32::MAX)
}
