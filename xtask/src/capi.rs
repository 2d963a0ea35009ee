//! The C libraries: built, proved, laid out in a prefix, and tested from C.
//!
//! In: the crate of the artifacts, the headers. Out: `target/capi`, or another
//! prefix, with `include`, `lib`, `lib/pkgconfig` and `lib/cmake/sseam`; and the
//! steps of `cargo xtask test c`.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::parts::{Budget, Part};
use crate::step::{self, Done, Step, Tally};

mod artifact; // The crate -> a shared library, and a static one of one object.
mod prefix; // The libraries and headers -> a prefix that needs no Rust.
pub(crate) mod header; // cbindgen's header -> one that reads well in C.
mod symbols; // What the libraries export, and what the header declares.
mod cc; // C and C++ programs: compiled, linked, run.
mod compile; // The headers under every standard; layout; versions.
mod behave; // What the libraries do: corpus, misuse, random calls, figures.
mod answers; // The answers of AI APIs through C and C++.
mod link; // Neighbours, and consumers of an installed prefix.
mod machines; // A router and firmware.
mod examples; // Each example, run against a server.
mod server; // A loopback server that cuts, stalls and breaks off.

pub(crate) const PART: Part = Part {
    name: "c",
    budget: Budget {
        cold: 450,
        warm: 240,
    },
    steps,
};

#[derive(clap::Args)]
pub(crate) struct CapiArguments {
    /// The target to build for (the host when none is named)
    #[arg(long, value_name = "TRIPLE")]
    target: Option<String>,
    /// Builds Rust's core library too, for a target that rustup does not have here;
    /// RUSTC names a compiler that comes with the source
    #[arg(long)]
    build_std: bool,
    /// Leaves out the answers of AI APIs, `sseam_answer_...`, which are most of
    /// the shared library
    #[arg(long)]
    without_answers: bool,
    /// Where to lay out the libraries and headers (`target/capi` when not named)
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
}

/// Builds the libraries and lays them out.
pub(crate) fn capi(root: &Path, arguments: &CapiArguments) -> Result<Tally> {
    let target = arguments.target.clone();
    let prefix = match (&arguments.prefix, &target) {
        (Some(prefix), _) => std::path::absolute(prefix)?,
        (None, None) => default_prefix(root),
        (None, Some(target)) => default_prefix(root).join(target),
    };
    let (root, build_std) = (root.to_path_buf(), arguments.build_std);
    let answers = match arguments.without_answers {
        true => artifact::Answers::Out,
        false => artifact::Answers::In,
    };
    let step = Step::call("capi", move || {
        let core = match build_std {
            true => artifact::Core::Built(None),
            false => artifact::Core::Installed,
        };
        let built = artifact::build(&root, target.as_deref(), core, answers)?;
        prefix::lay_out(&root, &built, &prefix)?;
        println!("laid out in {}", prefix.display());
        Ok(Done::Passed)
    });
    Ok(step::run_all(vec![step]))
}

/// Where the libraries for the host are, once they are built.
fn default_prefix(root: &Path) -> PathBuf {
    root.join("target/capi")
}

fn steps(root: &Path) -> Vec<Step> {
    let mut steps = artifact::steps(root);
    steps.extend(symbols::steps(root));
    steps.push(header::step(root, true));
    steps.extend(compile::steps(root));
    steps.extend(behave::steps(root));
    steps.extend(answers::steps(root));
    steps.extend(link::steps(root));
    steps.extend(machines::steps(root));
    steps.extend(examples::steps(root));
    steps
}
