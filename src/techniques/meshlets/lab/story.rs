//! Visibility in the story of a pixel: which triangle is seen, where in it, and how far away.

use super::reference::{barycentrics, pixel_at};
use crate::{Meshlets, MeshletsSettings};
use scene::world::{VisibilityId, World};
use serde_json::{Value, json};
use technique::{Agreement, Clause, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryPixel};

/// The shadow map is the light's.
const PASSES: &[&str] = &["pyramid", "cull", "list", "masked", "pull", "draw", "resolve"];

impl Explains for Meshlets {
    const STEPS: &'static [StepInfo] = &[
        StepInfo::new("visibility", Clause::Surface, PASSES).lines(&["visibility = id;", "imageStore(ids,"]),
        StepInfo::new("depth", Clause::Surface, &[]),
    ];

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let world = context.world.iter();
        world.flat_map(|world| [("ids", (&world.ids).into()), ("depth", (&world.depth).into())]).collect()
    }

    fn explain(&self, _: &MeshletsSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let evidence = (pixel.context.world.as_ref(), pixel.texel("ids"), pixel.texel("depth"));
        let (Some(drawn), Some(ids), Some(depth)) = evidence else { return Vec::new() };
        let (world, size, at) = (&drawn.resident.world, drawn.ids.size(), ids.at);
        let (id, stored_depth) = (ids.numbers[0] as u32, depth.numbers[0] as f32);
        let right = pixel_at(world, &drawn.camera, size, at);
        let mut answers: Vec<Value> = right.hits.iter().map(|hit| hit.id.into()).collect();
        if right.may_be_empty {
            answers.push(0.into());
        }
        let is_right = right.hits.iter().any(|hit| hit.id == id) || id == 0 && right.may_be_empty;
        let seen = seen(world, id);
        let text =
            seen.as_ref().map_or_else(|| if id == 0 { "nothing".into() } else { "no such triangle".into() }, text_of);
        let mut facts = vec![
            Fact::cpu("world pixel", json!(at)),
            Fact::gpu("id", id, seen.unwrap_or(Value::Null))
                .judged(answers, Agreement::exact(is_right))
                .said(text.as_str()),
        ];
        facts.extend(
            barycentrics(world, &drawn.camera, size, id, at).map(|b| Fact::cpu_numbers("barycentrics", &b.to_array())),
        );
        let summary = if id == 0 { "sky".to_owned() } else { world.name_of(id).unwrap_or(text) };
        let outline = world.meshlet_of(id).map(|placed| pixel.outline("ids", world, placed.instance));
        let visibility = Step::new("visibility", facts).summary(summary).at(Some(pixel.middle()));
        let visibility = visibility.around(outline.unwrap_or_default());
        let visibility = match right.is_clear() {
            true => visibility,
            false => visibility.note("Several answers are right: an edge or a tie, which rounding decides."),
        };
        let hit = right.hits.iter().find(|hit| hit.id == id);
        let expected =
            if id == 0 && right.may_be_empty { Some((0.0, 0.0)) } else { hit.map(|hit| (hit.depth, hit.slack)) };
        let fact = Fact::texel("depth", &depth, 1);
        let fact = match expected {
            Some((depth, slack)) => fact.against(&[depth], slack),
            None => fact.judged(Value::Null, Agreement::exact(false)),
        };
        let near = f64::from(drawn.camera.near);
        let distance = (stored_depth > 0.0).then(|| near / f64::from(stored_depth));
        let summary = distance.map_or_else(String::new, |metres| format!("{metres:.1} m ahead"));
        let distance = distance.map(|metres| Fact::cpu_numbers("distance ahead, m", &[metres]));
        vec![visibility, Step::new("depth", [fact].into_iter().chain(distance).collect()).summary(summary)]
    }
}

fn seen(world: &World, id: u32) -> Option<Value> {
    world.triangle_of(id)?;
    let placed = world.meshlet_of(id)?;
    let mesh =
        world.geometry.meshes.iter().position(|[first, count]| (*first..first + count).contains(&placed.meshlet));
    Some(json!({
        "meshlet instance": VisibilityId(id).meshlet(),
        "instance": placed.instance,
        "mesh": mesh,
        "meshlet": placed.meshlet,
        "triangle": VisibilityId(id).triangle(),
    }))
}

fn text_of(seen: &Value) -> String {
    let part = |key: &str| format!("{key} {}", seen[key]);
    ["instance", "mesh", "meshlet", "triangle"].map(part).join(", ")
}
