//! In: hand-made functions. Out: whether the longest chain is found.

use super::{Function, Image, uleb};

fn function(name: &str, frame: Option<u64>, calls: &[u64]) -> Function {
    Function {
        name: name.to_string(),
        size: 8,
        frame,
        calls: calls.iter().copied().collect(),
    }
}

#[test]
fn the_deepest_chain_wins_not_the_longest() {
    let mut image = Image::default();
    image
        .functions
        .insert(0, function("probe", Some(8), &[16, 32]));
    image.functions.insert(16, function("wide", Some(100), &[]));
    image.functions.insert(32, function("a", Some(16), &[48]));
    image.functions.insert(48, function("b", Some(16), &[64]));
    image.functions.insert(64, function("memcpy", None, &[]));
    let chain = image.chain("probe");
    assert_eq!((chain.bytes, chain.is_recursive), (108, false));
    assert_eq!(chain.names, ["probe 8", "wide 100"]);
    assert_eq!(chain.unknown.into_iter().collect::<Vec<_>>(), ["memcpy"]);
}

#[test]
fn recursion_is_told() {
    let mut image = Image::default();
    image.functions.insert(0, function("probe", Some(8), &[16]));
    image.functions.insert(16, function("a", Some(8), &[0]));
    assert!(image.chain("probe").is_recursive);
}

#[test]
fn lengths_of_more_than_one_byte() {
    assert_eq!(uleb(&[0x80, 0x01, 9]), (128, &[9][..]));
    assert_eq!(uleb(&[0x08]), (8, &[][..]));
    assert_eq!(uleb(&[]), (0, &[][..]));
}
