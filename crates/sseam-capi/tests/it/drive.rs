//! An answer driven twice over the same chunks: through `sseam-llm`, and through the
//! functions of the header. What each of them hears, as text, comes out; the C and
//! C++ tests write the same text, see `answers.h`.
//!
//! The corpus' generator and a fuzz target include this file too.

use std::ffi::c_char;
use std::fmt::Write as _;
use std::ptr;

use sseam_capi::{self as c, SSEAM_OK};
use sseam_core::{Item, Limits, Memory, Overflow};
use sseam_llm::{
    Answer, CancelledBy, Close, Cursor, Dialect, Ending, Excess, Foreign, Heard, Markers, Mode,
    Outcome, Resubscribe, Signal, Timeout, TransportEnd, Turn, Usage,
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

    pub(crate) fn turn(&self) -> Turn {
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

/// What was heard: a line for each item and each signal, and one for the outcome.
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
    answer: Answer<Grown>,
    signals: String,
}

impl Rust {
    pub(crate) fn new(ask: &Ask) -> Rust {
        let memory = Grown(Vec::new());
        Rust {
            answer: Answer::growing(memory, ask.limits, ask.turn()),
            signals: String::new(),
        }
    }

    pub(crate) fn feed(&mut self, chunk: &[u8]) {
        let mut input = chunk;
        while let Some(heard) = self.answer.next(&mut input) {
            put_heard(&mut self.signals, heard);
        }
    }

    pub(crate) fn finish(mut self) -> Report {
        self.answer.end(Close::Transport(TransportEnd::Clean));
        self.feed(b"");
        let mut outcome = String::new();
        let foreign = self.answer.foreign();
        put_outcome(&mut outcome, &self.answer.outcome(), foreign);
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

fn put_heard(out: &mut String, heard: Heard<'_>) {
    let mut item = c_item();
    match &heard.item {
        Some(Item::Event(event)) => {
            item.kind = c::SSEAM_EVENT;
            item.flags = u32::from(!event.is_complete());
            item.r#type = view(event.event_type().as_bytes());
            item.data = view(event.data().as_bytes());
            item.last_event_id = view(event.last_event_id().as_bytes());
            (item.offset, item.end) = (event.span().start, event.span().end);
            item.full_len = event.data().len() as u64;
        }
        Some(Item::Comment(line) | Item::Ignored(line)) => {
            item.kind = match heard.item {
                Some(Item::Comment(_)) => c::SSEAM_COMMENT,
                _ => c::SSEAM_IGNORED,
            };
            item.data = view(line.prefix().as_bytes());
            item.full_len = line.full_len();
        }
        Some(Item::Retry(milliseconds)) => {
            (item.kind, item.retry_ms) = (c::SSEAM_RETRY, *milliseconds);
        }
        Some(Item::Skipped(skipped)) => {
            item.kind = c::SSEAM_SKIPPED;
            item.flags = 4 * u32::from(skipped.event_type().is_none());
            item.r#type = view(skipped.event_type().unwrap_or_default().as_bytes());
            item.data = view(skipped.head().as_bytes());
            item.limit = skipped.limit() as i32 + 1;
            (item.offset, item.end) = (skipped.span().start, skipped.span().end);
            (item.full_len, item.limit_max) = (skipped.bytes(), skipped.max());
        }
        _ => item.kind = c::SSEAM_SIGNALS,
    }
    put_item(out, &item);
    for signal in heard.signals {
        put_signal(out, &signal);
    }
}

/// An item, its views told by their lengths and a sum of their bytes.
fn put_item(out: &mut String, item: &c::Item) {
    let flags = item.flags & !c::SSEAM_ITEM_IN_INPUT;
    let _ = write!(out, "item {} {flags} {} ", item.kind, item.limit);
    for text in [item.r#type, item.data, item.last_event_id] {
        // SAFETY: views of the library, or of a slice.
        let bytes = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len) };
        let add = |sum: u32, byte: &u8| sum.wrapping_mul(31).wrapping_add((*byte).into());
        let _ = write!(out, "{} {} ", text.len, bytes.iter().fold(0, add));
    }
    let (offset, end, full_len) = (item.offset, item.end, item.full_len);
    let (retry, max) = (item.retry_ms, item.limit_max);
    let _ = writeln!(out, "{offset} {end} {full_len} {retry} {max}");
}

fn put_usage(out: &mut String, usage: &Usage) {
    let numbers = [
        usage.input,
        usage.input_cached,
        usage.input_cache_written,
        usage.output,
        usage.output_reasoning,
        usage.total,
    ];
    let _ = write!(out, "{} ", bits(numbers.map(|number| number.is_some())));
    for number in numbers {
        let _ = write!(out, "{} ", number.unwrap_or(0));
    }
}

/// The first one is the lowest.
fn bits<const N: usize>(bits: [bool; N]) -> u32 {
    let add = |all: u32, bit: &bool| all * 2 + u32::from(*bit);
    bits.iter().rev().fold(0, add)
}

fn put_signal(out: &mut String, signal: &Signal<'_>) {
    let (mut flags, mut key, mut choice, mut reason) =
        (u32::from(signal.is_progress()), 0, 0, "none");
    let (mut text, mut code) = (String::new(), String::new());
    let (mut usage, mut offset) = (Usage::UNKNOWN, 0);
    match signal {
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => {
            text = piece.to_string();
        }
        Signal::Answer { id, model } => (code, text) = (id.to_string(), model.to_string()),
        Signal::ToolOpened {
            key: it,
            id,
            name,
            is_client,
        } => {
            flags |= u32::from(*is_client) * 2;
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
        Signal::Usage(it) => usage = *it,
        Signal::Error { code: it, message } => (code, text) = (it.to_string(), message.to_string()),
        Signal::Unreadable(error) => offset = error.offset,
        _ => {}
    }
    let _ = write!(out, "{} {flags} {key} {choice} {reason} ", signal.name());
    put_text(out, &text);
    put_text(out, &code);
    put_usage(out, &usage);
    let _ = writeln!(out, "{offset}");
}

fn put_outcome(out: &mut String, outcome: &Outcome, foreign: Option<Foreign>) {
    let seen = &outcome.seen;
    let is_inside = matches!(outcome.ending, Ending::Truncated(it) if it.is_inside_event);
    let flags = bits([
        seen.terminal,
        seen.output,
        seen.tool_error,
        seen.background == Some(true),
        seen.gap,
        seen.late_fault,
        is_inside,
        outcome.is_empty(),
        seen.lost,
        outcome.may_run_calls(),
        outcome.may_ask_again(),
    ]);
    let (name, code) = (outcome.name(), outcome.exit_code());
    let reason = outcome.reason().map_or("none", |reason| reason.name());
    let (dialect, cause) = (seen.dialect, cause(outcome.ending));
    let (closed, open) = (seen.closed_calls, seen.open_calls);
    let _ = write!(
        out,
        "{name} {code} {reason} {dialect} {cause} {flags} {closed} {open} "
    );
    let (unreadable, skipped) = (seen.unreadable, seen.skipped);
    let _ = write!(out, "{unreadable} {skipped} ");
    let place = seen.unreadable_at;
    let place = place.map_or((0, 0, 0), |it| (it.event, it.offset, it.byte));
    let _ = write!(out, "{} {} {} ", place.0, place.1, place.2);
    let again = match outcome.recovery().resubscribe {
        Resubscribe::NotNeeded => 1,
        Resubscribe::From(_) => 2,
        Resubscribe::Perhaps(_) => 3,
        _ => 0,
    };
    let (kind, number) = match outcome.cursor {
        Cursor::Sequence(number) => (1, number),
        Cursor::EventId(_) => (2, 0),
        Cursor::LastEventId(_) => (3, 0),
        Cursor::TooLong => (4, 0),
        _ => (0, 0),
    };
    let foreign = foreign.filter(|_| outcome.ending == Ending::NotEventStream);
    let foreign = foreign.map_or("", |foreign| foreign.code());
    let _ = write!(out, "{again} {kind} {number} ");
    put_text(out, foreign);
    let id = match kind {
        2 | 3 => outcome.cursor.to_string(),
        _ => String::new(),
    };
    put_text(out, &id);
    let (word, code) = (seen.word.as_str(), seen.code.as_str());
    let (id, model) = (seen.id.as_str(), seen.model.as_str());
    for text in [word, code, id, model, seen.message.as_str()] {
        put_text(out, text);
    }
    put_usage(out, &seen.usage);
    out.pop();
    out.push('\n');
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

/// Through the functions of the header; the answer in memory of its own length.
pub(crate) fn capi(ask: &Ask, chunks: &[&[u8]]) -> Report {
    let handle = Handle::new(ask);
    let mut report = Report::default();
    for chunk in chunks {
        // A chunk of its own, so that a view that outlived it would be seen.
        let chunk = chunk.to_vec();
        handle.feed(&chunk, &mut |item, signals| {
            put_item(&mut report.signals, item);
            for signal in signals {
                put_c_signal(&mut report.signals, signal);
            }
        });
    }
    let outcome = handle.finish(&mut |item, signals| {
        put_item(&mut report.signals, item);
        for signal in signals {
            put_c_signal(&mut report.signals, signal);
        }
    });
    put_c_outcome(&mut report.outcome, &outcome);
    report
}

/// What is done with an item and its signals.
pub(crate) type Hear<'h> = &'h mut dyn FnMut(&c::Item, &mut [c::AnswerSignal]);

/// An answer in place, with its memory.
pub(crate) struct Handle {
    pub(crate) answer: *mut c::Answer,
    _memory: Vec<u64>,
}

impl Handle {
    pub(crate) fn new(ask: &Ask) -> Handle {
        let limits = ask.limits;
        let mut options = empty_options::<c::AnswerOptions>(|place, len| {
            // SAFETY: room for the options.
            unsafe { c::sseam_answer_options_init_sized(place, len) }
        });
        options.max_data = limits.data_len_max;
        options.max_type = limits.event_type_len_max;
        options.max_id = limits.id_len_max;
        options.max_comment = limits.comment_len_max;
        options.on_overflow = u32::from(ask.skips());
        (options.dialect, options.mode) = (ask.dialect_code(), ask.mode_code());
        options.choice = ask.choice;
        let marker = |(kind, path, value): &Marker| c::Marker {
            kind: *kind,
            reserved: 0,
            path: view(path.as_bytes()),
            value: view(value.as_bytes()),
        };
        let markers: Vec<c::Marker> = ask.markers.iter().map(marker).collect();
        (options.markers, options.marker_count) = (markers.as_ptr(), markers.len());
        let mut answer = ptr::null_mut();
        // SAFETY: options that were set up, memory that is kept, a place for a handle.
        unsafe {
            let size = c::sseam_answer_size(&options);
            let mut memory = vec![u64::MAX; size.div_ceil(8)];
            let at = memory.as_mut_ptr().cast();
            let status = c::sseam_answer_init(at, size, &options, &mut answer);
            assert_eq!(status, SSEAM_OK);
            Handle {
                answer,
                _memory: memory,
            }
        }
    }

    pub(crate) fn feed(&self, chunk: &[u8], hear: Hear<'_>) {
        let mut at = 0;
        loop {
            let (mut item, mut used) = (c_item(), 0);
            let rest = &chunk[at..];
            let (bytes, len) = (rest.as_ptr().cast(), rest.len());
            // SAFETY: an answer, a slice, and places.
            let status =
                unsafe { c::sseam_answer_feed(self.answer, bytes, len, &mut used, &mut item) };
            at += used;
            if status <= SSEAM_OK {
                assert_eq!((status, at), (SSEAM_OK, chunk.len()));
                return;
            }
            match status {
                c::SSEAM_SIGNALS => item.kind = status,
                _ => assert_eq!(item.kind, status),
            }
            let (mut signals, mut signal) = (Vec::new(), empty_signal());
            // SAFETY: the same, and the chunk is there.
            while unsafe { c::sseam_answer_next(self.answer, &mut signal) } > 0 {
                signals.push(signal);
            }
            hear(&item, &mut signals);
        }
    }

    pub(crate) fn finish(self, hear: Hear<'_>) -> c::AnswerOutcome {
        let mut outcome = empty_outcome();
        // SAFETY: an answer.
        let status = unsafe { c::sseam_answer_end(self.answer, c::SSEAM_CLOSE_CLEAN) };
        assert_eq!(status, SSEAM_OK);
        self.feed(b"", hear);
        // SAFETY: an answer, and a place.
        let status = unsafe { c::sseam_answer_outcome(self.answer, &mut outcome) };
        assert_eq!(status, SSEAM_OK);
        // SAFETY: an answer, not used any more.
        unsafe { c::sseam_answer_free(self.answer) };
        outcome
    }
}

fn view(bytes: &[u8]) -> c::Str {
    c::Str {
        ptr: bytes.as_ptr().cast(),
        len: bytes.len(),
    }
}

fn c_item() -> c::Item {
    let empty = view(b"");
    c::Item {
        r#type: empty,
        data: empty,
        last_event_id: empty,
        ..zeroed()
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

pub(crate) fn empty_signal() -> c::AnswerSignal {
    zeroed()
}

pub(crate) fn empty_outcome() -> c::AnswerOutcome {
    zeroed()
}

pub(crate) fn str_of(view: c::Str) -> String {
    // SAFETY: the library's views are valid for reads.
    let bytes = unsafe { std::slice::from_raw_parts(view.ptr.cast::<u8>(), view.len) };
    String::from_utf8(bytes.to_vec()).expect("text is UTF-8")
}

/// A text in both ways of reading it.
pub(crate) fn text_of(text: &mut c::AnswerText) -> String {
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

fn put_c_usage(out: &mut String, usage: &c::AnswerUsage) {
    assert_eq!(usage.reserved, 0);
    let _ = write!(out, "{} ", usage.has);
    let numbers = [
        usage.input,
        usage.input_cached,
        usage.input_cache_written,
        usage.output,
        usage.output_reasoning,
        usage.total,
    ];
    for number in numbers {
        let _ = write!(out, "{number} ");
    }
}

fn put_c_signal(out: &mut String, signal: &mut c::AnswerSignal) {
    let name = str_of(c::sseam_signal_name(signal.kind));
    let reason = str_of(c::sseam_reason_name(signal.reason));
    let (flags, key, choice) = (signal.flags, signal.key, signal.choice);
    let _ = write!(out, "{name} {flags} {key} {choice} {reason} ");
    put_text(out, &text_of(&mut signal.text));
    put_text(out, &text_of(&mut signal.code));
    put_c_usage(out, &signal.usage);
    let _ = writeln!(out, "{}", signal.offset);
}

fn put_c_outcome(out: &mut String, outcome: &c::AnswerOutcome) {
    let name = str_of(c::sseam_outcome_name(outcome.kind));
    let reason = str_of(c::sseam_reason_name(outcome.reason));
    let dialect = str_of(c::sseam_dialect_name(outcome.dialect));
    let numbers = [outcome.closed_calls, outcome.open_calls];
    let ([closed, open], unreadable) = (numbers, outcome.unreadable);
    let (code, cause, flags) = (outcome.exit_code, outcome.cause, outcome.flags);
    let (skipped, again, kind) = (outcome.skipped, outcome.resubscribe, outcome.cursor_kind);
    let _ = write!(
        out,
        "{name} {code} {reason} {dialect} {cause} {flags} {closed} {open} "
    );
    let (event, offset, byte) = (
        outcome.place_event,
        outcome.place_offset,
        outcome.place_byte,
    );
    let _ = write!(out, "{unreadable} {skipped} {event} {offset} {byte} ");
    let number = outcome.cursor_number;
    let _ = write!(out, "{again} {kind} {number} ");
    put_text(out, &str_of(c::sseam_foreign_word(outcome.foreign)));
    put_text(out, &field(&outcome.cursor, outcome.cursor_len));
    put_text(out, &field(&outcome.word, outcome.word_len));
    put_text(out, &field(&outcome.code, outcome.code_len));
    put_text(out, &field(&outcome.id, outcome.id_len));
    put_text(out, &field(&outcome.model, outcome.model_len));
    put_text(out, &field(&outcome.message, outcome.message_len));
    put_c_usage(out, &outcome.usage);
    out.pop();
    out.push('\n');
}

/// A text of an outcome, which ends with NUL.
pub(crate) fn field(bytes: &[c_char], len: u32) -> String {
    let bytes: Vec<u8> = bytes.iter().map(|byte| *byte as u8).collect();
    assert_eq!(bytes[len as usize], 0, "ended by NUL");
    String::from_utf8(bytes[..len as usize].to_vec()).expect("UTF-8")
}
