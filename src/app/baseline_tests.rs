//! Tests of the comparison with an earlier benchmark.

use super::*;

fn row(variant: &str, us: f64, probe_us: f64) -> Row {
    Row {
        case: "64x64".into(),
        variant: variant.into(),
        gpu_us: Spread { median: us, min: us, p95: us, n: 50, interval: [us - 0.5, us + 0.5] },
        bytes: 100,
        probe_us: Some(probe_us),
        error_steps: None,
        checked: true,
    }
}

fn read(name: &str, rows: &Value) -> Result<Baseline, Failure> {
    let device = json!({"name": "GPU", "driver": "1.0", "api": "1.3.0", "subgroup_size": 32});
    let file = std::env::temp_dir().join(format!("meniscus-baseline-{}-{name}.json", std::process::id()));
    std::fs::write(&file, json!({"device": device, "rows": rows}).to_string()).unwrap();
    let read = Baseline::read(&file);
    std::fs::remove_file(&file).unwrap();
    read
}

fn json_of(variant: &str, us: f64, probe_us: f64) -> Value {
    let row = row(variant, us, probe_us);
    let times = row.gpu_us;
    json!({
        "technique": "mip_chain", "case": row.case, "variant": variant, "bytes": 100, "probe_us": probe_us, "error_steps": null,
        "gpu_us": {"median": us, "min": us, "p95": us, "n": 50, "interval": times.interval}, "checked": true,
    })
}

fn compare(baseline: &Baseline, rows: &[Row]) -> Compared {
    baseline.compare(rows.iter().map(|row| ("mip_chain", row)))
}

#[test]
fn each_row_has_its_verdict() {
    let names = ["equal", "slow", "fast", "gone"];
    let baseline = read("verdicts", &names.map(|name| json_of(name, 100.0, 10.0)).to_vec().into()).unwrap();
    let rows = [row("equal", 100.1, 10.0), row("slow", 110.0, 10.1), row("fast", 90.0, 10.0), row("new", 5.0, 10.0)];
    let compared = compare(&baseline, &rows);
    let verdicts: Vec<_> = compared.rows.iter().map(|row| row.change.verdict.name()).collect();
    assert_eq!(verdicts, ["same", "slower", "faster"]);
    let text = compared.text();
    for part in [
        "110 µs  +10.0 µs (+10.0 %)  +8.30 µs to +11.7 µs  slower",
        "-10.0 µs (-10.0 %)",
        "not compared: 1 rows only here, 1 only there",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let failure = compared.judge().unwrap_err();
    let expected = "most of all mip_chain 64x64 slow: 110 µs instead of 100 µs";
    assert!(failure.code == 1 && failure.to_string().ends_with(expected), "{failure}");
    let json = compared.json();
    assert_eq!((&json["slower"], &json["faster"], &json["same"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!((&json["rows"][1]["verdict"], &json["rows"][1]["limit_us"]), (&json!("slower"), &json!(3.0)));
}

#[test]
fn a_slower_row_has_to_be_slower_each_time() {
    let rows = [json_of("a", 100.0, 10.0), json_of("b", 100.0, 10.0)];
    let baseline = read("again", &rows.to_vec().into()).unwrap();
    let mut compared = compare(&baseline, &[row("a", 120.0, 10.0), row("b", 120.0, 10.0)]);
    assert!(compared.is_slower("mip_chain", &row("a", 0.0, 0.0)) && !compared.is_slower("glass", &row("a", 0.0, 0.0)));
    for again in [row("a", 119.0, 10.0), row("b", 101.0, 10.0), row("a", 121.0, 10.0), row("b", 120.0, 10.0)] {
        compared.confirm(&baseline, "mip_chain", &again);
    }
    let verdicts: Vec<_> = compared.rows.iter().map(|row| row.change.verdict).collect();
    assert_eq!(verdicts, [ChangeVerdict::Slower, ChangeVerdict::Noisy]);
    assert_eq!(compared.json()["rows"][0]["slower_again_us"], json!([119.0, 121.0]));
    assert!(compared.judge().is_err());
    compared.confirm(&baseline, "mip_chain", &row("a", 100.0, 10.0));
    assert_eq!(compared.judge(), Ok(()));
}

#[test]
fn a_device_at_another_speed_tells_nothing() {
    let baseline = read("speed", &vec![json_of("a", 100.0, 50.0)].into()).unwrap();
    let verdict = |us, probe_us| compare(&baseline, &[row("a", us, probe_us)]).rows[0].change.verdict;
    assert_eq!(verdict(110.0, 51.0), ChangeVerdict::Slower);
    assert_eq!(verdict(110.0, 55.0), ChangeVerdict::Noisy, "moving the same bytes takes longer, too");
    assert_eq!(verdict(90.0, 45.0), ChangeVerdict::Noisy);
    let without = Row { probe_us: None, ..row("a", 110.0, 0.0) };
    assert_eq!(compare(&baseline, &[without]).rows[0].change.verdict, ChangeVerdict::Slower);
}

#[test]
fn a_row_that_is_there_twice_is_refused() {
    let failure = read("twice", &vec![json_of("a", 1.0, 1.0); 2].into()).unwrap_err();
    let said = failure.to_string();
    assert!(said.contains("is there twice") && said.contains("expected what bench --json writes"), "{said}");
}

#[test]
fn rows_without_times_tell_nothing() {
    let none = json!({"median": null, "min": null, "p95": null, "n": 0, "interval": [null, null]});
    let mut rows = vec![json_of("a", 1.0, 1.0)];
    rows[0]["gpu_us"] = none;
    let baseline = read("nulls", &rows.into()).unwrap();
    assert_eq!(compare(&baseline, &[row("a", 10.0, 1.0)]).rows[0].change.verdict, ChangeVerdict::Noisy);
}
