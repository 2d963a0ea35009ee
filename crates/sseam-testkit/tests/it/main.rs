//! Tests of the testkit itself.

mod faults;
mod field;
mod limits;
mod mangle;
mod oracle;
mod reader;
mod render;
mod server;
#[cfg(feature = "tls")]
mod tls;
