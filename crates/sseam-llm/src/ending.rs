//! Stage 4, how a stream ended, and what that makes of the answer.

use sseam_core::End;

use crate::body::Verdict;
use crate::dialect::{Dialect, Mode};
use crate::ends::{CancelledBy, Close, Ending, Excess, Timeout, TransportEnd, Truncation};
use crate::outcome::{Cursor, Seen};
use crate::reason::{Reason, Weight};
use crate::short::Short;
use crate::turn::Turn;

impl Turn {
    /// What became of the answer, of whose calls so many are open.
    pub(crate) fn ending(&self, end: &End, close: Close, open_calls: u32) -> Ending {
        let is_ended = self.is_ended_by(end, close);
        // What may be a second answer is one if nothing shows that it is none.
        let is_spliced = is_ended && self.state.origin.is_suspect();
        let weight = self.state.tally.weight();
        if weight == Some(Weight::Failed) || self.has_bare_error() || is_spliced {
            return Ending::Failed;
        }
        if weight == Some(Weight::Cancelled) {
            return Ending::Cancelled(CancelledBy::Server);
        }
        if is_ended {
            return self.ending_of_answer(end, open_calls);
        }
        match close {
            Close::Transport(transport) => self.ending_of_stream(end, transport),
            Close::Settled => self.ending_of_stream(end, TransportEnd::Clean),
            Close::Limit(excess) => Ending::LimitExceeded(excess),
            Close::TimedOut(timeout) => Ending::TimedOut(timeout),
            Close::InvalidText => Ending::InvalidText,
            Close::Cancelled => Ending::Cancelled(CancelledBy::User),
            Close::Status(status) => Ending::FailedStatus(status),
            Close::NotEventStream => Ending::NotEventStream,
            Close::NoResponse => Ending::TransportFailed,
        }
    }

    /// Whether the answer has its end, if its reading ends so.
    ///
    /// The API's own end is one whatever follows. Finish reasons are one where
    /// nothing more came: however the connection ended, or because it was quiet
    /// for a while. Gemini has no other end, so its stream must end as it should.
    pub(crate) fn is_ended_by(&self, end: &End, close: Close) -> bool {
        if self.state.is_terminal {
            return true;
        }
        let is_quiet = matches!(
            close,
            Close::Settled | Close::TimedOut(Timeout::Idle | Timeout::Progress)
        );
        let is_clean = close == Close::Transport(TransportEnd::Clean) && end.is_clean();
        let is_lenient = matches!(self.state.mode, Mode::Lenient);
        let nothing_came = match self.state.dialect {
            Dialect::Gemini if !is_lenient => is_clean || close == Close::Settled && end.is_clean(),
            _ => is_quiet || matches!(close, Close::Transport(_)),
        };
        nothing_came && self.state.is_finished()
    }

    /// The ending of an answer that has its end. Of several reasons why it is not
    /// complete the API's own is told first.
    fn ending_of_answer(&self, end: &End, open_calls: u32) -> Ending {
        let reason = self.state.tally.reason.unwrap_or(Reason::Other);
        match reason.weight() {
            Weight::Refused => Ending::Refused(reason),
            Weight::Incomplete => Ending::Incomplete(reason),
            _ if self.state.is_overfull => Ending::LimitExceeded(Excess::Tracked),
            _ if self.is_lacking => Ending::LimitExceeded(self.skipped.unwrap_or(Excess::Memory)),
            _ if open_calls > 0 => Ending::Incomplete(Reason::OpenCall),
            _ if self.is_lost(end) => Ending::Incomplete(Reason::Lost),
            _ if self.unreadable > 0 => Ending::Incomplete(Reason::Unreadable),
            _ => Ending::Completed(reason),
        }
    }

    /// Whether output is missing, or may be among what the turn was not shown.
    fn is_lost(&self, end: &End) -> bool {
        let is_unseen = end.ignored > self.seen_ignored || end.skipped > self.seen_skipped;
        // Less came than had been told ahead.
        let voice = &self.state.voice;
        let is_less = voice.has_muted && voice.muted > 0;
        let may_be_more = is_unseen || self.body.is_cut();
        self.state.is_lost || is_less || may_be_more && self.state.dialect.is_known_api()
    }

    /// The ending of a stream that ended before the answer did.
    fn ending_of_stream(&self, end: &End, transport: TransportEnd) -> Ending {
        if let Some(excess) = self.skipped {
            return Ending::LimitExceeded(excess);
        }
        let is_clean = end.is_clean() && transport == TransportEnd::Clean;
        let is_json = self.body.verdict() == Verdict::OtherJson || self.body.is_cut();
        let is_other = is_json && self.events == 0;
        match self.state.dialect {
            Dialect::Plain if is_clean => Ending::Ended,
            Dialect::Custom if is_clean && !self.markers.has_end() => Ending::Ended,
            dialect if dialect.is_known_api() && is_other => Ending::NotEventStream,
            Dialect::Mcp2025 if !matches!(self.cursor, Cursor::Nowhere) => {
                Ending::Incomplete(Reason::Reconnect)
            }
            _ => Ending::Truncated(Truncation {
                is_inside_event: end.is_truncated(),
                transport,
            }),
        }
    }

    /// What was seen of it, with its calls, closed and open.
    pub(crate) fn seen(
        &self,
        end: &End,
        close: Close,
        (closed_calls, open_calls): (u32, u32),
    ) -> Seen {
        let state = &self.state;
        let tally = &state.tally;
        let is_over = self.is_ended_by(end, close);
        let is_good = matches!(
            close,
            Close::Transport(TransportEnd::Clean) | Close::Settled
        );
        let bare = self.has_bare_error().then(|| self.body.failure());
        let (mut code, mut message) = (tally.code, tally.message);
        if let Some(bare) = bare {
            code = if code.is_empty() {
                Short::of(bare.code)
            } else {
                code
            };
            message = if message.is_empty() {
                Short::of(bare.message)
            } else {
                message
            };
        }
        Seen {
            dialect: state.dialect,
            terminal: is_over,
            output: state.has_output,
            reason: tally.reason,
            word: tally.word,
            usage: tally.usage.translated(),
            closed_calls,
            open_calls,
            tool_error: self.is_tool_error,
            unreadable: self.unreadable,
            unreadable_at: self.unreadable_at.filter(|_| self.unreadable > 0),
            lost: self.is_lost(end),
            skipped: self.skipped_events,
            background: self.is_background,
            gap: self.has_gap,
            late_fault: is_over && !is_good,
            code,
            message,
            id: state.origin.id,
            model: state.origin.model,
        }
    }
}
