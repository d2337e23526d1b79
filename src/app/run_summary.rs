//! Summary of a run of headless or the window: medians per pass.

use super::device;
use super::text_table::Table;
use base::stats::{median, percentile};
use base::text;
use base::timing::FrameTiming;
use gpu::{DeviceInfo, PassResources};
use instrument::PassLimits;
use lab::DeviceProbe;
use reflections::Rate;
use serde_json::{Map, Value, json};

struct Pass {
    name: String,
    gpu_us: Vec<f64>,
    cpu_us: Vec<f64>,
}

fn passes(frames: &[FrameTiming]) -> Vec<Pass> {
    let mut passes: Vec<Pass> = Vec::new();
    for timing in frames.iter().flat_map(FrameTiming::by_pass) {
        let known = passes.iter().position(|pass| pass.name == timing.name);
        let index = known.unwrap_or_else(|| {
            passes.push(Pass { name: timing.name.clone(), gpu_us: Vec::new(), cpu_us: Vec::new() });
            passes.len() - 1
        });
        passes[index].gpu_us.extend(timing.gpu_us);
        passes[index].cpu_us.push(timing.cpu_us);
    }
    passes
}

pub struct Run<'a> {
    pub facts: &'a DeviceInfo,
    pub size: [u32; 2],
    pub frames: u64,
    pub timings: &'a [FrameTiming],
    pub walls_us: Option<[f64; 2]>,
    pub validation: (bool, usize),
    pub device_waits: u64,
    pub limits: RunLimits,
    pub b: Option<Value>,
    pub mirrors_in_motion: Option<Value>,
    pub against_rest: Option<Value>,
    pub untimed: Option<&'static str>,
    /// Reports of instruments, by their ids.
    pub reports: Vec<(&'static str, Value)>,
}

/// `{"setting", "rays", "reason"}`.
pub fn rays_json(setting: Rate, rays: Rate, reason: String) -> Value {
    json!({"setting": setting.name(), "rays": rays.name(), "reason": reason})
}

#[derive(Default)]
pub struct RunLimits {
    pub passes: Vec<PassResources>,
    pub probe: Option<DeviceProbe>,
}

impl RunLimits {
    pub fn add(&mut self, passes: &[PassResources]) {
        self.passes.retain(|known| !passes.iter().any(|pass| pass.pass == known.pass));
        self.passes.extend_from_slice(passes);
    }
}

impl Run<'_> {
    pub fn json(&self) -> String {
        let (enabled, messages) = self.validation;
        let mut all = json!({
            "device": device::json(self.facts), "size": self.size, "frames": self.frames,
            "passes": passes_json(self.timings, &self.limits), "frame": frame_json(self.timings),
            "validation": {"enabled": enabled, "messages": messages}, "device_waits": self.device_waits,
        });
        if let Some([median, longest]) = self.walls_us {
            all["frame"]["wall_median_us"] = median.into();
            all["frame"]["wall_longest_us"] = longest.into();
        }
        if let Some(why) = self.untimed {
            all["untimed"] = why.into();
        }
        if let Some(probe) = &self.limits.probe {
            let copies = probe.copies().iter().map(|copy| json!({"bytes": copy.bytes, "us": copy.us}));
            all["probe"] = copies.collect();
        }
        let more =
            [("b", &self.b), ("mirrors_in_motion", &self.mirrors_in_motion), ("against_rest", &self.against_rest)];
        for (name, value) in more.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            all[name] = value.clone();
        }
        self.reports.iter().for_each(|(id, report)| all[*id] = report.clone());
        format!("{all:#}\n")
    }
}

/// `{"mip_chain/reduce": {"median_us", "p95_us", "n", "bytes", "gb_s", "of_probe"}, ..}`; without timestamps `n` is 0.
fn passes_json(frames: &[FrameTiming], known_passes: &RunLimits) -> Value {
    let entry = |mut pass: Pass| {
        let (median, p95) = (known(median(&mut pass.gpu_us)), known(percentile(&mut pass.gpu_us, 0.95)));
        let limits = PassLimits::of(&known_passes.passes, |name| name == pass.name);
        let reach = limits.zip(median).and_then(|(limits, us)| limits.reach(us, known_passes.probe.as_ref()));
        let figures = json!({
            "median_us": median, "p95_us": p95, "n": pass.gpu_us.len(), "bytes": limits.map(|limits| limits.bytes()),
            "gb_s": reach.map(|reach| reach.gb_s), "of_probe": reach.and_then(|reach| reach.of_probe),
        });
        (pass.name, figures)
    };
    Value::Object(passes(frames).into_iter().map(entry).collect::<Map<_, _>>())
}

fn frame_json(frames: &[FrameTiming]) -> Value {
    let mut gpu: Vec<f64> = frames.iter().filter_map(|frame| frame.gpu_us).collect();
    let mut cpu: Vec<f64> = frames.iter().map(|frame| frame.cpu_us).collect();
    json!({"gpu_median_us": known(median(&mut gpu)), "cpu_median_us": known(median(&mut cpu))})
}

pub fn table(frames: &[FrameTiming]) -> String {
    let mut table = Table::new(&["pass", "frames", "GPU median", "GPU p95", "CPU median"]);
    let time = |us: f64| known(us).map_or("-".into(), text::micros);
    for mut pass in passes(frames) {
        let n = pass.cpu_us.len().to_string();
        let (gpu, p95, cpu) = (median(&mut pass.gpu_us), percentile(&mut pass.gpu_us, 0.95), median(&mut pass.cpu_us));
        table.row([pass.name, n, time(gpu), time(p95), time(cpu)]);
    }
    table.text()
}

/// JSON has no NaN.
fn known(us: f64) -> Option<f64> {
    us.is_finite().then_some(us)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    #[test]
    fn medians_by_pass_and_nothing_where_there_are_no_timestamps() {
        let pass = |name: &str, gpu_us| PassTiming { name: name.into(), gpu_us, cpu_us: 1.0, ..Default::default() };
        let frame = |us| FrameTiming {
            gpu_us: Some(us),
            cpu_us: 2.0,
            passes: vec![pass("glass/lens", Some(us)), pass("glass/lens", Some(us)), pass("ui", None)],
            ..Default::default()
        };
        let frames = [frame(10.0), frame(30.0), frame(20.0)];
        let listed = |name: &str| PassResources {
            pass: name.into(),
            on_compute_queue: false,
            resources: Vec::new(),
            bytes: [300_000, 100_000],
            counted: None,
            pipelines: Vec::new(),
        };
        let probe = Some(DeviceProbe::sample(None, &[(1000, 1.0), (800_000, 10.0)]));
        let mut limits = RunLimits { passes: vec![listed("glass/lens")], probe };
        limits.add(&[listed("glass/lens"), listed("glass/lens")]);
        let json = passes_json(&frames, &limits);
        let times = json!({"median_us": 40.0, "p95_us": 58.0, "n": 3});
        let reach = json!({"bytes": 800_000, "gb_s": 20.0, "of_probe": 0.25});
        for (key, value) in times.as_object().unwrap().iter().chain(reach.as_object().unwrap()) {
            assert_eq!(json["glass/lens"][key], *value, "{key}");
        }
        let none = json!({
            "median_us": null, "p95_us": null, "n": 0, "bytes": null, "gb_s": null, "of_probe": null,
        });
        assert_eq!(json["ui"], none);
        assert_eq!(frame_json(&frames), json!({"gpu_median_us": 20.0, "cpu_median_us": 2.0}));
        assert_eq!(frame_json(&[]), json!({"gpu_median_us": null, "cpu_median_us": null}));
        let row = table(&frames).lines().nth(1).map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "));
        assert_eq!(row.as_deref(), Some("glass/lens 3 40.0 µs 58.0 µs 2.00 µs"));
    }
}
