//! Instructions per event for the text of an answer: the turn beside serde_json
//! into a typed struct, counted by callgrind in one run.
//!
//! ```text
//! cargo build --release -p sseam-llm --example count_instructions
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
//!     --toggle-collect='*count_by_turn*' target/release/examples/count_instructions
//! ```
//!
//! Once with `*count_by_turn*`, once with `*count_by_serde*`; each count divided
//! by the events, which the program prints, is the figure.

use std::hint::black_box;

use serde::Deserialize;
use sseam_core::{Event, Limits, Parser};
use sseam_llm::{Dialect, Signal, Turn};

const EVENTS: usize = 1000;

/// A chunk of Chat Completions, as somebody who wants its text would type it.
#[derive(Deserialize)]
struct Chunk<'e> {
    #[serde(borrow)]
    choices: Vec<Choice<'e>>,
}

#[derive(Deserialize)]
struct Choice<'e> {
    #[serde(borrow)]
    delta: Delta<'e>,
    #[serde(borrow)]
    finish_reason: Option<std::borrow::Cow<'e, str>>,
}

#[derive(Deserialize)]
struct Delta<'e> {
    #[serde(borrow)]
    content: Option<std::borrow::Cow<'e, str>>,
}

/// An event of Responses.
#[derive(Deserialize)]
struct Response<'e> {
    #[serde(rename = "type", borrow)]
    kind: std::borrow::Cow<'e, str>,
    #[serde(borrow)]
    delta: Option<std::borrow::Cow<'e, str>>,
}

/// The stream of this dialect.
fn stream(dialect: Dialect) -> Vec<u8> {
    let words = [
        "Hello",
        ", ",
        "world",
        "! It",
        " is",
        " a \\\"fine\\\"",
        " day",
        "\\n",
        "世界",
    ];
    let mut stream = String::new();
    for at in 0..EVENTS {
        let word = words[at % words.len()];
        stream += &match dialect {
            Dialect::OpenAiChat => format!(
                "data: {{\"id\":\"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG\",\"object\":\
                 \"chat.completion.chunk\",\"created\":1741570283,\"model\":\"gpt-4o-2024-08-06\",\
                 \"service_tier\":\"default\",\"system_fingerprint\":\"fp_fc9f1d7035\",\"choices\":\
                 [{{\"index\":0,\"delta\":{{\"content\":\"{word}\"}},\"logprobs\":null,\
                 \"finish_reason\":null}}]}}\n\n"
            ),
            _ => format!(
                "event: response.output_text.delta\ndata: {{\"type\":\"response.output_text.delta\",\
                 \"sequence_number\":{at},\"item_id\":\"msg_67c9fdcf37fc8190ba82116e33fb28c5\",\
                 \"output_index\":0,\"content_index\":0,\"delta\":\"{word}\",\"logprobs\":[],\
                 \"obfuscation\":\"aB3dE5fG7h\"}}\n\n"
            ),
        };
    }
    stream.into_bytes()
}

#[inline(never)]
fn count_by_turn(turn: &mut Turn, event: &Event<'_>) -> usize {
    let mut len = 0;
    for signal in turn.observe(event) {
        if let Signal::Text(piece) = signal {
            len += piece.parts().map(|part| part.len()).sum::<usize>();
        }
    }
    len
}

#[inline(never)]
fn count_by_serde(dialect: Dialect, event: &Event<'_>) -> usize {
    let data = event.data().as_bytes();
    match dialect {
        Dialect::OpenAiChat => {
            let Ok(chunk) = serde_json::from_slice::<Chunk<'_>>(data) else {
                return 0;
            };
            let Some(choice) = chunk.choices.first() else {
                return 0;
            };
            black_box(&choice.finish_reason);
            choice.delta.content.as_ref().map_or(0, |text| text.len())
        }
        _ => {
            let Ok(event) = serde_json::from_slice::<Response<'_>>(data) else {
                return 0;
            };
            match &*event.kind {
                "response.output_text.delta" => event.delta.map_or(0, |text| text.len()),
                _ => 0,
            }
        }
    }
}

fn main() {
    let dialects = match std::env::args().nth(1).as_deref() {
        Some("chat") => [Dialect::OpenAiChat],
        _ => [Dialect::OpenAiResponses],
    };
    for dialect in dialects {
        let stream = stream(dialect);
        let mut memory = vec![0; Limits::DEFAULT.memory_len()];
        let mut parser = Parser::new(memory.as_mut_slice(), Limits::DEFAULT).expect("memory");
        let mut turn = Turn::new(dialect);
        let (mut by_turn, mut by_serde) = (0, 0);
        let mut input = stream.as_slice();
        while let Some(event) = parser.next_event(&mut input).expect("no limit") {
            by_turn += black_box(count_by_turn(black_box(&mut turn), &event));
            by_serde += black_box(count_by_serde(black_box(dialect), &event));
        }
        assert_eq!(by_turn, by_serde, "both read the same text");
        println!("{dialect}: {EVENTS} events, {by_turn} bytes of text");
    }
}
