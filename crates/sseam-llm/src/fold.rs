//! Stage 3, a unit acts on the state: the one place where what an event says
//! becomes what the answer has come to.
//!
//! It goes through what is due in the order in which the signals will be read,
//! and writes to the log what those cannot know from the event.

use crate::calls::len_of;
use crate::dialect::Dialect;
use crate::due::Due;
use crate::failure::Failure;
use crate::json::Json;
use crate::log::{Entry, Log};
use crate::origin::Sender;
use crate::partial::{Argument, Passage};
use crate::piece::Piece;
use crate::reason::{Reason, Weight};
use crate::repeats::{PartName, Repeat};
use crate::state::{Kind, State};
use crate::unit::Unit;

/// The code of an answer into which a second one was spliced.
pub(crate) const SPLICED: Failure<'static> = Failure {
    code: Piece::verbatim(b"spliced"),
    message: Piece::verbatim(b"a second answer begins within the first"),
};

impl State {
    /// Takes all of a unit.
    #[inline]
    pub(crate) fn fold(&mut self, unit: &Unit<'_>, log: &mut Log) {
        log.clear();
        if unit.has_choice {
            self.see(unit.choice);
        }
        if unit.takes_index {
            self.calls.free_index(unit.name.index);
        }
        let is_plain = unit.due == Due::TEXT && !unit.is_repeat && !unit.is_foretold;
        if is_plain && !self.voice.is_over && !self.voice.mutes() {
            // What most events are.
            self.note_output(unit.choice);
            self.has_deltas = true;
            self.voice.text = unit.text.last_half();
            if self.counts_text() {
                let part = match unit.is_of_last_item || !unit.name.id.is_empty() {
                    true => self.part_of(unit, Kind::Text),
                    false => unit.part,
                };
                self.repeats.note(part, len_of(unit.text));
            }
            return;
        }
        self.fold_all(*unit, log);
    }

    /// On a copy, since what comes later overwrites what came first.
    #[inline(never)]
    fn fold_all(&mut self, mut unit: Unit<'_>, log: &mut Log) {
        while !unit.due.is_nothing() {
            let due = unit.due.first();
            unit.due.remove(due);
            self.act(due, &mut unit, log);
        }
    }

    fn act(&mut self, due: Due, unit: &mut Unit<'_>, log: &mut Log) {
        match due {
            Due::SENDER => self.take_sender(unit, log),
            Due::SPLICE => {
                self.tally.take_failure(&SPLICED);
                self.voice.is_over = true;
            }
            Due::MESSAGE => {
                unit.is_message = true;
                unit.is_repeat = self.has_deltas;
                self.note(log, yes_if(unit.is_repeat));
            }
            Due::REASONING => self.say(Kind::Reasoning, unit.reasoning, unit, log),
            Due::TEXT => self.say(Kind::Text, unit.text, unit, log),
            Due::REFUSAL => self.say(Kind::Refusal, unit.refusal, unit, log),
            Due::MEDIA if !self.voice.is_over => self.note_output(unit.choice),
            Due::CALL => self.open_call(unit, log),
            Due::ARGUMENTS => self.take_arguments(unit, log),
            Due::PARTIAL if cfg!(feature = "gemini") => self.take_partials(unit, log),
            Due::CLOSE => self.close(unit, log),
            Due::INNER => {
                let has_more = crate::reading::read_inner(unit, self.dialect);
                unit.due.add_if(has_more, Due::INNER);
            }
            Due::OTHER_CHOICE if !self.voice.is_over => {
                self.note_output(unit.choice);
                if !unit.refusal.is_empty() {
                    self.tally.take_reason(Reason::ModelRefused, Piece::EMPTY);
                }
            }
            Due::FINISH | Due::LAST_FINISH => self.finish(unit, log),
            Due::OUTER => {
                let has_more = crate::reading::read_outer(unit, self.dialect, self.choice);
                unit.due.add_if(has_more, Due::OUTER);
                if has_more && unit.has_choice {
                    self.see(unit.choice);
                }
            }
            Due::USAGE => self.tally.usage.update(&unit.usage),
            Due::ERROR => self.tally.take_failure(&unit.failure),
            Due::DONE => {
                self.is_done = true;
                unit.due.add_if(self.is_ended_by_done(), Due::TERMINAL);
                self.note(log, yes_if(self.is_ended_by_done()));
            }
            Due::TERMINAL => self.end(log),
            _ => {}
        }
    }

    #[cfg_attr(target_os = "none", inline(never))]
    fn note(&mut self, log: &mut Log, entry: Entry) {
        if !log.push(entry) {
            self.is_overfull = true;
        }
    }

    fn take_sender(&mut self, unit: &mut Unit<'_>, log: &mut Log) {
        let sender: &Sender<'_> = &unit.sender;
        // An answer that said why it ended and begins again is another one too.
        let has_begun = self.has_output || self.tally.reason.is_some();
        let is_splice = !self.voice.is_over && self.origin.is_splice(sender, has_begun);
        let is_news = self.origin.keep(sender);
        unit.due.add_if(is_splice, Due::SPLICE);
        self.note(log, yes_if(is_news));
        self.note(log, yes_if(is_splice));
    }

    /// Whether the API may repeat what it said.
    fn counts_text(&self) -> bool {
        matches!(self.dialect, Dialect::OpenAiResponses | Dialect::OpenAiChat)
    }

    /// A piece of text of one of three kinds.
    fn say(&mut self, kind: Kind, piece: Piece<'_>, unit: &Unit<'_>, log: &mut Log) {
        if self.voice.is_over {
            return;
        }
        if kind == Kind::Refusal {
            self.tally.take_reason(Reason::ModelRefused, Piece::EMPTY);
        }
        if unit.is_repeat {
            let part = self.part_of(unit, kind);
            let repeat = self.repeats.repeat(part, len_of(piece));
            self.is_lost |= repeat == Repeat::Differs;
            self.note(log, yes_if(repeat == Repeat::New));
            self.has_output |= repeat == Repeat::New;
            return;
        }
        self.note_output(unit.choice);
        self.has_deltas |= !unit.is_message;
        let mutes = self.voice.mutes() && kind == Kind::Text && !unit.is_free;
        let said = self.voice.say(kind, piece, unit.is_free);
        // More than was told ahead: one of the two lacks something.
        self.is_lost |= mutes && said.is_some();
        if unit.is_foretold && kind == Kind::Text {
            self.voice.muted = self.voice.muted.saturating_add(len_of(piece));
        }
        if self.counts_text() {
            let part = self.part_of(unit, kind);
            self.repeats.note(part, len_of(piece));
        }
    }

    /// Which part a text is of. A text and the reasoning beside it are two.
    fn part_of(&mut self, unit: &Unit<'_>, kind: Kind) -> PartName {
        let item = match unit.name.id.is_empty() {
            true if unit.is_of_last_item => self.item.last_number(),
            true => 0,
            false => self.item.number(unit.name.id),
        };
        PartName {
            item,
            ..unit.part.of(kind)
        }
    }

    fn open_call(&mut self, unit: &mut Unit<'_>, log: &mut Log) {
        unit.key = NO_KEY;
        if self.voice.is_over {
            return self.note(log, Entry::No);
        }
        self.note_output(unit.choice);
        let has_name = !unit.call_name.is_empty();
        let is_another = has_name && unit.name.id.is_empty() && unit.name.index.is_none();
        let known = match is_another && self.calls.last_is_whole() {
            true => None,
            false => self.calls.find(&unit.name, unit.call_id),
        };
        let may_open = !(unit.opens_none || unit.is_repeat && self.calls.has_forgotten);
        let opened = match known {
            Some(key) => {
                unit.key = key;
                return self.note(log, Entry::Known(key));
            }
            None if may_open => self
                .calls
                .open(&unit.name, unit.call_id, unit.kind, has_name),
            None => {
                // A piece of a call that nothing began.
                self.is_lost |= !unit.partials.rest.is_empty();
                return self.note(log, Entry::No);
            }
        };
        let Some(key) = opened else {
            self.is_overfull = true;
            return self.note(log, Entry::No);
        };
        unit.key = key;
        if unit.is_partial {
            self.partial.begin(key);
        }
        self.has_client_calls |= unit.kind.is_client;
        self.note(log, Entry::Now(key));
    }

    fn take_arguments(&mut self, unit: &Unit<'_>, log: &mut Log) {
        if self.voice.is_over {
            return;
        }
        self.note_output(unit.choice);
        let (key, piece) = (unit.key, unit.arguments);
        if unit.is_repeat {
            let (is_new, is_same) = self.calls.repeat(key, piece, unit.has_text_arguments);
            self.is_lost |= !is_same;
            return self.note(log, yes_if(is_new));
        }
        self.has_deltas |= !unit.is_message;
        let piece = self.voice.say_arguments(key, piece);
        let is_new = self.calls.take(key, piece);
        self.is_lost |= is_new.is_none();
        if unit.is_told {
            self.calls.note_told(key, unit.is_foretold);
        }
        self.note(log, yes_if(is_new == Some(true)));
    }

    /// Arguments as paths and values become the text that they are.
    fn take_partials(&mut self, unit: &mut Unit<'_>, log: &mut Log) {
        if self.voice.is_over {
            return;
        }
        let key = unit.key;
        if self.partial.key != Some(key) {
            // Of a call that another one came before: its path is not known.
            self.partial.is_broken = true;
        }
        while let Some((_, argument)) = unit.partials.next() {
            let argument = Argument::read(&mut Json::new(argument));
            let passage = self.partial.pass(&argument);
            self.take_passage(key, passage, &argument, log);
        }
        if unit.due.has(Due::CLOSE) {
            let passage = self.partial.end();
            self.take_passage(key, passage, &Argument::NONE, log);
        }
        if self.partial.is_broken {
            self.calls.spoil(key);
        }
    }

    fn take_passage(&mut self, key: u32, passage: Passage, argument: &Argument<'_>, log: &mut Log) {
        self.note(log, Entry::Known(passage.0));
        let mut at = 0;
        while let Some(piece) = passage.piece(at, argument) {
            self.calls.take(key, piece);
            at += 1;
        }
    }

    fn close(&mut self, unit: &Unit<'_>, log: &mut Log) {
        let key = match unit.only_closes {
            true => self.calls.find(&unit.name, Piece::EMPTY),
            false => Some(unit.key),
        };
        let closed = match key {
            Some(key) if !self.voice.is_over => self.calls.end(key, unit.is_cut),
            _ => None,
        };
        if let Some(key) = closed {
            self.count_closed(key);
        }
        self.note(log, closed.map_or(Entry::No, Entry::Now));
    }

    fn count_closed(&mut self, key: u32) {
        let is_client = self.calls.is_client(key);
        let count = &mut self.tally.closed_calls;
        *count = count.saturating_add(u32::from(is_client));
    }

    fn finish(&mut self, unit: &Unit<'_>, log: &mut Log) {
        while self.voice.flush().is_some() {}
        if !self.choices.finish(unit.choice) {
            self.is_overfull = true;
        }
        // The API's word for an answer that wants tools run is mostly that for
        // one that is complete.
        let is_tools = unit.reason == Reason::Stop && self.has_client_calls;
        let reason = if is_tools && self.tells_no_calls() {
            Reason::ToolCalls
        } else {
            unit.reason
        };
        self.note(log, yes_if(reason != unit.reason));
        self.tally.take_reason(reason, unit.word);
        let has_own_end = self.dialect != Dialect::Gemini;
        self.finish_is_unknown = reason == Reason::Other && has_own_end;
        let ends_calls = reason.ends_calls() && unit.choice == self.choice;
        if ends_calls && self.dialect == Dialect::OpenAiChat {
            self.calls.finish();
        }
    }

    /// Whether the API has one word for answers with calls and without.
    pub(crate) const fn tells_no_calls(&self) -> bool {
        matches!(
            self.dialect,
            Dialect::OpenAiResponses | Dialect::Gemini | Dialect::GeminiInteractions
        )
    }

    /// The API's own end: what is whole is closed by it, if it is a good one.
    fn end(&mut self, log: &mut Log) {
        if self.is_terminal {
            return self.note(log, Entry::No);
        }
        if self.origin.is_suspect() {
            self.tally.take_failure(&SPLICED);
        }
        self.note(log, Entry::Yes);
        self.close_all(log);
        while self.voice.flush().is_some() {}
        self.is_terminal = true;
        self.voice.is_over = true;
    }

    /// Whether nothing was said against a good end.
    pub(crate) fn is_success(&self) -> bool {
        let weight = self.tally.weight();
        weight.is_none_or(|weight| weight == Weight::Completed)
    }

    /// Closes what only the end of the answer closes, and notes each.
    pub(crate) fn close_all(&mut self, log: &mut Log) {
        let is_success = self.is_success();
        while let Some(key) = self.calls.close_next(is_success) {
            self.count_closed(key);
            self.note(log, Entry::Now(key));
        }
        self.note(log, Entry::No);
    }
}

/// No call has it: the log keeps 30 bits of a key.
pub(crate) const NO_KEY: u32 = u32::MAX;

const fn yes_if(condition: bool) -> Entry {
    match condition {
        true => Entry::Yes,
        false => Entry::No,
    }
}
