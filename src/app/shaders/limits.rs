//! Limits of a family of GPUs: a goal for every program, and exceptions, which must not get worse.

use super::program::Program;
use crate::gpu::DeviceInfo;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The limits, as data.
const TEXT: &str = include_str!("limits.toml");

/// Limits of a family.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    #[serde(skip)]
    family: String,
    /// Waves per SIMD that every program should reach, without spills.
    waves: u64,
    /// By shader, for all of its variants.
    #[serde(default)]
    exceptions: BTreeMap<String, Exception>,
}

/// What the worst variant of a shader reaches today.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Exception {
    /// `None`: the goal.
    waves: Option<u64>,
    /// `None`: no spills.
    spills: Option<u64>,
}

/// How a program compares with its limit.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// There is no limit, or the driver does not tell.
    Unknown,
    /// It reaches the goal.
    Good,
    /// It does not, but is as good as its exception.
    BelowGoal,
    /// It is worse than its limit: what is reported, and what was expected.
    Over(String),
}

impl Limits {
    /// The limits of a device's family, if there are some.
    pub fn of_device(facts: &DeviceInfo) -> Option<Self> {
        Self::of_family(&family(facts)?)
    }

    fn of_family(family: &str) -> Option<Self> {
        // A test reads the text.
        let mut all: BTreeMap<String, Self> = toml::from_str(TEXT).ok()?;
        Some(Self { family: family.into(), ..all.remove(family)? })
    }

    /// Name of the family.
    pub fn family(&self) -> &str {
        &self.family
    }

    /// Waves per SIMD that every program should reach.
    pub fn waves(&self) -> u64 {
        self.waves
    }

    /// Compares a program with its limit.
    pub fn standing(&self, program: &Program) -> Standing {
        let (Some(waves), Some(spills)) = (program.waves(), program.spills()) else { return Standing::Unknown };
        let exception = self.exceptions.get(&program.shader);
        let least = exception.and_then(|one| one.waves).unwrap_or(self.waves);
        let most = exception.and_then(|one| one.spills).unwrap_or(0);
        let mut over = Vec::new();
        if waves < least {
            over.push(format!("{waves} waves, expected {least}"));
        }
        if spills > most {
            over.push(format!("{spills} spills, expected {most}"));
        }
        if !over.is_empty() {
            return Standing::Over(over.join("; "));
        }
        if waves >= self.waves && spills == 0 { Standing::Good } else { Standing::BelowGoal }
    }
}

/// The family of a device of Mesa's radv, from its name: "AMD Radeon RX 7900 XTX (RADV NAVI31)".
fn family(facts: &DeviceInfo) -> Option<String> {
    let family = facts.name.rsplit_once("(RADV ")?.1.trim_end_matches(')');
    Some(family.to_lowercase())
}

impl Standing {
    /// Text of the last column.
    pub fn cell(&self) -> String {
        match self {
            Self::Unknown | Self::Good => String::new(),
            Self::BelowGoal => "below goal".into(),
            Self::Over(why) => format!("OVER: {why}"),
        }
    }

    /// In JSON: `null` where there is no limit.
    pub fn json(&self) -> Value {
        match self {
            Self::Unknown => Value::Null,
            Self::Good => json!("good"),
            Self::BelowGoal => json!("below goal"),
            Self::Over(why) => json!(format!("over: {why}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::tests::program;
    use super::*;

    #[test]
    fn the_text_has_goals_of_both_families_and_exceptions_that_are_below_them() {
        let all: BTreeMap<String, Limits> = toml::from_str(TEXT).unwrap();
        let goal = |family: &str| Limits::of_family(family).map(|limits| limits.waves());
        assert_eq!((goal("polaris10"), goal("navi31"), goal("none")), (Some(4), Some(8), None));
        for (family, limits) in all {
            for (shader, Exception { waves, spills }) in limits.exceptions {
                let file = shader.split(" + ").all(|one| {
                    let file = one.split(':').next().unwrap();
                    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders").join(file).is_file()
                });
                assert!(file, "{family}: there is no shader {shader}");
                assert!(waves.is_none_or(|waves| waves < limits.waves), "{family} {shader}: not below the goal");
                assert!(spills != Some(0) && (waves, spills) != (None, None), "{family} {shader}: excepts nothing");
            }
        }
    }

    #[test]
    fn worse_than_an_exception_is_over() {
        let limits: Limits =
            toml::from_str("waves = 8\n[exceptions]\n\"a/b.comp\" = { waves = 5, spills = 3 }").unwrap();
        let standing = |shader: &str, waves: f64, vector: f64, scalar: f64| {
            let figures = [("Subgroups per SIMD", waves), ("Spilled VGPRs", vector), ("Spilled SGPRs", scalar)];
            limits.standing(&program(shader, &figures))
        };
        assert_eq!(standing("a/c.comp", 8.0, 0.0, 0.0), Standing::Good);
        assert_eq!(standing("a/c.comp", 7.0, 0.0, 0.0), Standing::Over("7 waves, expected 8".into()));
        assert_eq!(standing("a/c.comp", 16.0, 0.0, 1.0), Standing::Over("1 spills, expected 0".into()));
        assert_eq!(standing("a/b.comp", 16.0, 0.0, 0.0), Standing::Good);
        assert_eq!(standing("a/b.comp", 5.0, 1.0, 2.0), Standing::BelowGoal);
        let worse = "4 waves, expected 5; 4 spills, expected 3";
        assert_eq!(standing("a/b.comp", 4.0, 4.0, 0.0), Standing::Over(worse.into()));
        let told = [("Register Count", 255.0)];
        assert_eq!(limits.standing(&program("a/b.comp", &told)), Standing::Unknown);
    }
}
