//! Specialization constants of a stage.
use super::{
    error::{Error, Result},
    shader::ShaderStage,
    shaders::Shaders,
};
use ash::vk;

pub(super) struct Constants {
    pub chosen: Vec<(u32, u32)>,
    entries: Vec<vk::SpecializationMapEntry>,
    values: Vec<u8>,
}

impl Constants {
    /// Names that this stage does not declare are ignored: some other stage declares them.
    pub fn of(stage: &ShaderStage, wanted: &[(String, u32)]) -> Self {
        let known = wanted.iter().filter_map(|(name, value)| Some((*stage.constants.get(name)?, *value)));
        let chosen: Vec<_> = known.collect();
        let entry = |(i, (id, _)): (usize, &(u32, u32))| vk::SpecializationMapEntry {
            constant_id: *id,
            offset: 4 * i as u32,
            size: 4,
        };
        let entries = chosen.iter().enumerate().map(entry).collect();
        let values = chosen.iter().flat_map(|(_, value)| value.to_le_bytes()).collect();
        Self { chosen, entries, values }
    }

    pub fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default().map_entries(&self.entries).data(&self.values)
    }

    /// Some stage must declare every name; but an edit may leave one unused, and the compiler then removes it.
    pub fn all_known(shaders: &Shaders, stages: &[ShaderStage], wanted: &[(String, u32)]) -> Result<()> {
        if stages.iter().any(|stage| shaders.is_edited(&stage.name)) {
            return Ok(());
        }
        for (constant, _) in wanted {
            if !stages.iter().any(|stage| stage.constants.contains_key(constant)) {
                let name = stages.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(" + ");
                let known: Vec<_> = stages.iter().flat_map(|s| s.constants.keys().cloned()).collect();
                let problem = format!("knows no constant {constant}; expected one of {}", known.join(", "));
                return Err(Error::Shader { name, problem });
            }
        }
        Ok(())
    }
}
