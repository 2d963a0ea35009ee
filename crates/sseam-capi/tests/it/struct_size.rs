//! Old and new programs: a smaller `struct_size`, and a larger one.

use std::mem::offset_of;
use std::ptr::{null, null_mut};

use sseam_capi::*;

use crate::engines::{Owned, defaults, empty_item, error_info, feed};

#[test]
fn an_older_item_is_filled_as_far_as_it_goes() {
    for size in [
        offset_of!(Item, r#type),
        offset_of!(Item, offset),
        offset_of!(Item, retry_ms),
    ] {
        let parser = Owned::heap(&defaults());
        let mut item = Item {
            struct_size: size,
            end: 77,
            limit_max: 77,
            ..empty_item()
        };
        assert_eq!(
            feed(parser.handle, b"data: x\n\n", &mut item),
            (9, SSEAM_EVENT)
        );
        assert_eq!((item.struct_size, item.kind), (size, SSEAM_EVENT));
        assert_eq!(
            item.data.len,
            if size > offset_of!(Item, data) { 1 } else { 0 }
        );
        assert_eq!(
            item.end,
            if size > offset_of!(Item, end) {
                8 + 1
            } else {
                77
            }
        );
        assert_eq!(item.limit_max, 77, "nothing beyond the size is written");
    }
}

#[test]
fn a_newer_item_is_filled_as_far_as_is_known() {
    #[repr(C)]
    struct Newer(Item, u64);
    let parser = Owned::heap(&defaults());
    let known = Item {
        struct_size: size_of::<Newer>(),
        ..empty_item()
    };
    let mut item = Newer(known, 77);
    let (mut used, place) = (0, (&raw mut item).cast());
    // SAFETY: a parser, a slice, and two places.
    let status = unsafe {
        sseam_parser_feed(
            parser.handle,
            c"data\n\n".as_ptr().cast(),
            6,
            &mut used,
            place,
        )
    };
    assert_eq!(
        (status, item.0.struct_size, item.1),
        (SSEAM_EVENT, size_of::<Newer>(), 77)
    );
}

#[test]
fn older_options_get_the_defaults_of_what_they_lack() {
    let mut options = Options {
        max_data: 1,
        on_overflow: 99,
        ..defaults()
    };
    options.struct_size = offset_of!(Options, max_type);
    let parser = Owned::heap(&options);
    assert_eq!(
        feed(parser.handle, b"data:1\n\n", &mut empty_item()),
        (8, SSEAM_EVENT)
    );
    let failed = feed(parser.handle, b"data:12\n\n", &mut empty_item());
    assert_eq!(failed, (6, SSEAM_ERR_DATA_TOO_LONG));
}

#[test]
fn newer_options_are_taken_while_they_ask_for_nothing_unknown() {
    #[repr(C)]
    struct Newer(Options, u64);
    let mut options = Newer(
        Options {
            struct_size: 0,
            ..defaults()
        },
        77,
    );
    let place = (&raw mut options).cast::<Options>();
    let mut out = null_mut();
    // SAFETY: the newer struct is as long as is said.
    unsafe {
        sseam_options_init_sized(place, size_of::<Newer>());
        assert_eq!((options.0.struct_size, options.1), (size_of::<Newer>(), 0));
        assert!(sseam_parser_size(place) > 0);
        place.cast::<u8>().add(size_of::<Options>()).write(1);
        assert_eq!(sseam_parser_size(place), 0);
        assert_eq!(sseam_parser_new(place, null(), &mut out), SSEAM_ERR_VERSION);
    }
}

#[test]
fn the_smallest_sizes() {
    // SAFETY: nothing is written to less than a size.
    unsafe {
        let mut options = Options {
            max_data: 77,
            ..defaults()
        };
        sseam_options_init_sized(&mut options, size_of::<usize>() - 1);
        assert_eq!(options.max_data, 77);
        sseam_options_init_sized(null_mut(), 1000);
        sseam_options_init_sized(&mut options, size_of::<usize>());
        assert_eq!(
            (options.struct_size, options.max_data),
            (size_of::<usize>(), 77)
        );
        assert_eq!(sseam_options_fit(&mut options, 4096), SSEAM_ERR_ARGUMENT);
    }
    let parser = Owned::heap(&defaults());
    let mut info = ErrorInfo {
        struct_size: size_of::<usize>(),
        ..error_info()
    };
    // SAFETY: a parser, and a place that says to be too small.
    let status = unsafe { sseam_parser_error(parser.handle, &mut info) };
    assert_eq!(status, SSEAM_ERR_ARGUMENT);
}
