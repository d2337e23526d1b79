//! Story of a pixel: numbers of the GPU and the references.

use super::{
    context::FrameContext,
    replay::ReplayStep,
    technique::{NamedOutputs, Technique},
};
use base::{half, srgb};
use gpu::CapturePoint;
use media::array::{Array, Element};
use scene::world::World;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The last of its uses in a frame counts.
pub struct StoryPoint {
    pub name: &'static str,
    pub points: Vec<CapturePoint>,
}

impl StoryPoint {
    pub fn of(name: &'static str, passes: &[String], binding: &str) -> Self {
        Self { name, points: passes.iter().map(|pass| CapturePoint::new(pass, binding)).collect() }
    }
}

/// Parts of the sentence about a pixel, in its order.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Clause {
    Surface,
    Mirror,
    Glass,
    Light,
    Antialiasing,
}

/// What belongs to a step of the story at every pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepInfo {
    pub name: &'static str,
    pub clause: Clause,
    /// Its passes, with their parts, by their names in the technique; what the clause says is computed in the last of them that ran.
    pub passes: &'static [&'static str],
    /// The setting that leaves it out, as `--set` takes it; empty: none does.
    pub off: &'static str,
    /// Texts of lines that compute it; the shader of a pass has at most the first few of them.
    pub lines: &'static [&'static str],
    /// Evidence that is its picture where nothing else in the final image is.
    pub picture: &'static str,
}

impl StepInfo {
    pub const fn new(name: &'static str, clause: Clause, passes: &'static [&'static str]) -> Self {
        Self { name, clause, passes, off: "", lines: &[], picture: "" }
    }

    pub const fn off(self, off: &'static str) -> Self {
        Self { off, ..self }
    }

    pub const fn lines(self, lines: &'static [&'static str]) -> Self {
        Self { lines, ..self }
    }

    pub const fn picture(self, picture: &'static str) -> Self {
        Self { picture, ..self }
    }

    /// Place in `passes` of the one that a pass of a frame is, or is a part of.
    fn rank(&self, technique: &str, pass: &str) -> Option<usize> {
        let name = pass.strip_prefix(technique)?.strip_prefix('/')?;
        let is =
            |own: &&str| name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']));
        self.passes.iter().position(is)
    }

    /// Those of the passes of a frame, in its order.
    pub fn passes_of(&self, technique: &str, passes: &[String]) -> Vec<String> {
        passes.iter().filter(|pass| self.rank(technique, pass).is_some()).cloned().collect()
    }

    /// That of the passes of a step in which its result is computed.
    pub fn result_of<'a>(&self, technique: &str, passes: &'a [String]) -> Option<&'a str> {
        passes.iter().max_by_key(|pass| self.rank(technique, pass)).map(String::as_str)
    }
}

/// A technique that tells its part of the story of a pixel.
pub trait Explains: Technique {
    /// All steps that it can have.
    const STEPS: &'static [StepInfo];

    /// The pixel below, where it moves what is seen at a pixel.
    fn looks_at(&self, _settings: &Self::Settings, _pixel: &StoryPixel<'_>) -> Option<[u32; 2]> {
        None
    }

    fn points() -> Vec<StoryPoint> {
        Vec::new()
    }
    fn evidence(&self, context: &FrameContext) -> NamedOutputs;
    fn explain(&self, settings: &Self::Settings, pixel: &StoryPixel<'_>) -> Vec<Step>;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub technique: &'static str,
    pub name: &'static str,
    /// That it is about: of the final image, or the one that is seen there through glass.
    pub pixel: [u32; 2],
    pub note: String,
    /// A few words of the sentence about the whole pixel; empty if the step adds nothing.
    pub summary: String,
    pub facts: Vec<Fact>,
    pub lines: Vec<StoryLine>,
    /// Where in the final image its subject is, if it is visible.
    pub place: Option<[f64; 2]>,
    /// The final image around it, else its result around the pixel, in the story's frame.
    pub picture: Option<Crop>,
    /// As a replay draws it.
    pub figure: Option<ReplayStep>,
    /// Around its subject.
    pub outline: Vec<Edge>,
    /// Passes of the frame that made it; the result is of the last one.
    pub passes: Vec<String>,
}

/// Part of an image, made smaller: colours row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Crop {
    pub colors: Vec<[u8; 3]>,
    /// Where in it, from 0 to 1, the place is that it is around.
    pub place: [f32; 2],
}

impl Crop {
    pub const SIZE: [usize; 2] = [32, 24];
    /// Parts of the image's width that it covers.
    const PART: usize = 10;
}

/// Part of the colours of a picture of light that are no brighter than white.
const WHITE: f64 = 0.95;

impl Crop {
    /// `None` if the place is outside, or the image has no colours.
    pub fn of(image: &Array, place: [f64; 2]) -> Option<Self> {
        let ([width, height], [wide, high]) = (size_of_array(image)?, Self::SIZE);
        let size = [width as usize, height as usize];
        let is_light = matches!(image.element, Element::F16 | Element::F32);
        let is_colour = (is_light || image.element == Element::U8) && image.shape.get(2) == Some(&4);
        let cell = (size[0] / Self::PART / wide).max(1);
        let extent = [wide * cell, high * cell];
        let is_inside =
            (0..2).all(|axis| (0.0..size[axis] as f64).contains(&place[axis]) && extent[axis] <= size[axis]);
        if !is_colour || !is_inside {
            return None;
        }
        let first =
            [0, 1].map(|axis| (place[axis] as usize).saturating_sub(extent[axis] / 2).min(size[axis] - extent[axis]));
        let mean = |x: usize, y: usize| {
            let mut sum = [0.0; 3];
            for at in (0..cell * cell).map(|n| [first[0] + x * cell + n % cell, first[1] + y * cell + n / cell]) {
                for (channel, sum) in sum.iter_mut().enumerate() {
                    *sum += word_of(image, 4 * (at[1] * size[0] + at[0]) + channel)?.1;
                }
            }
            Some(sum.map(|sum| sum / (cell * cell) as f64))
        };
        let means = (0..wide * high).map(|n| mean(n % wide, n / wide)).collect::<Option<Vec<_>>>()?;
        let mut greys: Vec<f64> = means.iter().map(|mean| mean.iter().copied().fold(0.0, f64::max)).collect();
        greys.sort_by(f64::total_cmp);
        let white = greys[(WHITE * greys.len() as f64) as usize].max(1e-6);
        let light = |mean: f64| (255.0 * srgb::encode((mean / white) as f32)).round();
        let byte = |mean: f64| if is_light { light(mean) } else { mean as f32 };
        let colors = means.into_iter().map(|mean| mean.map(|mean| byte(mean) as u8)).collect();
        let place = [0, 1].map(|axis| ((place[axis] - first[axis] as f64) / extent[axis] as f64) as f32);
        Some(Self { colors, place })
    }
}

/// From and to, in pixels of the final image.
pub type Edge = [[f32; 2]; 2];

/// Cells on the longer side of the picture, as which outlines are traced, and most parts of one.
const CELLS: usize = 640;
const EDGES_MOST: usize = 8000;

/// In pixels of the final image from its top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoryLine {
    pub from: [f64; 2],
    /// A dot marks what is read or hit.
    pub to: [f64; 2],
    pub color: [u8; 3],
}

#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    pub name: &'static str,
    /// As the GPU stores it: integers, floats as their bits in hexadecimal; nothing where it stores none.
    pub stored: Option<Value>,
    pub gpu: Option<Value>,
    pub cpu: Option<Value>,
    pub text: String,
    pub verdict: Option<Agreement>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Within the bound.
    pub equal: bool,
    pub difference: f64,
    /// Largest difference that counts as equal.
    pub bound: f64,
}

impl Step {
    pub fn new(name: &'static str, facts: Vec<Fact>) -> Self {
        Self {
            technique: "",
            name,
            pixel: [0; 2],
            note: String::new(),
            summary: String::new(),
            facts,
            lines: Vec::new(),
            place: None,
            picture: None,
            figure: None,
            outline: Vec::new(),
            passes: Vec::new(),
        }
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    pub fn lines(self, lines: Vec<StoryLine>) -> Self {
        Self { lines, ..self }
    }

    pub fn at(self, place: Option<[f64; 2]>) -> Self {
        Self { place, ..self }
    }

    pub fn around(self, outline: Vec<Edge>) -> Self {
        Self { outline, ..self }
    }

    pub fn json(&self) -> Value {
        let values: Vec<Value> = self.facts.iter().map(Fact::json).collect();
        let mut json = json!({ "technique": self.technique, "step": self.name, "values": values });
        if !self.note.is_empty() {
            json["note"] = self.note.as_str().into();
        }
        if !self.summary.is_empty() {
            json["summary"] = self.summary.as_str().into();
        }
        if !self.lines.is_empty() {
            let line = |line: &StoryLine| json!({ "from": line.from, "to": line.to });
            json["lines"] = self.lines.iter().map(line).collect();
        }
        if !self.passes.is_empty() {
            json["passes"] = self.passes.as_slice().into();
        }
        json
    }
}

impl Fact {
    fn new(name: &'static str, stored: Option<Value>, gpu: Option<Value>, cpu: Option<Value>) -> Self {
        let text = gpu.as_ref().or(cpu.as_ref()).map(text_of).unwrap_or_default();
        Self { name, stored, gpu, cpu, text, verdict: None }
    }

    pub fn cpu(name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name, None, None, Some(value.into()))
    }

    pub fn cpu_numbers(name: &'static str, numbers: &[f64]) -> Self {
        Self::cpu(name, value_of(numbers))
    }

    pub fn gpu(name: &'static str, stored: impl Into<Value>, value: impl Into<Value>) -> Self {
        Self::new(name, Some(stored.into()), Some(value.into()), None)
    }

    pub fn texel(name: &'static str, texel: &Texel, channels: usize) -> Self {
        let stored = &texel.stored[..channels.min(texel.stored.len())];
        let stored = if let [one] = stored { one.clone() } else { Value::Array(stored.to_vec()) };
        Self::gpu(name, stored, value_of(&texel.numbers[..channels.min(texel.numbers.len())]))
    }

    /// Equal if no number differs from the CPU's by more than the bound.
    pub fn against(mut self, cpu: &[f64], bound: f64) -> Self {
        let gpu = self.gpu.as_ref().map(numbers_of).unwrap_or_default();
        let is_comparable = gpu.len() == cpu.len() && !gpu.is_empty();
        let apart = |(a, b): (&f64, &f64)| (a - b).abs();
        // NaN is no number that `max` keeps.
        let worst = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
        let difference = if is_comparable { gpu.iter().zip(cpu).map(apart).fold(0.0, worst) } else { f64::NAN };
        self.cpu = Some(value_of(cpu));
        self.verdict = Some(Agreement { equal: difference <= bound, difference, bound });
        self
    }

    /// With a comparison that its maker has made.
    pub fn judged(mut self, cpu: impl Into<Value>, verdict: Agreement) -> Self {
        (self.cpu, self.verdict) = (Some(cpu.into()), Some(verdict));
        self
    }

    pub fn said(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    pub fn cpu_text(&self) -> Option<String> {
        self.cpu.as_ref().map(text_of)
    }

    pub fn stored_text(&self) -> Option<String> {
        self.stored.as_ref().map(text_of)
    }

    fn json(&self) -> Value {
        let mut json = json!({ "name": self.name, "text": self.text });
        let values = [("stored", &self.stored), ("gpu", &self.gpu), ("cpu", &self.cpu)];
        for (key, value) in values.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
            json[key] = value.clone();
        }
        if let Some(Agreement { equal, difference, bound }) = self.verdict {
            json["equal"] = equal.into();
            json["difference"] = number(difference);
            json["bound"] = number(bound);
        }
        json
    }
}

impl Agreement {
    pub fn exact(equal: bool) -> Self {
        Self { equal, difference: if equal { 0.0 } else { 1.0 }, bound: 0.0 }
    }
}

/// A number; what JSON has no number for is text.
fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), Value::Number)
}

fn value_of(numbers: &[f64]) -> Value {
    if let [one] = numbers { number(*one) } else { numbers.iter().copied().map(number).collect() }
}

fn numbers_of(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(all) => all.iter().map(|one| one.as_f64().unwrap_or(f64::NAN)).collect(),
        one => vec![one.as_f64().unwrap_or(f64::NAN)],
    }
}

/// Six digits of floats, integers unchanged.
fn text_of(value: &Value) -> String {
    match value {
        Value::Array(all) => all.iter().map(text_of).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let value = number.as_f64().unwrap_or(f64::NAN);
            let digits = if value == 0.0 { 0 } else { (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize };
            let text = format!("{value:.digits$}");
            if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
        }
        other => other.to_string(),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Texel {
    pub at: [u32; 2],
    pub numbers: Vec<f64>,
    /// As stored: integers, or bits in hexadecimal.
    pub stored: Vec<Value>,
}

impl Texel {
    pub fn channel(&self, index: usize) -> Option<Self> {
        let (number, stored) = (*self.numbers.get(index)?, self.stored.get(index)?.clone());
        Some(Self { at: self.at, numbers: vec![number], stored: vec![stored] })
    }

    pub fn color(&self) -> [f64; 3] {
        [0, 1, 2].map(|channel| self.numbers.get(channel).copied().unwrap_or(f64::NAN))
    }
}

pub struct StoryTexels {
    pub arrays: BTreeMap<(&'static str, &'static str), Array>,
    pub shown: Array,
    /// Passes of the frame, in its order.
    pub passes: Vec<String>,
}

impl StoryTexels {
    pub fn pixel<'a>(&'a self, context: &'a FrameContext, at: [u32; 2]) -> StoryPixel<'a> {
        StoryPixel { technique: "", at, context, texels: self }
    }
}

#[derive(Clone, Copy)]
pub struct StoryPixel<'a> {
    pub technique: &'static str,
    pub at: [u32; 2],
    pub context: &'a FrameContext,
    pub texels: &'a StoryTexels,
}

impl<'a> StoryPixel<'a> {
    pub fn of(self, technique: &'static str) -> Self {
        Self { technique, ..self }
    }

    pub fn array(&self, name: &'static str) -> Option<&'a Array> {
        self.texels.arrays.get(&(self.technique, name))
    }

    /// Images may be smaller than the picture.
    pub fn texel(&self, name: &'static str) -> Option<Texel> {
        let array = self.array(name)?;
        texel_of(array, self.place(size_of_array(array)?))
    }

    /// Around the pixel.
    pub fn crop(&self, name: &'static str) -> Option<Crop> {
        let array = self.array(name)?;
        Crop::of(array, self.place(size_of_array(array)?).map(|at| f64::from(at) + 0.5))
    }

    pub fn shown(&self) -> Option<Texel> {
        texel_of(&self.texels.shown, self.at)
    }

    /// Middle of the pixel.
    pub fn middle(&self) -> [f64; 2] {
        self.at.map(|at| f64::from(at) + 0.5)
    }

    /// Border of what has an instance's visibility values in the array `name`.
    pub fn outline(&self, name: &'static str, world: &World, instance: u32) -> Vec<Edge> {
        let Some((array, size)) = self.array(name).and_then(|array| Some((array, size_of_array(array)?))) else {
            return Vec::new();
        };
        let (words, [wide, high]) = (all_words(array), size.map(|side| side as usize));
        let cell = wide.max(high).div_ceil(CELLS).max(1);
        let count = [wide / cell, high / cell];
        let is_own = |id: &u32| world.meshlet_of(*id).is_some_and(|placed| placed.instance == instance);
        let inside: Vec<bool> = (0..count[1])
            .flat_map(|y| (0..count[0]).map(move |x| y * cell * wide + x * cell))
            .map(|at| words.get(at).is_some_and(is_own))
            .collect();
        let whole = self.context.picture.size();
        let scale = [0, 1].map(|axis| (cell as f32) * whole[axis] as f32 / size[axis].max(1) as f32);
        let mut edges = Vec::new();
        for axis in [0, 1] {
            let is_inside = |line: usize, along: usize| {
                let [x, y] = if axis == 0 { [line, along] } else { [along, line] };
                x < count[0] && y < count[1] && inside[y * count[0] + x]
            };
            for line in 0..=count[axis] {
                let is_edge = |along: usize| {
                    is_inside(line, along) != line.checked_sub(1).is_some_and(|before| is_inside(before, along))
                };
                let mut from = None;
                for along in 0..=count[1 - axis] {
                    match (from, is_edge(along)) {
                        (None, true) => from = Some(along),
                        (Some(first), false) => {
                            let end = |along: usize| {
                                let [x, y] = if axis == 0 { [line, along] } else { [along, line] };
                                [x as f32 * scale[0], y as f32 * scale[1]]
                            };
                            edges.push([end(first), end(along)]);
                            from = None;
                        }
                        _ => {}
                    }
                }
            }
        }
        if edges.len() > EDGES_MOST { Vec::new() } else { edges }
    }

    /// The texel below the pixel's middle in an image of `size` texels.
    pub fn place(&self, size: [u32; 2]) -> [u32; 2] {
        let whole = self.context.picture.size();
        [0, 1].map(|axis| {
            let (at, to) = (2 * u64::from(self.at[axis]) + 1, u64::from(size[axis]));
            let place = at * to / (2 * u64::from(whole[axis].max(1)));
            place.min(to.saturating_sub(1)) as u32
        })
    }
}

pub fn size_of_array(array: &Array) -> Option<[u32; 2]> {
    match array.shape[..] {
        [height, width] | [height, width, _] => Some([width as u32, height as u32]),
        _ => None,
    }
}

pub fn texel_of(array: &Array, at: [u32; 2]) -> Option<Texel> {
    let [width, height] = size_of_array(array)?;
    let channels = array.shape.get(2).copied().unwrap_or(1);
    let first = (at[1] as usize * width as usize + at[0] as usize) * channels;
    let is_inside = at[0] < width && at[1] < height;
    let all = (first..first + channels).map(|index| number_of(array, index)).collect::<Option<Vec<_>>>()?;
    let (numbers, stored) = all.into_iter().unzip();
    is_inside.then_some(Texel { at, numbers, stored })
}

pub fn all_numbers(array: &Array) -> Vec<f64> {
    (0..array.bytes.len() / array.element.bytes()).filter_map(|index| Some(number_of(array, index)?.0)).collect()
}

pub fn all_words(array: &Array) -> Vec<u32> {
    array.bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_ne_bytes(*bytes)).collect()
}

/// Bits, and the number that they are.
fn word_of(array: &Array, index: usize) -> Option<(u32, f64)> {
    let size = array.element.bytes();
    let bytes = array.bytes.get(index * size..(index + 1) * size)?;
    let mut word = [0; 4];
    word[..size].copy_from_slice(bytes);
    let word = u32::from_le_bytes(word);
    let number = match array.element {
        Element::U8 | Element::U16 | Element::U32 => word.into(),
        Element::F16 => half::to_f64(word as u16),
        Element::F32 => f32::from_bits(word).into(),
    };
    Some((word, number))
}

fn number_of(array: &Array, index: usize) -> Option<(f64, Value)> {
    let (word, number) = word_of(array, index)?;
    let stored = match array.element {
        Element::U8 | Element::U16 | Element::U32 => word.into(),
        Element::F16 => format!("{word:#06x}").into(),
        Element::F32 => format!("{word:#010x}").into(),
    };
    Some((number, stored))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_within_their_bound() {
        let fact = |gpu: Value| Fact::gpu("light", Value::Null, gpu);
        let is_equal = |fact: Fact| fact.verdict.unwrap().equal;
        assert!(is_equal(fact(json!([1.0, 2.0])).against(&[1.01, 1.99], 0.011)));
        assert!(!is_equal(fact(json!([1.0, 2.0])).against(&[1.01, 1.98], 0.011)));
        assert!(is_equal(fact(json!(3)).against(&[3.0], 0.0)));
        for (gpu, cpu) in [(json!([1.0]), vec![1.0, 1.0]), (json!("NaN"), vec![1.0]), (json!(1.0), vec![f64::NAN])] {
            assert!(!is_equal(fact(gpu).against(&cpu, 1e9)));
        }
        assert!(!is_equal(fact(json!([])).against(&[], 1.0)));
        assert_eq!(fact(json!([0.125, 1234567.5, 0.0])).text, "0.125, 1234568, 0");
        let json = fact(json!("NaN")).against(&[1.0], 0.5).json();
        assert_eq!((&json["equal"], &json["difference"], &json["bound"]), (&json!(false), &json!("NaN"), &json!(0.5)));
    }

    #[test]
    fn texels_are_those_stored() {
        let words: Vec<u8> = [0x3C00u16, 0xC000, 0x7E00, 1].iter().flat_map(|half| half.to_ne_bytes()).collect();
        let array = Array { element: Element::F16, shape: vec![1, 2, 2], bytes: words };
        let texel = texel_of(&array, [0, 0]).unwrap();
        assert_eq!((texel.numbers, texel.stored), (vec![1.0, -2.0], vec![json!("0x3c00"), json!("0xc000")]));
        assert!(texel_of(&array, [1, 0]).unwrap().numbers[0].is_nan());
        assert_eq!((texel_of(&array, [2, 0]), texel_of(&array, [0, 1])), (None, None));
    }

    #[test]
    fn passes_of_a_step_are_those_of_its_names() {
        let info = StepInfo::new("mirror", Clause::Mirror, &["resolve", "bounce"]);
        let frame = ["shade/resolve", "mirrors/bounce 1", "mirrors/bounces", "mirrors/resolve"].map(String::from);
        let passes = info.passes_of("mirrors", &frame);
        assert_eq!(passes, ["mirrors/bounce 1", "mirrors/resolve"]);
        assert_eq!(info.result_of("mirrors", &passes), Some("mirrors/bounce 1"), "the last of its list");
        assert_eq!(info.result_of("mirrors", &passes[1..]), Some("mirrors/resolve"));
        assert_eq!(info.result_of("mirrors", &[]), None);
    }

    #[test]
    fn a_crop_is_the_mean_around_its_place() {
        let texel = |x: usize, y: usize| if x < 320 { [200, 100, y as u8, 255] } else { [0, 0, 0, 255] };
        let bytes = (0..640 * 100).flat_map(|n| texel(n % 640, n / 640)).collect();
        let shown = Array { element: Element::U8, shape: vec![100, 640, 4], bytes };
        let crop = Crop::of(&shown, [320.0, 3.0]).unwrap();
        assert_eq!((crop.colors.len(), crop.place), (32 * 24, [0.5, 3.0 / 48.0]), "two pixels a colour, at the top");
        assert_eq!([crop.colors[15], crop.colors[16], crop.colors[32]], [[200, 100, 0], [0; 3], [200, 100, 2]]);
        assert_eq!(Crop::of(&shown, [640.0, 3.0]), None);
        let light = |half: u16| [half, half, half, 0x3C00].map(u16::to_ne_bytes).concat();
        let bytes = (0..640 * 100).flat_map(|n| light(if n % 640 < 320 { 0x4C00 } else { 0x4400 })).collect();
        let light = Array { element: Element::F16, shape: vec![100, 640, 4], bytes };
        let crop = Crop::of(&light, [320.0, 50.0]).unwrap();
        assert_eq!([crop.colors[15], crop.colors[16]], [[255; 3], [137; 3]], "16 is white, and 4 a quarter of it");
        let ids = Array { element: Element::U32, ..light };
        assert_eq!(Crop::of(&ids, [320.0, 50.0]), None);
    }
}
