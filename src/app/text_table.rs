//! Aligned text tables.

#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heading: &[&str]) -> Self {
        Self { rows: vec![heading.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: usize, column: usize| self.rows[row].get(column).map_or("", String::as_str);
        let width = |column| (0..self.rows.len()).map(|row| cell(row, column).chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let is_number = |column| {
            let mut cells =
                (1..self.rows.len()).map(|row| cell(row, column)).filter(|cell| !cell.is_empty()).peekable();
            cells.peek().is_some() && cells.all(|cell| cell == "-" || cell.starts_with(|c: char| c.is_ascii_digit()))
        };
        let to_the_right: Vec<bool> = (0..columns).map(is_number).collect();
        let mut text = String::new();
        for row in 0..self.rows.len() {
            let cells = (0..columns).map(|column| {
                let (cell, width) = (cell(row, column), widths[column]);
                if to_the_right[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

/// Heading, width, and whether right-aligned. A longer cell shifts the rest of its row.
pub struct Columns(pub &'static [(&'static str, usize, bool)]);

impl Columns {
    pub fn heading(&self) -> String {
        self.line(self.0.iter().map(|(heading, ..)| (*heading).to_owned()))
    }

    pub fn line(&self, cells: impl IntoIterator<Item = String>) -> String {
        let cells = self.0.iter().zip(cells).map(|((_, width, to_the_right), cell)| match to_the_right {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_line_up_before_the_last_is_known() {
        let columns = Columns(&[("case", 6, false), ("time", 6, true), ("ok", 3, false)]);
        let line = |cells: [&str; 3]| columns.line(cells.map(String::from));
        assert_eq!(columns.heading(), "case      time  ok\n");
        assert_eq!(line(["ä", "3.1 us", "yes"]), "ä       3.1 us  yes\n");
        assert_eq!(line(["too long", "-", ""]), "too long       -\n");
    }

    #[test]
    fn numbers_are_right_aligned_without_trailing_spaces() {
        let mut table = Table::new(&["case", "time"]);
        table.row(["long name".into(), "3.1 us".into()]);
        table.row(["a".into(), "-".into()]);
        table.row(["ä".into(), "120 us".into()]);
        assert_eq!(table.text(), "case         time\nlong name  3.1 us\na               -\nä          120 us\n");
        assert_eq!(Table::new(&[]).text(), "\n");
    }
}
