//! Tool calls that the library puts together: of one's own tools, whole, in memory
//! that is lent and grows.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use sseam_capi::*;
use sseam_llm::{Dialect, Mode};

use crate::drive::{Ask, Handle, str_of};

/// A call, copied.
#[derive(Debug, PartialEq)]
pub(crate) struct Owned {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// A collector with its memory, which grows by what is needed and no more.
pub(crate) struct Collector {
    calls: Calls,
    memory: Vec<u8>,
}

impl Collector {
    pub(crate) fn new() -> Collector {
        let mut calls = unset();
        // SAFETY: a place, and no memory.
        let status = unsafe { sseam_calls_init(&mut calls, null_mut(), 0) };
        assert_eq!(status, SSEAM_OK);
        Collector {
            calls,
            memory: Vec::new(),
        }
    }

    /// Passes the signal until there is memory for it.
    pub(crate) fn observe(&mut self, signal: &AnswerSignal) -> Option<Owned> {
        loop {
            match self.try_observe(signal) {
                (SSEAM_CALL, call) => return Some(call),
                (SSEAM_ERR_MEMORY, _) => self.grow(),
                (status, _) => {
                    assert_eq!(status, SSEAM_OK);
                    return None;
                }
            }
        }
    }

    fn try_observe(&mut self, signal: &AnswerSignal) -> (Status, Owned) {
        let mut call = no_call();
        // SAFETY: a collector, a signal whose texts are there, and a place.
        let status = unsafe { sseam_calls_observe(&mut self.calls, signal, &mut call) };
        let owned = Owned {
            id: str_of(call.id),
            name: str_of(call.name),
            arguments: str_of(call.arguments),
        };
        (status, owned)
    }

    fn grow(&mut self) {
        // SAFETY: a collector.
        let needed = unsafe { sseam_calls_needed(&self.calls) };
        assert!(needed > self.memory.len());
        // Memory of another place, as `realloc` may give it.
        let mut longer = vec![0xEE; needed];
        longer[..self.memory.len()].copy_from_slice(&self.memory);
        self.memory.fill(0xDD);
        self.memory = longer;
        let at = self.memory.as_mut_ptr().cast::<c_void>();
        // SAFETY: a collector, and longer memory with the same bytes.
        let status = unsafe { sseam_calls_grow(&mut self.calls, at, needed) };
        assert_eq!(status, SSEAM_OK);
    }
}

fn unset() -> Calls {
    Calls {
        opaque: [const { MaybeUninit::new(0) }; 8],
    }
}

fn no_call() -> Call {
    let empty = Str {
        ptr: c"".as_ptr(),
        len: 0,
    };
    Call {
        struct_size: size_of::<Call>(),
        key: 0,
        reserved: 0,
        id: empty,
        name: empty,
        arguments: empty,
    }
}

/// Two calls whose pieces come by turns, the first with an escape cut in two.
const PARALLEL: &str = concat!(
    r#"data: {"choices":[{"delta":{"tool_calls":["#,
    r#"{"index":0,"id":"a","function":{"name":"f","arguments":""}},"#,
    r#"{"index":1,"id":"b","function":{"name":"gg","arguments":"{"}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"delta":{"tool_calls":["#,
    r#"{"index":0,"function":{"arguments":"{\"x\":\"\ud83d"}},"#,
    r#"{"index":1,"function":{"arguments":"\"y\":1"}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"delta":{"tool_calls":["#,
    r#"{"index":1,"function":{"arguments":"}"}},"#,
    r#"{"index":0,"function":{"arguments":"\ude80\"}"}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    "\n\ndata: [DONE]\n\n",
);

/// Reads `PARALLEL` and hands each signal to `take`.
fn read(take: &mut dyn FnMut(&AnswerSignal)) -> AnswerOutcome {
    let handle = Handle::new(&Ask::of(Dialect::OpenAiChat, Mode::Default));
    handle.feed(PARALLEL.as_bytes(), &mut |_, signals| {
        signals.iter().for_each(&mut *take);
    });
    handle.finish(&mut |_, signals| signals.iter().for_each(&mut *take))
}

#[test]
fn calls_by_turns() {
    let (mut collector, mut found) = (Collector::new(), Vec::new());
    let outcome = read(&mut |signal| found.extend(collector.observe(signal)));
    let call = |id: &str, name: &str, arguments: &str| Owned {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    found.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(
        found,
        [
            call("a", "f", "{\"x\":\"🚀\"}"),
            call("b", "gg", "{\"y\":1}")
        ]
    );
    assert_eq!(outcome.closed_calls, 2);
    assert_ne!(outcome.flags & SSEAM_OUTCOME_MAY_RUN_CALLS, 0);
}

/// Whatever the memory holds: a call is given out whole or not at all.
#[test]
fn too_little_memory_leaves_calls_out() {
    let mut counts = [0; 3];
    for len in 0..200 {
        let mut memory = vec![0xEE_u8; len];
        let mut calls = unset();
        let at = memory.as_mut_ptr().cast();
        // SAFETY: a place, and memory that is kept.
        assert_eq!(unsafe { sseam_calls_init(&mut calls, at, len) }, SSEAM_OK);
        let mut count = 0;
        read(&mut |signal| {
            let mut call = no_call();
            // SAFETY: a collector, a signal whose texts are there, and a place.
            match unsafe { sseam_calls_observe(&mut calls, signal, &mut call) } {
                SSEAM_CALL => {
                    let arguments = str_of(call.arguments);
                    assert!(arguments == "{\"x\":\"🚀\"}" || arguments == "{\"y\":1}");
                    count += 1;
                }
                status => assert!(matches!(status, SSEAM_OK | SSEAM_ERR_MEMORY)),
            }
        });
        counts[count] += 1;
    }
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
fn misuse_of_a_collector() {
    let mut calls = unset();
    let mut call = no_call();
    let misaligned = std::ptr::without_provenance_mut::<Calls>(1);
    // SAFETY: what is refused is not looked at.
    unsafe {
        assert_eq!(
            sseam_calls_init(null_mut(), null_mut(), 0),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_calls_init(misaligned, null_mut(), 0),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_calls_init(&mut calls, null_mut(), 1),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_calls_grow(&mut calls, null_mut(), 0),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            (sseam_calls_needed(&calls), sseam_calls_needed(null())),
            (0, 0)
        );
        let nothing = null::<AnswerSignal>();
        for it in [null_mut(), misaligned, &raw mut calls] {
            let status = sseam_calls_observe(it, nothing, &mut call);
            assert_eq!(status, SSEAM_ERR_ARGUMENT);
        }
        let mut memory = [0_u8; 64];
        let at = memory.as_mut_ptr().cast();
        assert_eq!(sseam_calls_init(&mut calls, at, 64), SSEAM_OK);
        assert_eq!(sseam_calls_grow(&mut calls, at, 63), SSEAM_ERR_MEMORY);
        let status = sseam_calls_observe(&mut calls, nothing, &mut call);
        assert_eq!(status, SSEAM_ERR_ARGUMENT);
        let signal = crate::drive::empty_signal();
        let status = sseam_calls_observe(&mut calls, &signal, null_mut());
        assert_eq!(status, SSEAM_ERR_ARGUMENT);
        assert_eq!(
            sseam_calls_observe(&mut calls, &signal, &mut call),
            SSEAM_OK
        );
    }
}
