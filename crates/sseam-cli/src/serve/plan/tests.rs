//! Blocks, resumes and pieces of small streams.

use super::*;

fn ends(body: &str) -> Vec<(usize, Option<String>)> {
    let text = |id: Vec<u8>| String::from_utf8(id).expect("UTF-8");
    let blocks = blocks(body.as_bytes()).into_iter();
    blocks
        .map(|block| (block.end, block.id.map(text)))
        .collect()
}

#[test]
fn blocks_end_after_the_whole_blank_line() {
    for line_end in ["\n", "\r\n", "\r"] {
        let first = format!("id: 1{line_end}data: a{line_end}{line_end}");
        let second = format!(": c{line_end}{line_end}");
        let third = format!("id{line_end}data: b{line_end}{line_end}");
        let body = [&*first, &*second, &*third, "data: unfinished"].concat();
        let ends_expected = [
            (first.len(), Some("1".to_owned())),
            (first.len() + second.len(), None),
            (body.len() - 16, Some(String::new())),
        ];
        assert_eq!(ends(&body), ends_expected, "{line_end:?}");
    }
}

#[test]
fn an_id_without_data_is_a_place_to_resume_too() {
    let expected = [
        (7, Some("7".to_owned())),
        (16, None),
        (31, Some("7".to_owned())),
    ];
    assert_eq!(
        ends("id: 7\n\ndata: x\n\nid: 7\ndata: y\n\n\n")[..3],
        expected
    );
}

#[test]
fn pieces_cover_the_body() {
    let end = |pieces: Vec<Piece>| pieces.iter().map(|piece| piece.end).collect::<Vec<_>>();
    assert_eq!(end(ends_of(5, 2)), [2, 4, 5]);
    assert_eq!(end(ends_of(4, 2)), [2, 4]);
    assert_eq!(end(ends_of(3, usize::MAX)), [3]);
    assert!(ends_of(0, 2).is_empty());
    assert_eq!(end(ends_at(&[2, 4], 5)), [2, 4, 5]);
    assert_eq!(end(ends_at(&[2, 4], 4)), [2, 4]);
    assert_eq!(end(ends_at(&[], 4)), [4]);
    assert!(ends_at(&[], 0).is_empty());
}
