//! Stage 2, lists within an event: a JSON array in, its elements one by one out.

use crate::json::Json;

/// Elements of a JSON array that were not read yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<'e> {
    pub(crate) rest: &'e [u8],
    /// How many stood before those: the place of the first.
    pub(crate) at: u32,
    pub(crate) kind: ListKind,
}

/// What the elements of a list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// Choices of Chat, or candidates of Gemini, or items of Responses.
    Choices,
    /// Calls of a choice, or parts of a candidate, of an item, of a message.
    Parts,
    /// Chat: content that is a list.
    Content,
    /// Chat: details of the reasoning.
    Details,
}

impl<'e> List<'e> {
    pub(crate) const NONE: List<'static> = List {
        rest: &[],
        at: 0,
        kind: ListKind::Parts,
    };

    /// All elements of an array; none of another value.
    pub(crate) fn of(array: &'e [u8], kind: ListKind) -> Self {
        let mut json = Json::new(array);
        let is_array = json.enter_array();
        List {
            rest: if is_array { json.rest_of_array() } else { &[] },
            at: 0,
            kind,
        }
    }

    /// The next element, as it is written, and its place.
    pub(crate) fn next(&mut self) -> Option<(u32, &'e [u8])> {
        if self.rest.is_empty() {
            return None;
        }
        // Before the first element stands no comma.
        let mut json = Json::elements(self.rest, self.at == 0);
        if !json.element() {
            self.rest = &[];
            return None;
        }
        let element = json.value();
        self.rest = json.remaining();
        let at = self.at;
        self.at = at.saturating_add(1);
        Some((at, element))
    }
}
