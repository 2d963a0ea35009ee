//! Stage 2, what a body can be that is no event stream: words for people and for
//! programs, and what to do about it.

/// What a body is that is no event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Foreign {
    /// An HTTP response whose head was taken for the body.
    HttpHead,
    /// An HTTP body in chunks that nobody took apart.
    ChunkSizes,
    /// Data compressed by gzip.
    Gzip,
    /// Data compressed by zstd.
    Zstd,
    /// Text in UTF-16, as some shells write it.
    Utf16,
    /// An HTML page.
    Html,
    /// An XML document.
    Xml,
    /// One JSON object in each line.
    Ndjson,
    /// A JSON array, as Gemini streams it if it is not asked for events.
    JsonArray,
    /// A JSON object that tells of an error.
    JsonError,
    /// The whole answer of an AI API, where a stream was asked for or meant to be.
    JsonAnswer,
    /// Any other JSON object.
    Json,
}

impl Foreign {
    /// What it is, for people, with its article.
    pub const fn name(self) -> &'static str {
        match self {
            Foreign::HttpHead => "an HTTP response with its head",
            Foreign::ChunkSizes => "an HTTP body with its chunk sizes left in",
            Foreign::Gzip => "gzip data",
            Foreign::Zstd => "zstd data",
            Foreign::Utf16 => "UTF-16 text",
            Foreign::Html => "an HTML page",
            Foreign::Xml => "an XML document",
            Foreign::Ndjson => "NDJSON, one JSON value per line",
            Foreign::JsonArray => "a JSON array",
            Foreign::JsonError => "a JSON error body",
            Foreign::JsonAnswer => "a whole JSON answer",
            Foreign::Json => "a JSON document",
        }
    }

    /// What it is, for programs: a word that stays.
    pub const fn code(self) -> &'static str {
        match self {
            Foreign::HttpHead => "http_head",
            Foreign::ChunkSizes => "chunk_sizes",
            Foreign::Gzip => "gzip",
            Foreign::Zstd => "zstd",
            Foreign::Utf16 => "utf16",
            Foreign::Html => "html",
            Foreign::Xml => "xml",
            Foreign::Ndjson => "ndjson",
            Foreign::JsonArray => "json_array",
            Foreign::JsonError => "json_error",
            Foreign::JsonAnswer => "json_answer",
            Foreign::Json => "json",
        }
    }

    /// What to do about it.
    pub const fn advice(self) -> &'static str {
        match self {
            Foreign::HttpHead => "save the body alone, with `curl -N` and without `-i`",
            Foreign::ChunkSizes => "save the decoded body, with `curl -N` and without `--raw`",
            Foreign::Gzip => {
                "decompress it first, with `gunzip -c`, or ask with `curl --compressed`"
            }
            Foreign::Zstd => {
                "decompress it first, with `zstd -dc`, or ask with `curl --compressed`"
            }
            Foreign::Utf16 => "save the bytes as they come, with `curl -o` and not with `>`",
            Foreign::Html => "check the address, the proxy and the login: a page came back",
            Foreign::Xml => "check the address and the login: the server sent a document",
            Foreign::Ndjson => {
                "ask for `text/event-stream`; its lines are JSON as they are, without sseam"
            }
            Foreign::JsonArray => {
                "ask for a stream; for Gemini add `alt=sse` to the query of the address"
            }
            Foreign::JsonError => "the request failed: the reason is in the body",
            Foreign::JsonAnswer => {
                "ask with `\"stream\": true` in the request, \
                 and Gemini with `:streamGenerateContent?alt=sse`"
            }
            Foreign::Json => "ask for a stream, mostly with `\"stream\": true` in the request",
        }
    }
}
