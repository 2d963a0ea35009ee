//! Answers on the heap: any allocation may fail, what is called from within the
//! allocator is refused, and all is given back. And structs of another age.

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::null_mut;

use sseam_capi::*;

use crate::drive::{empty_outcome, empty_signal};

/// A heap that counts, and refuses one request, or all.
struct Counting {
    asked: usize,
    refused: usize,
    held: usize,
    most: usize,
    /// The answer that it serves, to be called from within.
    answer: *mut Answer,
    inner: Vec<Status>,
}

const ALIGN: usize = 16;

/// # Safety
///
/// `user` is a `Counting` that nobody else uses meanwhile; `size` is not 0.
unsafe extern "C" fn allocate(user: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: the tests pass theirs, and nobody else uses it meanwhile.
    let heap = unsafe { &mut *user.cast::<Counting>() };
    heap.asked += 1;
    if heap.asked == heap.refused || heap.refused == usize::MAX {
        return null_mut();
    }
    heap.held += size;
    heap.most = heap.most.max(heap.held);
    let answer = heap.answer;
    if !answer.is_null() {
        let (mut used, mut outcome, mut stats) = (0, empty_outcome(), stats());
        // SAFETY: an answer in the middle of a call, which it says.
        let found = unsafe {
            [
                sseam_answer_feed(answer, c"x".as_ptr().cast(), 1, &mut used, null_mut()),
                sseam_answer_next(answer, &mut empty_signal()),
                sseam_answer_outcome(answer, &mut outcome),
                sseam_answer_end(answer, SSEAM_CLOSE_CLEAN),
                sseam_answer_reopen(answer),
                sseam_answer_set_last_event_id(answer, c"1".as_ptr().cast(), 1),
                sseam_answer_retry(answer, &mut 0),
                sseam_answer_stats(answer, &mut stats),
            ]
        };
        heap.inner.extend(found);
        // SAFETY: the same: nothing is done.
        unsafe { sseam_answer_free(answer) };
    }
    // SAFETY: a size that is not 0.
    unsafe { alloc(Layout::from_size_align(size, ALIGN).unwrap()) }.cast()
}

/// # Safety
///
/// As for `allocate`, which gave `memory` for this size.
unsafe extern "C" fn release(user: *mut c_void, memory: *mut c_void, size: usize) {
    // SAFETY: the tests pass theirs.
    let heap = unsafe { &mut *user.cast::<Counting>() };
    heap.held -= size;
    // SAFETY: it came from `allocate` with this size.
    unsafe { dealloc(memory.cast(), Layout::from_size_align(size, ALIGN).unwrap()) };
}

impl Counting {
    fn new(refused: usize) -> Counting {
        Counting {
            asked: 0,
            refused,
            held: 0,
            most: 0,
            answer: null_mut(),
            inner: Vec::new(),
        }
    }

    fn allocator(&mut self) -> Allocator {
        Allocator {
            struct_size: size_of::<Allocator>(),
            alloc: Some(allocate),
            realloc: None,
            free: Some(release),
            user: std::ptr::from_mut(self).cast(),
        }
    }
}

fn stats() -> Stats {
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

/// An event that is cut by the chunks, a small one, and one whose data needs more.
fn stream() -> Vec<u8> {
    let text = |content: &str| {
        format!("id: 1\ndata: {{\"choices\":[{{\"delta\":{{\"content\":\"{content}\"}}}}]}}\n\n")
    };
    let all = [
        &text("a"),
        &text(&"b".repeat(30_000)),
        &text("c"),
        "data: [DONE]\n\n",
    ];
    all.concat().into_bytes()
}

fn feed(answer: *mut Answer, bytes: &[u8]) {
    let (mut at, mut used) = (0, 0);
    loop {
        let rest = &bytes[at..];
        let (start, len) = (rest.as_ptr().cast(), rest.len());
        // SAFETY: an answer, a slice and a place.
        let status = unsafe { sseam_answer_feed(answer, start, len, &mut used, null_mut()) };
        at += used;
        if status == SSEAM_OK {
            return;
        }
        assert!(status > 0);
    }
}

fn outcome_of(answer: *mut Answer) -> AnswerOutcome {
    let mut outcome = empty_outcome();
    // SAFETY: an answer, and a place.
    let status = unsafe { sseam_answer_outcome(answer, &mut outcome) };
    assert_eq!(status, SSEAM_OK);
    outcome
}

/// Reads the stream; whether there was an answer at all, and its outcome.
fn read(heap: &mut Counting, is_nosy: bool) -> Option<AnswerOutcome> {
    let (allocator, mut answer) = (heap.allocator(), null_mut());
    // SAFETY: an allocator, and a place.
    let status = unsafe { sseam_answer_new(std::ptr::null(), &allocator, &mut answer) };
    if status == SSEAM_ERR_MEMORY {
        assert!(answer.is_null());
        return None;
    }
    assert_eq!(status, SSEAM_OK);
    if is_nosy {
        heap.answer = answer;
    }
    for chunk in stream().chunks(1000) {
        feed(answer, chunk);
    }
    heap.answer = null_mut();
    // SAFETY: an answer.
    let status = unsafe { sseam_answer_end(answer, SSEAM_CLOSE_CLEAN) };
    assert_eq!(status, SSEAM_OK);
    feed(answer, b"");
    let outcome = outcome_of(answer);
    // SAFETY: an answer, which is not used any more.
    unsafe { sseam_answer_free(answer) };
    Some(outcome)
}

#[test]
fn every_allocation_of_an_answer_may_fail() {
    let mut whole = Counting::new(0);
    let outcome = read(&mut whole, false).expect("memory");
    assert_eq!((outcome.exit_code, whole.held), (0, 0));
    assert!(whole.most < 100_000, "{}", whole.most);
    for refused in 1..=whole.asked {
        let mut heap = Counting::new(refused);
        match read(&mut heap, false) {
            None => assert_eq!(refused, 1),
            // Twice as much was refused, and then just enough was given.
            Some(outcome) if outcome.kind == SSEAM_OUTCOME_COMPLETED => {}
            Some(outcome) => {
                assert_eq!(outcome.kind, SSEAM_OUTCOME_LIMIT_EXCEEDED);
                assert_eq!(outcome.cause, SSEAM_LIMIT_MEMORY);
            }
        }
        assert_eq!(heap.held, 0, "all is given back");
    }
}

#[test]
fn no_memory_at_all_is_part_of_the_outcome() {
    let mut heap = Counting::new(0);
    let (allocator, mut answer) = (heap.allocator(), null_mut());
    // SAFETY: an allocator, and a place.
    let status = unsafe { sseam_answer_new(std::ptr::null(), &allocator, &mut answer) };
    assert_eq!(status, SSEAM_OK);
    heap.refused = usize::MAX;
    feed(answer, &stream()[..9]);
    // SAFETY: an answer.
    let wants = unsafe { sseam_answer_wants(answer, null_mut()) };
    assert_eq!(wants, SSEAM_WANTS_NOTHING);
    let outcome = outcome_of(answer);
    assert_eq!(outcome.kind, SSEAM_OUTCOME_LIMIT_EXCEEDED);
    assert_eq!((outcome.cause, outcome.exit_code), (SSEAM_LIMIT_MEMORY, 22));
    // SAFETY: an answer.
    unsafe { sseam_answer_free(answer) };
    assert_eq!(heap.held, 0);
}

#[test]
fn calls_from_within_the_allocator_are_refused() {
    let mut heap = Counting::new(0);
    let outcome = read(&mut heap, true).expect("memory");
    assert_eq!((outcome.exit_code, heap.held), (0, 0));
    assert!(heap.inner.len() >= 8);
    assert!(
        heap.inner
            .iter()
            .all(|status| *status == SSEAM_ERR_REENTRANT)
    );
}

#[test]
fn structs_of_another_age() {
    let mut answer = null_mut();
    // SAFETY: options of none, and a place.
    let status = unsafe { sseam_answer_new(std::ptr::null(), std::ptr::null(), &mut answer) };
    assert_eq!(status, SSEAM_OK);
    let usage = br#"data: {"choices":[],"usage":{"prompt_tokens":5}}"#;
    feed(answer, &[usage.as_slice(), b"\n\n"].concat());
    let chunk = [usage.as_slice(), b"\n\n"].concat();
    let mut used = 0;
    let mut signal = AnswerSignal {
        struct_size: offset_of!(AnswerSignal, usage),
        offset: 77,
        ..empty_signal()
    };
    signal.usage.input = 77;
    #[repr(C)]
    struct Newer(AnswerOutcome, u64);
    let mut newer = Newer(empty_outcome(), 77);
    newer.0.struct_size = size_of::<Newer>();
    // SAFETY: an answer, a slice, and places as long as they say.
    unsafe {
        let (bytes, len) = (chunk.as_ptr().cast(), chunk.len());
        let kind = sseam_answer_feed(answer, bytes, len, &mut used, null_mut());
        assert_eq!(kind, SSEAM_EVENT);
        while sseam_answer_next(answer, &mut signal) > 0 {}
        assert_eq!(signal.struct_size, offset_of!(AnswerSignal, usage));
        assert_eq!((signal.usage.input, signal.offset), (77, 77));
        let place = (&raw mut newer).cast::<AnswerOutcome>();
        assert_eq!(sseam_answer_outcome(answer, place), SSEAM_OK);
        assert_eq!((newer.0.usage.input, newer.1), (5, 77));
        assert_eq!(newer.0.struct_size, size_of::<Newer>());
        sseam_answer_free(answer);
    }
}
