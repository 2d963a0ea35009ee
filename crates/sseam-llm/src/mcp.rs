//! Stage 2, MCP Streamable HTTP, both revisions: one JSON-RPC message, or an
//! array of them, in; a unit out. There is no text: a stream ends with the
//! response to the caller's request.

use crate::due::Due;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::markers::Markers;
use crate::piece::Piece;
use crate::reason::Reason;
use crate::unit::Unit;

/// Reads an event.
///
/// Without a request id any response is the one that is waited for.
pub(crate) fn read<'e>(
    data: &'e [u8],
    unit: &mut Unit<'e>,
    markers: &Markers,
) -> Result<(), JsonError> {
    let mut json = Json::new(data);
    if json.peek() == b'[' && json.enter_array() {
        while json.element() {
            Message::read(&mut json).settle(unit, markers);
        }
    } else {
        Message::read(&mut json).settle(unit, markers);
    }
    json.end()
}

/// What means something here.
struct Message<'e> {
    /// As it is written.
    id: &'e [u8],
    has_method: bool,
    has_result: bool,
    is_tool_error: bool,
    has_error: bool,
    failure: Option<Failure<'e>>,
}

impl<'e> Message<'e> {
    fn read(json: &mut Json<'e>) -> Self {
        let mut message = Message {
            id: b"null",
            has_method: false,
            has_result: false,
            is_tool_error: false,
            has_error: false,
            failure: None,
        };
        if json.enter_object() {
            members!(json,
                b"id" => message.id = json.value(),
                b"method" => {
                    message.has_method = true;
                    json.skip();
                },
                b"result" => {
                    message.has_result = true;
                    message.is_tool_error = read_is_error(json);
                },
                b"error" => {
                    message.has_error = json.peek() != b'n';
                    message.failure = Failure::read(json);
                }
            );
        }
        message
    }

    /// Adds what the message says.
    fn settle(self, unit: &mut Unit<'e>, markers: &Markers) {
        unit.has_shape |= self.has_method || self.has_result || self.has_error;
        unit.is_progress |= self.has_method;
        let is_response = !self.has_method && (self.has_result || self.has_error);
        // An error that answers a request which could not be read has no id.
        let is_ours = markers.is_request(self.id) || self.has_error && self.id == b"null";
        if !is_response || !is_ours {
            return;
        }
        if self.has_error {
            unit.announce_failure(Some(self.failure.unwrap_or(Failure::UNKNOWN)));
        } else {
            unit.announce_finish(Reason::Stop, Piece::EMPTY);
        }
        unit.due.add(Due::TERMINAL);
        unit.is_tool_error |= self.is_tool_error;
    }
}

fn read_is_error(json: &mut Json<'_>) -> bool {
    let mut is_error = false;
    if json.enter_object() {
        members!(json,
            b"isError" => is_error = json.is_true(),
        );
    }
    is_error
}
