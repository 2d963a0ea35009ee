//! What an event's bytes look like as a `str`: text in, borrowed or repaired
//! text out.

use std::borrow::Cow;

use sseam_core::Text;

/// What [`Text`] can do where there is a heap.
pub trait TextExt<'a> {
    /// The text with U+FFFD for each maximal subpart that is not valid UTF-8,
    /// exactly as a browser shows it. Borrowed where all of it is valid.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use sseam::{Text, TextExt};
    ///
    /// let whole = Text::from("你好").to_string_lossy();
    /// assert!(matches!(whole, Cow::Borrowed("你好")));
    /// assert_eq!(Text::new(b"a\xE2\x82b").to_string_lossy(), "a\u{FFFD}b");
    /// ```
    fn to_string_lossy(self) -> Cow<'a, str>;
}

impl<'a> TextExt<'a> for Text<'a> {
    #[inline]
    fn to_string_lossy(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.as_bytes())
    }
}
