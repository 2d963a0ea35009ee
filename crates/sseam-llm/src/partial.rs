//! Stage 3, arguments that come as paths and values: Gemini's `partialArgs` in, the
//! JSON text that they are all together out, piece by piece.
//!
//! From one path to the next some containers are closed and some are opened. Only
//! the last path is kept, with the members of the containers that it leads
//! through. A path that goes back, skips an element, or does not fit, makes a text
//! that nobody should take for the arguments: the call then stays open.

use crate::json::{Json, members};
use crate::piece::{Piece, put};

/// Bytes of a path that is kept, and steps that it may have.
const PATH_LEN_MAX: usize = 96;
const STEPS_MAX: usize = 12;

/// Members of the containers that are open.
const MEMBERS_MAX: usize = 24;

/// Where the arguments that are being told have come to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Partial {
    /// The call that they are of.
    pub(crate) key: Option<u32>,
    path: [u8; PATH_LEN_MAX],
    /// At most [`PATH_LEN_MAX`]; 0 before the first path.
    len: u8,
    /// A number for each member, its level in the highest bits.
    members: [u32; MEMBERS_MAX],
    /// At most [`MEMBERS_MAX`].
    member_count: u8,
    is_in_string: bool,
    pub(crate) is_broken: bool,
}

/// A value as an event tells it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument<'e> {
    /// Its path as it is written, without what has escapes.
    path: &'e [u8],
    value: Piece<'e>,
    is_string: bool,
    /// The string goes on in the next one.
    goes_on: bool,
}

/// How one path follows another: what a caller's copy cannot know.
///
/// Bits: 0 to 3 steps in common, 4 to 7 steps of the old path, 8 to 19 the kind of
/// each of its containers (1 for a list), 20 a string that goes on, 21 nothing is
/// said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passage(pub(crate) u32);

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'p> {
    Member(&'p [u8]),
    Element(u32),
}

impl Partial {
    pub(crate) const NOTHING: Partial = Partial {
        key: None,
        path: [0; PATH_LEN_MAX],
        len: 0,
        members: [0; MEMBERS_MAX],
        member_count: 0,
        is_in_string: false,
        is_broken: false,
    };

    /// Begins the arguments of a call.
    pub(crate) fn begin(&mut self, key: u32) {
        *self = Partial {
            key: Some(key),
            ..Partial::NOTHING
        };
    }

    /// Goes on to the path of `argument`.
    pub(crate) fn pass(&mut self, argument: &Argument<'_>) -> Passage {
        let passage = self.passage(argument).filter(|_| !self.is_broken);
        let Some(passage) = passage else {
            self.is_broken = true;
            return Passage::NOTHING;
        };
        self.is_in_string = argument.is_string && argument.goes_on;
        self.len = put(&mut self.path, 0, argument.path) as u8;
        passage
    }

    /// Closes all that is open.
    pub(crate) fn end(&mut self) -> Passage {
        self.is_broken |= self.is_in_string;
        let old = self.kept_path();
        let (count, kinds) = (count(old), kinds(old));
        self.key = None;
        match self.is_broken || count == 0 {
            true => Passage::NOTHING,
            false => Passage(Passage::END | Passage::bits(0, count, kinds)),
        }
    }

    fn kept_path(&self) -> &[u8] {
        self.path.get(..usize::from(self.len)).unwrap_or_default()
    }

    fn passage(&mut self, argument: &Argument<'_>) -> Option<Passage> {
        let path = self.path;
        let old = path.get(..usize::from(self.len)).unwrap_or_default();
        let new = argument.path;
        let (old_count, new_count) = (count(old), count(new));
        let fits = new.len() <= PATH_LEN_MAX && (1..=STEPS_MAX).contains(&new_count);
        if !fits || !is_well_formed(new) {
            return None;
        }
        if self.is_in_string {
            let is_same = old == new && argument.is_string;
            return is_same.then_some(Passage(Passage::GOES_ON));
        }
        let common = Steps(old)
            .zip(Steps(new))
            .take_while(|(old, new)| old == new)
            .count();
        // A value within a value, or one that was told already.
        if old_count > 0 && (common == old_count || common == new_count) {
            return None;
        }
        if !follows(Steps(old).nth(common), Steps(new).nth(common)?) {
            return None;
        }
        // What is opened anew begins with its first element.
        let mut opened = Steps(new).skip(common + 1);
        if opened.any(|step| matches!(step, Step::Element(at) if at > 0)) {
            return None;
        }
        self.leave(common);
        for (level, step) in Steps(new).enumerate().skip(common) {
            self.enter(level, step)?;
        }
        Some(Passage(Passage::bits(common, old_count, kinds(old))))
    }

    /// Forgets the members of containers that are closed.
    fn leave(&mut self, common: usize) {
        while let Some(last) = self.member_count.checked_sub(1) {
            let member = self.members.get(usize::from(last)).copied().unwrap_or(0);
            if (member >> LEVEL_SHIFT) as usize <= common {
                break;
            }
            self.member_count = last;
        }
    }

    /// Notes a member; nothing if it was there before, or does not fit.
    fn enter(&mut self, level: usize, step: Step<'_>) -> Option<()> {
        let Step::Member(name) = step else {
            return Some(());
        };
        let digest = crate::calls::digest(Piece::verbatim(name)) as u32;
        let member = (level as u32) << LEVEL_SHIFT | digest >> LEVEL_BITS;
        let count = usize::from(self.member_count);
        if self.members.get(..count)?.contains(&member) {
            return None;
        }
        *self.members.get_mut(count)? = member;
        self.member_count += 1;
        Some(())
    }
}

const LEVEL_BITS: u32 = 4;
const LEVEL_SHIFT: u32 = u32::BITS - LEVEL_BITS;

const _: () = assert!(STEPS_MAX < 1 << LEVEL_BITS);

/// Whether a step may stand behind another in one container.
fn follows(old: Option<Step<'_>>, new: Step<'_>) -> bool {
    match (old, new) {
        (None, Step::Element(at)) => at == 0,
        (Some(Step::Element(old)), Step::Element(new)) => Some(new) == old.checked_add(1),
        (None | Some(Step::Member(_)), Step::Member(_)) => true,
        _ => false,
    }
}

impl Passage {
    const GOES_ON: u32 = 1 << 20;
    const SILENT: u32 = 1 << 21;
    /// Of an argument that nothing is said of.
    pub(crate) const NOTHING: Passage = Passage(Passage::SILENT);
    const END: u32 = 1 << 22;

    const fn bits(common: usize, count: usize, kinds: u32) -> u32 {
        common as u32 | (count as u32) << 4 | kinds << 8
    }

    fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }

    /// The piece at a place of the text that leads to `argument` and is its value:
    /// first what is closed, then what is opened, then the value. Nothing behind
    /// the last; an empty piece where there is none.
    pub(crate) fn piece<'e>(self, at: usize, argument: &Argument<'e>) -> Option<Piece<'e>> {
        if self.has(Passage::SILENT) {
            return None;
        }
        let is_end = self.has(Passage::END);
        let (opened, valued) = (STEPS_MAX + 1, STEPS_MAX + 1 + STEPS_MAX * PER_STEP);
        let text = match at {
            _ if at < STEPS_MAX => Piece::verbatim(self.closer(at)),
            STEPS_MAX if !is_end && self.count() > 0 => Piece::verbatim(b","),
            STEPS_MAX => Piece::EMPTY,
            _ if is_end => return None,
            _ if at < valued => self.opener(at - opened, argument.path),
            _ => argument.piece(at - valued, self.has(Passage::GOES_ON))?,
        };
        Some(text)
    }

    const fn common(self) -> usize {
        (self.0 & 15) as usize
    }

    const fn count(self) -> usize {
        (self.0 >> 4 & 15) as usize
    }

    /// What closes the container at a place, the innermost first.
    fn closer(self, at: usize) -> &'static [u8] {
        // Of the container that both paths lead through nothing is closed.
        let first = self.common() + usize::from(!self.has(Passage::END));
        let Some(level) = self
            .count()
            .checked_sub(at + 1)
            .filter(|level| *level >= first)
        else {
            return &[];
        };
        match self.0 >> (8 + level) & 1 {
            1 => b"]",
            _ => b"}",
        }
    }

    /// What a step of the path begins with: its container, where that is new, and
    /// its name.
    fn opener<'e>(self, at: usize, path: &'e [u8]) -> Piece<'e> {
        let level = self.common() + at / PER_STEP;
        let Some(step) = Steps(path)
            .nth(level)
            .filter(|_| !self.has(Passage::GOES_ON))
        else {
            return Piece::EMPTY;
        };
        let is_new = level > self.common() || self.count() == 0;
        Piece::verbatim(match (at % PER_STEP, step) {
            (0, Step::Element(_)) if is_new => b"[",
            (0, Step::Member(_)) if is_new => b"{",
            (1, Step::Member(_)) => b"\"",
            (2, Step::Member(name)) => name,
            (3, Step::Member(_)) => b"\":", // tidy: JSON's colon.
            _ => b"",
        })
    }
}

/// Pieces that a step takes at most.
const PER_STEP: usize = 4;

impl<'e> Argument<'e> {
    pub(crate) const NONE: Argument<'static> = Argument {
        path: &[],
        value: Piece::EMPTY,
        is_string: false,
        goes_on: false,
    };

    pub(crate) fn read(json: &mut Json<'e>) -> Self {
        let mut argument = Argument::NONE;
        if json.enter_object() {
            members!(json,
                b"jsonPath" => argument.path = json.text().as_plain().unwrap_or_default(),
                b"stringValue" => {
                    // As it is written: it stays within quotes.
                    argument.value = Piece::verbatim(json.text().raw());
                    argument.is_string = true;
                },
                b"numberValue" | b"boolValue" => argument.value = Piece::verbatim(json.value()),
                b"nullValue" => {
                    json.skip();
                    argument.value = Piece::verbatim(b"null");
                },
                b"willContinue" => argument.goes_on = json.is_true(),
            );
        }
        argument
    }

    fn piece(&self, at: usize, goes_on: bool) -> Option<Piece<'e>> {
        let quote = |is_there: bool| Piece::verbatim(if is_there { b"\"" } else { b"" });
        Some(match at {
            0 => quote(self.is_string && !goes_on),
            1 => self.value,
            2 => quote(self.is_string && !self.goes_on),
            _ => return None,
        })
    }
}

/// The steps of a path, `$.lines[0].sku`; it ends where it is none.
#[derive(Clone, Copy)]
struct Steps<'p>(&'p [u8]);

impl<'p> Iterator for Steps<'p> {
    type Item = Step<'p>;

    fn next(&mut self) -> Option<Step<'p>> {
        let path = self.0.strip_prefix(b"$").unwrap_or(self.0);
        let is_end = |byte: &u8| matches!(byte, b'.' | b'[');
        let (step, rest) = match path.split_first()? {
            (b'.', rest) => {
                let end = rest.iter().position(is_end).unwrap_or(rest.len());
                let (name, rest) = rest.split_at_checked(end)?;
                (Step::Member(name), rest)
            }
            (b'[', rest) => {
                let end = rest.iter().position(|byte| *byte == b']')?;
                let (inner, rest) = rest.split_at_checked(end)?;
                (bracketed(inner)?, rest.get(1..)?)
            }
            _ => return None,
        };
        self.0 = rest;
        Some(step)
    }
}

/// What stands between brackets: a number, or a name in quotes.
fn bracketed(inner: &[u8]) -> Option<Step<'_>> {
    let quoted = inner
        .strip_prefix(b"'")
        .and_then(|rest| rest.strip_suffix(b"'"));
    match quoted {
        Some(name) => Some(Step::Member(name)),
        None => {
            let at = crate::scan::whole_number(inner)?;
            Some(Step::Element(u32::try_from(at).ok()?))
        }
    }
}

fn count(path: &[u8]) -> usize {
    Steps(path).count()
}

/// The kinds of the containers that a path leads through.
fn kinds(path: &[u8]) -> u32 {
    let steps = Steps(path).enumerate().take(STEPS_MAX);
    steps.fold(0, |kinds, (level, step)| {
        kinds | u32::from(matches!(step, Step::Element(_))) << level
    })
}

/// Whether all of a path is steps, and none has a name that JSON would escape.
fn is_well_formed(path: &[u8]) -> bool {
    let mut steps = Steps(path);
    let is_plain = |name: &[u8]| !name.is_empty() && !name.iter().any(|byte| *byte < b' ');
    let is_good = steps.all(|step| match step {
        Step::Member(name) => is_plain(name) && !name.contains(&b'"') && !name.contains(&b'\\'),
        Step::Element(_) => true,
    });
    is_good && steps.0.is_empty()
}
