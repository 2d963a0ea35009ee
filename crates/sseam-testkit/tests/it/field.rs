//! The second opinion against every stream of the field, and the examples.

use sseam_testkit::field::{self, Case};
use sseam_testkit::reader;

#[test]
fn cases_are_loaded() {
    assert_eq!(field::all().len(), 211);
    // Nobody saw anything: each case has to notice.
    let blind = field::Seen {
        exit: 1,
        ..field::Seen::default()
    };
    for case in field::all() {
        assert!(
            !field::differences(&case.expect, &blind).is_empty(),
            "{}",
            case.id
        );
    }
}

#[test]
fn reader_passes_all_cases() {
    let mut runs = 0;
    let mut wrong = Vec::new();
    for case in field::all() {
        let auto = case.auto.then_some("auto");
        for dialect in [case.dialect.as_str()].into_iter().chain(auto) {
            runs += 1;
            wrong.extend(check(case, dialect));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((field::all().len(), runs), (211, 407));
}

fn check(case: &Case, dialect: &str) -> Option<String> {
    let stream = case.stream.as_bytes();
    let seen = reader::read(dialect, case.mode(), 0, case.wants_reasoning(), stream);
    let differences = field::differences(&case.expect, &seen);
    let Case { id, what, .. } = case;
    (!differences.is_empty()).then(|| format!("{id} as {dialect}: {what}\n  {differences:?}"))
}
