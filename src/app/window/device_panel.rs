//! Device information for the panels.

use crate::gpu::{Feature, Gpu};
use crate::ui::Device;
use crate::ui::device::{Feature as FeatureRow, Validation};

/// Largest number of validation messages shown.
const LAST_MESSAGES: usize = 20;

/// The device as the panel shows it.
pub fn device(gpu: &Gpu) -> Device {
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
        ("Shared memory", crate::base::text::bytes(facts.shared_bytes.into())),
        ("Memory", crate::base::text::bytes(facts.memory_bytes)),
        ("Largest image", format!("{0} x {0}", facts.max_side)),
    ];
    let features = Feature::ALL.into_iter().map(|feature| FeatureRow {
        name: feature.title().into(),
        present: facts.features.contains(&feature),
        note: String::new(),
        unneeded: feature == Feature::PortabilitySubset,
    });
    Device {
        facts: rows.map(|(name, value)| (name.to_owned(), value)).into(),
        features: features.collect(),
        is_one_queue: !facts.features.contains(&Feature::AsyncCompute),
        validation: validation(gpu),
    }
}

/// Messages of the validation layer so far.
pub fn validation(gpu: &Gpu) -> Validation {
    if !gpu.validates() {
        return Validation::Off;
    }
    let mut last = gpu.messages().all();
    let count = last.len() as u64;
    last.drain(..last.len().saturating_sub(LAST_MESSAGES));
    Validation::On { count, last }
}
