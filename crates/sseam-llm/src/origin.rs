//! Stage 3, whose answer it is: ids and models of events in, whether a second
//! answer was spliced into the stream out.
//!
//! A proxy that lost its upstream in the middle asks again and lets the second
//! answer follow the first. What comes out is neither of them. One sees it where
//! an API begins again after output, or where the answer's id changes:
//!
//! ```text
//! Single --the same id again--> Steady --another id--> a splice
//! Single --another id, with a new role--> Suspect --that id again--> a splice
//! Suspect --a third id--> Varies (a server that numbers its chunks)
//! Varies --the same id again--> a splice
//! Suspect --the end of the answer--> a splice
//! ```

use crate::calls::digest;
use crate::piece::Piece;
use crate::short::Short;

/// Bytes that are kept of an answer's id and of its model's name.
pub const ORIGIN_LEN_MAX: usize = 64;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Origin {
    pub(crate) id: Short<ORIGIN_LEN_MAX>,
    pub(crate) model: Short<ORIGIN_LEN_MAX>,
    /// The id that the last event with output had; differs from `id` only where
    /// ids vary.
    last: u64,
    /// That of the id that was kept.
    first: u64,
    ids: Ids,
}

/// What is known of the ids of an answer's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ids {
    None,
    Single,
    Steady,
    Suspect,
    Varies,
}

/// What an event tells of the answer it is of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sender<'e> {
    pub(crate) id: Piece<'e>,
    pub(crate) model: Piece<'e>,
    /// The API begins an answer here.
    pub(crate) is_start: bool,
    /// The event has output, or a role.
    pub(crate) has_part: bool,
    /// It names the role that speaks.
    pub(crate) has_role: bool,
}

impl Sender<'_> {
    pub(crate) const UNKNOWN: Sender<'static> = Sender {
        id: Piece::EMPTY,
        model: Piece::EMPTY,
        is_start: false,
        has_part: false,
        has_role: false,
    };
}

impl Origin {
    pub(crate) const UNKNOWN: Origin = Origin {
        id: Short::EMPTY,
        model: Short::EMPTY,
        last: 0,
        first: 0,
        ids: Ids::None,
    };

    /// The id that events go on to tell, without escapes; none before it is sure.
    #[inline]
    pub(crate) fn steady_id(&self) -> &[u8] {
        match self.ids == Ids::Steady && self.last == self.first {
            true => self.id.as_bytes(),
            false => &[],
        }
    }

    /// Whether an event tells nothing new of whose answer it is.
    #[inline]
    pub(crate) fn is_settled(&self, sender: &Sender<'_>) -> bool {
        let has_model = sender.model.is_empty() || !self.model.is_empty();
        let is_steady = self.ids == Ids::Steady;
        let is_same = sender.id.is_empty() || is_steady && self.is_kept(sender.id);
        has_model && is_same && !sender.is_start
    }

    /// Keeps id and model, and tells whether that is news.
    pub(crate) fn keep(&mut self, sender: &Sender<'_>) -> bool {
        let mut is_news = false;
        let pairs = [(&mut self.id, sender.id), (&mut self.model, sender.model)];
        for (kept, piece) in pairs {
            if kept.is_empty() && !piece.is_empty() {
                *kept = Short::of(piece);
                is_news = true;
            }
        }
        is_news
    }

    /// Whether an event begins a second answer, after output of the first.
    #[inline]
    pub(crate) fn is_splice(&mut self, sender: &Sender<'_>, has_output: bool) -> bool {
        if sender.is_start {
            return has_output;
        }
        if sender.id.is_empty() || !sender.has_part {
            return false;
        }
        let digest = digest(sender.id);
        let is_same = digest == self.last;
        self.last = digest;
        if self.first == 0 {
            self.first = digest;
        }
        let (ids, is_splice) = match (self.ids, is_same) {
            (Ids::Suspect, true) => (Ids::Steady, true),
            // Back to the first id: two answers, interleaved.
            (Ids::Suspect, false) if digest == self.first => (Ids::Steady, true),
            (Ids::Suspect, false) => (Ids::Varies, false),
            // Two alike after all: the first of them began another answer.
            (Ids::Varies, true) => (Ids::Steady, has_output),
            (Ids::Varies, false) => (Ids::Varies, false),
            (Ids::Single | Ids::Steady, true) => (Ids::Steady, false),
            (Ids::Steady, false) => (Ids::Single, has_output),
            (Ids::Single, false) if has_output && sender.has_role => (Ids::Suspect, false),
            (Ids::None | Ids::Single, _) => (Ids::Single, false),
        };
        self.ids = ids;
        is_splice
    }

    /// Whether an id is the one that was kept, and the last one too.
    #[inline]
    fn is_kept(&self, id: Piece<'_>) -> bool {
        let kept = self.id.as_bytes();
        self.last == self.first && id.as_plain() == Some(kept)
    }

    /// Whether the last event was the first of what may be a second answer.
    pub(crate) const fn is_suspect(&self) -> bool {
        matches!(self.ids, Ids::Suspect)
    }
}
