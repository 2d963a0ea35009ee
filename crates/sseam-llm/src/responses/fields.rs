//! Stage 2, the fields of a Responses event: its JSON in, pieces of it out.

use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::signal::Usage;
use crate::unit::Failure;

/// What every event has, and all that most of them need.
pub(super) struct Head<'e> {
    pub(super) kind: Piece<'e>,
    pub(super) delta: Piece<'e>,
    pub(super) sequence_number: Option<u64>,
}

/// What events about tool calls have besides, and those that end an answer.
pub(super) struct Fields<'e> {
    pub(super) output_index: Option<u64>,
    pub(super) item_id: Piece<'e>,
    /// The tool's name and all arguments, of the event that ends them.
    pub(super) name: Piece<'e>,
    pub(super) arguments: Piece<'e>,
    /// The whole refusal, of the event that ends it.
    pub(super) refusal: Piece<'e>,
    pub(super) item: CallItem<'e>,
    pub(super) response: Response<'e>,
    pub(super) failure: Option<Failure<'e>>,
}

/// An output item, as far as it is a tool call.
pub(super) struct CallItem<'e> {
    pub(super) kind: Piece<'e>,
    pub(super) id: Piece<'e>,
    pub(super) call_id: Piece<'e>,
    pub(super) name: Piece<'e>,
    pub(super) arguments: Piece<'e>,
}

/// The response object of the first and of the last events.
pub(super) struct Response<'e> {
    pub(super) status: Piece<'e>,
    pub(super) incomplete_reason: Piece<'e>,
    pub(super) failure: Option<Failure<'e>>,
    pub(super) usage: Usage,
    pub(super) is_background: Option<bool>,
}

impl<'e> Head<'e> {
    /// Reads the event, and so tells whether it is JSON.
    #[inline]
    pub(super) fn read(data: &'e [u8]) -> Result<Self, JsonError> {
        let mut json = Json::new(data);
        let (mut kind, mut delta) = (Piece::EMPTY, Piece::EMPTY);
        let mut sequence_number = None;
        if json.enter_object() {
            members!(json,
                b"type" => kind = json.text(),
                b"delta" => delta = json.text(),
                b"sequence_number" => sequence_number = json.number(),
            );
        }
        json.end()?;
        Ok(Head {
            kind,
            delta,
            sequence_number,
        })
    }
}

impl<'e> Fields<'e> {
    /// Reads an event that is known to be JSON.
    pub(super) fn read(data: &'e [u8]) -> Self {
        let mut fields = Fields {
            output_index: None,
            item_id: Piece::EMPTY,
            name: Piece::EMPTY,
            arguments: Piece::EMPTY,
            refusal: Piece::EMPTY,
            item: CallItem::NOTHING,
            response: Response::NOTHING,
            failure: None,
        };
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"output_index" => fields.output_index = json.number(),
                b"item_id" => fields.item_id = json.text(),
                b"name" => fields.name = json.text(),
                b"arguments" | b"input" => fields.arguments = json.text(),
                b"refusal" => fields.refusal = json.text(),
                b"item" => fields.item = CallItem::read(&mut json),
                b"response" => fields.response = Response::read(&mut json),
                b"error" => fields.failure = Failure::read(&mut json),
            );
        }
        fields
    }

    /// What tells calls apart: their place in the output, or what stands for it
    /// where a gateway leaves that out.
    pub(super) fn key(&self) -> u32 {
        match self.output_index {
            Some(index) => u32::try_from(index).unwrap_or(u32::MAX),
            None if self.item_id.is_empty() => digest(self.item.id.raw()),
            None => digest(self.item_id.raw()),
        }
    }
}

/// A number for an id, apart from those that count items (FNV-1a).
fn digest(id: &[u8]) -> u32 {
    let digest = id.iter().fold(0x811C_9DC5_u32, |digest, byte| {
        (digest ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    digest | 1 << 31
}

impl<'e> CallItem<'e> {
    const NOTHING: CallItem<'static> = CallItem {
        kind: Piece::EMPTY,
        id: Piece::EMPTY,
        call_id: Piece::EMPTY,
        name: Piece::EMPTY,
        arguments: Piece::EMPTY,
    };

    pub(super) fn read(json: &mut Json<'e>) -> Self {
        let mut item = CallItem::NOTHING;
        if json.enter_object() {
            members!(json,
                b"type" => item.kind = json.text(),
                b"id" => item.id = json.text(),
                b"call_id" => item.call_id = json.text(),
                b"name" => item.name = json.text(),
                b"arguments" | b"input" | b"code" => item.arguments = json.text(),
            );
        }
        item
    }

    /// Whether it has arguments; searches and generated images have none.
    pub(super) fn is_call(&self) -> bool {
        self.is_for_client() || self.kind == "mcp_call" || self.kind == "code_interpreter_call"
    }

    /// Whether the caller has to run it.
    pub(super) fn is_for_client(&self) -> bool {
        let kinds = [
            "function_call",
            "custom_tool_call",
            "shell_call",
            "local_shell_call",
            "computer_call",
            "apply_patch_call",
        ];
        kinds.iter().any(|kind| self.kind == *kind)
    }

    pub(super) fn call_id(&self) -> Piece<'e> {
        match self.call_id.is_empty() {
            true => self.id,
            false => self.call_id,
        }
    }

    pub(super) fn name(&self) -> Piece<'e> {
        match self.name.is_empty() {
            true => self.kind,
            false => self.name,
        }
    }
}

impl<'e> Response<'e> {
    const NOTHING: Response<'static> = Response {
        status: Piece::EMPTY,
        incomplete_reason: Piece::EMPTY,
        failure: None,
        usage: Usage::UNKNOWN,
        is_background: None,
    };

    pub(super) fn read(json: &mut Json<'e>) -> Self {
        let mut response = Response::NOTHING;
        if json.enter_object() {
            members!(json,
                b"status" => response.status = json.text(),
                b"error" => response.failure = Failure::read(json),
                b"incomplete_details" => response.incomplete_reason = json.text_of(b"reason"),
                b"usage" => response.usage = read_usage(json),
                b"background" => response.is_background = Some(json.is_true()),
            );
        }
        response
    }
}

/// Reads token counts under the names that this API and Anthropic's share.
pub(crate) fn read_usage(json: &mut Json<'_>) -> Usage {
    let mut usage = Usage::UNKNOWN;
    if json.enter_object() {
        members!(json,
            b"input_tokens" => usage.input_tokens = json.number(),
            b"output_tokens" => usage.output_tokens = json.number(),
        );
    }
    usage
}
