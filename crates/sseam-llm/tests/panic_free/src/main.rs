//! Every public function of sseam-llm in one image whose panic handler calls a
//! function that nobody defines: bytes in, and a link that fails if any of this
//! can panic.

#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::hint::black_box;
use core::panic::PanicInfo;
use core::time::Duration;

use sseam_core::{End, Event, Limits};
use sseam_llm::{
    Answer, Close, Cursor, Dialect, Ending, Markers, Mode, Payload, Piece, RequestId, Signal,
    TextBatch, TransportEnd, Turn, find,
};

unsafe extern "C" {
    /// Defined nowhere.
    fn a_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: it is never linked, so it is never called.
    unsafe { a_panic_is_reachable() }
}

/// Takes text and keeps a digest of it.
struct Sink(u32);

impl Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text
            .bytes()
            .fold(self.0, |sum, byte| sum.wrapping_mul(31) ^ u32::from(byte));
        Ok(())
    }
}

#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() {}

/// All of it.
#[unsafe(no_mangle)]
extern "C" fn probe() -> u32 {
    let mut sink = Sink(0);
    let chunk: &[u8] = black_box(b"data: {}\n\n");
    let path: &str = black_box("a.b");
    let dialect = path.parse::<Dialect>().unwrap_or(black_box(Dialect::Auto));
    let mode = path.parse::<Mode>().unwrap_or(black_box(Mode::Default));
    let mut turn = Turn::new(dialect)
        .with_mode(mode)
        .with_choice(black_box(1))
        .with_expected_choices(black_box(2))
        .with_markers(markers(path));
    let number = turn.with_request_id(RequestId::Number(black_box(-7)));
    turn = number
        .and_then(|it| it.with_request_id(RequestId::Text(path)))
        .unwrap_or(turn);
    let mut batch = TextBatch::<16>::new(Duration::from_millis(black_box(5)), black_box(9));
    let mut answer = Answer::<[u8; ROOM]>::with_array(Limits::SMALL, turn)
        .with_strict_text()
        .with_unfinished_event()
        .with_settle(Duration::from_secs(black_box(2)));
    let _ = answer.set_last_event_id(path.as_bytes());
    for round in 0..black_box(2) {
        drive(&mut answer, chunk, &mut sink, &mut batch);
        answer.end(black_box(Close::Transport(TransportEnd::Clean)));
        drive(&mut answer, &[], &mut sink, &mut batch);
        sink.0 ^= u32::from(answer.outcome().exit_code()) ^ round;
        look_beside(&mut sink, &answer);
        answer.reopen();
    }
    // Who has events from elsewhere drives the turn alone.
    let event = Event::new(path.as_bytes(), chunk, b"");
    for signal in turn.observe(&event) {
        say(&mut sink, &mut batch, signal);
    }
    look_into(&mut sink, chunk, path);
    look_at(&mut sink, &turn, dialect);
    turn.observe_last_event_id(sseam_core::Text::new(path.as_bytes()));
    turn.reopen();
    let end = black_box(End::at(7));
    let close = black_box(Close::Transport(TransportEnd::Clean));
    for signal in turn.end(&end, close) {
        say(&mut sink, &mut batch, signal);
    }
    for outcome in [turn.finish(&end), turn.finish_with(&end, close)] {
        let _ = write!(sink, "{outcome} {}", outcome.cursor);
        let _ = write!(sink, "{} {}", outcome.exit_code(), outcome.name());
        black_box((outcome.is_completed(), outcome.is_empty()));
        black_box((outcome.may_run_calls(), outcome.may_ask_again()));
        if let Ending::Completed(reason) = outcome.ending {
            let _ = sink.write_str(reason.name());
        }
    }
    sink.0 ^= u32::from(turn.finish(&end).recovery().output_seen);
    let _ = sink.write_str(batch.finish().unwrap_or_default());
    #[cfg(feature = "panics")]
    {
        sink.0 = chunk[sink.0 as usize].into();
    }
    sink.0
}

fn look_at(sink: &mut Sink, turn: &Turn, dialect: Dialect) {
    black_box((dialect.has_text(), dialect.is_built_in()));
    black_box((turn.is_terminal(), turn.is_over(), turn.has_output()));
    black_box((turn.wants_unfinished(), turn.is_finished(), turn.dialect()));
    if let Cursor::EventId(id) = turn.cursor() {
        let _ = sink.write_str(id.as_str());
    }
    let custom = Turn::custom(markers("x"));
    let _ = sink.write_str(custom.dialect().name());
}

/// Takes bytes in all ways.
fn drive(
    answer: &mut Answer<[u8; ROOM]>,
    chunk: &[u8],
    sink: &mut Sink,
    batch: &mut TextBatch<16>,
) {
    let mut input = chunk;
    while let Some(heard) = answer.next(&mut input) {
        for signal in heard.signals {
            say(sink, batch, signal);
        }
    }
    answer.feed(chunk, |text| drop(sink.write_str(text)));
}

fn look_beside(sink: &mut Sink, answer: &Answer<[u8; ROOM]>) {
    black_box((answer.wants(), answer.counters(), answer.retry()));
    black_box((
        answer.invalid_at(),
        answer.stream_end(),
        answer.last_event_id(),
    ));
    black_box((answer.is_ended(), answer.has_known_line(), answer.error()));
    look_at(sink, answer.turn(), answer.turn().dialect());
    if let Some(foreign) = answer.foreign() {
        let _ = sink.write_str(foreign.name());
        let _ = sink.write_str(foreign.code());
        let _ = sink.write_str(foreign.advice());
    }
}

/// Event memory of an answer.
const ROOM: usize = Answer::memory_len(&Limits::SMALL);

fn markers(text: &str) -> Markers {
    let all = || {
        Markers::NONE
            .with_end_data(text)?
            .with_end_event(text)?
            .with_end_field(text, text)?
            .with_text_field(text)?
            .with_error_event(text)
    };
    all().unwrap_or(Markers::NONE)
}

fn say(sink: &mut Sink, batch: &mut TextBatch<16>, signal: Signal<'_>) {
    let _ = sink.write_str(signal.name());
    black_box((signal.is_progress(), batch.deadline()));
    let piece = match signal {
        Signal::Text(piece) | Signal::Reasoning(piece) | Signal::Refusal(piece) => piece,
        Signal::ToolOpened { name, .. } => name,
        Signal::ToolArguments { piece, .. } => piece,
        Signal::Error { message, .. } => message,
        _ => return,
    };
    say_piece(sink, piece);
    let now = Duration::from_millis(black_box(3));
    for part in piece.parts() {
        let mut rest = &*part;
        while let Some(text) = batch.push(&mut rest, now) {
            let _ = sink.write_str(text);
        }
    }
    let _ = sink.write_str(batch.poll(now).unwrap_or_default());
}

fn say_piece(sink: &mut Sink, piece: Piece<'_>) {
    let mut buffer = [0; 8];
    match piece.decode_into(&mut buffer) {
        Ok(text) => drop(sink.write_str(text)),
        Err(error) => drop(write!(sink, "{error}")),
    }
    let _ = write!(sink, "{piece} {piece:?} {}", piece == "x");
    let _ = sink.write_str(piece.as_str().unwrap_or_default());
    black_box((piece.raw(), piece.text_len()));
}

fn look_into(sink: &mut Sink, data: &[u8], path: &str) {
    match find(data, path) {
        Ok(Some(value)) => {
            say_piece(sink, value.text());
            say_piece(sink, value.string().unwrap_or(Piece::verbatim(value.raw())));
            black_box(value.kind());
        }
        Ok(None) => {}
        Err(error) => {
            let _ = write!(sink, "{error}");
        }
    }
    if let Payload::Text(piece) = Payload::of(data) {
        say_piece(sink, piece);
    }
}
