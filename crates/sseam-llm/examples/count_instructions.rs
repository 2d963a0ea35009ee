//! Instructions per event for the text of an answer: the turn beside serde_json
//! into a typed struct, and the answer from its bytes, counted by callgrind in
//! one run.
//!
//! ```text
//! cargo build --release -p sseam-llm --example count_instructions
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no \
//!     --toggle-collect='*count_by_turn*' target/release/examples/count_instructions chat
//! ```
//!
//! So for `*count_by_turn*`; with `*count_by_answer*` for bytes to text, the parser
//! included; and with `*count_by_lean*` and `*count_by_typed*` for serde_json. Each
//! count divided by the events, which the program prints, is the figure. The
//! program takes `chat`, `responses`, `anthropic` or `gemini`; only the first two
//! have structs for serde_json.

use std::hint::black_box;

use sseam_core::{Event, Limits, Parser};
use sseam_llm::{Answer, Dialect, Signal, Turn};

const EVENTS: usize = 1000;

/// What a segment of TCP brings.
const CHUNK_LEN: usize = 1460;

/// The leanest structs: nothing but the text is kept, and borrowed where it can
/// be. Only who writes them for this one purpose has such.
mod lean {
    use std::borrow::Cow;

    use serde::Deserialize;

    #[derive(Deserialize)]
    pub(crate) struct Chunk<'e> {
        #[serde(borrow)]
        pub(crate) choices: Vec<Choice<'e>>,
    }

    #[derive(Deserialize)]
    pub(crate) struct Choice<'e> {
        #[serde(borrow)]
        pub(crate) delta: Delta<'e>,
        #[serde(borrow)]
        pub(crate) finish_reason: Option<Cow<'e, str>>,
    }

    #[derive(Deserialize)]
    pub(crate) struct Delta<'e> {
        #[serde(borrow)]
        pub(crate) content: Option<Cow<'e, str>>,
    }

    #[derive(Deserialize)]
    pub(crate) struct Event<'e> {
        #[serde(rename = "type", borrow)]
        pub(crate) kind: Cow<'e, str>,
        #[serde(borrow)]
        pub(crate) delta: Option<Cow<'e, str>>,
    }
}

/// The structs of the API's specification, as clients type them.
mod typed {
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Chunk {
        id: String,
        object: String,
        created: u64,
        model: String,
        service_tier: Option<String>,
        system_fingerprint: Option<String>,
        pub(crate) choices: Vec<Choice>,
        usage: Option<Usage>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Choice {
        index: u32,
        pub(crate) delta: Delta,
        pub(crate) finish_reason: Option<FinishReason>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Delta {
        role: Option<String>,
        pub(crate) content: Option<String>,
        refusal: Option<String>,
        tool_calls: Option<Vec<Call>>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Call {
        index: u32,
        id: Option<String>,
        function: Option<Function>,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Function {
        name: Option<String>,
        arguments: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub(crate) enum FinishReason {
        Stop,
        Length,
        ToolCalls,
        ContentFilter,
        FunctionCall,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Usage {
        prompt_tokens: u32,
        completion_tokens: u32,
        total_tokens: u32,
    }

    #[derive(Deserialize)]
    #[serde(tag = "type")]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) enum Event {
        #[serde(rename = "response.output_text.delta")]
        TextDelta(TextDelta),
        #[serde(rename = "response.completed")]
        Completed(Completed),
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct TextDelta {
        sequence_number: u64,
        item_id: String,
        output_index: u32,
        content_index: u32,
        pub(crate) delta: String,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "what a client types is read, used or not")]
    pub(crate) struct Completed {
        sequence_number: u64,
    }
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
            Dialect::Anthropic => format!(
                "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"index\":0,\
                 \"delta\":{{\"type\":\"text_delta\",\"text\":\"{word}\"}}}}\n\n"
            ),
            Dialect::Gemini => format!(
                "data: {{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"{word}\"}}],\
                 \"role\": \"model\"}},\"index\": 0}}],\"usageMetadata\": {{\
                 \"promptTokenCount\": 8,\
                 \"candidatesTokenCount\": {at},\"totalTokenCount\": {at}}},\"modelVersion\": \
                 \"gemini-2.5-flash\",\"responseId\": \"bXqoaJ6yHpiM7M8PwZqI2Ac\"}}\n\n"
            ),
            _ => format!(
                "event: response.output_text.delta\ndata: {{\"type\":\
                 \"response.output_text.delta\",\"sequence_number\":{at},\
                 \"item_id\":\"msg_67c9fdcf37fc8190ba82116e33fb28c5\",\
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

/// From bytes to text.
#[inline(never)]
fn count_by_answer(answer: &mut Answer<&mut [u8]>, chunk: &[u8]) -> usize {
    let mut len = 0;
    answer.feed(chunk, |text| len += text.len());
    len
}

#[inline(never)]
fn count_by_lean_serde(dialect: Dialect, event: &Event<'_>) -> usize {
    let data = event.data().as_bytes();
    match dialect {
        Dialect::OpenAiChat => {
            let Ok(chunk) = serde_json::from_slice::<lean::Chunk<'_>>(data) else {
                return 0;
            };
            let Some(choice) = chunk.choices.first() else {
                return 0;
            };
            black_box(&choice.finish_reason);
            choice.delta.content.as_ref().map_or(0, |text| text.len())
        }
        _ => {
            let Ok(event) = serde_json::from_slice::<lean::Event<'_>>(data) else {
                return 0;
            };
            match &*event.kind {
                "response.output_text.delta" => event.delta.map_or(0, |text| text.len()),
                _ => 0,
            }
        }
    }
}

#[inline(never)]
fn count_by_typed_serde(dialect: Dialect, event: &Event<'_>) -> usize {
    let data = event.data().as_bytes();
    match dialect {
        Dialect::OpenAiChat => {
            let Ok(chunk) = serde_json::from_slice::<typed::Chunk>(data) else {
                return 0;
            };
            let Some(choice) = chunk.choices.first() else {
                return 0;
            };
            black_box(&choice.finish_reason);
            choice.delta.content.as_ref().map_or(0, String::len)
        }
        _ => match serde_json::from_slice::<typed::Event>(data) {
            Ok(typed::Event::TextDelta(event)) => event.delta.len(),
            _ => 0,
        },
    }
}

fn main() {
    let dialect = match std::env::args().nth(1).as_deref() {
        Some("chat") => Dialect::OpenAiChat,
        Some("anthropic") => Dialect::Anthropic,
        Some("gemini") => Dialect::Gemini,
        _ => Dialect::OpenAiResponses,
    };
    let has_structs = matches!(dialect, Dialect::OpenAiChat | Dialect::OpenAiResponses);
    let stream = stream(dialect);
    let mut memory = vec![0; Limits::DEFAULT.memory_len()];
    let mut parser = Parser::new(memory.as_mut_slice(), Limits::DEFAULT).expect("memory");
    let mut turn = Turn::new(dialect);
    let (mut by_turn, mut by_lean_serde, mut by_typed_serde) = (0, 0, 0);
    let mut input = stream.as_slice();
    while let Some(event) = parser.next_event(&mut input).expect("no limit") {
        by_turn += black_box(count_by_turn(black_box(&mut turn), &event));
        if has_structs {
            by_lean_serde += black_box(count_by_lean_serde(black_box(dialect), &event));
            by_typed_serde += black_box(count_by_typed_serde(black_box(dialect), &event));
        }
    }
    let by_answer = from_bytes(dialect, &stream);
    assert_eq!(by_turn, by_answer, "both read the same text");
    if has_structs {
        let by_structs = (by_lean_serde, by_typed_serde);
        assert_eq!((by_turn, by_turn), by_structs, "all read the same text");
    }
    println!("{dialect}: {EVENTS} events, {by_turn} bytes of text");
}

fn from_bytes(dialect: Dialect, stream: &[u8]) -> usize {
    let limits = Limits::DEFAULT;
    let mut memory = vec![0; Answer::memory_len(&limits)];
    let answer = Answer::new(memory.as_mut_slice(), limits, Turn::new(dialect));
    let mut answer = answer.expect("memory");
    let chunks = stream.chunks(CHUNK_LEN);
    let lens = chunks.map(|chunk| black_box(count_by_answer(black_box(&mut answer), chunk)));
    lens.sum()
}
