//! JSON -> a failure, wherever it stands.
//!
//! Rules:
//!
//! - A truthy `error` is a failure: a string, or an object with anything in
//!   it. `error` within `error` tells more. So do the members of `errors`.
//! - `type` or `object` that is "error" is a failure.
//! - A vendor's `error_code` or `base_resp.status_code` is one, unless it says
//!   that all is well: 0, 200, "success".
//! - `code` with `message`, and FastAPI's `detail` (a string or a list), are
//!   one only where none of the API's output keys stands beside them; a code
//!   that says that all is well is none.
//! - An event of the type `error` is one whatever it holds, plain text too.

use super::json::{at, list};
use serde_json::Value;

/// A failure as far as it was told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: String,
    pub(super) message: String,
}

/// The failure in an object, if there is one.
pub(super) fn find(value: &Value, output_keys: &[&str]) -> Option<Fault> {
    let is_named = value["type"] == "error" || value["object"] == "error";
    let is_output = output_keys.iter().any(|key| value.get(key).is_some());
    let is_flat = !says_well(&value["code"]) && value["message"].as_str().is_some_and(is_filled);
    let is_detail = match &value["detail"] {
        Value::String(text) => is_filled(text),
        Value::Array(parts) => !parts.is_empty(),
        _ => false,
    };
    let is_vendors = VENDORS.iter().any(|path| !says_well(at(value, path)));
    let is_fault = is_truthy(&value["error"])
        || !list(&value["errors"]).is_empty()
        || is_named
        || is_vendors
        || (!is_output && (is_flat || is_detail));
    is_fault.then(|| details(value))
}

/// What `value` tells of a failure, of which it is known that it is one.
pub(super) fn details(value: &Value) -> Fault {
    if let Value::Array(parts) = value {
        return parts.first().map(details).unwrap_or_default();
    }
    if !value.is_object() {
        return Fault {
            code: String::new(),
            message: value.as_str().unwrap_or("").to_owned(),
        };
    }
    let within = ["error", "errors", "detail", "base_resp"]
        .iter()
        .map(|key| &value[*key])
        .find(|inner| is_truthy(inner))
        .map(details)
        .unwrap_or_default();
    Fault {
        code: first_of([within.code, first_told(value, CODES)]),
        message: first_of([within.message, first_told(value, MESSAGES)]),
    }
}

/// Neither null, false, 0, "" nor empty.
pub(super) fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_true) => *is_true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => is_filled(text),
        Value::Array(parts) => !parts.is_empty(),
        Value::Object(members) => !members.is_empty(),
    }
}

/// No code at all, or one that means success.
fn says_well(code: &Value) -> bool {
    match code {
        Value::Number(number) => matches!(number.as_f64(), Some(0.0 | 200.0)),
        Value::String(text) => {
            ["", "0", "200", "success"].contains(&text.trim().to_lowercase().as_str())
        }
        _ => true,
    }
}

fn first_told(value: &Value, keys: &[&str]) -> String {
    let told = keys.iter().map(|key| match &value[*key] {
        Value::String(text) if text != "error" => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    });
    told.into_iter()
        .find(|text| is_filled(text))
        .unwrap_or_default()
}

fn first_of(texts: [String; 2]) -> String {
    texts
        .into_iter()
        .find(|text| is_filled(text))
        .unwrap_or_default()
}

fn is_filled(text: &str) -> bool {
    !text.is_empty()
}

const CODES: &[&str] = &["code", "error_code", "status_code", "type", "status"];
const MESSAGES: &[&str] = &["message", "msg", "error_msg", "status_msg", "detail"];
const VENDORS: &[&[&str]] = &[&["error_code"], &["base_resp", "status_code"]];
