//! Tests of the testkit itself.

mod faults;
mod limits;
mod oracle;
mod render;
mod server;
#[cfg(feature = "tls")]
mod tls;
