//! In: an event stream over a UART. Out: its events, printed by another task than
//! the one that reads.
//!
//! Two futures and a channel of owned events; the executor is the loop below and
//! could be embassy's. The reader's future is dropped and made anew each time
//! the second task has something to do, which costs no byte.

#![no_std]
#![no_main]

use core::convert::Infallible;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use board::{Uart, entry, exit};
use demos::Json;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embedded_io::{ErrorType, Read, ReadReady, Write};
use sseam_core::{Limits, OwnedEvent};
use sseam_embedded_io::AsyncEventReader;

const LIMITS: Limits = Limits {
    data_len_max: 1024,
    ..Limits::SMALL
};

type Message = OwnedEvent<1024>;

static EVENTS: Channel<CriticalSectionRawMutex, Message, 2> = Channel::new();

#[entry]
fn main() -> ! {
    let mut out = Uart::new();
    let _ = writeln!(out, "ready");
    let (mut reader, mut printer) = (pin!(read()), pin!(print(&mut out)));
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(is_good) = reader.as_mut().poll(&mut context) {
            exit(is_good);
        }
        if printer.as_mut().poll(&mut context).is_ready() {
            exit(true);
        }
    }
}

/// Reads events and sends copies; ends only if something went wrong.
async fn read() -> bool {
    let uart = AsyncUart(Uart::new());
    let reader = AsyncEventReader::new(uart, [0; 32], [0; LIMITS.memory_len()], LIMITS);
    let Ok(mut reader) = reader else { return false };
    loop {
        // Dropped when it has waited for a while, as a timeout would do.
        let Some(outcome) = poll_up_to(3, reader.next_event()).await else {
            continue;
        };
        let Ok(Some(event)) = outcome else {
            return false;
        };
        let Ok(message) = Message::try_from(event) else {
            return false;
        };
        EVENTS.send(message).await;
    }
}

async fn print(out: &mut Uart) {
    let mut count = 0;
    loop {
        let event = EVENTS.receive().await;
        count += 1;
        if event.event_type() == "quit" {
            let _ = writeln!(out, "{count} events");
            return;
        }
        let (event_type, data) = (Json(event.event_type()), Json(event.data()));
        let id = Json(event.last_event_id());
        let _ = writeln!(
            out,
            "{{\"event\":{event_type},\"data\":{data},\"id\":{id}}}"
        );
    }
}

/// Polls a future so many times and then drops it.
async fn poll_up_to<T>(polls: u32, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = polls;
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending if left == 0 => Poll::Ready(None),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}

/// The UART for tasks: it waits by being polled again.
struct AsyncUart(Uart);

impl ErrorType for AsyncUart {
    type Error = Infallible;
}

impl embedded_io_async::Read for AsyncUart {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|context| {
            if self.0.read_ready() == Ok(true) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        self.0.read(buffer)
    }
}
