//! Ctrl-C to the end of the process: at once, whatever the other thread does.
//!
//! The other thread may wait for the network, or for whoever reads its output.
//! So it is not asked: the thread of the interrupt says itself what has been
//! seen, and if standard error is blocked too, it exits without.

use std::io;
use std::process;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::conclude::{Forms, Seen};
use super::measure::{Figures, milliseconds};
use crate::exit::Exit;

/// Ends the process at the first interrupt from now on.
pub(crate) fn end_on_interrupt(seen: &Arc<Mutex<Seen>>, forms: &Forms) {
    let (seen, forms, start) = (Arc::clone(seen), forms.clone(), Instant::now());
    // Where there is no such thing as an interrupt, none can come.
    let _ = ctrlc::set_handler(move || {
        let (done, is_done) = mpsc::channel();
        let (seen, forms) = (Arc::clone(&seen), forms.clone());
        let elapsed = start.elapsed();
        thread::spawn(move || {
            tell(&seen, &forms, elapsed);
            let _ = done.send(());
        });
        let _ = is_done.recv_timeout(TELLING_MAX);
        process::exit(i32::from(Exit::Cancelled.code()));
    });
}

fn tell(seen: &Mutex<Seen>, forms: &Forms, elapsed: Duration) {
    // The lock is never held while anything waits.
    let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    if seen.is_over {
        drop(seen);
        // The other thread is about to exit with what it found.
        thread::sleep(TELLING_MAX * 2);
        return;
    }
    let figures = seen.measure.complete(Figures {
        requests: seen.requests,
        connections: seen.connections,
        reads: seen.reads,
        elapsed_ms: milliseconds(elapsed),
        first_byte_ms: seen.first_byte.map(milliseconds),
        first_text_ms: seen.first_text.map(milliseconds),
        longest_gap_ms: milliseconds(seen.measure.longest_gap()),
        ..Figures::default()
    });
    let verdict = seen.cancelled();
    let mut text = Vec::new();
    let name = &forms.name;
    text.extend(
        format!(
            "sseam: {name}: cancelled after {} ms\n",
            elapsed.as_millis()
        )
        .bytes(),
    );
    forms.write(&mut text, &verdict, (&seen, figures, None));
    let _ = io::Write::write_all(&mut io::stderr(), &text);
}

/// So long standard error may be blocked.
const TELLING_MAX: Duration = Duration::from_millis(200);
