//! Device information for the panels.

use base::text::bytes;
use gpu::{DeviceInfo, Feature, Gpu};
use std::time::{Duration, Instant};
use ui::Device;
use ui::device::{Feature as FeatureRow, GpuRow, GpuState, Validation};

const LAST_MESSAGES: usize = 20;

const MEMORY_EVERY: Duration = Duration::from_secs(1);

pub struct DevicePanel {
    pub shown: Device,
    memory_at: Option<Instant>,
}

impl DevicePanel {
    pub fn new(gpu: &Gpu) -> Self {
        Self { shown: device(gpu), memory_at: None }
    }

    pub fn update(&mut self, gpu: &Gpu, is_visible: bool) {
        self.shown.validation = validation(gpu);
        if is_visible && self.memory_at.is_none_or(|at| at.elapsed() >= MEMORY_EVERY) {
            self.memory_at = Some(Instant::now());
            let memory = gpu.memory_use();
            let budget = memory.budget.map(|budget| format!(", budget {}", bytes(budget)));
            self.shown.memory = bytes(memory.used) + &budget.unwrap_or_default();
        }
    }
}

fn device(gpu: &Gpu) -> Device {
    let facts = gpu.info();
    let subgroup = &facts.subgroup;
    let lanes = if subgroup.min == subgroup.max {
        format!("{} lanes", subgroup.size)
    } else {
        format!("{} lanes ({} to {})", subgroup.size, subgroup.min, subgroup.max)
    };
    let rows = [
        ("GPU", facts.name.clone()),
        ("Driver", facts.driver.clone()),
        ("Vulkan", facts.api.clone()),
        ("Kind", facts.kind.to_owned()),
        ("Subgroup", lanes),
        ("Workgroups", facts.group_limits()),
        ("Shared memory", bytes(facts.shared_bytes.into())),
        ("Memory", bytes(facts.memory_bytes)),
        ("Largest image", format!("{0} x {0}", facts.max_side)),
    ];
    let features = Feature::ALL.into_iter().map(|feature| FeatureRow {
        name: feature.title().into(),
        present: facts.features.contains(&feature),
        unneeded: feature == Feature::PortabilitySubset,
    });
    let (all, used) = gpu.all_devices();
    Device {
        gpus: all.iter().enumerate().map(|(index, facts)| gpu_row(facts, index == used)).collect(),
        facts: rows.map(|(name, value)| (name.to_owned(), value)).into(),
        features: features.collect(),
        video: crate::video::kind(),
        is_one_queue: !facts.features.contains(&Feature::AsyncCompute),
        ..Device::default()
    }
}

fn gpu_row(facts: &DeviceInfo, is_used: bool) -> GpuRow {
    let state = match facts.unusable.clone() {
        _ if is_used => GpuState::Used,
        Some(why) => GpuState::Unusable(why),
        None => GpuState::Usable,
    };
    let driver = if facts.driver.is_empty() { String::new() } else { format!(", {}", facts.driver) };
    GpuRow { name: facts.name.clone(), note: format!("{}{driver}, Vulkan {}", facts.kind, facts.api), state }
}

fn validation(gpu: &Gpu) -> Validation {
    if !gpu.validates() {
        return Validation::Off;
    }
    let mut last = gpu.messages().all();
    let count = last.len();
    last.drain(..last.len().saturating_sub(LAST_MESSAGES));
    Validation::On { count, last }
}
