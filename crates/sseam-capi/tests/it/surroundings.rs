//! What stands around the parser: versions, names, memory, text, encoder.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use sseam_capi::*;

use crate::engines::{Owned, bytes, defaults, empty_end, empty_item, error_info, feed};

#[test]
fn versions() {
    // SAFETY: the library's own text.
    let text = unsafe { CStr::from_ptr(sseam_version_string()) };
    assert_eq!(text.to_str(), Ok(env!("CARGO_PKG_VERSION")));
    let [major, minor, patch] = [
        SSEAM_VERSION_MAJOR,
        SSEAM_VERSION_MINOR,
        SSEAM_VERSION_PATCH,
    ];
    assert_eq!(sseam_version_number(), major * 65536 + minor * 256 + patch);
    assert_eq!(sseam_abi_version(), SSEAM_ABI_VERSION);
}

#[test]
fn every_status_has_a_name_and_a_meaning_of_its_own() {
    // SAFETY: the library's own text.
    let text = |text: *const c_char| unsafe { CStr::from_ptr(text) }.to_str().unwrap();
    let codes: Vec<Status> = (-11..=9)
        .chain([-99])
        .filter(|code| *code != 1000)
        .collect();
    let mut names: Vec<&str> = codes
        .iter()
        .map(|&code| text(sseam_status_name(code)))
        .collect();
    let mut meanings: Vec<&str> = codes
        .iter()
        .map(|&code| text(sseam_strerror(code)))
        .collect();
    for all in [&mut names, &mut meanings] {
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), codes.len());
        assert!(
            !all.iter()
                .any(|text| text.to_lowercase().contains("unknown"))
        );
    }
    for code in [i32::MIN, -98, 10, i32::MAX] {
        assert_eq!(text(sseam_status_name(code)), "SSEAM_UNKNOWN");
    }
}

#[test]
fn limits_that_fit_into_the_memory_there_is() {
    let mut options = defaults();
    // SAFETY: options that were set up.
    unsafe {
        assert_eq!(sseam_options_fit(&mut options, 4096), SSEAM_OK);
        assert_eq!(sseam_parser_size(&options), 4096);
        assert_eq!(sseam_options_fit(&mut options, 100), SSEAM_ERR_MEMORY);
        assert_eq!(sseam_options_fit(null_mut(), 4096), SSEAM_ERR_ARGUMENT);
    }
    let parser = Owned::lent(&options);
    assert_eq!(
        feed(parser.handle, b"data: x\n\n", &mut empty_item()),
        (9, SSEAM_EVENT)
    );
}

#[test]
fn text_that_is_no_utf8() {
    let strict = Options {
        utf8: SSEAM_UTF8_STRICT,
        ..defaults()
    };
    for (stream, is_text) in [
        (&b"data: \xC3\xA4\n\n"[..], true),
        (b": \xFF\ndata: x\n\n", true),
        (b"data: \xC3\n\n", false),
        (b"data: \xC3\ndata: \xA4\n\n", false),
        (b"event: \xFF\ndata: x\n\n", false),
        (b"id: \xFF\ndata: x\n\n", false),
    ] {
        let stream = [b"data: first\n\n", stream].concat();
        for cut in 0..=stream.len() {
            let parser = Owned::heap(&strict);
            let (mut statuses, mut item) = (Vec::new(), empty_item());
            for mut part in [&stream[..cut], &stream[cut..]] {
                loop {
                    let (used, status) = feed(parser.handle, part, &mut item);
                    part = &part[used..];
                    if status <= SSEAM_OK {
                        statuses.extend((status != SSEAM_OK).then_some(status));
                        break;
                    }
                    statuses.push(status);
                }
            }
            let second = if is_text { SSEAM_EVENT } else { SSEAM_ERR_UTF8 };
            // An error stays, also when there is nothing to be fed.
            let is_twice = !is_text && cut == stream.len();
            let expected = [SSEAM_EVENT, second, second];
            assert_eq!(
                statuses,
                expected[..if is_twice { 3 } else { 2 }],
                "cut at {cut}"
            );
            if !is_text {
                refused_text(&parser, stream.len() as u64);
            }
        }
    }
}

fn refused_text(parser: &Owned, taken: u64) {
    let (mut info, mut stats) = (error_info(), empty_stats());
    // SAFETY: a parser, and places.
    unsafe {
        assert_eq!(sseam_parser_error(parser.handle, &mut info), SSEAM_ERR_UTF8);
        assert_eq!(
            (info.limit, info.offset),
            (SSEAM_LIMIT_NONE, 13),
            "where it began"
        );
        assert_eq!(
            sseam_parser_finish(parser.handle, null_mut()),
            SSEAM_ERR_UTF8
        );
        assert_eq!(sseam_parser_stats(parser.handle, &mut stats), SSEAM_OK);
        assert_eq!(
            (stats.bytes, stats.events),
            (taken, 1),
            "it is not counted as given out"
        );
        assert_eq!(
            sseam_parser_set_last_event_id(parser.handle, c"i".as_ptr().cast(), 1),
            SSEAM_OK
        );
        assert_eq!(
            sseam_parser_error(parser.handle, null_mut()),
            SSEAM_ERR_UTF8,
            "it stays"
        );
        assert_eq!(sseam_parser_reset(parser.handle), SSEAM_OK);
    }
    assert_eq!(
        feed(parser.handle, b"data: x\n\n", &mut empty_item()),
        (9, SSEAM_EVENT)
    );
}

#[test]
fn an_unfinished_event_cut_in_a_character() {
    for (utf8, status) in [
        (SSEAM_UTF8_STRICT, SSEAM_ERR_UTF8),
        (SSEAM_UTF8_PASS, SSEAM_EVENT),
    ] {
        let parser = Owned::heap(&Options { utf8, ..defaults() });
        assert_eq!(
            feed(parser.handle, b"data: \xC3", &mut empty_item()),
            (7, SSEAM_OK)
        );
        // SAFETY: a parser, and places.
        unsafe {
            assert_eq!(
                sseam_parser_finish(parser.handle, &mut empty_end()),
                SSEAM_TRUNCATED
            );
            assert_eq!(
                sseam_parser_take_unfinished(parser.handle, &mut empty_item()),
                status
            );
        }
    }
}

fn empty_stats() -> Stats {
    Stats {
        struct_size: size_of::<Stats>(),
        memory: 0,
        bytes: 0,
        lines: 0,
        events: 0,
        comments: 0,
        ignored_lines: 0,
        skipped: 0,
    }
}

#[test]
fn replacing_broken_text() {
    for text in [
        &b"plain"[..],
        b"",
        b"a\xE2\x82b",
        b"\xFF\xFE",
        b"\xF0\x9F\x98\x80\xF0\x9F\x98",
    ] {
        let expected = String::from_utf8_lossy(text);
        let (mut needed, mut out) = (usize::MAX, vec![0_u8; expected.len() + 1]);
        for capacity in 0..=out.len() {
            out.fill(b'.');
            // SAFETY: two slices.
            let status = unsafe {
                let to = out.as_mut_ptr().cast();
                sseam_utf8_replace(text.as_ptr().cast(), text.len(), to, capacity, &mut needed)
            };
            assert_eq!(needed, expected.len());
            if capacity < needed {
                assert_eq!(
                    (status, &out[..]),
                    (SSEAM_ERR_MEMORY, &vec![b'.'; out.len()][..])
                );
            } else {
                assert_eq!((status, &out[..needed]), (SSEAM_OK, expected.as_bytes()));
            }
        }
    }
    // SAFETY: what is refused is not looked at.
    unsafe {
        assert_eq!(
            sseam_utf8_replace(null(), 1, null_mut(), 0, &mut 0),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_utf8_replace(null(), 0, null_mut(), 1, &mut 0),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_utf8_replace(null(), 0, null_mut(), 0, null_mut()),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_utf8_replace(null(), 0, null_mut(), 0, &mut 0),
            SSEAM_OK
        );
    }
}

fn view(text: &[u8]) -> Str {
    Str {
        ptr: text.as_ptr().cast(),
        len: text.len(),
    }
}

const NONE: Str = Str {
    ptr: null(),
    len: 0,
};

#[test]
fn encoding() {
    let (mut out, mut needed) = ([0_u8; 64], 0);
    let to = out.as_mut_ptr().cast::<c_char>();
    // SAFETY: slices, and a place.
    unsafe {
        let (name, data) = (view(b"note"), view(b"two\r\nlines"));
        let block = b"event: note\nid: 7\ndata: two\ndata: lines\n\n";
        let status = sseam_encode_event(name, data, view(b"7"), to, 64, &mut needed);
        assert_eq!((status, &out[..needed]), (SSEAM_OK, &block[..]));
        let status = sseam_encode_event(name, data, view(b"7"), to, needed - 1, &mut needed);
        assert_eq!((status, needed), (SSEAM_ERR_MEMORY, block.len()));
        let status = sseam_encode_event(NONE, NONE, NONE, to, 64, &mut needed);
        assert_eq!((status, &out[..needed]), (SSEAM_OK, &b"data: \n\n"[..]));
        let status = sseam_encode_event(NONE, NONE, view(b""), to, 64, &mut needed);
        assert_eq!(
            (status, &out[..needed]),
            (SSEAM_OK, &b"id: \ndata: \n\n"[..])
        );
        for wrong in [&b"a\nb"[..], b"a\rb", b"a\0b"] {
            let status = sseam_encode_event(view(wrong), NONE, NONE, to, 64, &mut needed);
            assert_eq!(status, SSEAM_ERR_ARGUMENT);
            let status = sseam_encode_event(NONE, NONE, view(wrong), to, 64, &mut needed);
            assert_eq!(status, SSEAM_ERR_ARGUMENT);
        }
        assert_eq!(
            sseam_encode_comment(view(b"a\nb"), to, 64, &mut needed),
            SSEAM_OK
        );
        assert_eq!(&out[..needed], b": a\n: b\n");
        assert_eq!(sseam_encode_retry(u64::MAX, to, 64, &mut needed), SSEAM_OK);
        assert_eq!(&out[..needed], b"retry: 18446744073709551615\n");
        assert_eq!(
            sseam_encode_retry(1, null_mut(), 0, &mut needed),
            SSEAM_ERR_MEMORY
        );
        assert_eq!(
            sseam_encode_retry(1, null_mut(), 9, &mut needed),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_encode_retry(1, to, 64, null_mut()),
            SSEAM_ERR_ARGUMENT
        );
        let nowhere = Str {
            ptr: null(),
            len: 1,
        };
        assert_eq!(
            sseam_encode_comment(nowhere, to, 64, &mut needed),
            SSEAM_ERR_ARGUMENT
        );
    }
}

/// An allocator that counts, and refuses one call.
struct Books {
    calls: u64,
    refuse: u64,
    /// Calls behind that one that are refused too.
    more: u64,
    refused: u64,
    blocks: i64,
    bytes: i64,
    bytes_max: i64,
}

impl Default for Books {
    fn default() -> Self {
        Books {
            calls: 0,
            refuse: u64::MAX,
            more: 0,
            refused: 0,
            blocks: 0,
            bytes: 0,
            bytes_max: 0,
        }
    }
}

impl Books {
    fn note(&mut self, blocks: i64, bytes: i64) {
        self.blocks += blocks;
        self.bytes += bytes;
        self.bytes_max = self.bytes_max.max(self.bytes);
    }

    fn refuses(&mut self) -> bool {
        self.calls += 1;
        let refuses = self.calls >= self.refuse && self.calls - self.refuse <= self.more;
        self.refused += u64::from(refuses);
        refuses
    }
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut c_void;
    fn free(memory: *mut c_void);
    fn realloc(memory: *mut c_void, size: usize) -> *mut c_void;
}

/// # Safety
///
/// `user` is a `Books`, and the rest is as the allocator's struct says.
unsafe extern "C" fn counted_alloc(user: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the books below.
    let books = unsafe { &mut *user.cast::<Books>() };
    if books.refuses() {
        return null_mut();
    }
    books.note(1, size as i64);
    // SAFETY: any size.
    unsafe { malloc(size) }
}

/// # Safety
///
/// `user` is a `Books`, and the rest is as the allocator's struct says.
unsafe extern "C" fn counted_realloc(
    user: *mut c_void,
    memory: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: the books below.
    let books = unsafe { &mut *user.cast::<Books>() };
    assert!(old > 0 && new > 0);
    if books.refuses() {
        return null_mut();
    }
    books.note(0, new as i64 - old as i64);
    // SAFETY: memory of `malloc`.
    unsafe { realloc(memory, new) }
}

/// # Safety
///
/// `user` is a `Books`, and the rest is as the allocator's struct says.
unsafe extern "C" fn counted_free(user: *mut c_void, memory: *mut c_void, size: usize) {
    // SAFETY: the books below, and memory of `malloc`.
    unsafe {
        (*user.cast::<Books>()).note(-1, -(size as i64));
        free(memory);
    }
}

fn allocator(books: &mut Books, has_realloc: bool) -> Allocator {
    Allocator {
        struct_size: size_of::<Allocator>(),
        alloc: Some(counted_alloc),
        realloc: has_realloc.then_some(counted_realloc),
        free: Some(counted_free),
        user: (books as *mut Books).cast(),
    }
}

/// Types, ids, comments, data in several lines and chunks; then a reset.
fn run(books: &mut Books, has_realloc: bool) -> Vec<u8> {
    let long = "data: 0123456789\n".repeat(2000);
    let stream = format!("event: a type\nid: an id\n: a comment\ndata: x\n\n{long}\ndata: cut");
    let (mut seen, mut item, mut parser) = (Vec::new(), empty_item(), null_mut());
    let hooks = allocator(books, has_realloc);
    let options = Options {
        report: SSEAM_REPORT_COMMENTS,
        ..defaults()
    };
    // SAFETY: hooks that keep their contract.
    while unsafe { sseam_parser_new(&options, &hooks, &mut parser) } != SSEAM_OK {}
    for chunk in stream.as_bytes().chunks(61) {
        let mut rest = chunk;
        loop {
            let (used, status) = feed(parser, rest, &mut item);
            rest = &rest[used..];
            match status {
                SSEAM_OK => break,
                SSEAM_ERR_MEMORY => {}
                _ => seen.extend([bytes(item.r#type), bytes(item.data)].concat()),
            }
        }
    }
    // SAFETY: a parser, and places.
    unsafe {
        assert_eq!(
            sseam_parser_finish(parser, &mut empty_end()),
            SSEAM_TRUNCATED
        );
        while sseam_parser_take_unfinished(parser, &mut item) != SSEAM_EVENT {}
        seen.extend(bytes(item.data));
        let mut stats = empty_stats();
        assert_eq!(sseam_parser_reset(parser), SSEAM_OK);
        assert_eq!(sseam_parser_stats(parser, &mut stats), SSEAM_OK);
        assert!(
            stats.memory <= 4096 || books.refused > 0,
            "{} kept",
            stats.memory
        );
        sseam_parser_free(parser);
    }
    seen
}

#[test]
fn every_allocation_may_fail_once() {
    for has_realloc in [true, false] {
        let mut books = Books::default();
        let expected = run(&mut books, has_realloc);
        assert!(expected.len() > 20_000 && books.bytes_max < 200_000);
        // Twice as much each time, up and once down again; not once per chunk.
        assert!((10..40).contains(&books.calls), "{} calls", books.calls);
        assert_eq!((books.blocks, books.bytes), (0, 0), "all was given back");
        for refuse in 1..=books.calls {
            let mut books = Books {
                refuse,
                ..Books::default()
            };
            assert!(
                run(&mut books, has_realloc) == expected,
                "allocation {refuse}"
            );
            assert_eq!((books.blocks, books.bytes, books.refused), (0, 0, 1));
        }
    }
}

#[test]
fn what_was_fed_when_memory_was_short_must_be_fed_again() {
    for then_reset in [false, true] {
        // Twice as much is refused, then exactly as much too.
        let mut books = Books {
            refuse: 2,
            more: 1,
            ..Books::default()
        };
        let (hooks, mut it) = (allocator(&mut books, true), null_mut());
        let (mut item, mut out) = (empty_item(), empty_item());
        // SAFETY: hooks that keep their contract, a parser, places.
        unsafe {
            assert_eq!(sseam_parser_new(null(), &hooks, &mut it), SSEAM_OK);
            assert_eq!(feed(it, b"data: a\ndata", &mut item), (0, SSEAM_ERR_MEMORY));
            assert_eq!(feed(it, b"data: a", &mut item), (0, SSEAM_ERR_ARGUMENT));
            assert_eq!(sseam_parser_error(it, null_mut()), SSEAM_ERR_MEMORY);
            assert_eq!(sseam_parser_finish(it, &mut empty_end()), SSEAM_ERR_MEMORY);
            assert_eq!(sseam_parser_take_unfinished(it, &mut out), SSEAM_ERR_MEMORY);
            let rest: &[u8] = if then_reset {
                assert_eq!(sseam_parser_reset(it), SSEAM_OK);
                b"data: b\n\n"
            } else {
                assert_eq!(feed(it, b"data: a\ndata", &mut item), (12, SSEAM_OK));
                b": b\n\n"
            };
            assert_eq!(feed(it, rest, &mut item), (rest.len(), SSEAM_EVENT));
            assert_eq!(
                bytes(item.data),
                if then_reset { &b"b"[..] } else { b"a\nb" }
            );
            sseam_parser_free(it);
        }
        assert_eq!(books.refused, 2);
    }
}

#[test]
fn a_parser_that_waits_holds_little() {
    let mut books = Books::default();
    let (hooks, mut parser) = (allocator(&mut books, true), null_mut());
    let big = [b"data: ".as_slice(), &[b'x'; 1_000_000], b"\n\n"].concat();
    // SAFETY: hooks that keep their contract.
    unsafe {
        assert_eq!(sseam_parser_new(null(), &hooks, &mut parser), SSEAM_OK);
        assert!(books.bytes < 700, "{} bytes", books.bytes);
        assert_eq!(
            feed(parser, b"data: x\n\n", &mut empty_item()).1,
            SSEAM_EVENT
        );
        assert_eq!(books.calls, 1, "an event in one chunk costs no allocation");
        assert_eq!(feed(parser, &big[..900_000], &mut empty_item()).1, SSEAM_OK);
        assert_eq!(
            feed(parser, &big[900_000..], &mut empty_item()).1,
            SSEAM_EVENT
        );
        assert!(books.bytes > 1_000_000, "the event is still shown");
        assert_eq!(feed(parser, b"", &mut empty_item()), (0, SSEAM_OK));
        assert!(books.bytes < 20_000, "{} bytes", books.bytes);
        sseam_parser_free(parser);
    }
    assert_eq!(books.blocks, 0);
}

#[test]
fn allocators_that_cannot_be_used() {
    let mut books = Books::default();
    let good = allocator(&mut books, true);
    for hooks in [
        Allocator {
            alloc: None,
            ..good
        },
        Allocator { free: None, ..good },
        Allocator {
            struct_size: 0,
            ..good
        },
    ] {
        let mut out = null_mut();
        // SAFETY: what is refused is not looked at.
        let status = unsafe { sseam_parser_new(null(), &hooks, &mut out) };
        assert_eq!((status, out.is_null()), (SSEAM_ERR_ARGUMENT, true));
    }
}

#[test]
fn resuming_and_losing_bytes() {
    let parser = Owned::lent(&defaults());
    let (it, mut item) = (parser.handle, empty_item());
    let mut wait = 3000;
    // SAFETY: a parser, slices, places.
    unsafe {
        let set = |id: &[u8]| sseam_parser_set_last_event_id(it, id.as_ptr().cast(), id.len());
        assert_eq!(set(b"41"), SSEAM_OK);
        assert_eq!(set(b"4\n2"), SSEAM_ERR_ARGUMENT);
        assert_eq!(set(&[b'4'; 1025]), SSEAM_ERR_ID_TOO_LONG);
        assert_eq!(bytes(sseam_parser_last_event_id(it)), b"41");
        assert_eq!(sseam_parser_retry(it, &mut wait), SSEAM_OK);
        assert_eq!(wait, 3000, "the caller's default stays");
        let stream = b"retry: 17\ndata: lo";
        assert_eq!(feed(it, stream, &mut item), (stream.len(), SSEAM_OK));
        assert_eq!((sseam_parser_retry(it, &mut wait), wait), (SSEAM_RETRY, 17));
        assert_eq!(sseam_parser_resync(it), SSEAM_OK);
    }
    assert_eq!(feed(it, b"st\n\ndata: x\n\n", &mut item), (13, SSEAM_EVENT));
    assert_eq!(bytes(item.data), b"x", "no event is put together from two");
    let mut stats = empty_stats();
    // SAFETY: a parser, and a place.
    assert_eq!(unsafe { sseam_parser_stats(it, &mut stats) }, SSEAM_OK);
    assert_eq!((stats.events, stats.skipped), (1, 1));
}
