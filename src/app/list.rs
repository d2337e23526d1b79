//! List command: GPUs, techniques, settings with range and default, presets.

use super::cli::Common;
use super::failure::{Failure, OrFail as _};
use super::presets::Presets;
use super::print;
use super::text_table::Table;
use base::settings::{Field, FieldKind};
use gpu::DeviceInfo;
use serde_json::{Value, json};
use technique::OutputInfo;
use techniques::INFOS;

pub fn run(common: &Common) -> Result<(), Failure> {
    let gpus = gpu::list();
    let mut settings = techniques::Settings::default();
    let sections: Vec<(&str, &str, &[Field])> = settings
        .sections()
        .into_iter()
        .map(|section| (section.id, section.settings.doc(), section.settings.fields()))
        .collect();
    let saved = Presets::of_this_user();
    for file in saved.unnamed() {
        let expected = "expected a name in UTF-8, without any of / \\ : * ? \" < > |";
        log::warn!("{} is not listed, for its name is not a preset's; {expected}", file.display());
    }
    let presets = saved.names();
    let mut text = String::from("GPUs\n");
    match &gpus {
        Ok(gpus) => {
            for (index, facts) in gpus.iter().enumerate() {
                text += &format!("  {index}  {}\n", gpu_line(facts));
                let shared = base::text::bytes(facts.shared_bytes.into());
                text += &indented(&format!("workgroups: {}, {shared} of shared memory\n", facts.group_limits()));
            }
        }
        Err(error) => text += &format!("  none: {error}\n"),
    }
    text += "\nTechniques\n";
    for info in INFOS {
        let views: Vec<String> = info.views.iter().map(|view| format!("{}/{}", info.id, view.name)).collect();
        text += &format!("  {}  {}\n", info.id, info.title);
        text += &indented(&format!("views: {}\n", if views.is_empty() { "none".into() } else { views.join(", ") }));
        let outputs: Vec<String> =
            info.outputs.iter().map(|output| format!("{}/{} ({})", info.id, output.name, output.kind())).collect();
        text += &indented(&format!("outputs: {}\n", outputs.join(", ")));
    }
    for (heading, has_rows) in PARTS {
        text += &format!("\n{heading} (--set section.field=value)\n");
        for (id, _, fields) in &sections {
            let mut table = Table::new(&[]);
            for field in fields.iter().filter(|field| field.is_setting() == has_rows) {
                table.row([
                    format!("{id}.{}", field.name),
                    field.default_text(),
                    field.expected(),
                    field.doc.replace('\n', " "),
                ]);
            }
            let rows = table.text();
            text += &rows.trim_start_matches('\n').lines().map(|line| format!("  {line}\n")).collect::<String>();
        }
    }
    text += &format!("\nPresets\n  {}\n", presets.join(", "));
    print(&text)?;
    if let Some(file) = &common.json {
        let all = json!({
            "gpus": gpus.unwrap_or_default().iter().map(gpu_json).collect::<Vec<_>>(),
            "techniques": INFOS.iter().map(|info| json!({
                "id": info.id, "title": info.title,
                "views": info.views.iter().map(|view| json!({"name": view.name, "doc": view.doc})).collect::<Vec<_>>(),
                "outputs": info.outputs.iter().map(output_json).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
            "settings": sections.iter().map(|(id, doc, fields)| json!({
                "section": id, "doc": doc, "fields": of_part(fields, true), "parameters": of_part(fields, false),
            })).collect::<Vec<_>>(),
            "presets": presets,
        });
        super::write(file, format!("{all:#}\n").as_bytes()).or_bad("--json")?;
    }
    Ok(())
}

const PARTS: [(&str, bool); 2] = [("Settings", true), ("Camera, and parameters of views", false)];

fn of_part(fields: &[Field], is_setting: bool) -> Vec<Value> {
    fields.iter().filter(|field| field.is_setting() == is_setting).map(field_json).collect()
}

fn gpu_line(facts: &DeviceInfo) -> String {
    let unusable = facts.unusable.as_ref().map(|why| format!(", cannot be used: {why}")).unwrap_or_default();
    format!("{} ({}, {}), Vulkan {}{unusable}", facts.name, facts.kind, facts.driver, facts.api)
}

fn gpu_json(facts: &DeviceInfo) -> Value {
    json!({
        "name": facts.name, "driver": facts.driver, "api": facts.api, "kind": facts.kind, "subgroup_size": facts.subgroup.size,
        "workgroup": {"invocations": facts.group_invocations, "size": facts.group_size, "shared_bytes": facts.shared_bytes},
        "features": facts.features.iter().map(|feature| feature.title()).collect::<Vec<_>>(), "unusable": facts.unusable,
    })
}

fn output_json(output: &OutputInfo) -> Value {
    let elements: Vec<_> = output.elements.iter().map(|element| element.name()).collect();
    json!({"name": output.name, "doc": output.doc, "dtype": elements, "shape": output.shape, "needs": output.needs})
}

fn field_json(field: &Field) -> Value {
    let mut json = json!({
        "name": field.name, "doc": field.doc, "default": field.default_value(), "expected": field.expected(), "group": field.group,
    });
    match field.kind {
        FieldKind::Float { min, max, unit, .. } => {
            (json["min"], json["max"], json["unit"]) = (min.into(), max.into(), unit.into())
        }
        FieldKind::Int { min, max, unit, .. } => {
            (json["min"], json["max"], json["unit"]) = (min.into(), max.into(), unit.into())
        }
        FieldKind::Choice(choices) => {
            json["choices"] = choices.iter().map(|choice| choice.name).collect::<Vec<_>>().into()
        }
        FieldKind::Size { max, unit } => (json["min"], json["max"], json["unit"]) = (0.into(), max.into(), unit.into()),
        FieldKind::Text => json["max_chars"] = field.chars.into(),
        FieldKind::Bool | FieldKind::Color => {}
    }
    json
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("       {line}\n")).collect()
}
