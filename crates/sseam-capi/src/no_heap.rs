//! Event memory that cannot grow: more is wanted, a refusal comes out. An in-place
//! parser never asks, since it was lent all that its limits need.

use crate::parser::Parser;
use crate::status::{SSEAM_ERR_MEMORY, Status};

/// There is none.
#[derive(Clone, Copy)]
pub(crate) enum Heap {}

impl Heap {
    /// # Safety
    ///
    /// None is needed: there is no heap to call this on.
    pub(crate) unsafe fn free(&self, _memory: *mut u8, _len: usize) {}
}

/// # Safety
///
/// None is needed: nothing is done.
pub(crate) unsafe fn grow(_parser: *mut Parser) -> Result<(), Status> {
    Err(SSEAM_ERR_MEMORY)
}

pub(crate) fn is_much(_len: usize) -> bool {
    false
}

/// # Safety
///
/// None is needed: nothing is done.
pub(crate) unsafe fn give_back(_parser: *mut Parser) {}

/// # Safety
///
/// None is needed: nothing is done.
pub(crate) unsafe fn shrink(_parser: *mut Parser) {}
