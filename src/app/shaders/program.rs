//! One program of a pipeline, with its figures.

use base::text;
use gpu::{PipelineStatistics, ProgramStatistics};
use instrument::ProgramFigures;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Figures that differ between equal programs.
const NOT_COMPARED: &[&str] = &["Driver pipeline hash", "Hash"];

#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub shader: String,
    variant: Vec<(String, String)>,
    told: ProgramStatistics,
    narrowest: u32,
}

impl Program {
    pub fn all(pipelines: &[PipelineStatistics], narrowest: u32) -> Vec<Self> {
        let of = |pipeline: &PipelineStatistics| {
            let (shaders, variant) = (pipeline.shaders.clone(), pipeline.variant.clone());
            let told = pipeline.programs.clone().into_iter();
            let of = move |told: ProgramStatistics| {
                let (shader, variant) = (shader_of(&shaders, &told.name), variant.clone());
                Self { shader, variant, told, narrowest }
            };
            told.map(of).collect::<Vec<_>>()
        };
        let mut all: Vec<Self> = pipelines.iter().flat_map(of).collect();
        all.sort_by(Self::order);
        all.dedup_by(|a, b| a.order(b).is_eq());
        all
    }

    fn order(&self, other: &Self) -> Ordering {
        let figures = |program: &Self| {
            let compared = program.told.figures.iter().filter(|(name, _)| !NOT_COMPARED.contains(&name.as_str()));
            compared.map(|(_, figure)| figure.to_bits()).collect::<Vec<_>>()
        };
        let key = |program: &Self| (program.shader.clone(), program.variant_text(), program.told.name.clone());
        key(self).cmp(&key(other)).then_with(|| figures(self).cmp(&figures(other)))
    }

    pub fn is_of(&self, technique: &str) -> bool {
        self.shader.split(" + ").any(|shader| shader.split('/').next() == Some(technique))
    }

    fn figures(&self) -> ProgramFigures {
        ProgramFigures::of(&self.told, self.narrowest)
    }

    fn variant_text(&self) -> String {
        self.variant.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    pub fn cells(&self) -> [String; 12] {
        let number = |figure: Option<u64>| figure.map_or("-".into(), |figure| figure.to_string());
        let bytes = |figure: Option<u64>| figure.map_or("-".into(), text::bytes);
        let figures = self.figures();
        [
            self.shader.clone(),
            self.variant_text(),
            self.told.name.clone(),
            number(figures.lanes.map(u64::from)),
            number(figures.registers),
            number(figures.scalar_registers),
            number(figures.spilled),
            number(figures.scalar_spilled),
            bytes(figures.shared_bytes),
            bytes(figures.scratch_bytes),
            number(figures.waves),
            bytes(figures.code_bytes),
        ]
    }

    pub fn json(&self) -> Value {
        let variant: Map<String, Value> =
            self.variant.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let told: Map<String, Value> =
            self.told.figures.iter().map(|(name, figure)| (name.clone(), json!(figure))).collect();
        let figures = self.figures();
        json!({
            "shader": self.shader, "variant": variant, "program": self.told.name, "subgroup_size": self.told.subgroup,
            "registers": figures.registers, "scalar_registers": figures.scalar_registers,
            "spilled": figures.spilled, "scalar_spilled": figures.scalar_spilled,
            "shared_bytes": figures.shared_bytes, "scratch_bytes": figures.scratch_bytes,
            "waves": figures.waves, "code_bytes": figures.code_bytes, "driver": told,
        })
    }
}

fn shader_of(shaders: &[String], program: &str) -> String {
    let program = program.to_lowercase();
    let stages = [
        ("vertex", "vs", ".vert"),
        ("geometry", "gs", ".vert"),
        ("fragment", "fs", ".frag"),
        ("pixel", "ps", ".frag"),
        ("task", "ts", ".task"),
        ("mesh", "ms", ".mesh"),
    ];
    let endings = stages
        .iter()
        .filter(|(stage, short, _)| program.contains(stage) || program == *short)
        .map(|(_, _, ending)| *ending);
    let found: Vec<&String> =
        endings.filter_map(|ending| shaders.iter().find(|shader| shader.contains(ending))).collect();
    match found[..] {
        [only] => only.clone(),
        _ => shaders.join(" + "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(shader: &str, figures: &[(&str, f64)]) -> Program {
        let figures = figures.iter().map(|(name, figure)| ((*name).to_owned(), *figure)).collect();
        let told = ProgramStatistics { name: "Compute Shader".into(), subgroup: 64, figures };
        Program { shader: shader.into(), variant: vec![], told, narrowest: 64 }
    }

    fn pipeline(shaders: &[&str], constant: u32, programs: &[(&str, f64)]) -> PipelineStatistics {
        let told = |(name, hash): &(&str, f64)| ProgramStatistics {
            name: (*name).into(),
            subgroup: 32,
            figures: vec![("Driver pipeline hash".into(), *hash), ("VGPRs".into(), 24.0)],
        };
        PipelineStatistics {
            shaders: shaders.iter().map(|shader| (*shader).to_owned()).collect(),
            variant: vec![("SIDE".into(), constant.to_string())],
            programs: programs.iter().map(told).collect(),
        }
    }

    #[test]
    fn equal_programs_are_one_row() {
        let both = ["glass/lens.vert", "glass/lens.frag"];
        let stages = [("Vertex Shader", 1.0), ("Fragment Shader", 2.0)];
        let all = [
            pipeline(&both, 1, &stages),
            pipeline(&both, 1, &[("Vertex Shader", 3.0), ("Fragment Shader", 4.0)]),
            pipeline(&both, 2, &stages),
            pipeline(&["b/sum.comp:wide"], 1, &[("Compute Shader", 5.0)]),
        ];
        let rows: Vec<String> =
            Program::all(&all, 32).iter().map(|one| format!("{} {}", one.shader, one.variant_text())).collect();
        let expected = [
            "b/sum.comp:wide SIDE=1",
            "glass/lens.frag SIDE=1",
            "glass/lens.frag SIDE=2",
            "glass/lens.vert SIDE=1",
            "glass/lens.vert SIDE=2",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_program_of_several_stages_has_all_shaders() {
        let shaders = ["a/draw.task".to_owned(), "a/draw.mesh".to_owned(), "b/draw.frag:cut".to_owned()];
        assert_eq!(shader_of(&shaders, "Mesh Shader"), "a/draw.mesh");
        assert_eq!(shader_of(&shaders, "Fragment Shader"), "b/draw.frag:cut");
        assert_eq!(["TS", "MS", "FS"].map(|stage| shader_of(&shaders, stage)), shaders, "NVIDIA's names");
        assert_eq!(shader_of(&shaders, "Task and Mesh"), "a/draw.task + a/draw.mesh + b/draw.frag:cut");
        assert_eq!(shader_of(&shaders, "SIMD16"), "a/draw.task + a/draw.mesh + b/draw.frag:cut");
        let whole = Program { shader: shader_of(&shaders, "?"), ..program("", &[]) };
        assert!(whole.is_of("a") && whole.is_of("b") && !whole.is_of("draw") && !whole.is_of(""));
    }

    #[test]
    fn each_driver_has_its_words() {
        let cells = |figures| program("a/b.comp", figures).cells().to_vec().split_off(3);
        let radv = [
            ("SGPRs", 40.0),
            ("VGPRs", 96.0),
            ("Spilled SGPRs", 3.0),
            ("Spilled VGPRs", 2.0),
            ("Code size", 2048.0),
            ("LDS size", 1024.0),
            ("Scratch size", 0.0),
            ("Subgroups per SIMD", 5.0),
        ];
        assert_eq!(cells(&radv), ["64", "96", "40", "2", "3", "1.00 KiB", "0 B", "5", "2.00 KiB"]);
        let narrow = Program { narrowest: 32, ..program("", &[("Subgroups per SIMD", 32.0)]) };
        assert_eq!(narrow.figures().waves, Some(16), "of 64 invocations");
        let nvidia = [("Register Count", 40.0), ("Shared Memory Size", 512.0), ("Local Memory Size", 68_719_476_752.0)];
        assert_eq!(cells(&nvidia), ["64", "40", "-", "-", "-", "512 B", "16 B", "-", "-"]);
        assert_eq!(cells(&[]), ["64", "-", "-", "-", "-", "-", "-", "-", "-"]);
        let json = program("a/b.comp", &nvidia).json();
        assert_eq!((&json["registers"], &json["waves"]), (&json!(40), &json!(null)));
        assert_eq!(
            (&json["scratch_bytes"], &json["driver"]["Local Memory Size"]),
            (&json!(16), &json!(68_719_476_752.0))
        );
    }
}
