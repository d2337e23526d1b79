//! Test of the tables of source documents.

use super::source_tables;
use gpu::test_gpu;
use lab::{BenchOptions, TestBench};
use techniques::INFOS;

#[test]
fn every_row_is_measured_or_says_why_not() {
    let gpu = test_gpu();
    let options = BenchOptions { reps: Some(1), quick: true, ..BenchOptions::default() };
    let mut bench = TestBench::on(&gpu).unwrap();
    let lanes = gpu.info().subgroup;
    let tables: Vec<_> = INFOS.iter().flat_map(source_tables).collect();
    let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
    assert_eq!(names, ["sorts", "flags", "rates", "levels", "methods", "times"]);
    for table in tables {
        for row in table.rows {
            assert!(row.figures.len() <= table.columns.len(), "{}", row.title);
            let is_impossible =
                row.only.iter().any(|name| name.starts_with("source: ")) && !(lanes.min..=lanes.max).contains(&32);
            // Scenes of many frames take minutes: one of each.
            if table.name == "rates" && row.only[1] != "2" {
                continue;
            }
            // tests/commands.rs has the rows of this one.
            if table.name == "levels" {
                continue;
            }
            match table.measure(&mut bench, &options, row) {
                Ok(figures) => {
                    assert!(figures.gpu_us.median > 0.0 && figures.cells.len() == table.here.len(), "{figures:?}");
                    assert_ne!(figures.checked, Some(false), "{}: {figures:?}", row.title);
                }
                Err(why) if is_impossible => assert!(why.contains("32 lanes"), "{}: {why}", row.title),
                Err(why) => {
                    assert!(row.only[0].starts_with("single_pass") && why.contains("wait"), "{}: {why}", row.title)
                }
            }
        }
    }
}
