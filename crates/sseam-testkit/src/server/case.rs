//! The cases of clients as scripts.

use serde::Deserialize;

use super::script::{self, Answer};
use crate::cases::Case;

/// What a case asks of the client.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClientSettings {
    /// The longest silence.
    pub idle_ms: Option<u64>,
    /// The longest time without progress.
    pub progress_ms: Option<u64>,
    /// The longest wait for the head.
    pub header_ms: Option<u64>,
    /// The longest wait for the body of an error.
    pub error_body_ms: Option<u64>,
    /// Whether it connects again.
    pub reconnect: Option<bool>,
    /// How often; `Some(None)` is without end.
    #[serde(deserialize_with = "present")]
    pub max_attempts: Option<Option<u32>>,
    /// The first delay.
    pub base_ms: Option<u64>,
    /// The shortest delay.
    pub floor_ms: Option<u64>,
    /// The method, GET without one.
    pub method: Option<String>,
    /// How often a POST may be repeated before its first event.
    pub retry_before_first_event: Option<u32>,
    /// The id that it begins with.
    pub last_event_id: Option<String>,
    /// Headers of the request.
    pub headers: std::collections::BTreeMap<String, String>,
}

impl Case {
    /// What the server does with each connection, `repeat` applied; `None` if
    /// the case says it in prose.
    ///
    /// # Panics
    ///
    /// If the script has a step that is not known.
    pub fn script(&self) -> Option<Vec<Answer>> {
        let script = self.more.get("script").filter(|script| !script.is_null())?;
        let repeat = self.more.get("repeat").and_then(serde_json::Value::as_u64);
        let repeat = repeat.map_or(1, |count| count as usize);
        let answers = script::answers(script, repeat);
        Some(answers.unwrap_or_else(|error| panic!("script of {}: {error}", self.id)))
    }

    /// What it asks of the client.
    ///
    /// # Panics
    ///
    /// If there is a setting that is not known.
    pub fn client(&self) -> ClientSettings {
        let Some(settings) = self.more.get("client").filter(|client| !client.is_null()) else {
            return ClientSettings::default();
        };
        let settings = ClientSettings::deserialize(settings);
        settings.unwrap_or_else(|error| panic!("client of {}: {error}", self.id))
    }
}

/// Keeps a `null` apart from what is not there.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<u32>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}
