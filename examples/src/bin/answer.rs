//! Asks a server that speaks as OpenAI Chat Completions do, prints the answer as
//! it comes, and what became of it. Enter ends it at once.
//!
//! ```text
//! API_KEY=… cargo run -p sseam-examples --bin answer -- \
//!     https://api.example.com/v1/chat/completions model "Why is the sky blue?"
//! ```

#![forbid(unsafe_code)]

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, io, thread};

use sseam::client::{ClientError, EventSource, Request, RequestError};
use sseam::llm::Dialect;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [url, model, question] = &arguments[..] else {
        eprintln!("usage: answer URL MODEL QUESTION");
        return ExitCode::from(2);
    };
    match ask(url, model, question) {
        Ok(source) => answer(source),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn ask(url: &str, model: &str, question: &str) -> Result<EventSource, RequestError> {
    let mut request = Request::post(url, body(model, question))
        .header("Content-Type", "application/json")
        .dialect(Dialect::OpenAiChat)
        // Servers that queue send comments: they are alive, but nothing comes.
        .first_output_timeout(Duration::from_secs(120))
        .progress_timeout(Duration::from_secs(60));
    if let Ok(key) = env::var("API_KEY") {
        request = request.header("Authorization", format!("Bearer {key}"));
    }
    request.open()
}

/// Text in JSON: what JSON must not hold is written as its number.
fn body(model: &str, question: &str) -> String {
    let quoted = |text: &str| -> String {
        let escaped = |c: char| match c {
            '"' | '\\' | '\0'..='\x1f' => format!("\\u{:04x}", u32::from(c)),
            c => c.to_string(),
        };
        text.chars().map(escaped).collect()
    };
    format!(
        r#"{{"model":"{}","stream":true,"messages":[{{"role":"user","content":"{}"}}]}}"#,
        quoted(model),
        quoted(question)
    )
}

fn answer(mut source: EventSource) -> ExitCode {
    let canceller = source.canceller();
    thread::spawn(move || {
        // The end of the input is no wish to stop.
        if io::stdin()
            .read_line(&mut String::new())
            .is_ok_and(|len| len > 0)
        {
            canceller.cancel();
        }
    });
    let mut out = io::stdout().lock();
    let error = loop {
        match source.next_text() {
            Ok(Some(text)) => {
                // Who does not want to read it wants no answer.
                if write!(out, "{text}").and_then(|()| out.flush()).is_err() {
                    break None;
                }
            }
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    let report = source.report();
    eprintln!("\n{report}");
    if let Some(ClientError::Status(error)) = &error {
        let explanation = source.redact(error.body());
        eprintln!("{}", String::from_utf8_lossy(&explanation).escape_debug());
    } else if let Some(error) = error {
        eprintln!("{error}");
    }
    ExitCode::from(report.outcome.exit_code())
}
