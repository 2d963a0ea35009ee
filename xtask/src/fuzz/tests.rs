//! In: manifests as text. Out: whether the targets in them are found.

use super::target_names;

#[test]
fn targets_are_the_names_of_bins_only() {
    let manifest = "[package]\nname = \"fuzz\"\n\n[[bin]]\nname = \"cut\"\npath = \"a.rs\"\n\n\
                    [lib]\nname = \"no\"\n\n[[bin]]\n  name=\"oracle\"\n";
    assert_eq!(target_names(manifest), ["cut", "oracle"]);
    assert_eq!(target_names(""), [""; 0]);
}
