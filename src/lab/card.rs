//! Measurement card: subject, verdict, tables, plot.

use super::{
    comparison::{Alternative, Answer, Comparison, Progress},
    pareto::Pareto,
};
use base::text::{fixed, micros, micros_in_unit, percent};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    pub name: &'static str,
    pub meaning: &'static str,
}

impl Column {
    pub const fn new(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    pub text: String,
    pub value: Option<f64>,
    pub is_share: bool,
}

impl Cell {
    pub fn new(value: f64, text: impl Into<String>) -> Self {
        Self { text: text.into(), value: Some(value).filter(|value| !value.is_nan()), is_share: false }
    }

    pub fn none() -> Self {
        Self { text: "—".into(), ..Self::default() }
    }

    pub fn us(us: Option<f64>) -> Self {
        us.map_or_else(Self::none, |us| Self::new(us, micros(us)))
    }

    /// `11.9 to 12.8 ms`.
    pub fn range(low_us: f64, high_us: f64) -> Self {
        let ([low, unit], [high, high_unit]) = (micros_in_unit(low_us), micros_in_unit(high_us));
        let low = if unit == high_unit { low } else { format!("{low} {unit}") };
        Self::new(high_us - low_us, format!("{low} to {high} {high_unit}"))
    }

    pub fn number(value: Option<f64>, decimals: usize) -> Self {
        value.map_or_else(Self::none, |value| Self::new(value, fixed(value, decimals)))
    }

    pub fn mib(bytes: Option<u64>) -> Self {
        Self::number(bytes.map(|bytes| bytes as f64 / (1024.0 * 1024.0)), 1)
    }

    pub fn share(share: f64) -> Self {
        Self { is_share: true, ..Self::new(share, percent(share, 0)) }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardRow {
    /// The setting's value if it is a choice of the section: clicking the row selects it.
    pub name: String,
    pub title: String,
    /// Further fields set by the row's choice, with their values.
    pub sets: Vec<(&'static str, toml::Value)>,
    pub cells: Vec<Cell>,
}

/// The deciding column comes right after the name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardTable {
    pub title: String,
    pub columns: Vec<Column>,
    pub rows: Vec<CardRow>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    pub progress: Progress,
    pub subject: String,
    pub answer: Option<Answer>,
    pub tables: Vec<CardTable>,
    pub notes: Vec<String>,
    pub pareto: Option<Pareto>,
}

const TIMES: [Column; 2] = [
    Column::new(
        "time",
        "Median on the GPU. Where the quartiles of two rows overlap, the one with the smaller median need not be faster.",
    ),
    Column::new("quartiles", "A quarter of the times is below the first, a quarter above the second"),
];

impl Card {
    pub fn of(
        comparison: &Comparison,
        names: &'static str,
        more: &[Column],
        cells: &dyn Fn(usize, &Alternative) -> Vec<Cell>,
    ) -> Self {
        let row = |(index, alternative): (usize, &Alternative)| {
            let times = alternative.times();
            let quartiles = times.map_or_else(Cell::none, |times| Cell::range(times.low, times.high));
            let mut all = vec![Cell::us(times.map(|times| times.median)), quartiles];
            all.extend(cells(index, alternative));
            let (name, title) = (alternative.name.clone(), alternative.title.clone());
            CardRow { name, title, cells: all, ..CardRow::default() }
        };
        let columns = [&[Column::new(names, "")][..], &TIMES, more].concat();
        let rows = comparison.alternatives().iter().enumerate().map(row).collect();
        Self {
            progress: comparison.progress(),
            subject: comparison.subject().to_owned(),
            tables: vec![CardTable { title: String::new(), columns, rows }],
            ..Self::default()
        }
    }

    pub fn text(&self, heading: &str) -> String {
        let mut lines = vec![heading.to_owned(), self.subject.clone()];
        lines.extend(self.answer.iter().map(|answer| answer.text.clone()));
        for table in &self.tables {
            lines.push(String::new());
            lines.extend((!table.title.is_empty()).then(|| table.title.clone()));
            lines.push(table.columns.iter().map(|column| column.name).collect::<Vec<_>>().join("\t"));
            for row in &table.rows {
                let cells = row.cells.iter().map(|cell| cell.text.as_str());
                lines.push(std::iter::once(row.title.as_str()).chain(cells).collect::<Vec<_>>().join("\t"));
            }
        }
        lines.extend(self.notes.iter().cloned());
        lines.push(String::new());
        lines.join("\n")
    }
}
