//! Device selection, description, and the result of validation.

use super::arguments::GpuChoice;
use super::cli::Common;
use super::failure::Failure;
use super::folders;
use gpu::{DeviceInfo, Feature, Gpu, Messages, Options};
use serde_json::{Value, json};

pub fn options(common: &Common) -> Result<Options, Failure> {
    let gpu = match &common.gpu {
        None => None,
        Some(choice) => {
            let all = gpu::list().map_err(anyhow::Error::from)?;
            Some(find(choice, &all)?.to_string())
        }
    };
    Ok(Options { gpu, validate: common.validate, cache: folders::cache(), ..Default::default() })
}

fn find(choice: &GpuChoice, all: &[DeviceInfo]) -> Result<usize, Failure> {
    let fits = |facts: &DeviceInfo| match choice {
        GpuChoice::Index(_) => true,
        GpuChoice::Name(name) => facts.name.to_lowercase().contains(&name.to_lowercase()),
    };
    let found = match choice {
        GpuChoice::Index(index) => Some(*index).filter(|index| *index < all.len()),
        GpuChoice::Name(_) => (0..all.len()).filter(|i| fits(&all[*i])).min_by_key(|i| all[*i].unusable.is_some()),
    };
    let requested = match choice {
        GpuChoice::Index(index) => format!("--gpu {index}"),
        GpuChoice::Name(name) => format!("--gpu {name:?}"),
    };
    let there: Vec<String> = all.iter().enumerate().map(|(index, facts)| format!("{index} ({})", facts.name)).collect();
    let there =
        if there.is_empty() { "but there is none".into() } else { format!("expected one of {}", there.join(", ")) };
    let index = found.ok_or_else(|| Failure::bad(format!("{requested}: no such GPU; {there}")))?;
    match &all[index].unusable {
        Some(why) => Err(Failure::bad(format!("{requested}: {} cannot be used: {why}; {there}", all[index].name))),
        None => Ok(index),
    }
}

pub fn expect_times(gpu: &Gpu, what: &str) -> Result<(), Failure> {
    match gpu.untimed() {
        Some(why) => Err(Failure::bad(format!("{what}: {why}; expected no --validate"))),
        None => Ok(()),
    }
}

/// Call after the device is destroyed: only then are leaks reported.
pub fn unspoken(messages: &Messages) -> Result<(), Failure> {
    match messages.all().first() {
        None => Ok(()),
        Some(first) => Err(Failure::failed(format!("validation spoke {} times; first: {first}", messages.len()))),
    }
}

pub fn json(facts: &DeviceInfo) -> Value {
    json!({"name": facts.name, "driver": facts.driver, "api": facts.api, "subgroup_size": facts.subgroup.size})
}

pub fn missing(facts: &DeviceInfo) -> String {
    let wanted = Feature::ALL.into_iter().filter(|feature| *feature != Feature::PortabilitySubset);
    let missing: Vec<&str> = wanted.filter(|feature| !facts.features.contains(feature)).map(Feature::title).collect();
    if missing.is_empty() { "nothing".into() } else { missing.join(", ") }
}
