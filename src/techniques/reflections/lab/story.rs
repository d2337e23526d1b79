//! Mirrors of a pixel, in its story.

use super::reference::rays::{RayHit, Target, all_met, targets};
use crate::{Reflections, ReflectionsSettings, passes::mask::MARK, uniforms::PlanBlock};
use glam::{DVec3, DVec4, Vec2, Vec3};
use gpu::CapturePoint;
use scene::world::{World, unit_from_octahedral};
use serde_json::json;
use technique::{
    Clause, Edge, Explains, Fact, FrameContext, NamedOutputs, Step, StepInfo, StoryLine, StoryPixel, StoryPoint,
    Technique as _, Texel, WorldFrame,
};

/// Part of the distance from the eye: nearer hits are the surface that a ray leaves.
const LEAVES: f64 = 1e-5;
/// A half float's rounding to either side.
const OF_SUM: f64 = 1.0 / 1024.0;
/// The shader clamps light there.
const BRIGHTEST: f64 = 2000.0;

/// Weight below which a mirror is a faint one.
const FAINT: f64 = 0.25;
const PASSES: &[&str] =
    &["build meshes", "build instances", "begin", "mark", "sort", "resolve", "shade", "trace", "bounces", "bounce"];

impl Explains for Reflections {
    const STEPS: &'static [StepInfo] = &[StepInfo::new("mirror", Clause::Mirror, PASSES)
        .off("reflections.trace=off")
        .lines(&["Hit hit = met_on(", "vec3 around(uvec2 at"])
        .picture("light")];

    fn points() -> Vec<StoryPoint> {
        let resolve = "reflections/resolve";
        let before = CapturePoint { is_before: true, ..CapturePoint::new(resolve, "hdr") };
        vec![
            StoryPoint::of("mirrors", &[MARK.into()], "mirrors"),
            StoryPoint { name: "without mirrors", points: vec![before, CapturePoint::new(resolve, "light")] },
            StoryPoint::of("with mirrors", &[resolve.into()], "hdr"),
            StoryPoint::of("plan", &[resolve.into()], "plan"),
        ]
    }

    fn evidence(&self, context: &FrameContext) -> NamedOutputs {
        let ids = context.world.iter().map(|world| ("ids", (&world.ids).into()));
        self.output("light", context).into_iter().map(|light| ("light", light)).chain(ids).collect()
    }

    fn explain(&self, _: &ReflectionsSettings, pixel: &StoryPixel<'_>) -> Vec<Step> {
        let all = (pixel.context.world.as_ref(), pixel.texel("light"), pixel.texel("ids"), pixel.texel("mirrors"));
        let (Some(drawn), Some(light), Some(ids), mirror) = all else { return Vec::new() };
        let id = ids.numbers[0] as u32;
        let Some(count) = light.channel(3) else { return Vec::new() };
        let bounces = count.numbers[0];
        let (mut facts, mut lines) = (Vec::new(), Vec::new());
        let mut shown = Reflection::default();
        let mut step_note = "Bounces and light are those of the traced ray; weight is the mirror's own colour.";
        let mirror = mirror.filter(|mirror| id != 0 && mirror.numbers.len() == 2 && mirror.numbers[0] > 0.0);
        if bounces == 0.0 && mirror.is_none() {
            return Vec::new();
        }
        let count = Fact::texel("bounces", &count, 1);
        let Some(mirror) = mirror else {
            facts.extend([count, Fact::texel("light", &light, 3)]);
            return vec![Step::new("mirror", facts).note("Its rays were traced in an earlier frame.")];
        };
        let [weight, normal] = [0, 1].map(|at| mirror.numbers[at] as u32);
        facts.push(Fact::gpu("weight", weight, json!(unpacked_rgb9e5(weight))));
        let direction = unit_from_octahedral(normal);
        facts.push(Fact::gpu("normal", normal, json!(direction.to_array().map(f64::from))));
        // With fewer pixels than the world has, the ray belongs to another one.
        let is_own = pixel.array("light").and_then(technique::size_of_array) == Some(drawn.ids.size());
        match first_ray(drawn, id, ids.at, direction) {
            Some((origin, direction, far)) if is_own => {
                let path = MirrorPath { world: &drawn.resident.world, targets: targets(&drawn.resident.world), far };
                let hits = path.follow(id, (origin, direction), bounces as usize);
                facts.push(Fact::cpu_numbers("direction of the first ray", &direction.to_array()));
                facts.extend(hits.iter().zip(HITS).map(|((met, _), name)| what(&drawn.resident.world, name, *met)));
                let is_certain = hits.first().is_some_and(|(met, _)| met.is_none()) && bounces > 0.0;
                facts.push(if is_certain { count.against(&[1.0], 0.0) } else { count });
                lines = drawn_path(drawn, pixel, origin, hits.iter().map(|(_, at)| *at));
                let is_faint = unpacked_rgb9e5(weight).into_iter().fold(0.0, f64::max) < FAINT;
                shown = path.reflection(drawn, pixel, &hits[..hits.len().min(bounces as usize)], &lines, is_faint);
                if hits.len() > 1 {
                    step_note = "Hits after the first follow the vertices' normals, without the relief of materials. \
                                 Weight is the mirror's own colour.";
                }
            }
            _ => {
                step_note = "Traced with fewer pixels than the world has: the rays are those of a neighbour.";
                facts.push(count);
            }
        }
        facts.push(Fact::texel("light", &light, 3));
        facts.extend(joined(pixel, &light, weight));
        let Reflection { words, place, outline } = shown;
        vec![Step::new("mirror", facts).note(step_note).lines(lines).summary(words).at(place).around(outline)]
    }
}

/// What a mirror shows, in words, and where else in the picture that is.
#[derive(Default)]
struct Reflection {
    words: String,
    place: Option<[f64; 2]>,
    outline: Vec<Edge>,
}

fn joined(pixel: &StoryPixel<'_>, traced: &Texel, weight: u32) -> Option<Fact> {
    let (before, after) = (pixel.texel("without mirrors")?, pixel.texel("with mirrors")?);
    let plan: PlanBlock = bytemuck::pod_read_unaligned(pixel.array("plan")?.bytes.get(..size_of::<PlanBlock>())?);
    let fact = Fact::texel("light with the mirror", &after, 3);
    if plan.size != plan.whole || plan.shift != Vec2::ZERO {
        return Some(fact);
    }
    let (before, weight, traced) = (before.color(), unpacked_rgb9e5(weight), traced.color());
    let sum = [0, 1, 2].map(|c| (before[c] + weight[c] * traced[c]).min(BRIGHTEST));
    let bound = OF_SUM * sum.iter().copied().fold(0.0, f64::max);
    Some(fact.against(&sum, bound))
}

const HITS: [&str; 8] =
    ["first hit", "second hit", "third hit", "fourth hit", "fifth hit", "sixth hit", "seventh hit", "eighth hit"];
const TO_SKY: f64 = 20.0;
const LINE: [u8; 3] = [255, 210, 120];

struct MirrorPath<'a> {
    world: &'a World,
    targets: Vec<Target>,
    far: f64,
}

impl MirrorPath<'_> {
    fn follow(&self, id: u32, ray: (DVec3, DVec3), bounces: usize) -> Vec<(Option<RayHit>, DVec3)> {
        let ((mut origin, mut direction), mut id, mut hits) = (ray, id, Vec::new());
        for _ in 0..bounces.clamp(1, HITS.len()) {
            let met = all_met(&self.targets, origin.as_vec3(), direction.as_vec3());
            let met = met.into_iter().find(|hit| hit.visibility != id && hit.t > LEAVES * self.far);
            let Some(hit) = met else {
                hits.push((None, origin + direction * TO_SKY));
                break;
            };
            origin += direction * hit.t;
            hits.push((met, origin));
            let Some(normal) = self.normal_at(hit.visibility, origin) else { break };
            direction = (direction - 2.0 * normal.dot(direction) * normal).normalize();
            id = hit.visibility;
        }
        hits
    }

    /// `hits`: those that were traced.
    fn reflection(
        &self,
        drawn: &WorldFrame,
        pixel: &StoryPixel<'_>,
        hits: &[(Option<RayHit>, DVec3)],
        lines: &[StoryLine],
        is_faint: bool,
    ) -> Reflection {
        let name = |met: &Option<RayHit>| {
            let named = met.map(|hit| self.world.name_of(hit.visibility).unwrap_or_else(|| "unknown".into()));
            format!("the {}", named.as_deref().unwrap_or("sky"))
        };
        let names: Vec<String> = hits.iter().map(|(met, _)| name(met)).collect();
        let verb = if is_faint { "faintly reflects" } else { "reflects" };
        let Some((Some(first), _)) = hits.first() else {
            return Reflection { words: format!("{verb} the sky"), ..Reflection::default() };
        };
        let last = hits.last().and_then(|(met, at)| Some((met.as_ref()?.visibility, *at)));
        let lit = last.and_then(|(id, at)| {
            let normal = self.normal_at(id, at)?.as_vec3();
            Some(format!(" {}", self.world.sunlight(id, at.as_vec3(), normal, drawn.sun)))
        });
        let words = format!("{verb} {}{}", names.join(", in it "), lit.unwrap_or_default());
        let Some(instance) = self.world.meshlet_of(first.visibility).map(|placed| placed.instance) else {
            return Reflection { words, ..Reflection::default() };
        };
        let is_first = |at: &[f64; 2]| {
            let inside = [0, 1].map(|axis| (at[axis] >= 0.0).then_some(at[axis] as u32));
            let [Some(x), Some(y)] = inside else { return false };
            let below = StoryPixel { at: [x, y], ..*pixel }.texel("ids").map(|ids| ids.numbers[0] as u32);
            below.and_then(|id| self.world.meshlet_of(id)).is_some_and(|placed| placed.instance == instance)
        };
        let place = lines.first().map(|line| line.to).filter(is_first);
        Reflection { words, place, outline: pixel.outline("ids", self.world, instance) }
    }

    fn normal_at(&self, id: u32, at: DVec3) -> Option<DVec3> {
        let target = self.targets.iter().find(|target| target.visibility == id)?;
        let (face, weights) = (target.normal(), target.weights(at));
        let between = self.world.normals_of(id).map(|normals| {
            normals.iter().zip(weights).fold(DVec3::ZERO, |sum, (normal, weight)| sum + normal.as_dvec3() * weight)
        });
        Some(between.and_then(DVec3::try_normalize).filter(|normal| normal.dot(face) > 0.0).unwrap_or(face))
    }
}

fn drawn_path(
    drawn: &WorldFrame,
    pixel: &StoryPixel<'_>,
    from: DVec3,
    hits: impl Iterator<Item = DVec3>,
) -> Vec<StoryLine> {
    let clip_from_world = drawn.camera.block(drawn.ids.size()).clip_from_world.as_dmat4();
    let size = pixel.context.picture.size().map(f64::from);
    let on_picture = |clip: DVec4| [0, 1].map(|axis| (clip[axis] / clip.w * 0.5 + 0.5) * size[axis]);
    let (mut lines, mut before) = (Vec::new(), clip_from_world * from.extend(1.0));
    let mut from = pixel.at.map(|at| f64::from(at) + 0.5);
    for hit in hits {
        let clip = clip_from_world * hit.extend(1.0);
        let nearest = 0.05 * before.w;
        let is_visible = clip.w > nearest;
        let end = if is_visible { clip } else { before.lerp(clip, (before.w - nearest) / (before.w - clip.w)) };
        let to = on_picture(end);
        lines.push(StoryLine { from, to, color: LINE });
        if !is_visible {
            break;
        }
        (from, before) = (to, clip);
    }
    lines
}

fn what(world: &World, name: &'static str, met: Option<RayHit>) -> Fact {
    let Some(met) = met else { return Fact::cpu(name, "sky") };
    let instance = world.meshlet_of(met.visibility).map(|placed| placed.instance);
    let material =
        instance.and_then(|instance| world.instances.get(instance as usize)).map(|instance| instance.material);
    let value = json!({ "instance": instance, "material": material, "id": met.visibility, "distance": met.t });
    let text = |number: Option<u32>| number.map_or_else(|| "unknown".into(), |number| number.to_string());
    let said = format!("instance {}, material {}, {:.4} m away", text(instance), text(material), met.t);
    Fact::cpu(name, value).said(said)
}

fn unpacked_rgb9e5(bits: u32) -> [f64; 3] {
    let unit = f64::from((bits >> 27) as i32 - 24).exp2();
    [0, 9, 18].map(|shift| f64::from(bits >> shift & 511) * unit)
}

fn first_ray(drawn: &WorldFrame, id: u32, at: [u32; 2], normal: Vec3) -> Option<(DVec3, DVec3, f64)> {
    let [a, b, c] = drawn.resident.world.corners_of(id)?.map(|corner| corner.as_dvec3());
    let (size, eye) = (drawn.ids.size(), drawn.camera.eye.as_dvec3());
    let block = drawn.camera.block(size);
    let clip = [0, 1].map(|axis| (f64::from(at[axis]) + 0.5) / f64::from(size[axis]) * 2.0 - 1.0);
    let point: DVec4 = block.clip_from_world.as_dmat4().inverse() * DVec4::new(clip[0], clip[1], 0.5, 1.0);
    let seen = (point.truncate() / point.w - eye).normalize();
    let face = (b - a).cross(c - a).normalize();
    let face = if face.dot(seen) > 0.0 { -face } else { face };
    let far = (a - eye).dot(face) / seen.dot(face);
    let reflect = |normal: DVec3| seen - 2.0 * normal.dot(seen) * normal;
    let direction = reflect(normal.as_dvec3());
    let direction = if direction.dot(face) > 1e-3 { direction } else { reflect(face) };
    far.is_finite().then(|| (eye + seen * far, direction.normalize(), far))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_from_mirror_to_mirror() {
        let world = super::super::scenes::mirror_room();
        let path = MirrorPath { targets: targets(&world), far: 3.0, world: &world };
        let start = DVec3::new(0.3, 1.9, 0.0);
        let hits = path.follow(0, (start, -DVec3::Z), 3);
        let turn = (2.0 * 0.026_f64).tan();
        let second = 2.4 - 0.3 * 0.026_f64.tan();
        let wanted = [(0.3, -1.6), (0.3, second), (0.3 - (second + 1.6) * turn, -1.6)];
        assert_eq!(hits.len(), 3);
        for ((met, at), (x, z)) in hits.iter().zip(wanted) {
            let apart = (*at - DVec3::new(x, 1.9, z)).length();
            assert!(met.is_some() && apart < 2e-3, "{at}: {apart}");
        }
        for target in
            path.targets.iter().filter(|target| world.meshlet_of(target.visibility).is_some_and(|m| m.instance < 3))
        {
            let normals = world.normals_of(target.visibility).unwrap();
            assert!(normals.iter().all(|normal| normal.as_dvec3().dot(target.normal()) > 0.999_99), "{normals:?}");
        }
        let hits = path.follow(0, (start, DVec3::Y), 3);
        assert_eq!(hits.len(), 1, "to the sky");
        assert_eq!((hits[0].0.is_none(), hits[0].1), (true, start + DVec3::Y * TO_SKY));
    }
}
