//! What a request's owner and its canceller share: whether it goes on, until
//! when it waits, and on which socket.
//!
//! All waiting of the client asks here first. A cancel sets the flag and then
//! shuts the socket down, which wakes a blocked read or write at once; a wait for
//! a connection or between two of them is woken by the condition variable.

use std::fmt;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Ends a stream from any thread.
///
/// A wait of any kind ends at once: for a connection, for the head of a response,
/// for bytes, for the next attempt. The socket is closed, and so the server knows.
/// Complete events that had arrived can still be
/// [drained](crate::client::EventSource::drain). To cancel twice, or after the
/// end, does nothing.
#[derive(Clone)]
pub struct Canceller {
    control: Arc<Control>,
}

impl Canceller {
    pub(crate) const fn new(control: Arc<Control>) -> Self {
        Canceller { control }
    }

    /// Ends the stream.
    pub fn cancel(&self) {
        self.control.cancel();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }
}

impl fmt::Debug for Canceller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Canceller")
            .field("is_cancelled", &self.is_cancelled())
            .finish()
    }
}

/// How far a connection has come.
///
/// ```text
/// Resolving --> Dialing --> Securing --> Open
///
/// With a proxy, whose TLS comes first where it speaks any:
/// Resolving --> Dialing --> Securing --> Tunneling --> Securing --> Open
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Waiting for the addresses of a name.
    Resolving,
    /// Waiting for TCP.
    Dialing,
    /// Waiting for a proxy.
    Tunneling,
    /// Waiting for TLS.
    Securing,
    /// Requests and responses pass.
    Open,
}

/// Why a wait must not begin, or go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Cancelled,
    TimedOut,
}

/// See the file's head.
pub(crate) struct Control {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    is_cancelled: bool,
    phase: Phase,
    /// No wait goes beyond this.
    until: Option<Instant>,
    /// A wait came to `until`.
    has_timed_out: bool,
    /// What `until` becomes once the connection is open.
    open_timeout: Option<Duration>,
    open_until: Option<Instant>,
    /// A proxy stands between.
    has_proxy: bool,
    /// The proxy has connected, and what comes next is the host's.
    has_tunneled: bool,
    /// Gone when the connection is.
    socket: Weak<TcpStream>,
    /// Nothing more is taken from the socket.
    is_read_no_more: bool,
    /// When the socket last gave bytes, of whatever layer, in this wait.
    bytes_at: Option<Instant>,
    /// The transport ended: cleanly, or by a fault that HTTP may not notice.
    has_ended: bool,
    fault: Option<io::ErrorKind>,
}

impl Control {
    pub(crate) fn new() -> Self {
        Control {
            state: Mutex::new(State {
                is_cancelled: false,
                phase: Phase::Resolving,
                until: None,
                has_timed_out: false,
                open_timeout: None,
                open_until: None,
                has_proxy: false,
                has_tunneled: false,
                socket: Weak::new(),
                is_read_no_more: false,
                bytes_at: None,
                has_ended: false,
                fault: None,
            }),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn cancel(&self) {
        let mut state = self.lock();
        state.is_cancelled = true;
        if let Some(socket) = state.socket.upgrade() {
            // It fails where the peer was faster, and then nobody waits.
            let _ = socket.shutdown(Shutdown::Both);
        }
        self.changed.notify_all();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    /// A new connection begins. It may take until `until`; once it is open, the
    /// next wait may take `open_timeout`, but not beyond `open_until`.
    pub(crate) fn begin(
        &self,
        until: Option<Instant>,
        open_timeout: Option<Duration>,
        open_until: Option<Instant>,
        has_proxy: bool,
    ) {
        let mut state = self.lock();
        state.phase = Phase::Resolving;
        state.until = until;
        state.has_timed_out = false;
        state.open_timeout = open_timeout;
        state.open_until = open_until;
        state.has_proxy = has_proxy;
        state.has_tunneled = false;
        state.is_read_no_more = false;
        state.socket = Weak::new();
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.lock().phase = phase;
    }

    /// The connection is there, with TLS where TLS belongs to it.
    pub(crate) fn opened(&self) {
        let mut state = self.lock();
        let after = state
            .open_timeout
            .and_then(|time| Instant::now().checked_add(time));
        state.phase = Phase::Open;
        state.until = earlier(after, state.open_until);
        state.bytes_at = None;
        state.has_ended = false;
        state.fault = None;
    }

    pub(crate) fn has_proxy(&self) -> bool {
        self.lock().has_proxy
    }

    /// The proxy has connected to the host.
    pub(crate) fn tunneled(&self) {
        self.lock().has_tunneled = true;
    }

    /// Whether what fails now is the proxy, and not what is behind it.
    pub(crate) fn is_at_proxy(&self) -> bool {
        let state = self.lock();
        state.has_proxy && !state.has_tunneled
    }

    pub(crate) fn phase(&self) -> Phase {
        self.lock().phase
    }

    /// The next wait may take until `until`.
    pub(crate) fn set_until(&self, until: Option<Instant>) {
        let mut state = self.lock();
        state.until = until;
        state.bytes_at = None;
        state.has_timed_out = false;
    }

    pub(crate) fn has_timed_out(&self) -> bool {
        self.lock().has_timed_out
    }

    /// How long the next wait may take; `None` is for ever.
    pub(crate) fn remaining(&self) -> Result<Option<Duration>, Stop> {
        let mut state = self.lock();
        if state.is_cancelled {
            return Err(Stop::Cancelled);
        }
        let Some(until) = state.until else {
            return Ok(None);
        };
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            state.has_timed_out = true;
            return Err(Stop::TimedOut);
        }
        Ok(Some(left))
    }

    /// Waits for `time`, or less if a stop comes first.
    pub(crate) fn pause(&self, time: Duration) -> Result<(), Stop> {
        let left = self.remaining()?.map_or(time, |left| left.min(time));
        let state = self.lock();
        let is_waiting = |state: &mut State| !state.is_cancelled;
        let waited = self.changed.wait_timeout_while(state, left, is_waiting);
        drop(waited);
        self.remaining().map(drop)
    }

    /// The socket to shut down on a cancel. Says `Cancelled` if that was before.
    pub(crate) fn register(&self, socket: &Arc<TcpStream>) -> Result<(), Stop> {
        let mut state = self.lock();
        if state.is_cancelled {
            return Err(Stop::Cancelled);
        }
        state.socket = Arc::downgrade(socket);
        Ok(())
    }

    /// From here on only what was received already is handed out.
    pub(crate) fn read_no_more(&self) {
        self.lock().is_read_no_more = true;
    }

    pub(crate) fn is_read_no_more(&self) -> bool {
        self.lock().is_read_no_more
    }

    pub(crate) fn note_bytes(&self) {
        self.lock().bytes_at = Some(Instant::now());
    }

    /// When bytes last came, if some did since the deadline was set.
    pub(crate) fn bytes_at(&self) -> Option<Instant> {
        self.lock().bytes_at
    }

    /// The transport has ended, by a fault or without one.
    pub(crate) fn note_end(&self, fault: Option<io::ErrorKind>) {
        let mut state = self.lock();
        state.has_ended = true;
        state.fault = state.fault.or(fault);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.lock().has_ended
    }

    pub(crate) fn fault(&self) -> Option<io::ErrorKind> {
        self.lock().fault
    }

    /// A thread that panicked with the lock left nothing half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}

/// The earlier of two deadlines, either of which may never come.
pub(crate) fn earlier(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
