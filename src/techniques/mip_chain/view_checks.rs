//! Checks of the views: levels, tiles and differences in the colours of the legends.

use super::{
    ChainFormat, Filter, Method, MipChain, MipChainSettings,
    checks::upload,
    plan,
    reference::{Plane, Rows, encode, exact_chain},
    texels::{Texels, level_zero, levels_of},
    views::VIEWS,
};
use crate::{
    base::difference::Errors,
    gpu::{Format, Gpu, Image, ImageDesc, Use, full_chain},
    lab::{Case, Effort, Property, TestBench, Verdict},
    techniques::{Technique, ViewInfo},
};
use glam::{DVec3, Vec3};

/// Every view of a chain that is made level by level, whose tiles are the same on every device.
pub struct Views;

/// A size, and what is set.
pub struct ViewInput {
    size: [u32; 2],
    settings: MipChainSettings,
}

/// The chain as stored, and the pictures: red, green and blue of each pixel, 0..255.
pub type Shots = (Vec<u8>, Vec<Vec<f32>>);

const FORMAT: ChainFormat = ChainFormat::Rgba16F;

impl Property for Views {
    const NAME: &'static str = "views";
    type Input = ViewInput;
    type Output = Shots;

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<ViewInput>> {
        let of = |size: [u32; 2], filter: Filter, view_level: u32| {
            let settings = MipChainSettings { method: Method::PerLevel, filter, view_level, ..Default::default() };
            let name = format!("{} {}x{}, level {view_level}", filter.name(), size[0], size[1]);
            Case { name, input: ViewInput { size, settings } }
        };
        vec![of([122, 75], Filter::Tent, 3), of([96, 64], Filter::Box, 1)]
    }

    fn run(bench: &mut TestBench, ViewInput { size, settings }: &ViewInput) -> anyhow::Result<Shots> {
        let technique = bench.kept(MipChain::new)?;
        let chain = upload(bench, *size, FORMAT, &level_zero(*size, FORMAT))?;
        let read = bench.run(|frame| {
            technique.levels(frame, settings, &chain, None)?;
            frame.read_mips(&chain)
        })?;
        let picture = Image::new(bench.gpu(), ImageDesc::new("view", *size, Format::Rgba8, &[Use::Storage]))?.mip(0);
        let mut found = Vec::new();
        for view in VIEWS {
            bench.run(|frame| technique.view(frame, view.name, settings, &chain, &picture))?;
            let texels: Vec<[u8; 4]> = bench.read(&picture)?;
            found.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        Ok((read.read()?, found))
    }

    /// A step of the exact means, which are kept in half floats, is 16 in the picture.
    fn verdict(look: &ViewInput, (chain, pictures): &Shots) -> Verdict {
        let levels = levels_of(look.size, full_chain(look.size), FORMAT, chain);
        let complete = levels.len() == full_chain(look.size) as usize && pictures.len() == VIEWS.len();
        let counts = Verdict::at_most("levels or views missing", f64::from(u8::from(!complete)), 0.0);
        if !complete {
            return counts;
        }
        let exact = exact_chain(&levels[0], full_chain(look.size));
        let one = |(view, found): (&ViewInfo, &Vec<f32>)| {
            let pixels = (0..look.size[1]).flat_map(|y| (0..look.size[0]).map(move |x| [x, y]));
            let wanted: Vec<f32> = pixels.flat_map(|at| color(look, view, &levels, &exact, at).to_array()).collect();
            let most = if view.name == "difference" { [1.6, 3.5, 5.0] } else { [0.4, 1.1, 1.1] };
            Verdict::within(view.name, &Errors::between(&wanted, found), most)
        };
        VIEWS.iter().zip(pictures).map(one).fold(counts, Verdict::and)
    }
}

/// The texel over a pixel of the whole picture, nearest.
fn over(plane: &dyn Rows, size: [u32; 2], at: [u32; 2]) -> DVec3 {
    let of = |axis: usize| {
        let part = (f64::from(at[axis]) + 0.5) / f64::from(size[axis]);
        (part * f64::from(plane.size()[axis])) as usize
    };
    plane.row(of(1))[of(0)].truncate()
}

/// The colour of a pixel, 0..255.
fn color(look: &ViewInput, view: &ViewInfo, levels: &[Texels<'_>], exact: &[Plane], at: [u32; 2]) -> Vec3 {
    let (shown, legend) = (look.settings.view_level as usize, &view.legend);
    let encoded = |light: DVec3| (light.map(encode) * 255.0).as_vec3();
    match view.name {
        "level" => encoded(over(&levels[shown], look.size, at)),
        "difference" => {
            let apart = over(&levels[shown], look.size, at) - over(&exact[shown - 1], look.size, at);
            // Eight steps of 255 to either side.
            apart.as_vec3().map(|apart| legend.ramp(0.5 + apart * 255.0 / 16.0).x)
        }
        "tiles" => {
            let [edge, halo, other_tile] = [0, 1, 2].map(|at| legend.swatch(at));
            let (side, [before, after]) = ([32, 16], plan::halo(look.settings.filter, 1));
            let tile = [0, 1].map(|i| at[i] / side[i]);
            let inside = [0, 1].map(|i| at[i] % side[i]);
            if inside.contains(&0) {
                return edge;
            }
            let twice = [0, 1].map(|i| {
                let first = tile[i] > 0 && inside[i] < after;
                first || (tile[i] + 1) * side[i] < look.size[i] && inside[i] + before >= side[i]
            });
            let mut color = encoded(over(&levels[0], look.size, at));
            if (tile[0] ^ tile[1]) & 1 != 0 {
                color = color.lerp(other_tile, 0.25);
            }
            let part = [0.0, 0.4, 0.6][twice.iter().filter(|twice| **twice).count()];
            color.lerp(halo, part)
        }
        _ => Vec3::NAN,
    }
}
