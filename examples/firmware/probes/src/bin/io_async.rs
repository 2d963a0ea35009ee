//! In: transports that nobody knows. Out: every async function of the adapter
//! crate, in one image whose only panic is Rust's own: that of an async function
//! which is polled after it has returned.

#![no_std]
#![no_main]

use core::future::Future;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use probes::black_box;
use probes::transport::Transport;
use sseam_core::{Encoder, Limits};
use sseam_embedded_io::{
    AsyncEventReader, AsyncEventWriter, AsyncInPlaceReader, AsyncResponse, Outgoing, write_async,
};

#[unsafe(no_mangle)]
pub extern "Rust" fn probe(buffer: &mut [u8], memory: &mut [u8], input: &[u8], limits: &Limits) {
    in_tasks(buffer, &mut *memory, input, limits);
    in_place(memory, input, limits);
    writers(input);
}

/// Polls until done; a future that was ready is not polled again, which would
/// be the one panic that an async function has.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut context) {
            return result;
        }
    }
}

fn in_tasks(buffer: &mut [u8], memory: &mut [u8], input: &[u8], limits: &Limits) {
    let response = AsyncResponse::new(Transport, [0; 32]);
    let Ok(mut reader) = AsyncEventReader::new(response, buffer, memory, *limits) else {
        return;
    };
    black_box(reader.set_last_event_id(input).is_ok());
    run(async {
        black_box(reader.source_mut().head().await.is_ok());
        black_box(reader.source_mut().event_stream().await.is_ok());
        while let Ok(Some(event)) = reader.next_event().await {
            black_box((event.event_type(), event.data()));
        }
        black_box(reader.next_item().await.is_ok());
    });
    black_box((
        reader.last_event_id(),
        reader.retry(),
        reader.counters(),
        reader.limits(),
    ));
    reader.resync();
    black_box(reader.take_unfinished().is_some());
    black_box(reader.source());
    black_box(
        reader
            .reset(AsyncResponse::new(Transport, [0; 32]))
            .into_source(),
    );
    black_box(reader.into_parts().unread);
}

fn in_place(memory: &mut [u8], input: &[u8], limits: &Limits) {
    let Ok(mut reader) = AsyncInPlaceReader::new(Transport, memory, *limits) else {
        return;
    };
    black_box(reader.set_last_event_id(input).is_ok());
    run(async {
        black_box(reader.next_event().await.is_ok());
        black_box(reader.next_item().await.is_ok());
    });
    black_box((reader.last_event_id(), reader.retry(), reader.counters()));
    reader.resync();
    black_box(reader.take_unfinished().is_some());
    black_box(reader.reset(Transport));
    black_box(reader.into_source());
}

fn writers(input: &[u8]) {
    let mut writer = AsyncEventWriter::new(Transport);
    run(async {
        black_box(writer.event(input, input, Some(input)).await.is_ok());
        black_box(writer.comment(input).await.is_ok());
        black_box(writer.retry(7).await.is_ok());
        black_box(writer.flush().await.is_ok());
        let mut outgoing = Outgoing::new(Encoder::comment(input));
        black_box(write_async(&mut Transport, &mut outgoing).await.is_ok());
        black_box(outgoing.is_done());
    });
    black_box(writer.into_sink());
}
