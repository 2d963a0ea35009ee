//! Stage 2, the fields of a Responses event: its JSON in, pieces of it out.

use super::items::OutputItem;
use crate::failure::Failure;
use crate::fault::JsonError;
use crate::json::{Json, members};
use crate::piece::Piece;
use crate::reading::Known;
use crate::usage::{Count, Told};

/// What every event has, and all that most of them need.
pub(super) struct Head<'e> {
    pub(super) kind: Piece<'e>,
    pub(super) delta: Piece<'e>,
    pub(super) item_id: Piece<'e>,
    /// It is the item that was at hand last, whose id was not read.
    pub(super) is_of_last_item: bool,
    pub(super) sequence_number: Option<u64>,
    pub(super) output_index: Option<u64>,
    pub(super) content_index: Option<u64>,
    pub(super) summary_index: Option<u64>,
}

/// What events about items have besides, and those that end an answer.
pub(super) struct Fields<'e> {
    /// The tool's name and all arguments, of the event that ends them.
    pub(super) name: Piece<'e>,
    pub(super) arguments: Piece<'e>,
    /// The whole text or refusal, of the event that ends it.
    pub(super) text: Piece<'e>,
    pub(super) refusal: Piece<'e>,
    pub(super) part: &'e [u8],
    pub(super) item: OutputItem<'e>,
    pub(super) response: Response<'e>,
    pub(super) failure: Option<Failure<'e>>,
}

/// The response object of the first and of the last events.
pub(super) struct Response<'e> {
    pub(super) id: Piece<'e>,
    pub(super) model: Piece<'e>,
    pub(super) status: Piece<'e>,
    pub(super) incomplete_reason: Piece<'e>,
    pub(super) failure: Option<Failure<'e>>,
    pub(super) usage: Told,
    pub(super) is_background: Option<bool>,
    pub(super) output: &'e [u8],
}

impl<'e> Head<'e> {
    /// Reads the event once more, with what was known of it.
    #[inline(never)]
    pub(super) fn read_all(data: &'e [u8]) -> Result<Self, JsonError> {
        Head::read(data, Known::NOTHING)
    }

    /// Reads the event, and so tells whether it is JSON.
    #[cfg_attr(not(target_os = "none"), inline(always))]
    pub(super) fn read(data: &'e [u8], known: Known<'_>) -> Result<Self, JsonError> {
        let mut json = Json::new(data);
        let mut head = Head {
            kind: Piece::EMPTY,
            delta: Piece::EMPTY,
            item_id: Piece::EMPTY,
            is_of_last_item: false,
            sequence_number: None,
            output_index: None,
            content_index: None,
            summary_index: None,
        };
        if json.enter_object() {
            members!(hot json,
                b"type" => if !json.skip_known(known.event_type) {
                    head.kind = json.text();
                },
                b"delta" => head.delta = json.text(),
                b"sequence_number" => head.sequence_number = json.number(),
                b"item_id" => {
                    head.is_of_last_item = json.skip_known(known.item_id);
                    if !head.is_of_last_item {
                        head.item_id = json.text();
                    }
                },
                b"output_index" => head.output_index = json.number(),
                b"content_index" => head.content_index = json.number(),
                b"summary_index" => head.summary_index = json.number(),
            );
        }
        json.end()?;
        Ok(head)
    }
}

impl<'e> Fields<'e> {
    /// Reads an event that is known to be JSON.
    pub(super) fn read(data: &'e [u8]) -> Self {
        let mut fields = Fields {
            name: Piece::EMPTY,
            arguments: Piece::EMPTY,
            text: Piece::EMPTY,
            refusal: Piece::EMPTY,
            part: &[],
            item: OutputItem::NOTHING,
            response: Response::NOTHING,
            failure: None,
        };
        let mut json = Json::new(data);
        if json.enter_object() {
            members!(json,
                b"name" => fields.name = json.text(),
                b"arguments" | b"input" | b"code" => fields.arguments = json.text(),
                b"text" => fields.text = json.text(),
                b"refusal" => fields.refusal = json.text(),
                b"part" => fields.part = json.value(),
                b"item" => fields.item = OutputItem::read(&mut json),
                b"response" => fields.response = Response::read(&mut json),
                b"error" => fields.failure = Failure::read(&mut json),
            );
        }
        fields
    }
}

impl<'e> Response<'e> {
    const NOTHING: Response<'static> = Response {
        id: Piece::EMPTY,
        model: Piece::EMPTY,
        status: Piece::EMPTY,
        incomplete_reason: Piece::EMPTY,
        failure: None,
        usage: Told::NOTHING,
        is_background: None,
        output: &[],
    };

    fn read(json: &mut Json<'e>) -> Self {
        let mut response = Response::NOTHING;
        if json.enter_object() {
            members!(json,
                b"id" => response.id = json.text(),
                b"model" => response.model = json.text(),
                b"status" => response.status = json.text(),
                b"error" => response.failure = Failure::read(json),
                b"incomplete_details" => response.incomplete_reason = json.text_of(b"reason"),
                b"usage" => response.usage = read_usage(json),
                b"background" => response.is_background = Some(json.is_true()),
                b"output" => response.output = json.value(),
            );
        }
        response
    }
}

/// Reads token counts under the names that this API, Anthropic's and Cohere's
/// share.
pub(crate) fn read_usage(json: &mut Json<'_>) -> Told {
    let mut told = Told::NOTHING;
    if json.enter_object() {
        members!(json,
            b"input_tokens" => told.set(Count::Input, json.number()),
            b"output_tokens" => told.set(Count::Output, json.number()),
            b"total_tokens" => told.set(Count::Total, json.number()),
            b"input_tokens_details" => {
                told.set(Count::InputCached, json.number_of(b"cached_tokens"));
            },
            b"output_tokens_details" => {
                told.set(Count::OutputReasoning, json.number_of(b"reasoning_tokens"));
            },
            b"cached_tokens" => told.set(Count::InputCached, json.number()),
            b"cache_read_input_tokens" => told.set(Count::InputCached, json.number()),
            b"cache_creation_input_tokens" => told.set(Count::InputCacheWritten, json.number()),
        );
    }
    told
}
