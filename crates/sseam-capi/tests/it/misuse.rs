//! Every misuse that can be seen has a status, and nothing is changed by it.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use sseam_capi::*;

use crate::engines::{Owned, defaults, empty_end, empty_item, error_info, feed};

const EVENT: &[u8] = b"id: 7\ndata: x\n\n";

/// A pointer that is not null and not aligned.
fn misaligned<T>() -> *mut T {
    std::ptr::without_provenance_mut(1)
}

#[test]
fn null_and_misaligned_parsers() {
    let (mut used, mut item, mut end) = (9, empty_item(), empty_end());
    for parser in [null_mut(), misaligned::<Parser>()] {
        // SAFETY: what is refused is not looked at.
        unsafe {
            let fed = sseam_parser_feed(parser, EVENT.as_ptr().cast(), 3, &mut used, &mut item);
            assert_eq!((fed, used), (SSEAM_ERR_ARGUMENT, 0));
            assert_eq!(sseam_parser_finish(parser, &mut end), SSEAM_ERR_ARGUMENT);
            assert_eq!(
                sseam_parser_take_unfinished(parser, &mut item),
                SSEAM_ERR_ARGUMENT
            );
            assert_eq!(sseam_parser_reset(parser), SSEAM_ERR_ARGUMENT);
            assert_eq!(sseam_parser_resync(parser), SSEAM_ERR_ARGUMENT);
            assert_eq!(
                sseam_parser_set_last_event_id(parser, null(), 0),
                SSEAM_ERR_ARGUMENT
            );
            assert_eq!(sseam_parser_last_event_id(parser).len, 0);
            assert_eq!(sseam_parser_retry(parser, &mut 0), SSEAM_ERR_ARGUMENT);
            assert_eq!(
                sseam_parser_error(parser, &mut error_info()),
                SSEAM_ERR_ARGUMENT
            );
            sseam_parser_free(parser);
        }
    }
    assert_eq!(item.kind, SSEAM_OK, "outputs are written on success only");
    assert_eq!(end.pending, u32::MAX);
}

#[test]
fn other_pointers() {
    let parser = Owned::heap(&defaults());
    let (it, input) = (parser.handle, EVENT.as_ptr().cast::<c_void>());
    let (mut used, mut item) = (9, empty_item());
    // SAFETY: what is refused is not looked at.
    unsafe {
        assert_eq!(
            sseam_parser_feed(it, input, 3, null_mut(), &mut item),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_parser_feed(it, input, 3, &mut used, null_mut()),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_parser_feed(it, null(), 3, &mut used, &mut item),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(
            sseam_parser_feed(it, null(), 0, &mut used, &mut item),
            SSEAM_OK
        );
        let too_long = isize::MAX as usize + 1;
        assert_eq!(
            sseam_parser_feed(it, input, too_long, &mut used, &mut item),
            SSEAM_ERR_ARGUMENT
        );
        let unsized_item = &mut Item {
            struct_size: 0,
            ..empty_item()
        };
        assert_eq!(
            sseam_parser_feed(it, input, 3, &mut used, unsized_item),
            SSEAM_ERR_ARGUMENT
        );
        let all = sseam_parser_feed_all(it, input, 3, &mut used, None, null_mut());
        assert_eq!((all, used), (SSEAM_ERR_ARGUMENT, 0));
        assert_eq!(
            sseam_parser_take_unfinished(it, null_mut()),
            SSEAM_ERR_ARGUMENT
        );
        assert_eq!(sseam_parser_retry(it, null_mut()), SSEAM_ERR_ARGUMENT);
        assert_eq!(sseam_parser_stats(it, null_mut()), SSEAM_ERR_ARGUMENT);
        assert_eq!(sseam_parser_finish(it, misaligned()), SSEAM_ERR_ARGUMENT);
        assert_eq!(sseam_parser_error(it, misaligned()), SSEAM_ERR_ARGUMENT);
        assert_eq!(
            sseam_parser_error(it, null_mut()),
            SSEAM_OK,
            "NULL means no details"
        );
        assert_eq!(
            sseam_parser_new(null(), null(), null_mut()),
            SSEAM_ERR_ARGUMENT
        );
    }
    assert_eq!(
        feed(it, EVENT, &mut item),
        (EVENT.len(), SSEAM_EVENT),
        "nothing was taken"
    );
}

#[test]
fn memory_for_a_parser() {
    let (options, mut out) = (defaults(), null_mut());
    // SAFETY: options that were set up.
    let size = unsafe { sseam_parser_size(&options) };
    let mut memory = vec![0_u64; size / 8 + 2];
    let start = memory.as_mut_ptr().cast::<u8>();
    // SAFETY: the memory is as long as is said, or what is refused is not looked at.
    unsafe {
        let mut init = |at: *mut u8, len| sseam_parser_init(at.cast(), len, &options, &mut out);
        assert_eq!(init(null_mut(), size), SSEAM_ERR_ARGUMENT);
        assert_eq!(init(start.add(1), size), SSEAM_ERR_ARGUMENT);
        assert_eq!(init(start, size - 1), SSEAM_ERR_MEMORY);
        assert_eq!(init(start, 0), SSEAM_ERR_MEMORY);
        assert!(out.is_null(), "outputs are written on success only");
        let init = sseam_parser_init(start.cast(), size, &options, null_mut());
        assert_eq!(init, SSEAM_ERR_ARGUMENT);
        assert_eq!(
            sseam_parser_init(start.cast(), size, &options, &mut out),
            SSEAM_OK
        );
    }
    assert_eq!(
        feed(out, EVENT, &mut empty_item()),
        (EVENT.len(), SSEAM_EVENT)
    );
}

#[test]
fn options_that_do_not_exist() {
    let wrong = [
        Options {
            on_overflow: 2,
            ..defaults()
        },
        Options {
            utf8: 2,
            ..defaults()
        },
        Options {
            report: 8,
            ..defaults()
        },
        Options {
            reserved: 1,
            ..defaults()
        },
        Options {
            struct_size: 0,
            ..defaults()
        },
        Options {
            struct_size: usize::MAX,
            ..defaults()
        },
    ];
    for options in &wrong {
        let mut out = null_mut();
        // SAFETY: what is refused is not looked at.
        unsafe {
            assert_eq!(sseam_parser_size(options), 0);
            assert_eq!(
                sseam_parser_new(options, null(), &mut out),
                SSEAM_ERR_ARGUMENT
            );
        }
        assert!(out.is_null());
    }
}

#[test]
fn sizes_that_do_not_exist() {
    for len in [usize::MAX, usize::MAX / 2, isize::MAX as usize] {
        for options in [
            Options {
                max_data: len,
                ..defaults()
            },
            Options {
                max_id: len,
                ..defaults()
            },
            Options {
                max_id: len / 3 + 1,
                ..defaults()
            },
            Options {
                max_type: len,
                max_comment: len,
                ..defaults()
            },
        ] {
            // SAFETY: options that were set up.
            assert_eq!(unsafe { sseam_parser_size(&options) }, 0, "{len}");
        }
    }
}

#[test]
fn state() {
    let parser = Owned::heap(&defaults());
    let (it, mut item) = (parser.handle, empty_item());
    // SAFETY: a parser, and places.
    unsafe {
        assert_eq!(sseam_parser_take_unfinished(it, &mut item), SSEAM_ERR_STATE);
        assert_eq!(feed(it, b"data: cut", &mut item), (9, SSEAM_OK));
        assert_eq!(sseam_parser_finish(it, null_mut()), SSEAM_TRUNCATED);
        assert_eq!(
            sseam_parser_finish(it, null_mut()),
            SSEAM_TRUNCATED,
            "the same again"
        );
        assert_eq!(feed(it, b"x", &mut item), (0, SSEAM_ERR_STATE));
        assert_eq!(
            feed(it, b"", &mut item),
            (0, SSEAM_OK),
            "no input is no misuse"
        );
        assert_eq!(sseam_parser_error(it, null_mut()), SSEAM_ERR_STATE);
        assert_eq!(sseam_parser_reset(it), SSEAM_OK);
        assert_eq!(sseam_parser_error(it, null_mut()), SSEAM_OK);
    }
    assert_eq!(feed(it, EVENT, &mut item), (EVENT.len(), SSEAM_EVENT));
}

#[test]
fn the_parsers_own_bytes() {
    let parser = Owned::heap(&defaults());
    let (it, mut item) = (parser.handle, empty_item());
    assert_eq!(feed(it, EVENT, &mut item), (EVENT.len(), SSEAM_EVENT));
    // SAFETY: a parser, and a view that is still valid.
    unsafe {
        let id = sseam_parser_last_event_id(it);
        let set = sseam_parser_set_last_event_id(it, id.ptr.cast(), id.len);
        assert_eq!(set, SSEAM_ERR_ARGUMENT);
        let mut used = 9;
        let fed = sseam_parser_feed(it, id.ptr.cast(), id.len, &mut used, &mut item);
        assert_eq!((fed, used), (SSEAM_ERR_ARGUMENT, 0));
    }
}

/// What a callback does, and what it saw.
struct Plan {
    parser: *mut Parser,
    frees: bool,
    calls: u32,
}

/// # Safety
///
/// `user` is a `Plan`, and `item` the library's.
unsafe extern "C" fn meddle(user: *mut c_void, item: *const Item) -> c_int {
    // SAFETY: the plan below, and the library's item.
    let (plan, item) = unsafe { (&mut *user.cast::<Plan>(), &*item) };
    let (it, mut used) = (plan.parser, 9);
    plan.calls += 1;
    // SAFETY: the parser of this callback.
    unsafe {
        assert_eq!(feed(it, EVENT, &mut empty_item()), (0, SSEAM_ERR_REENTRANT));
        let all = sseam_parser_feed_all(it, null(), 0, &mut used, Some(meddle), null_mut());
        assert_eq!((all, used), (SSEAM_ERR_REENTRANT, 0));
        assert_eq!(sseam_parser_reset(it), SSEAM_ERR_REENTRANT);
        assert_eq!(sseam_parser_resync(it), SSEAM_ERR_REENTRANT);
        assert_eq!(sseam_parser_finish(it, null_mut()), SSEAM_ERR_REENTRANT);
        let mut taken = empty_item();
        assert_eq!(
            sseam_parser_take_unfinished(it, &mut taken),
            SSEAM_ERR_REENTRANT
        );
        assert_eq!(
            sseam_parser_set_last_event_id(it, null(), 0),
            SSEAM_ERR_REENTRANT
        );
        assert_eq!(
            sseam_parser_last_event_id(it).len,
            1,
            "its state may be read"
        );
        if plan.frees {
            sseam_parser_free(it);
            sseam_parser_free(it);
            assert_eq!(sseam_parser_reset(it), SSEAM_ERR_REENTRANT);
        }
    }
    // The views are still there, also after the parser was freed.
    assert_eq!(crate::engines::bytes(item.data), b"x");
    0
}

#[test]
fn calls_from_the_callback() {
    for frees in [false, true] {
        let parser = Owned::heap(&defaults());
        let mut plan = Plan {
            parser: parser.handle,
            frees,
            calls: 0,
        };
        let (input, mut used) = ([EVENT, EVENT].concat(), 0);
        // SAFETY: a parser, a slice, and a function that keeps its contract.
        let status = unsafe {
            let user = (&raw mut plan).cast();
            let (bytes, len) = (input.as_ptr().cast(), input.len());
            sseam_parser_feed_all(parser.handle, bytes, len, &mut used, Some(meddle), user)
        };
        if frees {
            assert_eq!((status, used, plan.calls), (SSEAM_STOPPED, EVENT.len(), 1));
            std::mem::forget(parser);
        } else {
            assert_eq!((status, used, plan.calls), (SSEAM_OK, input.len(), 2));
        }
    }
}

/// # Safety
///
/// `user` is a counter.
unsafe extern "C" fn stop(user: *mut c_void, _item: *const Item) -> c_int {
    // SAFETY: the counter below.
    unsafe { *user.cast::<u32>() += 1 };
    -1
}

#[test]
fn a_callback_that_stops() {
    let parser = Owned::lent(&defaults());
    let (input, mut at, mut calls) = ([EVENT, EVENT, b": end"].concat(), 0, 0_u32);
    for (len, status) in [(15, SSEAM_STOPPED), (15, SSEAM_STOPPED), (5, SSEAM_OK)] {
        let (rest, mut used) = (&input[at..], 0);
        // SAFETY: a parser, a slice, and a function that keeps its contract.
        let fed = unsafe {
            let user = (&raw mut calls).cast();
            let bytes = rest.as_ptr().cast();
            sseam_parser_feed_all(
                parser.handle,
                bytes,
                rest.len(),
                &mut used,
                Some(stop),
                user,
            )
        };
        assert_eq!((fed, used), (status, len));
        at += used;
    }
    assert_eq!((at, calls), (input.len(), 2));
}
