//! What is fed to every parser: a name and a length in, the bytes of a stream
//! out, with the events that are in it.
//!
//! The streams are made up by a generator with a fixed seed, so that they are
//! the same on every machine. The generator knows each event before it writes
//! it, which is why the expected digest needs no parser.

use crate::digest::{Digest, hash};
use crate::pins;

/// Bytes of a corpus whose instructions are counted, at least.
pub const COUNTED_LEN: usize = 256 * 1024;
/// Bytes of a corpus that is timed, at least.
pub const TIMED_LEN: usize = 4 * 1024 * 1024;

/// A stream and what is in it.
#[derive(Debug, Clone, Copy)]
pub struct Corpus {
    /// Its name in tables and on command lines.
    pub name: &'static str,
    /// The stream. Leaked, because some parsers want chunks that live for ever.
    pub bytes: &'static [u8],
    /// Count and hash of its events.
    pub expected: Digest,
    /// Blocks that end with a blank line: events, or heartbeats. The unit of
    /// "per event" in every table.
    pub blocks: u64,
    /// For each event, the index after its last byte: the first byte of the
    /// blank line's end. From there on nothing can change the event.
    pub ends: &'static [usize],
}

/// The names of the corpora, in the order of tables.
pub const NAMES: &[&str] = &[
    "chat",
    "responses",
    "anthropic",
    "tiny",
    "chinese",
    "big",
    "multiline",
    "heartbeat",
    "crlf",
];

/// One event of one long line, which nothing may look at twice.
pub const LINES: &[&str] = &["line64k", "line8m"];

impl Corpus {
    /// The corpus of this name with at least `len` bytes, in whole blocks. The
    /// two of one line have the length that their names say.
    ///
    /// # Panics
    ///
    /// If there is no corpus of that name, or if it is not the one that is
    /// pinned.
    pub fn new(name: &'static str, len: usize) -> Corpus {
        let corpus = Corpus::unchecked(name, len);
        pins::check(&corpus, len);
        corpus
    }

    pub(crate) fn unchecked(name: &'static str, len: usize) -> Corpus {
        match name {
            "line64k" => Corpus::line(name, 64 * 1024),
            "line8m" => Corpus::line(name, 8 * 1024 * 1024),
            _ => Corpus::repeated(name, len),
        }
    }

    fn repeated(name: &'static str, len: usize) -> Corpus {
        let mut writer = Writer::new(if name == "crlf" { "\r\n" } else { "\n" });
        while writer.bytes.len() < len {
            match name {
                "chat" => writer.chat(),
                "responses" | "crlf" => writer.responses(),
                "anthropic" => writer.anthropic(),
                "tiny" => writer.event("message", &["x"]),
                "chinese" => writer.chinese(),
                "big" => writer.one_line(64 * 1024),
                "multiline" => writer.lines(20, 60),
                "heartbeat" => writer.heartbeat(),
                _ => panic!("no corpus named {name}; there are: {}", NAMES.join(", ")),
            }
        }
        if name == "chat" {
            writer.event("message", &["[DONE]"]);
        }
        writer.finish(name)
    }

    /// One `data` line of that many bytes, for the proof of linearity.
    fn line(name: &'static str, len: usize) -> Corpus {
        let mut writer = Writer::new("\n");
        writer.one_line(len);
        writer.finish(name)
    }

    /// The hash of the stream itself.
    pub fn bytes_hash(&self) -> u64 {
        hash(self.bytes)
    }
}

/// Writes a stream, and notes what is in it.
struct Writer {
    bytes: Vec<u8>,
    line_end: &'static str,
    expected: Digest,
    blocks: u64,
    ends: Vec<usize>,
    random: Random,
}

impl Writer {
    fn new(line_end: &'static str) -> Writer {
        Writer {
            bytes: Vec::new(),
            line_end,
            expected: Digest::new(),
            blocks: 0,
            ends: Vec::new(),
            random: Random(0x5353_4541_4D00_0001),
        }
    }

    fn finish(self, name: &'static str) -> Corpus {
        Corpus {
            name,
            bytes: self.bytes.leak(),
            expected: self.expected,
            blocks: self.blocks,
            ends: self.ends.leak(),
        }
    }

    fn write_line(&mut self, name: &str, value: &str) {
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(value.as_bytes());
        self.bytes.extend_from_slice(self.line_end.as_bytes());
    }

    fn event(&mut self, event_type: &str, lines: &[&str]) {
        if event_type != "message" {
            self.write_line("event: ", event_type);
        }
        for line in lines {
            self.write_line("data: ", line);
        }
        self.ends.push(self.bytes.len() + 1);
        self.write_line("", "");
        self.blocks += 1;
        let data = lines.join("\n");
        self.expected.add(event_type.as_bytes(), data.as_bytes());
    }

    fn chat(&mut self) {
        let word = self.random.word();
        let data = format!(
            "{{\"id\":\"chatcmpl-B9xQd3vKpWm2TzLr8HsYb41qRt\",\"object\":\"chat.completion.chunk\",\
             \"created\":1764201600,\"model\":\"gpt-4.1-mini-2025-04-14\",\
             \"system_fingerprint\":\"fp_44add\",\"choices\":[{{\"index\":0,\"delta\":\
             {{\"content\":\" {word}\"}},\"logprobs\":null,\"finish_reason\":null}}]}}"
        );
        self.event("message", &[&data]);
    }

    fn responses(&mut self) {
        let word = self.random.word();
        let sequence = 100 + self.blocks;
        let data = format!(
            "{{\"type\":\"response.output_text.delta\",\"sequence_number\":{sequence},\
             \"item_id\":\"msg_68a1f0c2b7d4819e8d3a5f60b7c1\",\"output_index\":0,\
             \"content_index\":0,\"delta\":\" {word}\",\"obfuscation\":\"kQ7xZp2vLs9dGh3W\"}}"
        );
        self.event("response.output_text.delta", &[&data]);
    }

    fn anthropic(&mut self) {
        let [word, next, last] = [(); 3].map(|()| self.random.word());
        let data = format!(
            "{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":\
             {{\"type\":\"text_delta\",\"text\":\" {word} {next} {last}\"}}}}"
        );
        self.event("content_block_delta", &[&data]);
    }

    fn chinese(&mut self) {
        let (first, second) = (self.random.phrase(), self.random.phrase());
        let data = format!(
            "{{\"index\":100,\"role\":null,\"delta\":{{\"text\":\"{first}，{second}。\"}}}}"
        );
        self.event("message", &[&data]);
    }

    fn one_line(&mut self, len: usize) {
        let letters: String = (0..len).map(|_| self.random.letter()).collect();
        self.event("message", &[&letters]);
    }

    fn lines(&mut self, count: usize, len: usize) {
        let lines: Vec<String> = (0..count)
            .map(|_| (0..len).map(|_| self.random.letter()).collect())
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        self.event("message", &lines);
    }

    fn heartbeat(&mut self) {
        self.write_line(": ", "keep-alive");
        self.write_line("", "");
        self.blocks += 1;
    }
}

/// SplitMix64: the same numbers everywhere, for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn letter(&mut self) -> char {
        char::from(b"abcdefghijklmnopqrstuvwxyz     0123456789{}\":,"[self.below(46)])
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len())]
    }

    fn phrase(&mut self) -> &'static str {
        PHRASES[self.below(PHRASES.len())]
    }
}

const WORDS: &[&str] = &[
    "a",
    "is",
    "the",
    "and",
    "with",
    "that",
    "from",
    "bytes",
    "event",
    "stream",
    "before",
    "between",
    "response",
    "character",
    "understanding",
    "approximately",
];

const PHRASES: &[&str] = &[
    "今天天气很好",
    "我们一起去公园",
    "服务器发送事件",
    "字节流被切开",
    "每个字符三个字节",
    "模型正在回答",
    "请稍等一下",
    "这是一个例子",
];
