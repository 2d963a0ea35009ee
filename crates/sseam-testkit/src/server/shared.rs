//! What the threads of a server share: what was recorded, and one condition
//! that all of them wait on.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::record::Connection;

/// The state of a server and the news that it has changed.
#[derive(Default)]
pub(crate) struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
pub(crate) struct State {
    /// The server was dropped.
    pub(crate) is_stopping: bool,
    /// The port takes connections.
    pub(crate) is_listening: bool,
    /// How often the port was told to open.
    pub(crate) opened: usize,
    /// Threads that play a connection.
    pub(crate) live: usize,
    pub(crate) connections: Vec<Connection>,
    pub(crate) complaints: Vec<String>,
}

impl Shared {
    /// A test that panicked while it held the lock has failed anyway.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes whoever waits for that.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state());
        self.changed.notify_all();
        result
    }

    pub(crate) fn update(&self, index: usize, change: impl FnOnce(&mut Connection)) {
        self.change(|state| state.connections.get_mut(index).map(change));
    }

    pub(crate) fn complain(&self, complaint: String) {
        self.change(|state| state.complaints.push(complaint));
    }

    /// Waits until `is_so`; `false` if that took longer than `longest`.
    pub(crate) fn wait(&self, longest: Duration, mut is_so: impl FnMut(&State) -> bool) -> bool {
        let state = self.state();
        let waited = self
            .changed
            .wait_timeout_while(state, longest, |state| !is_so(state));
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        is_so(&state)
    }

    /// Waits as a script says; `false` if the client or the test ended it.
    pub(crate) fn sleep(&self, index: usize, duration: Duration) -> bool {
        !self.wait(duration, |state| is_over(state, index))
    }

    pub(crate) fn wait_for_close(&self, index: usize, longest: Duration) {
        self.wait(longest, |state| is_over(state, index));
    }

    pub(crate) fn wait_for_stop(&self) {
        self.wait(FOREVER, |state| state.is_stopping);
    }

    /// Records a connection; its index.
    pub(crate) fn accepted(&self) -> usize {
        self.change(|state| {
            state.live += 1;
            state.connections.push(Connection {
                accepted: Instant::now(),
                request: None,
                head_sent: None,
                sent: Vec::new(),
                closed: None,
                ended: None,
            });
            state.connections.len() - 1
        })
    }
}

fn is_over(state: &State, index: usize) -> bool {
    let connection = state.connections.get(index);
    state.is_stopping || connection.is_none_or(|connection| connection.closed.is_some())
}

/// Longer than any test.
const FOREVER: Duration = Duration::from_secs(3600);
