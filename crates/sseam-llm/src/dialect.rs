//! Stage 0, the dialects: names in, and out.

use core::fmt;
use core::str::FromStr;

/// Which API's events these are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// No API: each event's data is text, and only a clean end is known.
    Plain,
    /// No known API: plain with [`Markers`](crate::Markers) of the caller.
    Custom,
    /// OpenAI Responses.
    OpenAiResponses,
    /// OpenAI Chat Completions, and servers compatible with it.
    OpenAiChat,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini `streamGenerateContent?alt=sse`.
    Gemini,
    /// Gemini Interactions.
    GeminiInteractions,
    /// Cohere v2 chat.
    Cohere,
    /// MCP Streamable HTTP, revisions 2025-03-26 to 2025-11-25.
    Mcp2025,
    /// MCP Streamable HTTP, revision 2026-07-28.
    Mcp2026,
    /// The API is found out from the first event whose shape is known.
    Auto,
}

impl Dialect {
    /// All of them.
    pub const ALL: &'static [Dialect] = &[
        Dialect::Plain,
        Dialect::Custom,
        Dialect::OpenAiResponses,
        Dialect::OpenAiChat,
        Dialect::Anthropic,
        Dialect::Gemini,
        Dialect::GeminiInteractions,
        Dialect::Cohere,
        Dialect::Mcp2025,
        Dialect::Mcp2026,
        Dialect::Auto,
    ];

    /// Its name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Plain => "plain",
            Dialect::Custom => "custom",
            Dialect::OpenAiResponses => "openai-responses",
            Dialect::OpenAiChat => "openai-chat",
            Dialect::Anthropic => "anthropic",
            Dialect::Gemini => "gemini",
            Dialect::GeminiInteractions => "gemini-interactions",
            Dialect::Cohere => "cohere",
            Dialect::Mcp2025 => "mcp-2025",
            Dialect::Mcp2026 => "mcp-2026",
            Dialect::Auto => "auto",
        }
    }

    /// Whether its events have output text at all.
    pub const fn has_text(self) -> bool {
        !matches!(self, Dialect::Mcp2025 | Dialect::Mcp2026)
    }

    /// Whether this build knows it: each API is a feature, all of them on by
    /// default, so that firmware carries the code of its own API alone.
    ///
    /// A turn of a dialect that was left out reads nothing of its events' data,
    /// and its answer is never complete.
    pub const fn is_built_in(self) -> bool {
        match self {
            Dialect::Plain => true,
            Dialect::Custom => cfg!(feature = "custom"),
            Dialect::OpenAiResponses => cfg!(feature = "openai-responses"),
            Dialect::OpenAiChat => cfg!(feature = "openai-chat"),
            Dialect::Anthropic => cfg!(feature = "anthropic"),
            Dialect::Gemini => cfg!(feature = "gemini"),
            Dialect::GeminiInteractions => cfg!(feature = "gemini-interactions"),
            Dialect::Cohere => cfg!(feature = "cohere"),
            Dialect::Mcp2025 | Dialect::Mcp2026 => cfg!(feature = "mcp"),
            Dialect::Auto => cfg!(feature = "auto"),
        }
    }

    /// Whether its data is JSON whose meaning is known.
    pub(crate) const fn is_known_api(self) -> bool {
        !matches!(self, Dialect::Plain | Dialect::Custom)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let mut all = Dialect::ALL.iter().copied();
        all.find(|dialect| dialect.name() == name)
            .ok_or(UnknownDialect)
    }
}

/// No dialect has that name; [`Dialect::ALL`] lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownDialect;

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown dialect; there are:")?;
        Dialect::ALL
            .iter()
            .try_for_each(|dialect| write!(f, " {dialect}"))
    }
}

impl core::error::Error for UnknownDialect {}

/// What counts as the end of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Mode {
    /// What first-party servers and well-behaved compatible ones send.
    #[default]
    Default,
    /// Everything that the API's own documents promise.
    Strict,
    /// The first thing that says why the answer ended; for careless proxies.
    Lenient,
}

impl Mode {
    /// Its name, as the command line takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Default => "default",
            Mode::Strict => "strict",
            Mode::Lenient => "lenient",
        }
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Self, UnknownMode> {
        let mut all = [Mode::Default, Mode::Strict, Mode::Lenient].into_iter();
        all.find(|mode| mode.name() == name).ok_or(UnknownMode)
    }
}

/// No mode has that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownMode;

impl fmt::Display for UnknownMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown mode; there are: default strict lenient")
    }
}

impl core::error::Error for UnknownMode {}
