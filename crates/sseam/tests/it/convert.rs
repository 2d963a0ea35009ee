//! What the readers give, in the testkit's words.

use sseam::{Counters, End, Error, Event, Item, Limit, Limits, LineView, Overflow, OwnedEvent};
use sseam_testkit as kit;

/// The limits of a setup.
pub(crate) fn limits(setup: &kit::Setup) -> Limits {
    Limits {
        line_len_max: setup.limits.line,
        data_len_max: setup.limits.data,
        event_type_len_max: setup.limits.event_type,
        id_len_max: setup.limits.id,
        comment_len_max: setup.limits.comment,
        bytes_max: setup.limits.bytes,
        events_max: setup.limits.events,
        overflow: match setup.overflow {
            kit::Overflow::Stop => Overflow::Stop,
            kit::Overflow::Skip => Overflow::Skip,
        },
    }
}

pub(crate) fn event(event: Event<'_>) -> kit::Item {
    assert!(event.is_complete());
    kit::Item::Event {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
        span: (event.span().start, event.span().end),
    }
}

pub(crate) fn owned(event: &OwnedEvent) -> kit::Item {
    assert!(event.is_complete());
    kit::Item::Event {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
        span: (event.span().start, event.span().end),
    }
}

pub(crate) fn item(item: Item<'_>) -> kit::Item {
    let line = |line: LineView<'_>| (line.prefix().as_bytes().to_vec(), line.full_len());
    match item {
        Item::Event(view) => event(view),
        Item::Comment(view) => {
            let (prefix, len) = line(view);
            kit::Item::Comment { prefix, len }
        }
        Item::Ignored(view) => {
            let (prefix, len) = line(view);
            kit::Item::Ignored { prefix, len }
        }
        Item::Retry(milliseconds) => kit::Item::Retry(milliseconds),
        Item::Skipped(skipped) => kit::Item::Skipped {
            limit: limit(skipped.limit()),
            max: skipped.max(),
            bytes: skipped.bytes(),
            span: (skipped.span().start, skipped.span().end),
            event_type: skipped.event_type().map(|name| name.as_bytes().to_vec()),
            head: skipped.head().as_bytes().to_vec(),
        },
        _ => panic!("an item that the testkit does not know"),
    }
}

pub(crate) fn unfinished(event: Event<'_>) -> kit::Unfinished {
    assert!(!event.is_complete());
    kit::Unfinished {
        event_type: event.event_type().as_bytes().to_vec(),
        data: event.data().as_bytes().to_vec(),
        id: event.last_event_id().as_bytes().to_vec(),
    }
}

pub(crate) fn counters(counters: Counters) -> kit::Counters {
    kit::Counters {
        bytes: counters.bytes,
        lines: counters.lines,
        events: counters.events,
        comments: counters.comments,
        ignored_lines: counters.ignored_lines,
        skipped: counters.skipped,
    }
}

pub(crate) fn pending(end: End) -> Option<kit::Pending> {
    kit::Pending {
        line: end.line,
        data: end.data,
        event: end.event,
        id: end.id,
    }
    .if_any()
}

pub(crate) fn failure(error: Error) -> kit::Failure {
    match error {
        Error::LimitPassed {
            limit: passed,
            max,
            offset,
        } => kit::Failure {
            limit: limit(passed),
            max,
            offset,
        },
        error => panic!("{error}"),
    }
}

fn limit(limit: Limit) -> kit::Limit {
    match limit {
        Limit::Line => kit::Limit::Line,
        Limit::Data => kit::Limit::Data,
        Limit::EventType => kit::Limit::EventType,
        Limit::Id => kit::Limit::Id,
        Limit::Bytes => kit::Limit::Bytes,
        Limit::Events => kit::Limit::Events,
        _ => panic!("a limit that the testkit does not know"),
    }
}
