//! Several addresses of one name.

use std::net::TcpListener;
use std::time::Instant;

use sseam_testkit::server::SilentPort;

use super::*;

fn control(milliseconds: u64) -> Control {
    let control = Control::new();
    control.set_until(Instant::now().checked_add(Duration::from_millis(milliseconds)));
    control
}

#[test]
fn an_address_that_is_dead_does_not_take_all_the_time() {
    let silent = SilentPort::open().expect("a silent port");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    let start = Instant::now();
    let stream = dial(&control(2000), &[silent.address(), address]);
    assert_eq!(
        stream.map(|stream| stream.peer_addr().ok()).ok(),
        Some(Some(address))
    );
    let elapsed = start.elapsed();
    assert!(
        elapsed >= Duration::from_millis(900),
        "half of the time: {elapsed:?}"
    );
}

#[test]
fn all_of_them_dead_is_a_timeout_in_time() {
    let silent = SilentPort::open().expect("a silent port");
    let start = Instant::now();
    let control = control(300);
    let stream = dial(&control, &[silent.address(), silent.address()]);
    assert!(matches!(stream, Err(Error::Io(error)) if error.kind() == io::ErrorKind::TimedOut));
    assert!(start.elapsed() >= Duration::from_millis(290));
}

#[test]
fn the_last_failure_is_the_one_that_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let stream = dial(&control(5000), &[address, address]);
    let refused = io::ErrorKind::ConnectionRefused;
    assert!(matches!(stream, Err(Error::Io(error)) if error.kind() == refused));
    assert!(matches!(
        dial(&control(5000), &[]),
        Err(Error::HostNotFound)
    ));
}
