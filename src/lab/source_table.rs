//! Tables of source documents, measured here.

use super::{Bench, BenchOptions, CardRow, CardTable, Cell, Column, Row, Spread, TestBench};
use base::text::micros;

#[derive(Clone, Copy)]
pub struct SourceTable {
    pub name: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    pub machine: &'static str,
    pub measures: &'static str,
    pub columns: &'static [Column],
    pub here: &'static [Column],
    pub rows: &'static [SourceRow],
    pub measure: Measure,
}

type Measure = fn(&mut TestBench, &BenchOptions, &SourceRow) -> anyhow::Result<SourceFigures>;

#[derive(Clone, Copy, Debug)]
pub struct SourceRow {
    pub title: &'static str,
    /// One for each of the source's columns; empty where it has none.
    pub figures: &'static [&'static str],
    pub only: &'static [&'static str],
}

pub const fn source_row(
    title: &'static str,
    figures: &'static [&'static str],
    only: &'static [&'static str],
) -> SourceRow {
    SourceRow { title, figures, only }
}

#[derive(Clone, Debug, PartialEq)]
pub struct SourceFigures {
    pub case: String,
    pub variant: String,
    pub gpu_us: Spread,
    pub cells: Vec<Cell>,
    /// `None` if it was not compared.
    pub checked: Option<bool>,
}

const SLOW_RUNS: usize = 5;

const TIMES: [Column; 4] = [
    Column::new("median", "Median time on the GPU"),
    Column::new("least to 95 %", "The shortest time, and that which 95 % of the runs do not exceed"),
    Column::new("runs", "Runs counted, with cold caches"),
    Column::new("checked", "Whether the result agrees with the reference implementation's"),
];

impl SourceFigures {
    pub fn of(row: Row, cells: Vec<Cell>) -> Self {
        let Row { case, variant, gpu_us, checked, .. } = row;
        Self { case, variant, gpu_us, cells, checked: Some(checked) }
    }
}

impl SourceTable {
    pub fn row(
        bench: &mut TestBench,
        options: &BenchOptions,
        of: &Bench,
        only: &'static [&'static str],
    ) -> anyhow::Result<Row> {
        let mut found = None;
        let options = BenchOptions { only, ..options.clone() };
        of.run(bench, &options, &mut |row| found = found.take().or(Some(row)))?;
        found.ok_or_else(|| anyhow::anyhow!("this device cannot run it"))
    }

    /// The error is the reason in words.
    pub fn measure(
        &self,
        bench: &mut TestBench,
        options: &BenchOptions,
        row: &SourceRow,
    ) -> Result<SourceFigures, String> {
        let is_slow = bench.gpu().policy().is_slow && !options.quick;
        let reps = options.reps.or(is_slow.then_some(SLOW_RUNS));
        let options = BenchOptions { reps, ..options.clone() };
        let figures = (self.measure)(bench, &options, row).map_err(|why| format!("{why:#}"))?;
        if figures.gpu_us.n == 0 { Err("this device gives no times".into()) } else { Ok(figures) }
    }

    pub fn card(&self, measured: &[Result<SourceFigures, String>]) -> CardTable {
        let columns = [&[Column::new("row", "")], self.columns, self.here, &TIMES].concat();
        let row = |(index, row): (usize, &SourceRow)| {
            let source = |at: usize| row.figures.get(at).map_or_else(Cell::none, |text| cell(text));
            let mut cells: Vec<Cell> = (0..self.columns.len()).map(source).collect();
            match measured.get(index) {
                Some(Ok(figures)) => {
                    cells.extend(figures.cells.iter().cloned());
                    cells.resize(self.columns.len() + self.here.len(), Cell::none());
                    cells.extend(times(figures));
                }
                Some(Err(_)) | None => cells.resize(columns.len() - 1, Cell::none()),
            }
            CardRow { title: row.title.to_owned(), cells, ..CardRow::default() }
        };
        CardTable { title: String::new(), rows: self.rows.iter().enumerate().map(row).collect(), columns }
    }

    pub fn notes(&self, measured: &[Result<SourceFigures, String>]) -> Vec<String> {
        let mut notes = vec![format!("Source: {}. {}", self.source, self.machine), format!("Here: {}", self.measures)];
        let subject = |figures: &'_ SourceFigures| figures.case.split(',').next().unwrap_or_default().to_owned();
        let mut subjects: Vec<String> = measured.iter().flatten().map(subject).collect();
        subjects.dedup();
        if !subjects.is_empty() {
            notes.push(format!("Measured: {}.", subjects.join("; ")));
        }
        let mut missing: Vec<(&str, Vec<&str>)> = Vec::new();
        for (why, row) in measured.iter().zip(self.rows).filter_map(|(one, row)| Some((one.as_ref().err()?, row))) {
            match missing.iter_mut().find(|(known, _)| known == why) {
                Some((_, titles)) => titles.push(row.title),
                None => missing.push((why, vec![row.title])),
            }
        }
        notes.extend(
            missing
                .iter()
                .map(|(why, titles)| format!("Not measured: {}. {}.", titles.join("; "), base::text::sentence(why))),
        );
        notes
    }
}

fn cell(text: &str) -> Cell {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    Cell {
        text: if text.is_empty() { "—" } else { text }.to_owned(), value: text[..end].parse().ok(), is_share: false
    }
}

fn times(figures: &SourceFigures) -> [Cell; 4] {
    let us = figures.gpu_us;
    let checked = match figures.checked {
        Some(is_right) => Cell::new(f64::from(is_right), if is_right { "yes" } else { "no" }),
        None => Cell::none(),
    };
    [
        Cell::new(us.median, micros(us.median)),
        Cell::range(us.min, us.p95),
        Cell::new(us.n as f64, us.n.to_string()),
        checked,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: SourceTable = SourceTable {
        name: "table",
        title: "Table",
        source: "A document",
        machine: "Measured on paper.",
        measures: "nothing.",
        columns: &[Column::new("ms", "")],
        here: &[Column::new("calls", "")],
        rows: &[source_row("first", &["1.5 ms"], &[]), source_row("second", &[""], &["x"])],
        measure: |_, _, _| Err(anyhow::anyhow!("no")),
    };

    #[test]
    fn figures_are_in_their_columns_and_a_missing_row_has_its_reason() {
        let gpu_us = Spread { median: 20.0, min: 10.0, p95: 2000.0, n: 7, interval: [15.0, 30.0] };
        let (case, variant) = ("64x64, one".to_owned(), "first".to_owned());
        let first =
            SourceFigures { case, variant, gpu_us, cells: vec![Cell::number(Some(3.0), 1)], checked: Some(true) };
        let measured = [Ok(first), Err("it cannot run".to_owned())];
        let card = TABLE.card(&measured);
        let texts = |row: usize| card.rows[row].cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
        assert_eq!(texts(0), ["1.5 ms", "3.0", "20.0 µs", "10.0 µs to 2.00 ms", "7", "yes"]);
        assert_eq!(texts(1), ["—"; 6]);
        assert_eq!(card.rows[0].cells[0].value, Some(1.5));
        assert!(card.rows.iter().all(|row| row.cells.len() + 1 == card.columns.len()));
        let notes = TABLE.notes(&measured);
        assert_eq!(notes[2..], ["Measured: 64x64.", "Not measured: second. It cannot run."]);
        assert_eq!(TABLE.card(&[]).rows[0].cells[0].text, "1.5 ms", "the source's figures need no measurement");
    }
}
