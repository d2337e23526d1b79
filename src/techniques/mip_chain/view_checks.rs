//! Checks of the views: levels, tiles and differences in the colours of the legends.

use super::{
    builder::ChainBuilder,
    check_fixture::upload,
    pixel::ChainFormat,
    plan,
    reference::{Plane, Rows, encode, exact_chain},
    settings::{Method, MipChainSettings},
    texels::{Texels, level_zero, levels_of},
    tier::Filter,
    views::{self, VIEWS},
};
use crate::{
    base::difference::Errors,
    gpu::{Format, Gpu, Image, ImageDesc, Use, full_chain},
    lab::{Case, Effort, Property, TestBench, Verdict},
    techniques::ViewInfo,
};
use glam::{DVec3, Vec3};

/// A chain made level by level has the same tiles on every device.
pub struct Views;

pub struct ViewInput {
    size: [u32; 2],
    settings: MipChainSettings,
}

/// The chain as stored, and the pictures: red, green and blue of each pixel, 0..255.
pub type ViewPictures = (Vec<u8>, Vec<Vec<f32>>);

const FORMAT: ChainFormat = ChainFormat::Rgba16F;

impl Property for Views {
    const NAME: &'static str = "views";
    type Input = ViewInput;
    type Output = ViewPictures;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<ViewInput>> {
        let of = |size: [u32; 2], filter: Filter, view_level: u32| {
            let settings = MipChainSettings { method: Method::PerLevel, filter, view_level, ..Default::default() };
            let name = format!("{} {}x{}, level {view_level}", filter.name(), size[0], size[1]);
            Case { name, input: ViewInput { size, settings } }
        };
        vec![of([122, 75], Filter::Tent, 3), of([96, 64], Filter::Box, 1)]
    }

    fn run(bench: &mut TestBench, ViewInput { size, settings }: &ViewInput) -> anyhow::Result<ViewPictures> {
        let (builder, views) = (bench.kept(|gpu| Ok(ChainBuilder::new(gpu)))?, bench.kept(views::Views::new)?);
        let chain = upload(bench, *size, FORMAT, &level_zero(*size, FORMAT))?;
        let read = bench.run(|frame| {
            builder.levels(frame, settings, &chain, None)?;
            frame.read_mips(&chain)
        })?;
        let picture = Image::new(bench.gpu(), ImageDesc::new("view", *size, Format::Rgba8, &[Use::Storage]))?.mip(0);
        let mut results = Vec::new();
        for view in VIEWS {
            bench.run(|frame| views.draw(frame, &builder, view.name, settings, &chain, &picture))?;
            let texels: Vec<[u8; 4]> = bench.read(&picture)?;
            results.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        Ok((read.read()?, results))
    }

    /// A step of the exact means, which are kept in half floats, is 16 in the picture.
    fn verdict(input: &ViewInput, (chain, pictures): &ViewPictures) -> Verdict {
        let levels = levels_of(input.size, full_chain(input.size), FORMAT, chain);
        let complete = levels.len() == full_chain(input.size) as usize && pictures.len() == VIEWS.len();
        let counts = Verdict::at_most("levels or views missing", f64::from(u8::from(!complete)), 0.0);
        if !complete {
            return counts;
        }
        let exact = exact_chain(&levels[0], full_chain(input.size));
        let one = |(view, results): (&ViewInfo, &Vec<f32>)| {
            let pixels = (0..input.size[1]).flat_map(|y| (0..input.size[0]).map(move |x| [x, y]));
            let expected_pixels: Vec<f32> =
                pixels.flat_map(|at| color(input, view, &levels, &exact, at).to_array()).collect();
            let most = if view.name == "difference" { [1.6, 3.5, 5.0] } else { [0.4, 1.1, 1.1] };
            Verdict::within(view.name, &Errors::between(&expected_pixels, results), most)
        };
        VIEWS.iter().zip(pictures).map(one).fold(counts, Verdict::and)
    }
}

fn over(plane: &dyn Rows, size: [u32; 2], at: [u32; 2]) -> DVec3 {
    let of = |axis: usize| {
        let part = (f64::from(at[axis]) + 0.5) / f64::from(size[axis]);
        (part * f64::from(plane.size()[axis])) as usize
    };
    plane.row(of(1))[of(0)].truncate()
}

fn color(input: &ViewInput, view: &ViewInfo, levels: &[Texels<'_>], exact: &[Plane], at: [u32; 2]) -> Vec3 {
    let (shown, legend) = (input.settings.view_level as usize, &view.legend);
    let encoded = |light: DVec3| (light.map(encode) * 255.0).as_vec3();
    match view.name {
        "level" => encoded(over(&levels[shown], input.size, at)),
        "difference" => {
            let apart = over(&levels[shown], input.size, at) - over(&exact[shown - 1], input.size, at);
            // Eight steps of 255 to either side.
            apart.as_vec3().map(|apart| legend.ramp(0.5 + apart * 255.0 / 16.0).x)
        }
        "tiles" => {
            let [edge, halo, other_tile] = [0, 1, 2].map(|at| legend.swatch(at));
            let (side, [before, after]) = ([32, 16], plan::halo(input.settings.filter, 1));
            let tile = [0, 1].map(|i| at[i] / side[i]);
            let inside = [0, 1].map(|i| at[i] % side[i]);
            if inside.contains(&0) {
                return edge;
            }
            let twice = [0, 1].map(|i| {
                let first = tile[i] > 0 && inside[i] < after;
                first || (tile[i] + 1) * side[i] < input.size[i] && inside[i] + before >= side[i]
            });
            let mut color = encoded(over(&levels[0], input.size, at));
            if (tile[0] ^ tile[1]) & 1 != 0 {
                color = color.lerp(other_tile, 0.25);
            }
            let part = [0.0, 0.4, 0.6][twice.iter().filter(|twice| **twice).count()];
            color.lerp(halo, part)
        }
        _ => Vec3::NAN,
    }
}
