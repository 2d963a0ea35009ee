//! The files that the rules look at.
//!
//! In: what git lists as tracked, or as new and not ignored: a file must not
//! pass here only because it was not added yet. Out: their paths with `/`, the
//! text of those that are text, the parsed Rust among them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::source::Source;

/// The repository at one moment.
pub(crate) struct Tree {
    /// Path to text; what is not UTF-8 has an empty text, since no rule reads it.
    files: BTreeMap<String, String>,
    /// Every `.rs` file, parsed.
    pub(crate) sources: Vec<Source>,
    /// Folders that hold no file, however deep one looks.
    pub(crate) empty_folders: Vec<String>,
}

impl Tree {
    /// Reads the repository whose root is `root`.
    pub(crate) fn read(root: &Path) -> Result<Tree> {
        let listed = git(
            root,
            &[
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
        )?;
        let mut files = BTreeMap::new();
        for path in listed {
            match fs::read(root.join(&path)) {
                Ok(bytes) => {
                    files.insert(path, String::from_utf8(bytes).unwrap_or_default());
                }
                // Deleted, and the deletion is not committed yet.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
            }
        }
        let folders = git(
            root,
            &[
                "ls-files",
                "-z",
                "--others",
                "--directory",
                "--exclude-standard",
            ],
        )?;
        let is_empty = |path: &String| path.ends_with('/') && holds_nothing(&root.join(path));
        let empty_folders = folders.into_iter().filter(is_empty).collect();
        Ok(Tree::new(files, empty_folders))
    }

    /// A tree of these files.
    pub(crate) fn new(files: BTreeMap<String, String>, empty_folders: Vec<String>) -> Tree {
        let is_rust = |(path, _): &(&String, &String)| path.ends_with(".rs");
        let sources = files
            .iter()
            .filter(is_rust)
            .map(|(path, text)| Source::new(path, text))
            .collect();
        Tree {
            files,
            sources,
            empty_folders,
        }
    }

    /// The text of the file at `path`.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Every file whose path ends so, with its text.
    pub(crate) fn ending(&self, end: &str) -> impl Iterator<Item = (&str, &str)> {
        let has_end = move |(path, _): &(&str, &str)| path.ends_with(end);
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .filter(has_end)
    }

    /// The paths below `folder`, which ends with `/`.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        self.files
            .keys()
            .map(String::as_str)
            .filter(move |path| path.starts_with(folder))
    }
}

/// Runs git and splits what it lists.
fn git(root: &Path, arguments: &[&str]) -> Result<Vec<String>> {
    let output = Command::new("git")
        .current_dir(root)
        .args(arguments)
        .output();
    let output = output.context("cannot start git, which tells tidy what belongs to the tree")?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        bail!("git {} failed: {}", arguments.join(" "), error.trim());
    }
    let listed = String::from_utf8(output.stdout).context("a path is not UTF-8")?;
    Ok(listed
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(str::to_string)
        .collect())
}

/// Git lists a new folder as a whole, whether or not it holds anything.
fn holds_nothing(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().all(|entry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir()) && holds_nothing(&entry.path())
    })
}
