//! The flags about AI APIs: which one it is, what counts as its end, and what of
//! an answer is printed.

use sseam::llm::{Dialect, Markers, MarkersFull, Mode, RequestId, Turn};

use super::{OutputArgs, Print};

/// What the stream is, and what of the answer is shown.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Answers of AI APIs")]
pub(crate) struct DialectArgs {
    /// Whose events these are; the outcome of the answer decides the exit code.
    ///
    /// One of: plain, custom, openai-responses, openai-chat, anthropic, gemini,
    /// gemini-interactions, cohere, mcp-2025, mcp-2026, auto.
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
    dialect: Option<Dialect>,

    /// What counts as the end of an answer: default, strict or lenient.
    #[arg(long, value_name = "MODE", default_value = "default", value_parser = parse_mode)]
    mode: Mode,

    /// The choice or candidate whose text is meant.
    #[arg(long, value_name = "N", default_value_t = 0)]
    choice: u32,

    /// How many choices were asked for: the answer is over when all have finished.
    #[arg(long, value_name = "N")]
    choices: Option<u32>,

    /// The id of the request whose response an MCP stream ends with.
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,

    /// Print the text of the answer alone: short for `--print text`.
    #[arg(long, conflicts_with = "print")]
    text: bool,

    /// Print the reasoning; with `--text` both, as they come.
    #[arg(long, conflicts_with = "print")]
    reasoning: bool,

    /// Print each tool call as a JSON line: tool, id, arguments, closed.
    ///
    /// One that is not closed is not to be run. `"client":false` marks those that
    /// the server runs itself.
    #[arg(long, conflicts_with = "print")]
    tools: bool,

    /// How to tell the outcome besides: json is one line on standard error.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) outcome: Option<OutcomeForm>,

    /// The answer is over when the data of an event is TEXT.
    #[arg(long, value_name = "TEXT")]
    end_data: Vec<String>,

    /// The answer is over when an event has the type NAME.
    #[arg(long, value_name = "NAME")]
    end_event: Vec<String>,

    /// The answer is over when a field of the data has this value, as
    /// `choices.0.done=true`.
    #[arg(long, value_name = "PATH=VALUE")]
    end_field: Vec<String>,

    /// The text is the string at PATH in the data, as `delta.text`.
    #[arg(long, value_name = "PATH")]
    text_field: Vec<String>,

    /// An event of the type NAME is a failure.
    #[arg(long, value_name = "NAME")]
    error_event: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutcomeForm {
    /// One JSON object on one line.
    Json,
}

/// Which parts of an answer are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shows {
    pub(crate) text: bool,
    pub(crate) reasoning: bool,
    pub(crate) tools: bool,
    /// All that the answer says, as lines of their own, and nothing of the above.
    pub(crate) signals: bool,
}

impl DialectArgs {
    /// The turn to fold the events into, if any is asked for.
    ///
    /// # Errors
    ///
    /// What is wrong with the flags, in words.
    pub(crate) fn turn(&self, output: &OutputArgs) -> Result<Option<Turn>, String> {
        let markers = self.markers()?;
        let has_markers = markers != Markers::NONE;
        let dialect = match self.dialect {
            Some(dialect) if has_markers && dialect != Dialect::Custom => {
                let flags = "--end-…, --text-field and --error-event";
                return Err(format!("{flags} are for `--dialect custom`, not {dialect}"));
            }
            Some(dialect) => dialect,
            None if has_markers => Dialect::Custom,
            None if self.shows(output).is_some() || self.outcome.is_some() => Dialect::Plain,
            None => return Ok(None),
        };
        let turn = Turn::new(dialect)
            .with_mode(self.mode)
            .with_choice(self.choice)
            .with_expected_choices(self.choices.unwrap_or(1))
            .with_markers(markers);
        let Some(id) = &self.request_id else {
            return Ok(Some(turn));
        };
        let id = match id.parse() {
            Ok(number) => RequestId::Number(number),
            Err(_) => RequestId::Text(id),
        };
        turn.with_request_id(id).map(Some).map_err(too_long)
    }

    /// What of the answer is printed; `None` where events are.
    pub(crate) const fn shows(&self, output: &OutputArgs) -> Option<Shows> {
        let is_any = self.text || self.reasoning || self.tools;
        let signals = matches!(output.print, Print::Signals);
        if !is_any && !signals && !matches!(output.print, Print::Text) {
            return None;
        }
        Some(Shows {
            text: self.text || !is_any && !signals,
            reasoning: self.reasoning,
            tools: self.tools,
            signals,
        })
    }

    fn markers(&self) -> Result<Markers, String> {
        let mut markers = Markers::NONE;
        for data in &self.end_data {
            markers = markers.with_end_data(data).map_err(too_long)?;
        }
        for name in &self.end_event {
            markers = markers.with_end_event(name).map_err(too_long)?;
        }
        for field in &self.end_field {
            let Some((path, value)) = field.split_once('=') else {
                return Err("--end-field wants PATH=VALUE, such as `done=true`".to_owned());
            };
            markers = markers.with_end_field(path, value).map_err(too_long)?;
        }
        for path in &self.text_field {
            markers = markers.with_text_field(path).map_err(too_long)?;
        }
        for name in &self.error_event {
            markers = markers.with_error_event(name).map_err(too_long)?;
        }
        Ok(markers)
    }
}

fn too_long(error: MarkersFull) -> String {
    format!("{error}: shorten the --end-…, --text-field, --error-event and --request-id")
}

fn parse_dialect(name: &str) -> Result<Dialect, sseam::llm::UnknownDialect> {
    name.parse()
}

fn parse_mode(name: &str) -> Result<Mode, sseam::llm::UnknownMode> {
    name.parse()
}
