//! A table: cells in, Markdown out, that reads as well on a terminal.

use std::fmt;

/// Rows and columns, in the order in which they were first named.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    columns: Vec<String>,
    rows: Vec<(String, Vec<(usize, String)>)>,
}

impl Grid {
    /// Puts a cell there.
    pub(crate) fn set(&mut self, row: &str, column: &str, cell: String) {
        let at = position_or_push(&mut self.columns, column);
        let row = match self.rows.iter_mut().position(|(name, _)| name == row) {
            Some(index) => &mut self.rows[index].1,
            None => {
                self.rows.push((row.to_string(), Vec::new()));
                let last = self.rows.len() - 1;
                &mut self.rows[last].1
            }
        };
        row.push((at, cell));
    }

    /// Whether nothing was put there.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        let cells = &self.rows[row].1;
        let cell = cells.iter().find(|(at, _)| *at == column);
        cell.map_or("", |(_, cell)| cell)
    }

    fn width(&self, column: usize) -> usize {
        let cells = (0..self.rows.len()).map(|row| self.cell(row, column).chars().count());
        cells.fold(self.columns[column].chars().count(), usize::max)
    }
}

fn position_or_push(names: &mut Vec<String>, name: &str) -> usize {
    names
        .iter()
        .position(|known| known == name)
        .unwrap_or_else(|| {
            names.push(name.to_string());
            names.len() - 1
        })
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self
            .rows
            .iter()
            .map(|(name, _)| name.chars().count())
            .max()
            .unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| self.width(column))
            .collect();
        write!(f, "| {:first$} |", "")?;
        for (column, width) in self.columns.iter().zip(&widths) {
            write!(f, " {column:>width$} |")?;
        }
        write!(f, "\n| {:-<first$} |", "")?;
        for width in &widths {
            write!(f, " {:->width$}: |", "", width = width - 1)?;
        }
        for (row, (name, _)) in self.rows.iter().enumerate() {
            write!(f, "\n| {name:first$} |")?;
            for (column, width) in widths.iter().enumerate() {
                write!(f, " {:>width$} |", self.cell(row, column))?;
            }
        }
        Ok(())
    }
}
