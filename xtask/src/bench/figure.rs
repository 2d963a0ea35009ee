//! A figure: a line of what the measuring programs print in, a line of a record
//! out.

use std::fmt;

use anyhow::{Context, Result, bail};

/// One thing that was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// What kind of thing.
    pub(crate) part: String,
    /// On whom.
    pub(crate) contender: String,
    /// `own`, `part`, `rival` or `floor`.
    pub(crate) kind: String,
    pub(crate) corpus: String,
    /// Length of a read in bytes, or `whole`.
    pub(crate) read: String,
    /// A trailing `*` says that the contender saw other events than are there.
    pub(crate) unit: String,
    pub(crate) value: f64,
}

/// The first line of a record.
pub(crate) const HEADER: &str = "part,contender,kind,corpus,read,unit,value";

impl Figure {
    /// Reads one line. No field has a comma in it.
    pub(crate) fn parse(line: &str) -> Result<Figure> {
        let fields: Vec<&str> = line.split(',').collect();
        let [part, contender, kind, corpus, read, unit, value] = fields.as_slice() else {
            bail!("no figure: {line}");
        };
        Ok(Figure {
            part: part.to_string(),
            contender: contender.to_string(),
            kind: kind.to_string(),
            corpus: corpus.to_string(),
            read: read.to_string(),
            unit: unit.to_string(),
            value: value
                .parse()
                .with_context(|| format!("no number in: {line}"))?,
        })
    }

    /// Whether the contender saw the events that are there.
    pub(crate) fn is_right(&self) -> bool {
        !self.unit.ends_with('*')
    }

    /// The unit without the mark.
    pub(crate) fn unit(&self) -> &str {
        self.unit.trim_end_matches('*')
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure {
            part,
            contender,
            kind,
            corpus,
            read,
            unit,
            value,
        } = self;
        // Figures of instructions are exact, those of time never to the last digit.
        let digits = if *value >= 1000.0 { 1 } else { 3 };
        write!(
            f,
            "{part},{contender},{kind},{corpus},{read},{unit},{value:.digits$}"
        )
    }
}
