//! A turn driven twice over the same chunks: through `sseam-llm`, and through the
//! functions of the header. What each of them says, as text, comes out; the C and
//! C++ tests write the same text, see `turns.h`.
//!
//! The corpus' generator and a fuzz target include this file too.

use std::ffi::c_char;
use std::fmt::Write as _;
use std::ptr;

use sseam_capi::{self as c, SSEAM_OK};
use sseam_core::{Error, Item, Limits, Memory, Overflow, Parser};
use sseam_llm::{
    CancelledBy, Close, Cursor, Dialect, Ending, Excess, Markers, Mode, Outcome, Resubscribe,
    Signal, Timeout, TransportEnd, Turn,
};

/// What a caller asks for.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) dialect: Dialect,
    pub(crate) mode: Mode,
    pub(crate) choice: u32,
    pub(crate) markers: &'static [Marker],
    pub(crate) limits: Limits,
}

/// What a custom API is explained by: the number of the header, a path, a value.
pub(crate) type Marker = (i32, &'static str, &'static str);

/// The markers of the example stream of a custom API.
pub(crate) const CUSTOM: &[Marker] = &[
    (c::SSEAM_MARKER_END_EVENT, "", "done"),
    (c::SSEAM_MARKER_TEXT_FIELD, "delta.text", ""),
    (c::SSEAM_MARKER_ERROR_EVENT, "", "failure"),
];

pub(crate) const MODES: [Mode; 3] = [Mode::Default, Mode::Strict, Mode::Lenient];

impl Ask {
    pub(crate) fn of(dialect: Dialect, mode: Mode) -> Ask {
        let markers: &[Marker] = match dialect {
            Dialect::Custom => CUSTOM,
            _ => &[],
        };
        Ask {
            dialect,
            mode,
            choice: 0,
            markers,
            limits: Limits {
                data_len_max: 65536,
                ..Limits::DEFAULT
            },
        }
    }

    pub(crate) fn skips(&self) -> bool {
        self.limits.overflow == Overflow::Skip
    }

    /// The number of the header for the dialect.
    pub(crate) fn dialect_code(&self) -> i32 {
        let name = self.dialect.name();
        // SAFETY: a name and its length.
        unsafe { c::sseam_dialect_of_name(name.as_ptr().cast::<c_char>(), name.len()) }
    }

    pub(crate) fn mode_code(&self) -> i32 {
        match self.mode {
            Mode::Strict => c::SSEAM_MODE_STRICT,
            Mode::Lenient => c::SSEAM_MODE_LENIENT,
            _ => c::SSEAM_MODE_DEFAULT,
        }
    }

    fn turn(&self) -> Turn {
        let mut markers = Markers::NONE;
        for (kind, path, value) in self.markers {
            markers = match *kind {
                c::SSEAM_MARKER_END_EVENT => markers.with_end_event(value),
                c::SSEAM_MARKER_TEXT_FIELD => markers.with_text_field(path),
                _ => markers.with_error_event(value),
            }
            .expect("room");
        }
        let turn = Turn::new(self.dialect).with_mode(self.mode);
        turn.with_choice(self.choice).with_markers(markers)
    }
}

/// What was said: a line for each signal, and one for the outcome.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) signals: String,
    pub(crate) outcome: String,
}

/// Through `sseam-llm`.
pub(crate) fn rust(ask: &Ask, chunks: &[&[u8]]) -> Report {
    let mut run = Rust::new(ask);
    chunks.iter().for_each(|chunk| run.feed(chunk));
    run.finish()
}

/// A run through `sseam-llm`, of which a copy may be ended anywhere.
#[derive(Clone)]
pub(crate) struct Rust {
    parser: Parser<Grown>,
    turn: Turn,
    close: Close,
    signals: String,
}

impl Rust {
    pub(crate) fn new(ask: &Ask) -> Rust {
        Rust {
            parser: Parser::growing(Grown(Vec::new()), ask.limits),
            turn: ask.turn(),
            close: Close::Transport(TransportEnd::Clean),
            signals: String::new(),
        }
    }

    fn is_open(&self) -> bool {
        self.close == Close::Transport(TransportEnd::Clean)
    }

    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        let mut input = chunk;
        while self.is_open() {
            let say = |signal| put_signal(&mut self.signals, &signal);
            let turn = &mut self.turn;
            match self.parser.next_item(&mut input) {
                Ok(None) => break,
                Ok(Some(Item::Event(event))) => turn.observe(&event).for_each(say),
                Ok(Some(Item::Skipped(skipped))) => turn.observe_skipped(&skipped).for_each(say),
                Ok(Some(Item::Ignored(line))) => {
                    turn.observe_ignored(&line).into_iter().for_each(say);
                }
                Ok(Some(_)) => {}
                Err(Error::LimitPassed { limit, .. }) => {
                    self.close = Close::Limit(Excess::Limit(limit));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    pub(crate) fn finish(mut self) -> Report {
        let is_open = self.is_open();
        self.turn.observe_last_event_id(self.parser.last_event_id());
        let end = self.parser.finish();
        if self.turn.wants_unfinished()
            && is_open
            && let Some(event) = self.parser.take_unfinished().expect("memory")
        {
            let say = |signal| put_signal(&mut self.signals, &signal);
            self.turn.observe(&event).for_each(say);
        }
        let mut outcome = String::new();
        put_outcome(&mut outcome, &self.turn.finish_with(&end, self.close));
        Report {
            signals: self.signals,
            outcome,
        }
    }
}

#[derive(Clone)]
struct Grown(Vec<u8>);

impl Memory for Grown {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    fn grow(&mut self, len: usize) -> bool {
        self.0.resize(len, 0);
        true
    }
}

fn put_text(out: &mut String, text: &str) {
    let _ = write!(out, "{}:{text} ", text.len());
}

fn put_signal(out: &mut String, signal: &Signal<'_>) {
    let (mut flags, mut key, mut choice, mut reason) =
        (u32::from(signal.is_progress()), 0, 0, "none");
    let (mut text, mut code) = (String::new(), String::new());
    let (mut input, mut output, mut offset) = (0, 0, 0);
    match signal {
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => {
            text = piece.to_string();
        }
        Signal::ToolOpened { key: it, id, name } => {
            (key, code, text) = (*it, id.to_string(), name.to_string());
        }
        Signal::ToolArguments { key: it, piece } => (key, text) = (*it, piece.to_string()),
        Signal::ToolClosed { key: it } => key = *it,
        Signal::OtherChoice { choice: it } => choice = *it,
        Signal::Finish {
            choice: it,
            reason: why,
            word,
        } => (choice, reason, text) = (*it, why.name(), word.to_string()),
        Signal::Usage(usage) => {
            flags |= u32::from(usage.input_tokens.is_some()) * 2;
            flags |= u32::from(usage.output_tokens.is_some()) * 4;
            input = usage.input_tokens.unwrap_or(0);
            output = usage.output_tokens.unwrap_or(0);
        }
        Signal::Error { code: it, message } => (code, text) = (it.to_string(), message.to_string()),
        Signal::Malformed(error) => offset = error.offset,
        _ => {}
    }
    let _ = write!(out, "{} {flags} {key} {choice} {reason} ", signal.name());
    put_text(out, &text);
    put_text(out, &code);
    let _ = writeln!(out, "{input} {output} {offset}");
}

fn put_outcome(out: &mut String, outcome: &Outcome) {
    let seen = &outcome.seen;
    let reason = match outcome.ending {
        Ending::Completed(reason) | Ending::Incomplete(reason) | Ending::Refused(reason) => {
            Some(reason)
        }
        _ => seen.reason,
    };
    let is_inside = matches!(outcome.ending, Ending::Truncated(it) if it.is_inside_event);
    let bits = [
        seen.terminal,
        seen.output,
        seen.tool_error,
        seen.background == Some(true),
        seen.gap,
        seen.late_fault,
        is_inside,
        seen.usage.input_tokens.is_some(),
        seen.usage.output_tokens.is_some(),
    ];
    let flags = bits
        .iter()
        .rev()
        .fold(0, |all, bit| all * 2 + u32::from(*bit));
    let _ = write!(
        out,
        "{} {} {} {} {} {flags} {} {} {} {} {} ",
        outcome.name(),
        outcome.exit_code(),
        reason.map_or("none", |reason| reason.name()),
        seen.dialect,
        cause(outcome.ending),
        seen.closed_calls,
        seen.open_calls,
        seen.malformed,
        seen.skipped,
        match outcome.recovery().resubscribe {
            Resubscribe::NotNeeded => 1,
            Resubscribe::From(_) => 2,
            Resubscribe::Perhaps(_) => 3,
            _ => 0,
        }
    );
    let (kind, number) = match outcome.cursor {
        Cursor::Sequence(number) => (1, number),
        Cursor::EventId(_) => (2, 0),
        Cursor::LastEventId(_) => (3, 0),
        Cursor::TooLong => (4, 0),
        _ => (0, 0),
    };
    let _ = write!(out, "{kind} {number} ");
    let id = match kind {
        2 | 3 => outcome.cursor.to_string(),
        _ => String::new(),
    };
    put_text(out, &id);
    put_text(out, seen.code.as_str());
    let usage = seen.usage;
    let (input, output) = (usage.input_tokens, usage.output_tokens);
    let _ = writeln!(out, "{} {}", input.unwrap_or(0), output.unwrap_or(0));
}

fn cause(ending: Ending) -> i32 {
    match ending {
        Ending::Cancelled(CancelledBy::User) => 28,
        Ending::Truncated(it) => match it.transport {
            TransportEnd::Cut => 20,
            TransportEnd::Reset => 21,
            _ => 0,
        },
        Ending::TimedOut(timeout) => {
            22 + match timeout {
                Timeout::Connect => 0,
                Timeout::Headers => 1,
                Timeout::FirstOutput => 2,
                Timeout::Idle => 3,
                Timeout::Progress => 4,
                _ => 5,
            }
        }
        Ending::LimitExceeded(Excess::Limit(limit)) => limit as i32 + 1,
        Ending::LimitExceeded(Excess::Memory) => 7,
        Ending::LimitExceeded(_) => 8,
        Ending::FailedStatus(status) => i32::from(status),
        _ => 0,
    }
}

/// Through the functions of the header; the turn in memory of its own length.
pub(crate) fn capi(ask: &Ask, chunks: &[&[u8]]) -> Report {
    let handles = Handles::new(ask);
    let mut report = Report::default();
    let mut close = c::SSEAM_CLOSE_CLEAN;
    for chunk in chunks {
        // A chunk of its own, so that a view that outlived it would be seen.
        let chunk = chunk.to_vec();
        close = handles.feed(&chunk, &mut report.signals);
        if close < 0 {
            break;
        }
    }
    report.outcome = handles.finish(close, &mut report.signals);
    report
}

struct Handles {
    parser: *mut c::Parser,
    turn: *mut c::Turn,
    _memory: [Vec<u64>; 2],
}

impl Handles {
    fn new(ask: &Ask) -> Handles {
        let limits = ask.limits;
        let mut options = empty_options::<c::Options>(|place, len| {
            // SAFETY: room for the options.
            unsafe { c::sseam_options_init_sized(place, len) }
        });
        options.max_data = limits.data_len_max;
        options.max_type = limits.event_type_len_max;
        options.max_id = limits.id_len_max;
        options.max_comment = limits.comment_len_max;
        options.on_overflow = u32::from(ask.skips());
        options.report = c::SSEAM_REPORT_IGNORED;
        let view = |text: &str| c::Str {
            ptr: text.as_ptr().cast(),
            len: text.len(),
        };
        let marker = |(kind, path, value): &Marker| c::Marker {
            kind: *kind,
            reserved: 0,
            path: view(path),
            value: view(value),
        };
        let markers: Vec<c::Marker> = ask.markers.iter().map(marker).collect();
        let mut asked = empty_options::<c::TurnOptions>(|place, len| {
            // SAFETY: room for the options.
            unsafe { c::sseam_turn_options_init_sized(place, len) }
        });
        (asked.dialect, asked.mode) = (ask.dialect_code(), ask.mode_code());
        asked.choice = ask.choice;
        (asked.markers, asked.marker_count) = (markers.as_ptr(), markers.len());
        // SAFETY: options that were set up, memory that is kept, places for handles.
        unsafe {
            let size = c::sseam_parser_size(&options);
            let sizes = [size, c::sseam_turn_size()];
            let mut memory = sizes.map(|size| vec![u64::MAX; size.div_ceil(8)]);
            let [lent, turn_lent] = &mut memory;
            let (mut parser, mut turn) = (ptr::null_mut(), ptr::null_mut());
            let at = lent.as_mut_ptr().cast();
            assert_eq!(
                c::sseam_parser_init(at, size, &options, &mut parser),
                SSEAM_OK
            );
            let at = turn_lent.as_mut_ptr().cast();
            assert_eq!(
                c::sseam_turn_init(at, sizes[1], &asked, &mut turn),
                SSEAM_OK
            );
            Handles {
                parser,
                turn,
                _memory: memory,
            }
        }
    }

    /// Feeds a chunk; the status at its end.
    fn feed(&self, chunk: &[u8], signals: &mut String) -> c::Status {
        let mut at = 0;
        loop {
            let (mut item, mut used) = (c::Item::filled_by_library(), 0);
            let rest = &chunk[at..];
            let (bytes, len) = (rest.as_ptr().cast(), rest.len());
            // SAFETY: a parser, a slice, and two places.
            let status =
                unsafe { c::sseam_parser_feed(self.parser, bytes, len, &mut used, &mut item) };
            at += used;
            if status <= 0 {
                return status;
            }
            self.observe(&item, signals);
        }
    }

    fn observe(&self, item: &c::Item, signals: &mut String) {
        // SAFETY: a turn, and an item of which nothing has changed.
        unsafe {
            assert_eq!(c::sseam_turn_observe(self.turn, item), SSEAM_OK);
            let mut signal = empty_signal();
            while c::sseam_turn_next(self.turn, &mut signal) > 0 {
                put_c_signal(signals, &mut signal);
            }
        }
    }

    fn finish(self, close: c::Status, signals: &mut String) -> String {
        let mut end = c::End {
            struct_size: size_of::<c::End>(),
            held: 0,
            offset: 0,
            pending: 0,
            reserved: 0,
        };
        let mut outcome = empty_outcome();
        // SAFETY: both handles, and places for what is written.
        unsafe {
            let id = c::sseam_parser_last_event_id(self.parser);
            let (turn, at) = (self.turn, id.ptr.cast());
            assert_eq!(
                c::sseam_turn_observe_last_event_id(turn, at, id.len),
                SSEAM_OK
            );
            let status = c::sseam_parser_finish(self.parser, &mut end);
            assert_eq!(status < 0, close < 0);
            let mut item = c::Item::filled_by_library();
            if close >= 0
                && c::sseam_parser_take_unfinished(self.parser, &mut item) == c::SSEAM_EVENT
            {
                // The turn itself leaves it alone where it does not count.
                self.observe(&item, signals);
            }
            assert_eq!(
                c::sseam_turn_finish(turn, &end, close, &mut outcome),
                SSEAM_OK
            );
            c::sseam_turn_free(turn);
            c::sseam_parser_free(self.parser);
        }
        let mut out = String::new();
        put_c_outcome(&mut out, &outcome);
        out
    }
}

/// Options that the library sets.
fn empty_options<T>(init: impl Fn(*mut T, usize)) -> T {
    let mut options = std::mem::MaybeUninit::<T>::uninit();
    init(options.as_mut_ptr(), size_of::<T>());
    // SAFETY: the library writes all of it.
    unsafe { options.assume_init() }
}

/// A struct of numbers and pointers, all zero but its size.
fn zeroed<T>() -> T {
    let mut value = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: the structs of the header begin with their size, and each of their
    // fields may be zero.
    unsafe {
        value.as_mut_ptr().cast::<usize>().write(size_of::<T>());
        value.assume_init()
    }
}

pub(crate) fn empty_signal() -> c::TurnSignal {
    zeroed()
}

pub(crate) fn empty_outcome() -> c::TurnOutcome {
    zeroed()
}

trait Filled {
    fn filled_by_library() -> Self;
}

impl Filled for c::Item {
    fn filled_by_library() -> c::Item {
        zeroed()
    }
}

fn str_of(view: c::Str) -> String {
    // SAFETY: the library's views are valid for reads.
    let bytes = unsafe { std::slice::from_raw_parts(view.ptr.cast::<u8>(), view.len) };
    String::from_utf8(bytes.to_vec()).expect("text is UTF-8")
}

/// A text in both ways of reading it.
fn text_of(text: &mut c::TurnText) -> String {
    let (mut needed, mut buffer) = (0, Vec::new());
    let mut parts = String::new();
    let mut part = c::Str {
        ptr: ptr::null(),
        len: 0,
    };
    // SAFETY: a text whose event is there, and buffers of the lengths given.
    unsafe {
        let status = c::sseam_text_decode(text, ptr::null_mut(), 0, &mut needed);
        assert_eq!(status == SSEAM_OK, needed == 0);
        buffer.resize(needed, 0_u8);
        let at = buffer.as_mut_ptr().cast();
        assert_eq!(
            c::sseam_text_decode(text, at, needed, &mut needed),
            SSEAM_OK
        );
        while c::sseam_text_next(text, &mut part) != 0 {
            assert!(part.len > 0);
            parts += &str_of(part);
        }
        assert_eq!(
            c::sseam_text_decode(text, ptr::null_mut(), 0, &mut needed),
            SSEAM_OK
        );
    }
    assert_eq!(needed, 0);
    assert_eq!(parts.as_bytes(), buffer);
    parts
}

fn put_c_signal(out: &mut String, signal: &mut c::TurnSignal) {
    let name = str_of(c::sseam_signal_name(signal.kind));
    let reason = str_of(c::sseam_reason_name(signal.reason));
    let c::TurnSignal {
        flags, key, choice, ..
    } = *signal;
    let _ = write!(out, "{name} {flags} {key} {choice} {reason} ");
    put_text(out, &text_of(&mut signal.text));
    put_text(out, &text_of(&mut signal.code));
    let c::TurnSignal {
        input_tokens: input,
        output_tokens: output,
        offset,
        ..
    } = *signal;
    let _ = writeln!(out, "{input} {output} {offset}");
}

fn put_c_outcome(out: &mut String, outcome: &c::TurnOutcome) {
    let name = str_of(c::sseam_outcome_name(outcome.kind));
    let reason = str_of(c::sseam_reason_name(outcome.reason));
    let dialect = str_of(c::sseam_dialect_name(outcome.dialect));
    let numbers = [outcome.closed_calls, outcome.open_calls, outcome.malformed];
    let [closed, open, malformed] = numbers;
    let (code, cause, flags) = (outcome.exit_code, outcome.cause, outcome.flags);
    let (skipped, again, kind) = (outcome.skipped, outcome.resubscribe, outcome.cursor_kind);
    let _ = write!(
        out,
        "{name} {code} {reason} {dialect} {cause} {flags} {closed} {open} "
    );
    let number = outcome.cursor_number;
    let _ = write!(out, "{malformed} {skipped} {again} {kind} {number} ");
    let text = |bytes: &[c_char], len: u32| {
        let bytes: Vec<u8> = bytes.iter().map(|byte| *byte as u8).collect();
        assert_eq!(bytes[len as usize], 0, "ended by NUL");
        String::from_utf8(bytes[..len as usize].to_vec()).expect("UTF-8")
    };
    put_text(out, &text(&outcome.cursor, outcome.cursor_len));
    put_text(out, &text(&outcome.code, outcome.code_len));
    let _ = writeln!(out, "{} {}", outcome.input_tokens, outcome.output_tokens);
}
