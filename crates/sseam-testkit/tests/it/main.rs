//! Tests of the testkit itself.

mod faults;
mod limits;
mod oracle;
mod render;
