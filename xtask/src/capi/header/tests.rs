//! What cbindgen writes, and what becomes of it.

use super::{first_difference, polish};

#[test]
fn a_header_that_reads_well() {
    let raw = "\
#ifndef SSEAM_H
/**
 * One line.
 */
#define SSEAM_ERR -1

/**
 * Two
 * lines.
 *
 * # Safety
 *
 * `x` is NULL.
 *
 * ```c
 * f(x);
 * ```
 */
void f(struct sseam_x *x);
typedef struct sseam_x {
} sseam_x;
#endif  // __cplusplus
#endif  /* SSEAM_H */

/** A macro. */
#define M 1
";
    let expected = "\
#ifndef SSEAM_H
/** One line. */
#define SSEAM_ERR (-1)

/**
 * Two
 * lines.
 *
 * Contract: `x` is NULL.
 *
 *     f(x);
 */
void f(sseam_x *x);
typedef struct sseam_x {
} sseam_x;
#endif  /* __cplusplus */
/** A macro. */
#define M 1

#endif  /* SSEAM_H */
";
    assert_eq!(polish(raw), expected);
}

#[test]
fn where_two_headers_differ() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
    assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    assert_eq!(first_difference("", "a\n"), Some(1));
}
