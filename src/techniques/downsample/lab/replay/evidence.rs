//! Results of the GPU for a replay: of the picture and of a zone plate, and their comparison.

use super::{
    super::{
        bound::{Driver, ResultFormat},
        reference::{Bytes, Plane, downsampled},
    },
    subject::{CHAIN, Subject, color, source_of},
};
use crate::{
    passes::methods::{BlockReads, DownsampleInput, Passes},
    plan,
    settings::{DownsampleSettings, Light, Method, Source},
    zone_plate,
};
use glam::DVec4;
use gpu::Frame;
use media::array::{Array, Element};
use technique::{
    FrameContext, Grid, MemoryComparison, NamedOutputs, PixelPairs, ReplayStep, StoryPixel, all_numbers, first_around,
    size_of_array,
};

/// Columns and rows of a result that are compared.
const COMPARED: [usize; 2] = [24, 16];

/// The exact mean where the frame has no tables.
fn effective(settings: &DownsampleSettings, has_sums: bool) -> DownsampleSettings {
    let method = match settings.method {
        Method::Table if !has_sums => Method::AreaCompute,
        method => method,
    };
    DownsampleSettings { method, ..settings.clone() }
}

pub fn record(frame: &mut Frame, settings: &DownsampleSettings, context: &FrameContext) -> gpu::Result<NamedOutputs> {
    let gpu = frame.gpu().clone();
    let plate = zone_plate::upload(frame, context.picture.size())?.mip(0);
    let picture = match settings.source {
        Source::Picture => context.picture.clone(),
        Source::ZonePlate => plate.clone(),
    };
    let mut outputs: NamedOutputs = vec![("picture", (&picture).into())];
    // Tables of the frame are of the picture.
    let own = context.sums.clone().filter(|_| settings.source == Source::Picture);
    for (name, picture, sums) in [("result", &picture, own), ("result of the plate", &plate, None)] {
        let mut passes = Passes::new(&gpu);
        let settings = effective(settings, sums.is_some());
        let chain = match settings.method {
            Method::MipChain => Some(passes.mean_chain(frame, picture)?),
            _ => None,
        };
        let result = passes.record(frame, &settings, &DownsampleInput { picture, chain, sums })?;
        outputs.push((name, (&result).into()));
    }
    Ok(outputs)
}

pub(super) struct Evidence {
    pub settings: DownsampleSettings,
    pub from: [u32; 2],
    pub to: [u32; 2],
    picture: Vec<u8>,
    pub plate: Vec<u8>,
    /// In steps of 255.
    result: Vec<DVec4>,
    plate_result: Vec<DVec4>,
    /// Errors allowed to a result of the GPU, and to the light that it is encoded from, in steps of 255.
    bounds: [f64; 2],
}

impl Evidence {
    pub fn of(passes: &Passes, settings: &DownsampleSettings, pixel: &StoryPixel<'_>) -> Result<Self, String> {
        let picture = pixel.array("picture").ok_or("The frame has no picture.")?;
        let from = size_of_array(picture).filter(|size| {
            let bytes = 4 * size[0] as usize * size[1] as usize;
            bytes > 0 && picture.element == Element::U8 && picture.bytes.len() == bytes
        });
        let from = from.ok_or("The picture was not read.")?;
        let settings = effective(settings, pixel.context.sums.is_some() && settings.source == Source::Picture);
        let to = plan::result_size(&settings, from);
        let result = |name| {
            let array: &Array = pixel.array(name).ok_or("The result was not read.")?;
            let expected = if settings.light == Light::Linear { Element::F32 } else { Element::U8 };
            let unit = if settings.light == Light::Linear { 255.0 } else { 1.0 };
            let numbers = all_numbers(array);
            let texels: Vec<DVec4> =
                numbers.as_chunks::<4>().0.iter().map(|texel| DVec4::from_array(*texel) * unit).collect();
            let is_whole = array.element == expected && texels.len() == to[0] as usize * to[1] as usize;
            is_whole.then_some(texels).ok_or("The result does not have the size that its settings say.")
        };
        let (result, plate_result) = (result("result")?, result("result of the plate")?);
        let bounds = bounds(passes, &settings, from);
        let (picture, plate) = (picture.bytes.clone(), zone_plate::zone_plate(from));
        Ok(Self { settings, from, to, picture, plate, result, plate_result, bounds })
    }

    pub fn source(&self) -> Bytes<'_> {
        Bytes { size: self.from, rgba: &self.picture, linear: self.settings.light == Light::Linear }
    }

    /// `plate`: the GPU's result of the zone plate.
    pub fn compared(
        &self,
        subject: &Subject<'_>,
        plate: Option<&Plane>,
    ) -> Result<(ReplayStep, Vec<MemoryComparison>), String> {
        let picture = downsampled(self.settings.method, &source_of(self.source(), self.settings.method), self.to);
        let plate = plate.ok_or("The zone plate has no result.")?;
        let mut grids = Vec::new();
        let mut comparisons = Vec::new();
        for (what, plane, gpu) in [("picture", &picture, &self.result), ("zone plate", plate, &self.plate_result)] {
            let (comparison, pair) = self.compare(subject, what, plane, gpu);
            comparisons.push(comparison);
            grids.extend(pair);
        }
        let sentence = "The GPU has made both results by the chosen method, and the pixels around this one are compared with the reference implementation's; those that rounding does not explain are marked.";
        let figures = vec![("rounding may add, in steps of 255", format!("{:.2}", self.bounds[0]))];
        Ok((ReplayStep::compared(sentence, grids).figures(figures), comparisons))
    }

    /// What an error of light adds to its encoded value, in steps of 255.
    fn light_bound(&self, subject: &Subject<'_>, light: DVec4) -> f64 {
        let error = DVec4::splat(self.bounds[1] / 255.0);
        let [less, as_is, more] = [light - error, light, light + error].map(|light| subject.stored(light));
        if self.bounds[1] > 0.0 { (more - as_is).max(as_is - less).max_element() } else { 0.0 }
    }

    fn compare(
        &self,
        subject: &Subject<'_>,
        what: &str,
        plane: &Plane,
        gpu: &[DVec4],
    ) -> (MemoryComparison, [Grid; 2]) {
        let [columns, rows] = [0, 1].map(|axis| COMPARED[axis].min(self.to[axis] as usize));
        let [left, top] = [0, 1].map(|axis| first_around(subject.at[axis], COMPARED[axis], self.to[axis] as usize));
        let width = self.to[0] as usize;
        let places = (top..top + rows).flat_map(|y| (left..left + columns).map(move |x| y * width + x));
        let places: Vec<usize> = places.collect();
        let pair = |at: &usize| [subject.stored(plane.texels[*at]), gpu[*at]];
        let own = [subject.at[0] - left, subject.at[1] - top];
        let both = PixelPairs { columns, own, pairs: places.iter().map(pair).collect() };
        let largest = both.largest();
        let bound = |at: usize| self.bounds[0] + self.light_bound(subject, plane.texels[places[at]]);
        let differing = both.differing(&bound);
        let is_bytes = self.settings.light == Light::Encoded;
        let same = both.pairs.iter().filter(|[cpu, gpu]| is_bytes && cpu.round() == *gpu).count();
        let pixels = both.pairs.len();
        let text = match differing.len() {
            0 if same == pixels => format!("Equal to the GPU's {pixels} pixels of the {what}, bit for bit"),
            0 if is_bytes => format!(
                "{same} of the GPU's {pixels} pixels of the {what} have the same bytes, others are up to {largest:.2} steps off, as rounding explains"
            ),
            0 => format!(
                "Within {largest:.3} steps of 255 of the GPU's {pixels} pixels of the {what}, made in 32 bits, here in 64"
            ),
            count => format!(
                "{count} of the GPU's {pixels} pixels of the {what} are up to {largest:.2} steps of 255 away, more than the {:.2} that rounding explains",
                self.bounds[0]
            ),
        };
        let name = what[..1].to_uppercase() + &what[1..];
        let titles = [format!("{name}: reference implementation"), format!("{name}: GPU")];
        let grids = both.grids(titles, &differing, &|value| color(value / 255.0, !is_bytes));
        (MemoryComparison { text, differing }, grids)
    }
}

fn bounds(passes: &Passes, settings: &DownsampleSettings, from: [u32; 2]) -> [f64; 2] {
    let blocks = matches!(settings.method, Method::AreaCompute) && settings.hardware_filter;
    let format = ResultFormat::by(settings, blocks.then_some(BlockReads::Sampler), from);
    let bound = format.bound(Driver::of(passes.gpu(), settings.light));
    // Levels are rounded to half floats.
    let levels = f64::from(plan::place_in_chain(from, format.to, CHAIN.0).0 + 2);
    match (settings.method, settings.light) {
        (Method::MipChain, Light::Linear) => [bound + levels * ResultFormat::HALF_STEPS, 0.0],
        (Method::MipChain, Light::Encoded) => {
            [bound, Driver::of(passes.gpu(), Light::Linear).decoding + levels * ResultFormat::HALF_STEPS]
        }
        (Method::Table, light) => {
            let most = if light == Light::Linear { 65535 } else { 255 };
            [bound + 0.5 * 255.0 / f64::from(plan::unit(from, format.to, most)), 0.0]
        }
        _ => [bound, 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::{super::subject::stored, *};

    #[test]
    fn without_tables_the_mean_is_made() {
        let of = |method, has_sums| {
            effective(&DownsampleSettings { method, ..DownsampleSettings::default() }, has_sums).method
        };
        assert_eq!(of(Method::Table, false), Method::AreaCompute);
        assert_eq!((of(Method::Table, true), of(Method::Kawase, false)), (Method::Table, Method::Kawase));
    }

    #[test]
    fn bytes_of_light_are_encoded() {
        let value = DVec4::new(0.5, -0.1, 1.2, 1.0);
        let bytes = stored(value, Light::Encoded, true);
        assert!((bytes.x - 187.52).abs() < 0.01, "{bytes}");
        assert!(bytes.y == 0.0 && (bytes.z - 255.0).abs() < 1e-4, "{bytes}");
        assert_eq!(stored(value, Light::Linear, true).y, -25.5);
        assert_eq!(stored(value, Light::Encoded, false).x, 127.5);
    }
}
