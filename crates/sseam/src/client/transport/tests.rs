//! What stops a connection, and what does not.

use std::net::TcpListener;
use std::time::Instant;

use ureq::unversioned::transport::time;

use super::*;

/// A connection that may take `time`, and the other end of it.
fn connected(time: Duration) -> (Watched<Socket>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let stream = TcpStream::connect(address).expect("a connection");
    let (other, _) = listener.accept().expect("its other end");
    let control = Arc::new(Control::new());
    control.begin(Instant::now().checked_add(time), None, None, false);
    let transport = Socket::new(Arc::new(stream), Arc::clone(&control));
    (Watched { transport, control }, other)
}

const NEVER: NextTimeout = NextTimeout {
    after: time::Duration::NotHappening,
    reason: ureq::Timeout::Global,
    per_read: None,
    per_write: None,
};

fn kind(outcome: &Result<impl Sized, Error>) -> Option<io::ErrorKind> {
    match outcome {
        Err(Error::Io(error)) => Some(error.kind()),
        _ => None,
    }
}

#[test]
fn who_sends_nothing_again_and_again_is_stopped() {
    let (mut watched, _other) = connected(Duration::from_millis(50));
    let start = Instant::now();
    let outcome = loop {
        let outcome = watched.transmit_output(0, NEVER);
        if outcome.is_err() || start.elapsed() > Duration::from_secs(5) {
            break outcome;
        }
    };
    assert_eq!(kind(&outcome), Some(io::ErrorKind::TimedOut));
    let (mut watched, _other) = connected(Duration::from_secs(60));
    assert!(watched.transmit_output(0, NEVER).is_ok());
    watched.control.cancel();
    assert_eq!(
        kind(&watched.transmit_output(0, NEVER)),
        Some(io::ErrorKind::Other)
    );
}

#[test]
fn a_full_buffer_is_not_the_end() {
    let (mut watched, mut other) = connected(Duration::from_secs(60));
    let writer = std::thread::spawn(move || {
        // It fails when the reader has seen enough.
        let _ = other.write_all(&vec![b'x'; BUFFER_LEN + 1]);
        other
    });
    let outcome = loop {
        match watched.await_input(NEVER) {
            Ok(true) => {}
            outcome => break outcome,
        }
    };
    assert!(
        matches!(outcome, Err(Error::LargeResponseHeader(..))),
        "{outcome:?}"
    );
    assert_eq!(watched.buffers().input().len(), BUFFER_LEN);
    assert!(!watched.control.has_ended());
    drop(watched);
    assert!(writer.join().is_ok());
}

#[cfg(unix)]
#[test]
fn a_connection_that_the_system_gave_up_is_not_read_on() {
    let error = io::Error::from_raw_os_error(libc::ETIMEDOUT);
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!(!is_to_be_repeated(&error));
    // And so says a socket whose own timeout passed.
    let (watched, _other) = connected(Duration::from_secs(60));
    let stream = &watched.transport.stream;
    let timeout = Some(Duration::from_millis(1));
    assert!(stream.set_read_timeout(timeout).is_ok());
    let error = (&mut &**stream).read(&mut [0]).expect_err("nothing comes");
    assert!(is_to_be_repeated(&error), "{error:?}");
}
