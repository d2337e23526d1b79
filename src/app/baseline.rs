//! Baseline of a benchmark: the JSON of an earlier run, and how the rows of this one compare.

use super::failure::{Failure, OrFail as _};
use super::text_table::Table;
use base::text::micros;
use gpu::DeviceInfo;
use lab::{Change, ChangeVerdict, Row, Spread};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Technique, case and variant.
type Key = (String, String, String);

#[derive(Debug)]
pub struct Baseline {
    file: PathBuf,
    device: Device,
    rows: HashMap<Key, Earlier>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Device {
    name: String,
    driver: String,
}

#[derive(Clone, Copy, Debug)]
struct Earlier {
    times: Spread,
    probe_us: Option<f64>,
}

#[derive(Deserialize)]
struct FileText {
    device: Device,
    rows: Vec<FileRow>,
}

#[derive(Deserialize)]
struct FileRow {
    technique: String,
    case: String,
    variant: String,
    gpu_us: FileTimes,
    probe_us: Option<f64>,
}

#[derive(Deserialize)]
struct FileTimes {
    median: Option<f64>,
    min: Option<f64>,
    p95: Option<f64>,
    n: usize,
    interval: Option<[Option<f64>; 2]>,
}

fn key(technique: &str, row: &Row) -> Key {
    (technique.to_owned(), row.case.clone(), row.variant.clone())
}

impl Baseline {
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let what = format!("--against {}", file.display());
        let text = std::fs::read(file).or_bad(&what)?;
        let bad = |why: &str| Failure::bad(format!("{what}: {why}; expected what bench --json writes"));
        let FileText { device, rows } =
            serde_json::from_slice(&text).map_err(|why| bad(&format!("it is no result of bench ({why})")))?;
        let mut earlier = HashMap::new();
        for FileRow { technique, case, variant, gpu_us, probe_us } in rows {
            let Some(interval) = gpu_us.interval else {
                return Err(bad("it has no intervals, an earlier version wrote it: measure that build again"));
            };
            let number = |us: Option<f64>| us.unwrap_or(f64::NAN);
            let [median, min, p95] = [gpu_us.median, gpu_us.min, gpu_us.p95].map(number);
            let times = Spread { median, min, p95, n: gpu_us.n, interval: interval.map(number) };
            let name = format!("{technique} {case} {variant}");
            if earlier.insert((technique, case, variant), Earlier { times, probe_us }).is_some() {
                return Err(bad(&format!("{name} is there twice")));
            }
        }
        if earlier.is_empty() {
            return Err(bad("it has no rows"));
        }
        Ok(Self { file: file.to_owned(), device, rows: earlier })
    }

    pub fn expect_device(&self, facts: &DeviceInfo) -> Result<(), Failure> {
        let Device { name, driver } = &self.device;
        if (name, driver) == (&facts.name, &facts.driver) {
            return Ok(());
        }
        Err(Failure::bad(format!(
            "--against {}: measured on {name} ({driver}), this is {} ({}); expected the same, or --any-device",
            self.file.display(),
            facts.name,
            facts.driver
        )))
    }

    fn change(&self, technique: &str, row: &Row) -> Option<Change> {
        let old = self.rows.get(&key(technique, row))?;
        let change = Change::new(&old.times, &row.gpu_us);
        Some(if is_other_speed(old.probe_us, row.probe_us) { change.doubted() } else { change })
    }

    pub fn compare<'a>(&self, rows: impl Iterator<Item = (&'a str, &'a Row)>) -> Compared {
        let (mut all, mut only_here) = (Vec::new(), 0);
        for (technique, row) in rows {
            match (self.change(technique, row), self.rows.get(&key(technique, row))) {
                (Some(change), Some(old)) => all.push(ComparedRow {
                    key: key(technique, row),
                    old_us: old.times.median,
                    new_us: row.gpu_us.median,
                    change,
                    slower_us: Vec::new(),
                }),
                _ => only_here += 1,
            }
        }
        let only_there = self.rows.len() - all.len().min(self.rows.len());
        Compared { file: self.file.clone(), device: self.device.clone(), rows: all, only_here, only_there }
    }
}

/// The device moved the same bytes at another speed: its clocks differ, not the row's shaders.
fn is_other_speed(old_us: Option<f64>, new_us: Option<f64>) -> bool {
    let exact = |us: f64| Spread { median: us, min: us, p95: us, n: usize::MAX, interval: [us; 2] };
    let change = old_us.zip(new_us).map(|(old, new)| Change::new(&exact(old), &exact(new)).verdict);
    matches!(change, Some(ChangeVerdict::Slower | ChangeVerdict::Faster))
}

#[derive(Debug)]
pub struct Compared {
    file: PathBuf,
    device: Device,
    rows: Vec<ComparedRow>,
    only_here: usize,
    only_there: usize,
}

#[derive(Debug)]
struct ComparedRow {
    key: Key,
    old_us: f64,
    new_us: f64,
    change: Change,
    slower_us: Vec<f64>,
}

impl Compared {
    pub fn is_slower(&self, technique: &str, row: &Row) -> bool {
        let key = key(technique, row);
        self.rows.iter().any(|one| one.key == key && one.change.verdict == ChangeVerdict::Slower)
    }

    pub fn confirm(&mut self, baseline: &Baseline, technique: &str, row: &Row) {
        let key = key(technique, row);
        let slower = |one: &&mut ComparedRow| one.key == key && one.change.verdict == ChangeVerdict::Slower;
        let Some(one) = self.rows.iter_mut().find(slower) else { return };
        match baseline.change(technique, row).map(|change| change.verdict) {
            Some(ChangeVerdict::Slower) => one.slower_us.push(row.gpu_us.median),
            _ => one.change = one.change.doubted(),
        }
    }

    fn count(&self, verdict: ChangeVerdict) -> usize {
        self.rows.iter().filter(|row| row.change.verdict == verdict).count()
    }

    pub fn text(&self) -> String {
        let mut table =
            Table::new(&["technique", "case", "variant", "old", "new", "difference", "interval", "verdict"]);
        for ComparedRow { key: (technique, case, variant), old_us, new_us, change, .. } in &self.rows {
            let part = format!("{} ({:+.1} %)", signed(change.difference_us), 100.0 * change.difference_us / old_us);
            let interval = format!("{} to {}", signed(change.interval_us[0]), signed(change.interval_us[1]));
            let names = [technique, case, variant].map(Clone::clone).into_iter();
            let verdict = change.verdict.name().to_owned();
            table.row(names.chain([micros(*old_us), micros(*new_us), part, interval, verdict]));
        }
        let mut text = format!("\nAgainst {}: {}, {}\n", self.file.display(), self.device.name, self.device.driver);
        text += &table.text();
        let counts = [ChangeVerdict::Slower, ChangeVerdict::Faster, ChangeVerdict::Same, ChangeVerdict::Noisy];
        let counts = counts.map(|verdict| format!("{} {}", self.count(verdict), verdict.name())).join(", ");
        text += &format!("{} rows compared: {counts}\n", self.rows.len());
        if self.only_here + self.only_there > 0 {
            text += &format!("not compared: {} rows only here, {} only there\n", self.only_here, self.only_there);
        }
        text
    }

    pub fn json(&self) -> Value {
        let row = |row: &ComparedRow| {
            let ComparedRow { key: (technique, case, variant), old_us, new_us, change, slower_us } = row;
            json!({
                "technique": technique, "case": case, "variant": variant, "old_us": old_us, "new_us": new_us,
                "difference_us": change.difference_us, "interval_us": change.interval_us, "limit_us": change.limit_us,
                "verdict": change.verdict.name(), "slower_again_us": slower_us,
            })
        };
        json!({
            "file": self.file.display().to_string(),
            "device": {"name": self.device.name, "driver": self.device.driver},
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "slower": self.count(ChangeVerdict::Slower), "faster": self.count(ChangeVerdict::Faster),
            "same": self.count(ChangeVerdict::Same), "too_noisy": self.count(ChangeVerdict::Noisy),
            "only_here": self.only_here, "only_there": self.only_there,
        })
    }

    /// Exit code 1 with the row that is slower by the largest part; 2 without a row in common.
    pub fn judge(&self) -> Result<(), Failure> {
        let file = self.file.display();
        if self.rows.is_empty() {
            return Err(Failure::bad(format!(
                "--against {file}: none of its {} rows was measured now; expected the same technique, sizes and --quick",
                self.only_there
            )));
        }
        let part = |row: &ComparedRow| row.change.difference_us / row.old_us;
        let slower = self.rows.iter().filter(|row| row.change.verdict == ChangeVerdict::Slower);
        let Some(worst) = slower.max_by(|a, b| part(a).total_cmp(&part(b))) else { return Ok(()) };
        let (technique, case, variant) = &worst.key;
        Err(Failure::failed(format!(
            "{} rows are slower than in {file}, most of all {technique} {case} {variant}: {} instead of {}",
            self.count(ChangeVerdict::Slower),
            micros(worst.new_us),
            micros(worst.old_us)
        )))
    }
}

fn signed(us: f64) -> String {
    let sign = if us < 0.0 { "-" } else { "+" };
    format!("{sign}{}", micros(us.abs()))
}

#[cfg(test)]
#[path = "baseline_tests.rs"]
mod tests;
