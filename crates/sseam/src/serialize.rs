//! Owned events to and from the keys `event`, `data` and `id`.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use sseam_core::Text;

use crate::lossy::TextExt;
use crate::owned::OwnedEvent;

/// As text, with U+FFFD where the event's bytes are not UTF-8.
impl Serialize for OwnedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Formats without names have no place for a key that may be missing.
        let has_mark = !self.is_complete() || !serializer.is_human_readable();
        let len = 3 + usize::from(has_mark);
        let mut keys = serializer.serialize_struct("OwnedEvent", len)?;
        keys.serialize_field("event", &Lossy(self.event_type()))?;
        keys.serialize_field("data", &Lossy(self.data()))?;
        keys.serialize_field("id", &Lossy(self.last_event_id()))?;
        if has_mark {
            keys.serialize_field("unfinished", &!self.is_complete())?;
        }
        keys.end()
    }
}

/// The type may be missing, for `message`, and so may the id.
impl<'de> Deserialize<'de> for OwnedEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let keys = Keys::deserialize(deserializer)?;
        let event = OwnedEvent::new(keys.event, keys.data, keys.id);
        Ok(event.with_is_complete(!keys.unfinished))
    }
}

#[derive(Deserialize)]
#[serde(rename = "OwnedEvent")]
struct Keys {
    #[serde(default)]
    event: String,
    data: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    unfinished: bool,
}

struct Lossy<'a>(Text<'a>);

impl Serialize for Lossy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string_lossy())
    }
}
