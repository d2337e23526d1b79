//! Story of a pixel: what each technique did for it, with the GPU's numbers and those of the reference implementations.

use super::{
    context::FrameContext,
    output::{Output, OutputReadBack},
};
use crate::{
    base::{
        array::{Array, Element},
        half,
    },
    gpu::{CapturePoint, Captured, Frame, ImageView, PassCapture, ReadBack, Result},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A resource of passes from which a technique tells: of the uses that the frame has, the last one counts.
pub struct StoryPoint {
    /// Name by which the technique finds it.
    pub name: &'static str,
    /// Possible uses.
    pub points: Vec<CapturePoint>,
}

impl StoryPoint {
    /// A binding of several passes.
    #[must_use]
    pub fn of(name: &'static str, passes: &[String], binding: &str) -> Self {
        Self { name, points: passes.iter().map(|pass| CapturePoint::new(pass, binding)).collect() }
    }
}

/// A part of the story.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Id of the technique.
    pub technique: &'static str,
    /// Name.
    pub name: &'static str,
    /// A sentence, where its numbers need one.
    pub note: String,
    /// A few words of the sentence about the whole pixel; empty where the step adds nothing to it.
    pub summary: String,
    /// Numbers.
    pub facts: Vec<Fact>,
    /// Ways of its light over the picture.
    pub lines: Vec<StoryLine>,
}

/// A line over the final image, in pixels from its top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoryLine {
    /// Its start.
    pub from: [f64; 2],
    /// Its end, where a dot marks what is read or met.
    pub to: [f64; 2],
    /// Encoded colour.
    pub color: [u8; 3],
}

/// A number, or several that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Name.
    pub name: &'static str,
    /// As the GPU stores it: integers, floats as their bits in hexadecimal; nothing where it stores none.
    pub stored: Option<Value>,
    /// Meaning of the stored numbers.
    pub gpu: Option<Value>,
    /// As the reference implementation, or the world on the CPU, has it.
    pub cpu: Option<Value>,
    /// For a person.
    pub text: String,
    /// Whether GPU and CPU agree.
    pub verdict: Option<Agreement>,
}

/// Comparison of both numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Within the bound.
    pub equal: bool,
    /// Largest difference.
    pub difference: f64,
    /// Largest difference that counts as equal.
    pub bound: f64,
}

impl Step {
    /// Without a note.
    #[must_use]
    pub fn new(name: &'static str, facts: Vec<Fact>) -> Self {
        Self { technique: "", name, note: String::new(), summary: String::new(), facts, lines: Vec::new() }
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// The same with words for the sentence about the whole pixel.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// The same with lines.
    #[must_use]
    pub fn lines(self, lines: Vec<StoryLine>) -> Self {
        Self { lines, ..self }
    }

    /// JSON form.
    #[must_use]
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
        json
    }
}

impl Fact {
    fn new(name: &'static str, stored: Option<Value>, gpu: Option<Value>, cpu: Option<Value>) -> Self {
        let text = gpu.as_ref().or(cpu.as_ref()).map(text_of).unwrap_or_default();
        Self { name, stored, gpu, cpu, text, verdict: None }
    }

    /// Known on the CPU alone.
    #[must_use]
    pub fn cpu(name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name, None, None, Some(value.into()))
    }

    /// The same of floats.
    #[must_use]
    pub fn cpu_numbers(name: &'static str, numbers: &[f64]) -> Self {
        Self::cpu(name, value_of(numbers))
    }

    /// Stored as `stored`, which means `value`.
    #[must_use]
    pub fn gpu(name: &'static str, stored: impl Into<Value>, value: impl Into<Value>) -> Self {
        Self::new(name, Some(stored.into()), Some(value.into()), None)
    }

    /// The first `channels` numbers of a texel.
    #[must_use]
    pub fn texel(name: &'static str, texel: &Texel, channels: usize) -> Self {
        let stored = &texel.stored[..channels.min(texel.stored.len())];
        let stored = if let [one] = stored { one.clone() } else { Value::Array(stored.to_vec()) };
        Self::gpu(name, stored, value_of(&texel.numbers[..channels.min(texel.numbers.len())]))
    }

    /// The same beside the CPU's numbers: equal where none differs by more than the bound.
    #[must_use]
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

    /// The same with a comparison that its maker has made.
    #[must_use]
    pub fn judged(mut self, cpu: impl Into<Value>, verdict: Agreement) -> Self {
        (self.cpu, self.verdict) = (Some(cpu.into()), Some(verdict));
        self
    }

    /// Another text.
    #[must_use]
    pub fn said(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// The reference implementation's numbers for a person.
    #[must_use]
    pub fn cpu_text(&self) -> Option<String> {
        self.cpu.as_ref().map(text_of)
    }

    /// The stored numbers for a person.
    #[must_use]
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
    /// Equal or not, without a measure.
    #[must_use]
    pub fn exact(equal: bool) -> Self {
        Self { equal, difference: if equal { 0.0 } else { 1.0 }, bound: 0.0 }
    }
}

/// A number; what JSON has no number for is text.
fn number(value: f64) -> Value {
    serde_json::Number::from_f64(value).map_or_else(|| value.to_string().into(), Value::Number)
}

/// One number, or a list.
fn value_of(numbers: &[f64]) -> Value {
    if let [one] = numbers { number(*one) } else { numbers.iter().copied().map(number).collect() }
}

fn numbers_of(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(all) => all.iter().map(|one| one.as_f64().unwrap_or(f64::NAN)).collect(),
        one => vec![one.as_f64().unwrap_or(f64::NAN)],
    }
}

/// Six digits of floats, integers as they are.
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

/// A texel of an image that was read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Texel {
    /// Column and row.
    pub at: [u32; 2],
    /// Its numbers.
    pub numbers: Vec<f64>,
    /// The same as stored: integers, or bits in hexadecimal.
    pub stored: Vec<Value>,
}

impl Texel {
    /// One of its numbers.
    #[must_use]
    pub fn channel(&self, index: usize) -> Option<Self> {
        let (number, stored) = (*self.numbers.get(index)?, self.stored.get(index)?.clone());
        Some(Self { at: self.at, numbers: vec![number], stored: vec![stored] })
    }

    /// Red, green and blue; no numbers where it has fewer.
    #[must_use]
    pub fn color(&self) -> [f64; 3] {
        [0, 1, 2].map(|channel| self.numbers.get(channel).copied().unwrap_or(f64::NAN))
    }
}

/// Technique, and name.
type Key = (&'static str, &'static str);

enum Read {
    Output(OutputReadBack),
    Bytes(ReadBack),
}

/// Evidence on its way to the host.
pub struct StoryReads {
    reads: Vec<(Key, Read)>,
    shown: OutputReadBack,
}

impl StoryReads {
    /// Reads the captured resources, the `outputs`, and the final image with the frame that made them.
    pub fn read(
        frame: &mut Frame,
        capture: &PassCapture,
        points: &[(&'static str, StoryPoint)],
        outputs: &[(&'static str, &'static str, Output)],
        shown: &ImageView,
    ) -> Result<Self> {
        let mut reads = Vec::new();
        for (technique, wanted) in points {
            let place = |point: &CapturePoint| capture.passes().iter().rposition(|pass| pass.pass == point.pass);
            let found = capture.captured().filter(|(point, _)| wanted.points.contains(point));
            let found = found.filter_map(|(point, captured)| Some((place(point)?, captured?)));
            let read = match found.max_by_key(|(place, _)| *place) {
                Some((_, Captured::Image(image))) => Read::Output(Output::from(image.mip(0)).read(frame)?),
                Some((_, Captured::Buffer(read))) => Read::Bytes(read.clone()),
                None => continue,
            };
            reads.push(((*technique, wanted.name), read));
        }
        for (technique, name, output) in outputs {
            reads.push(((*technique, *name), Read::Output(output.read(frame)?)));
        }
        Ok(Self { reads, shown: Output::from(shown).read(frame)? })
    }

    /// The numbers, when the frame has ended.
    pub fn texels(&self) -> Result<StoryTexels> {
        let array = |read: &Read| match read {
            Read::Output(read) => read.array(),
            Read::Bytes(read) => {
                let bytes = read.read::<u8>()?;
                Ok(Array { element: Element::U8, shape: vec![bytes.len()], bytes })
            }
        };
        let arrays = self.reads.iter().map(|(key, read)| Ok((*key, array(read)?))).collect::<Result<_>>()?;
        Ok(StoryTexels { arrays, shown: self.shown.array()? })
    }
}

/// Evidence of a frame.
pub struct StoryTexels {
    /// By technique and name.
    pub arrays: BTreeMap<(&'static str, &'static str), Array>,
    /// The final image.
    pub shown: Array,
}

/// A pixel of the final image, and the evidence that one technique has.
#[derive(Clone, Copy)]
pub struct StoryPixel<'a> {
    /// Id of the technique.
    pub technique: &'static str,
    /// Column and row.
    pub at: [u32; 2],
    /// Results of the frame.
    pub context: &'a FrameContext,
    /// Evidence.
    pub texels: &'a StoryTexels,
}

impl<'a> StoryPixel<'a> {
    /// The same for another technique.
    #[must_use]
    pub fn of(self, technique: &'static str) -> Self {
        Self { technique, ..self }
    }

    /// Evidence by its name.
    #[must_use]
    pub fn array(&self, name: &'static str) -> Option<&'a Array> {
        self.texels.arrays.get(&(self.technique, name))
    }

    /// The texel of an image below the pixel's middle: images may be smaller than the picture.
    #[must_use]
    pub fn texel(&self, name: &'static str) -> Option<Texel> {
        let array = self.array(name)?;
        texel_of(array, self.place(size_of_array(array)?))
    }

    /// The final value.
    #[must_use]
    pub fn shown(&self) -> Option<Texel> {
        texel_of(&self.texels.shown, self.at)
    }

    /// The texel below the pixel's middle in an image of `size` texels.
    #[must_use]
    pub fn place(&self, size: [u32; 2]) -> [u32; 2] {
        let whole = self.context.picture.size();
        [0, 1].map(|axis| {
            let (at, to) = (2 * u64::from(self.at[axis]) + 1, u64::from(size[axis]));
            let place = at * to / (2 * u64::from(whole[axis].max(1)));
            place.min(to.saturating_sub(1)) as u32
        })
    }
}

/// Columns and rows of an array of texels.
#[must_use]
pub fn size_of_array(array: &Array) -> Option<[u32; 2]> {
    match array.shape[..] {
        [height, width] | [height, width, _] => Some([width as u32, height as u32]),
        _ => None,
    }
}

/// The texel at a column and row.
#[must_use]
pub fn texel_of(array: &Array, at: [u32; 2]) -> Option<Texel> {
    let [width, height] = size_of_array(array)?;
    let channels = array.shape.get(2).copied().unwrap_or(1);
    let first = (at[1] as usize * width as usize + at[0] as usize) * channels;
    let is_inside = at[0] < width && at[1] < height;
    let all = (first..first + channels).map(|index| number_of(array, index)).collect::<Option<Vec<_>>>()?;
    let (numbers, stored) = all.into_iter().unzip();
    is_inside.then_some(Texel { at, numbers, stored })
}

/// All numbers of an array.
#[must_use]
pub fn all_numbers(array: &Array) -> Vec<f64> {
    (0..array.bytes.len() / array.element.bytes()).filter_map(|index| Some(number_of(array, index)?.0)).collect()
}

/// All 32-bit words of an array.
#[must_use]
pub fn all_words(array: &Array) -> Vec<u32> {
    array.bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_ne_bytes(*bytes)).collect()
}

/// A number, and its stored form.
fn number_of(array: &Array, index: usize) -> Option<(f64, Value)> {
    let size = array.element.bytes();
    let bytes = array.bytes.get(index * size..(index + 1) * size)?;
    let mut word = [0; 4];
    word[..size].copy_from_slice(bytes);
    let word = u32::from_le_bytes(word);
    Some(match array.element {
        Element::U8 | Element::U16 | Element::U32 => (word.into(), word.into()),
        Element::F16 => (half::to_f64(word as u16), format!("{word:#06x}").into()),
        Element::F32 => (f32::from_bits(word).into(), format!("{word:#010x}").into()),
    })
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
}
