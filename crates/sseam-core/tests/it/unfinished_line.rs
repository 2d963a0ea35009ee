//! The line that the end of input left unterminated, and what `End` counts of
//! lines and blocks that were no events: streams that break off come in.

use proptest::prelude::*;
use sseam_core::{
    Counters, End, Engine, Error, Item, Items, Limits, LineView, Memory, Overflow, Parser, Step,
};
use sseam_testkit::split;

use crate::engines::{self, Grown, Owned};
use crate::law1::{config, stream};

/// A stream, the lines that were ignored and ended, and the one that did not end.
type Case = (&'static [u8], u64, Option<&'static [u8]>);

const CASES: &[Case] = &[
    (b"", 0, None),
    (b"x", 0, Some(b"x")),
    (b"no field", 0, Some(b"no field")),
    (b"no: field", 0, Some(b"no: field")),
    (b"x\n", 1, None),
    (b"x\r", 1, None),
    (b"x\r\n", 1, None),
    (b"x\ny", 1, Some(b"y")),
    (b"x\ry", 1, Some(b"y")),
    (b"x\r\ny", 1, Some(b"y")),
    (b"{\n\"error\": 1\r\n\"code\": 2\r}", 3, Some(b"}")),
    (b"data: a\n\nwhat is this", 0, Some(b"what is this")),
    (b"data: a\r\n\r\n{\"error\": 1}", 0, Some(b"{\"error\": 1}")),
    (b"data: a\nwhat", 0, Some(b"what")),
    (b"one\n\ndata: a\n\ntwo\ndata: b\nthree", 2, Some(b"three")),
    // Beginnings of known names are unknown names; whole ones are known.
    (b"d", 0, Some(b"d")),
    (b"dat", 0, Some(b"dat")),
    (b"data", 0, None),
    (b"data:", 0, None),
    (b"data: a", 0, None),
    (b"datas", 0, Some(b"datas")),
    (b"data :", 0, Some(b"data :")),
    (b"even", 0, Some(b"even")),
    (b"event", 0, None),
    (b"event: x", 0, None),
    (b"events", 0, Some(b"events")),
    (b"i", 0, Some(b"i")),
    (b"id", 0, None),
    (b"id: 1\0", 0, None),
    (b"id: 1\0\n", 1, None),
    (b"retr", 0, Some(b"retr")),
    (b"retry", 0, None),
    (b"retry: x", 0, None),
    (b"retry: x\nretry\n", 2, None),
    (b"dbta: a", 0, Some(b"dbta: a")),
    (b" data: a", 0, Some(b" data: a")),
    (b":", 0, None),
    (b": x", 0, None),
    (b"x\n: a comment", 1, None),
    (b": a comment that is longer\nx", 0, Some(b"x")),
    // A byte-order mark, its beginning, and what only begins like one.
    (b"\xEF", 0, None),
    (b"\xEF\xBB", 0, None),
    (b"\xEF\xBB\xBF", 0, None),
    (b"\xEF\xBB\xBFx", 0, Some(b"x")),
    (b"\xEF\xBB\xBFdat", 0, Some(b"dat")),
    (b"\xEF\xBB\xBF\xEF", 0, Some(b"\xEF")),
    (b"\xEF\xBB\xBFx\n\xEF\xBB", 1, Some(b"\xEF\xBB")),
    (b"\xEF\xBBx", 0, Some(b"\xEF\xBBx")),
    (b"\n\xEF", 0, Some(b"\xEF")),
    // At `comment_len_max` and one over.
    (b"four", 0, Some(b"four")),
    (b"fives", 0, Some(b"fives")),
    (b"data: a\n\nfives", 0, Some(b"fives")),
    (&[b'x'; 256], 0, Some(&[b'x'; 256])),
    (&[b'x'; 257], 0, Some(&[b'x'; 257])),
];

#[test]
fn unfinished_lines() {
    for &(stream, ended, line) in CASES {
        for comment_len_max in [0, 4, 256] {
            check(stream, comment_len_max, ended, line);
        }
    }
}

/// Runs a stream at every cut, for events and for items, in fixed and in growing
/// memory.
#[track_caller]
fn check(stream: &[u8], comment_len_max: usize, ended: u64, line: Option<&[u8]>) {
    let limits = Limits {
        comment_len_max,
        ..Limits::SMALL
    };
    let shown = line.map(|line| LineView::new(first(line, comment_len_max), line.len() as u64));
    let unseen = line.map(|line| LineView::new(b"", line.len() as u64));
    for cut in split::every(stream) {
        for (wants_items, line) in [(true, shown), (false, unseen)] {
            let memory = Owned(vec![0x55; limits.memory_len()]);
            let fixed = Parser::new(memory, limits).expect("memory of that length");
            ends_with(fixed, &cut.chunks, wants_items, ended, line);
            let growing = Parser::growing(Grown::default(), limits);
            ends_with(growing, &cut.chunks, wants_items, ended, line);
        }
    }
}

#[track_caller]
fn ends_with<M: Memory>(
    mut parser: Parser<M>,
    chunks: &[&[u8]],
    wants_items: bool,
    ended: u64,
    line: Option<LineView<'_>>,
) {
    assert_eq!(feed(&mut parser, chunks, wants_items), Ok(()));
    assert_eq!(parser.unfinished_line(), None, "before the end");
    let end = parser.finish();
    let ignored = ended + u64::from(line.is_some());
    let what = format!("{chunks:?}, items: {wants_items}");
    assert_eq!(parser.unfinished_line(), line, "{what}");
    assert_eq!((end.ignored, end.skipped), (ignored, 0), "{what}");
    assert_eq!(parser.counters().ignored_lines, ended, "{what}");
    assert!(line.is_none() || end.line);
    assert!(parser.take_unfinished().is_ok());
    assert_eq!(parser.finish(), end);
    assert_eq!(parser.unfinished_line(), line, "{what}, taken");
    parser.reset();
    assert_eq!(parser.unfinished_line(), None, "after a reset");
    assert_eq!(parser.finish(), End::at(0));
    assert_eq!(parser.unfinished_line(), None, "of a new stream");
}

/// Feeds all chunks, up to an error.
fn feed<M: Memory>(
    parser: &mut Parser<M>,
    chunks: &[&[u8]],
    wants_items: bool,
) -> Result<(), Error> {
    let mut items = Vec::new();
    chunks
        .iter()
        .try_for_each(|chunk| engines::drain(parser, &mut &**chunk, wants_items, &mut items))
}

fn first(line: &[u8], len_max: usize) -> &[u8] {
    &line[..line.len().min(len_max)]
}

proptest! {
    #![proptest_config(config())]

    /// A line that the end of input left is the item that a line end would have
    /// told, but for fields whose name is known.
    #[test]
    fn an_unfinished_line_is_what_a_line_end_would_have_told(
        stream in stream(),
        share in 0..=100_usize,
        seed in any::<u64>(),
        limits in limits(),
    ) {
        let stream = &stream[..stream.len() * share / 100];
        let mut parser = Parser::growing(Grown::default(), limits);
        let mut ended = Parser::growing(Grown::default(), limits);
        let result = feed(&mut parser, &split::random(stream, seed).chunks, true);
        prop_assert_eq!(feed(&mut ended, &[stream], true), result);
        let end = parser.finish();
        let told = if result.is_ok() { ended.next_item(&mut &b"\n"[..]) } else { Ok(None) };
        let expected = match told {
            Ok(Some(Item::Ignored(line))) if !is_known(line, stream) => Some(line),
            _ => None,
        };
        prop_assert_eq!(parser.unfinished_line(), expected);
        let Counters { ignored_lines, skipped, .. } = parser.counters();
        let ignored = ignored_lines + u64::from(expected.is_some());
        prop_assert_eq!((end.ignored, end.skipped), (ignored, skipped));
    }
}

/// Whether a line that was ignored is not so for its name, or is the beginning
/// of a byte-order mark.
fn is_known(line: LineView<'_>, stream: &[u8]) -> bool {
    let prefix = line.prefix().as_bytes();
    prefix == b"retry"
        || prefix.starts_with(b"retry:")
        || prefix.starts_with(b"id:")
        || b"\xEF\xBB\xBF".starts_with(stream)
}

fn limits() -> impl Strategy<Value = Limits> {
    let lens = (6..40_usize, 0..12_usize, 6..20_usize);
    (lens, any::<bool>()).prop_map(|(lens, skips)| Limits {
        line_len_max: lens.0,
        data_len_max: lens.1,
        comment_len_max: lens.2,
        overflow: if skips {
            Overflow::Skip
        } else {
            Overflow::Stop
        },
        ..Limits::SMALL
    })
}

#[test]
fn skipped_blocks_are_counted_to_the_end_of_the_stream() {
    let limits = Limits {
        data_len_max: 2,
        comment_len_max: 4,
        overflow: Overflow::Skip,
        ..Limits::SMALL
    };
    let stream = b"data: abc\nx\n\ndata: a\n\ndata: abc\ny\n\ndata: abc\nzzzzz";
    for cut in split::every(stream) {
        for wants_items in [true, false] {
            let mut parser = Parser::<[u8; 1024]>::with_array(limits);
            assert_eq!(feed(&mut parser, &cut.chunks, wants_items), Ok(()));
            let end = parser.finish();
            let prefix: &[u8] = if wants_items { b"zzzz" } else { b"" };
            assert_eq!((end.ignored, end.skipped), (3, 2), "{cut}");
            assert_eq!(
                parser.unfinished_line(),
                Some(LineView::new(prefix, 5)),
                "{cut}"
            );
            parser.reset();
            assert_eq!(parser.finish(), End::at(0));
        }
    }
}

#[test]
fn after_a_limit_no_line_is_unfinished() {
    let limits = Limits {
        line_len_max: 4,
        comment_len_max: 4,
        ..Limits::SMALL
    };
    for cut in split::every(b"x\nfives") {
        let mut parser = Parser::<[u8; 1024]>::with_array(limits);
        assert!(feed(&mut parser, &cut.chunks, true).is_err());
        assert_eq!(parser.finish().ignored, 1);
        assert_eq!(parser.unfinished_line(), None);
    }
}

/// Of a block that lost bytes no line is believed, and so none is told.
#[test]
fn after_a_loss_no_line_is_unfinished_up_to_a_blank_line() {
    let limits = Limits {
        comment_len_max: 4,
        ..Limits::SMALL
    };
    for (rest, expected) in [
        (&b""[..], (0, 0)),
        (b"x", (0, 0)),
        (b"\nx", (0, 0)),
        (b"x\ny\nz", (0, 0)),
        (b"\n\nx", (1, 1)),
    ] {
        for cut in split::every(rest) {
            let mut parser = Parser::<[u8; 1024]>::with_array(limits);
            assert_eq!(feed(&mut parser, &[b"what"], true), Ok(()));
            parser.resync();
            assert_eq!(feed(&mut parser, &cut.chunks, true), Ok(()));
            let end = parser.finish();
            assert_eq!((end.ignored, end.skipped), expected, "{rest:?} {cut}");
            let line = (end.ignored > 0).then_some(LineView::new(b"x", 1));
            assert_eq!(parser.unfinished_line(), line);
        }
    }
}

/// A prefix is shown where lines were wanted from its line's first byte to the
/// end, and never another line's bytes.
#[test]
fn a_line_is_shown_if_every_step_wanted_lines() {
    let limits = Limits {
        comment_len_max: 8,
        ..Limits::SMALL
    };
    let chunks: [&[u8]; 3] = [b": an old comment\nwh", b"at", b" is"];
    for wanted in 0..8_u8 {
        let mut parser = Parser::<[u8; 1024]>::with_array(limits);
        for (index, chunk) in chunks.iter().enumerate() {
            let wants_items = wanted >> index & 1 == 1;
            assert_eq!(feed(&mut parser, &[chunk], wants_items), Ok(()));
        }
        parser.finish();
        let prefix: &[u8] = if wanted == 7 { b"what is" } else { b"" };
        assert_eq!(parser.unfinished_line(), Some(LineView::new(prefix, 7)));
    }
}

/// What memory was short for was not taken, and is not told.
#[test]
fn a_line_that_memory_was_short_for_is_not_told() {
    let mut engine = Engine::growing(Limits {
        comment_len_max: 8,
        ..Limits::SMALL
    });
    let (used, step) = engine.step(&mut [], b"what", Items::ALL);
    assert_eq!((used, step), (0, Step::NeedMemory));
    let end = engine.finish(&[]);
    assert_eq!((end.ignored, end.offset), (0, 0));
    assert_eq!(engine.unfinished_line(&[]), None);
}

#[test]
fn an_end_that_no_parser_saw_is_clean() {
    let mut end = End::at(7);
    assert_eq!((end.offset, end.ignored, end.skipped), (7, 0, 0));
    assert!(end.is_clean());
    (end.ignored, end.skipped) = (1, 2);
    assert!(end.is_clean(), "what was ignored was not thrown away");
    end.id = true;
    assert!(end.is_truncated());
}
