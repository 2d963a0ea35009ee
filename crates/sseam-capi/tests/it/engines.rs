//! The ways of calling the C functions, as engines of the testkit: a stream in
//! chunks comes in, a report goes out.

use std::ffi::{c_int, c_void};
use std::ptr;

use sseam_capi::*;
use sseam_testkit as kit;

/// Who loops over the items.
#[derive(Clone, Copy)]
pub(crate) enum Call {
    /// The caller.
    Pull,
    /// The library.
    Callback,
}

/// Where the parser lives.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// In memory of exactly the length that it asks for.
    Lent,
    /// On the heap, where it grows.
    Heap,
}

pub(crate) struct Capi {
    pub(crate) call: Call,
    pub(crate) place: Place,
}

impl kit::Engine for Capi {
    fn name(&self) -> &str {
        match (self.call, self.place) {
            (Call::Pull, Place::Lent) => "C pull, in place",
            (Call::Pull, Place::Heap) => "C pull, growing",
            (Call::Callback, Place::Lent) => "C callback, in place",
            (Call::Callback, Place::Heap) => "C callback, growing",
        }
    }

    /// A limit of 0 means none in C, where the others mean what they say.
    fn supports(&self, setup: &kit::Setup, _stream_len: usize) -> bool {
        let kit::Limits {
            line,
            bytes,
            events,
            ..
        } = setup.limits;
        line != 0 && bytes != 0 && events != 0
    }

    fn run(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let parser = self.parser(setup, chunks);
        parser.set_id(&setup.last_event_id);
        self.run_stream(&parser, setup, chunks)
    }

    fn run_streams(&self, setup: &kit::Setup, streams: &[Vec<&[u8]>]) -> Vec<kit::Report> {
        let longest: Vec<&[u8]> = streams.concat();
        let parser = self.parser(setup, &longest);
        parser.set_id(&setup.last_event_id);
        let run = |(index, chunks): (usize, &Vec<&[u8]>)| {
            if index > 0 {
                // SAFETY: a parser.
                assert_eq!(unsafe { sseam_parser_reset(parser.handle) }, SSEAM_OK);
            }
            self.run_stream(&parser, setup, chunks)
        };
        streams.iter().enumerate().map(run).collect()
    }
}

impl Capi {
    fn parser(&self, setup: &kit::Setup, chunks: &[&[u8]]) -> Owned {
        let len = chunks.iter().map(|chunk| chunk.len()).sum::<usize>() + setup.last_event_id.len();
        match self.place {
            Place::Lent => Owned::lent(&options(setup, len)),
            Place::Heap => Owned::heap(&options(setup, usize::MAX)),
        }
    }

    fn run_stream(&self, parser: &Owned, setup: &kit::Setup, chunks: &[&[u8]]) -> kit::Report {
        let mut report = kit::Report::default();
        for chunk in chunks {
            // A chunk of its own, so that a view that outlived it would be seen.
            let chunk = chunk.to_vec();
            let (used, status) = match self.call {
                Call::Pull => pull(parser.handle, &chunk, &mut report.items),
                Call::Callback => callback(parser.handle, &chunk, &mut report.items),
            };
            if status != SSEAM_OK {
                report.failure = Some(failure(parser.handle, status));
                assert_eq!(
                    pull(parser.handle, &chunk[used..], &mut Vec::new()),
                    (0, status)
                );
                break;
            }
            assert_eq!(used, chunk.len(), "OK means that the input is used up");
        }
        if !setup.want_items {
            report
                .items
                .retain(|item| matches!(item, kit::Item::Event { .. }));
        }
        report.counters = counters(parser.handle);
        // SAFETY: a parser.
        report.last_event_id = bytes(unsafe { sseam_parser_last_event_id(parser.handle) });
        let mut retry = 0;
        // SAFETY: a parser, and a place for the number.
        let has_retry = unsafe { sseam_parser_retry(parser.handle, &mut retry) } == SSEAM_RETRY;
        report.retry = has_retry.then_some(retry);
        finish(parser.handle, &mut report);
        report
    }
}

/// A parser and its memory.
pub(crate) struct Owned {
    pub(crate) handle: *mut Parser,
    _memory: Vec<u64>,
}

impl Owned {
    pub(crate) fn lent(options: &Options) -> Owned {
        // SAFETY: options that were set up.
        let size = unsafe { sseam_parser_size(options) };
        assert!(size > 0 && size % 8 + sseam_parser_align() > 0);
        let mut memory = vec![u64::MAX; size.div_ceil(8)];
        let mut handle = ptr::null_mut();
        // SAFETY: the memory is there for as long as the parser.
        let status =
            unsafe { sseam_parser_init(memory.as_mut_ptr().cast(), size, options, &mut handle) };
        assert_eq!(status, SSEAM_OK);
        Owned {
            handle,
            _memory: memory,
        }
    }

    pub(crate) fn heap(options: &Options) -> Owned {
        let mut handle = ptr::null_mut();
        // SAFETY: options that were set up, and no allocator.
        let status = unsafe { sseam_parser_new(options, ptr::null(), &mut handle) };
        assert_eq!(status, SSEAM_OK);
        Owned {
            handle,
            _memory: Vec::new(),
        }
    }

    fn set_id(&self, id: &[u8]) {
        // SAFETY: a parser, and a slice.
        let status =
            unsafe { sseam_parser_set_last_event_id(self.handle, id.as_ptr().cast(), id.len()) };
        assert_eq!(status, SSEAM_OK, "the setup's id is within its limit");
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: freed once, and before its memory.
        unsafe { sseam_parser_free(self.handle) };
    }
}

/// The default options.
pub(crate) fn defaults() -> Options {
    let mut options = std::mem::MaybeUninit::<Options>::uninit();
    // SAFETY: room for the options; the call writes all of it.
    unsafe {
        sseam_options_init_sized(options.as_mut_ptr(), size_of::<Options>());
        options.assume_init()
    }
}

/// What a testkit's setup is in C.
pub(crate) fn options(setup: &kit::Setup, stream_len: usize) -> Options {
    let limits = setup.limits.clamped(stream_len);
    Options {
        max_line: if limits.line == usize::MAX {
            0
        } else {
            limits.line
        },
        max_data: limits.data,
        max_type: limits.event_type,
        max_id: limits.id,
        max_comment: limits.comment,
        max_total_bytes: if limits.bytes == u64::MAX {
            0
        } else {
            limits.bytes
        },
        max_events: if limits.events == u64::MAX {
            0
        } else {
            limits.events
        },
        on_overflow: match setup.overflow {
            kit::Overflow::Stop => SSEAM_OVERFLOW_FAIL,
            kit::Overflow::Skip => SSEAM_OVERFLOW_SKIP,
        },
        report: match setup.want_items {
            true => SSEAM_REPORT_COMMENTS | SSEAM_REPORT_RETRY | SSEAM_REPORT_IGNORED,
            false => 0,
        },
        ..defaults()
    }
}

/// An item to be filled.
pub(crate) fn empty_item() -> Item {
    let none = Str {
        ptr: ptr::null(),
        len: 0,
    };
    Item {
        struct_size: size_of::<Item>(),
        kind: SSEAM_OK,
        flags: 0,
        limit: 0,
        r#type: none,
        data: none,
        last_event_id: none,
        offset: 0,
        end: 0,
        full_len: 0,
        retry_ms: 0,
        limit_max: 0,
    }
}

/// One call of `sseam_parser_feed`: bytes used, and the status.
pub(crate) fn feed(parser: *mut Parser, chunk: &[u8], item: &mut Item) -> (usize, Status) {
    let mut used = usize::MAX;
    // SAFETY: a parser, a slice, and two places.
    let status =
        unsafe { sseam_parser_feed(parser, chunk.as_ptr().cast(), chunk.len(), &mut used, item) };
    (used, status)
}

fn pull(parser: *mut Parser, chunk: &[u8], items: &mut Vec<kit::Item>) -> (usize, Status) {
    let mut at = 0;
    loop {
        let mut item = empty_item();
        let (used, status) = feed(parser, &chunk[at..], &mut item);
        at += used;
        if status <= SSEAM_OK {
            return (at, status);
        }
        assert!(used > 0, "every item takes a byte");
        assert_eq!(status, item.kind);
        items.push(owned(&item, chunk));
    }
}

struct Listener<'a> {
    items: &'a mut Vec<kit::Item>,
    chunk: &'a [u8],
}

fn callback(parser: *mut Parser, chunk: &[u8], items: &mut Vec<kit::Item>) -> (usize, Status) {
    /// # Safety
    ///
    /// `user` is the listener below, and `item` the library's.
    unsafe extern "C" fn on_item(user: *mut c_void, item: *const Item) -> c_int {
        // SAFETY: the listener below, and the library's item.
        let (listener, item) = unsafe { (&mut *user.cast::<Listener<'_>>(), &*item) };
        listener.items.push(owned(item, listener.chunk));
        0
    }
    let (mut used, mut listener) = (usize::MAX, Listener { items, chunk });
    // SAFETY: a parser, a slice, and a function that keeps its contract.
    let status = unsafe {
        sseam_parser_feed_all(
            parser,
            chunk.as_ptr().cast(),
            chunk.len(),
            &mut used,
            Some(on_item),
            (&raw mut listener).cast(),
        )
    };
    (used, status)
}

/// The bytes of a view.
pub(crate) fn bytes(view: Str) -> Vec<u8> {
    assert!(!view.ptr.is_null(), "never NULL from the library");
    // SAFETY: a view of the library's that is still valid.
    unsafe { std::slice::from_raw_parts(view.ptr.cast::<u8>(), view.len) }.to_vec()
}

fn owned(item: &Item, chunk: &[u8]) -> kit::Item {
    assert_eq!(item.struct_size, size_of::<Item>());
    assert!(item.flags & SSEAM_ITEM_UNFINISHED == 0);
    let is_within = |view: Str| view.len > 0 && chunk.as_ptr_range().contains(&view.ptr.cast());
    let is_in_input = is_within(item.r#type) || is_within(item.data);
    assert!(item.flags & SSEAM_ITEM_IN_INPUT != 0 || !is_in_input);
    assert!(!is_within(item.last_event_id), "it lies in the parser");
    let span = (item.offset, item.end);
    match item.kind {
        SSEAM_EVENT => kit::Item::Event {
            event_type: bytes(item.r#type),
            data: bytes(item.data),
            id: bytes(item.last_event_id),
            span,
        },
        SSEAM_COMMENT => kit::Item::Comment {
            prefix: bytes(item.data),
            len: item.full_len,
        },
        SSEAM_IGNORED => kit::Item::Ignored {
            prefix: bytes(item.data),
            len: item.full_len,
        },
        SSEAM_RETRY => kit::Item::Retry(item.retry_ms),
        SSEAM_SKIPPED => kit::Item::Skipped {
            limit: limit(item.limit),
            max: item.limit_max,
            bytes: item.full_len,
            span,
            event_type: (item.flags & SSEAM_ITEM_TYPE_UNKNOWN == 0).then(|| bytes(item.r#type)),
            head: bytes(item.data),
        },
        kind => panic!("an item of kind {kind}"),
    }
}

fn counters(parser: *const Parser) -> kit::Counters {
    let mut stats = Stats {
        struct_size: size_of::<Stats>(),
        memory: 0,
        bytes: 0,
        lines: 0,
        events: 0,
        comments: 0,
        ignored_lines: 0,
        skipped: 0,
    };
    // SAFETY: a parser, and a place.
    assert_eq!(unsafe { sseam_parser_stats(parser, &mut stats) }, SSEAM_OK);
    let Stats {
        bytes,
        lines,
        events,
        comments,
        ignored_lines,
        skipped,
        ..
    } = stats;
    kit::Counters {
        bytes,
        lines,
        events,
        comments,
        ignored_lines,
        skipped,
    }
}

/// What the parser says of its error, which must agree with what it returned.
fn failure(parser: *const Parser, returned: Status) -> kit::Failure {
    let mut info = error_info();
    // SAFETY: a parser, and a place.
    assert_eq!(unsafe { sseam_parser_error(parser, &mut info) }, returned);
    assert_eq!(info.status, returned);
    let by_limit = [
        (SSEAM_LIMIT_LINE, SSEAM_ERR_LINE_TOO_LONG),
        (SSEAM_LIMIT_DATA, SSEAM_ERR_DATA_TOO_LONG),
        (SSEAM_LIMIT_TYPE, SSEAM_ERR_TYPE_TOO_LONG),
        (SSEAM_LIMIT_ID, SSEAM_ERR_ID_TOO_LONG),
        (SSEAM_LIMIT_TOTAL_BYTES, SSEAM_ERR_TOTAL),
        (SSEAM_LIMIT_EVENTS, SSEAM_ERR_TOTAL),
    ];
    assert!(by_limit.contains(&(info.limit, returned)), "{returned}");
    kit::Failure {
        limit: limit(info.limit),
        max: info.max,
        offset: info.offset,
    }
}

/// An error to be filled.
pub(crate) fn error_info() -> ErrorInfo {
    ErrorInfo {
        struct_size: size_of::<ErrorInfo>(),
        status: SSEAM_OK,
        limit: 0,
        reserved: 0,
        max: 0,
        offset: 0,
    }
}

fn limit(code: LimitCode) -> kit::Limit {
    match code {
        SSEAM_LIMIT_LINE => kit::Limit::Line,
        SSEAM_LIMIT_DATA => kit::Limit::Data,
        SSEAM_LIMIT_TYPE => kit::Limit::EventType,
        SSEAM_LIMIT_ID => kit::Limit::Id,
        SSEAM_LIMIT_TOTAL_BYTES => kit::Limit::Bytes,
        SSEAM_LIMIT_EVENTS => kit::Limit::Events,
        code => panic!("a limit of code {code}"),
    }
}

/// The end of input, and what is left to be taken.
fn finish(parser: *mut Parser, report: &mut kit::Report) {
    let (mut end, mut item) = (empty_end(), empty_item());
    // SAFETY: a parser, and a place.
    let status = unsafe { sseam_parser_finish(parser, &mut end) };
    if report.failure.is_some() {
        assert!(status < SSEAM_OK, "an error stays");
        return;
    }
    assert_eq!(
        status,
        if end.pending == 0 {
            SSEAM_OK
        } else {
            SSEAM_TRUNCATED
        }
    );
    assert_eq!(end.offset, report.counters.bytes);
    let is_pending = |bit| end.pending & bit != 0;
    report.pending = kit::Pending {
        line: is_pending(SSEAM_PENDING_LINE),
        data: is_pending(SSEAM_PENDING_DATA),
        event: is_pending(SSEAM_PENDING_TYPE),
        id: is_pending(SSEAM_PENDING_ID),
    }
    .if_any();
    // SAFETY: a parser, and a place.
    let status = unsafe { sseam_parser_take_unfinished(parser, &mut item) };
    report.unfinished = (status == SSEAM_EVENT).then(|| {
        assert_eq!(item.flags, SSEAM_ITEM_UNFINISHED);
        kit::Unfinished {
            event_type: bytes(item.r#type),
            data: bytes(item.data),
            id: bytes(item.last_event_id),
        }
    });
    // SAFETY: a parser, and a place.
    let status = unsafe { sseam_parser_take_unfinished(parser, &mut item) };
    assert_eq!(status, SSEAM_OK, "it is given once");
    assert_eq!(feed(parser, b"x", &mut item), (0, SSEAM_ERR_STATE));
}

/// An end to be filled.
pub(crate) fn empty_end() -> End {
    End {
        struct_size: size_of::<End>(),
        held: 0,
        offset: 0,
        pending: u32::MAX,
        reserved: 0,
    }
}
