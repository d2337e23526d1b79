//! Figures of a compiled program: drivers name them differently, here each has one name.

use gpu::ProgramStatistics;

/// radv; NVIDIA; Intel.
const REGISTERS: &[&str] = &["VGPRs", "Register Count", "Max live registers"];
const SCALAR_REGISTERS: &[&str] = &["SGPRs"];
const SPILLED: &[&str] = &["Spilled VGPRs", "Spill count"];
const SCALAR_SPILLED: &[&str] = &["Spilled SGPRs"];
const SHARED_BYTES: &[&str] = &["LDS size", "Shared Memory Size"];
const SCRATCH_BYTES: &[&str] = &["Scratch size", "Local Memory Size", "Stack Size", "Scratch Memory Size"];
const WAVES: &[&str] = &["Subgroups per SIMD"];
const CODE_BYTES: &[&str] = &["Code size", "Binary Size"];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFigures {
    pub name: String,
    pub lanes: Option<u32>,
    /// Of an invocation.
    pub registers: Option<u64>,
    /// Of a subgroup.
    pub scalar_registers: Option<u64>,
    pub spilled: Option<u64>,
    pub scalar_spilled: Option<u64>,
    pub shared_bytes: Option<u64>,
    /// Of an invocation, for what does not fit into registers.
    pub scratch_bytes: Option<u64>,
    /// Subgroups that a SIMD keeps at once.
    pub waves: Option<u64>,
    pub code_bytes: Option<u64>,
}

impl ProgramFigures {
    pub fn of(told: &ProgramStatistics, narrowest: u32) -> Self {
        let figure = |names: &[&str]| {
            let of = |name: &&str| told.figures.iter().find(|(known, _)| known == name).map(|(_, figure)| *figure);
            names.iter().find_map(of).map(|figure| figure.max(0.0) as u64)
        };
        // On devices with waves of 32 invocations radv counts one of 64 as two (`radv_get_max_waves`).
        let wide = if narrowest == 32 { u64::from(told.subgroup / 32).max(1) } else { 1 };
        Self {
            name: told.name.clone(),
            lanes: Some(told.subgroup).filter(|lanes| *lanes > 0),
            registers: figure(REGISTERS),
            scalar_registers: figure(SCALAR_REGISTERS),
            spilled: figure(SPILLED),
            scalar_spilled: figure(SCALAR_SPILLED),
            shared_bytes: figure(SHARED_BYTES),
            // NVIDIA's driver (580.159) sets bit 36 of its figure, in which the low 32 bits are the size.
            scratch_bytes: figure(SCRATCH_BYTES).map(|bytes| bytes & u64::from(u32::MAX)),
            waves: figure(WAVES).map(|waves| waves / wide),
            code_bytes: figure(CODE_BYTES),
        }
    }

    pub fn spills(&self) -> Option<u64> {
        match (self.spilled, self.scalar_spilled) {
            (None, None) => None,
            (vector, scalar) => Some(vector.unwrap_or(0) + scalar.unwrap_or(0)),
        }
    }
}
