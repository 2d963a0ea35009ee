//! The iterator over every cut.

use std::collections::HashSet;

use sseam::every_cut;

#[test]
fn every_cut_is_the_stream_and_no_two_are_equal() {
    for len in 0..20 {
        let stream: Vec<u8> = (0..len).collect();
        let mut seen = HashSet::new();
        let mut cuts = every_cut(&stream);
        for chunks in cuts.by_ref() {
            assert_eq!(chunks.concat(), stream);
            let ends: Vec<usize> = chunks.iter().map(|chunk| chunk.len()).collect();
            assert!(seen.insert(ends) || len < 3, "short streams have few cuts");
        }
        assert!(cuts.next().is_none());
        for at in 0..=stream.len() {
            assert!(seen.contains(&vec![at, stream.len() - at]));
        }
        assert!(seen.contains(&vec![1; stream.len()]));
        assert!(seen.contains(&vec![stream.len()]));
    }
}

#[test]
fn the_cuts_of_two_bytes() {
    let cuts: Vec<Vec<&[u8]>> = every_cut(b"ab").collect();
    let expected: [&[&[u8]]; 6] = [
        &[b"ab"],
        &[b"a", b"b"],
        &[b"", b"a", b"", b"b", b""],
        &[b"", b"ab"],
        &[b"a", b"b"],
        &[b"ab", b""],
    ];
    assert_eq!(cuts, expected);
}
