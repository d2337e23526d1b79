//! Checks of the views: synthetic traced light, in the colours of the legends.

use super::{
    Mapping, ReflectionsSettings,
    passes::SizeResources,
    pipelines::Pipelines,
    uniforms::{PlanBlock, SizeBuffers, place_of, words_of},
    views::VIEWS,
};
use crate::{
    base::{difference::Errors, half},
    gpu::{Format, Gpu, Image, ImageDesc, Use},
    lab::{Case, Effort, Reference, TestBench, Verdict},
};
use glam::Vec3;

pub(super) struct Views;

const SIZE: [u32; 2] = [67, 41];

fn pixel([x, y]: [u32; 2]) -> (u32, u32) {
    let near = (x / 9 + y / 7) % 3;
    let bounces = if near == 0 { 0 } else { (x * 7 + y * 3) % 9 };
    (bounces, bounces * (3 + (x * y) % 400))
}

impl Reference for Views {
    const NAME: &'static str = "views";
    type Input = (Mapping, u32);
    type Output = (Vec<Vec<f32>>, Vec<u32>, Vec<u32>);

    fn cases(_: &Gpu, _: Effort) -> Vec<Case<Self::Input>> {
        let all = Mapping::ALL.iter().flat_map(|mapping| [0, 4].map(|bounce| (*mapping, bounce)));
        all.map(|input| Case { name: format!("{} bounce {}", input.0.name(), input.1), input }).collect()
    }

    fn cpu((mapping, bounce): &Self::Input) -> Self::Output {
        let words = words_of(*mapping, SIZE) as usize;
        let (mut masks, mut counts) = (vec![0u32; 8 * words], vec![0u32; 16]);
        let pixels = || (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y]));
        for at in pixels() {
            let (word, bit) = place_of(*mapping, SIZE, at);
            for live in 0..pixel(at).0 as usize {
                masks[live * words + word as usize] |= 1 << bit;
            }
        }
        for bounce in 0..8 {
            let own = &masks[bounce * words..(bounce + 1) * words];
            counts[2 * bounce] = own.iter().map(|word| word.count_ones()).sum();
            counts[2 * bounce + 1] = own.iter().filter(|word| **word != 0).count() as u32;
        }
        let color = |name: &str, at: [u32; 2]| {
            let legend = VIEWS.iter().find(|view| view.name == name).map(|view| view.legend);
            let Some(legend) = legend else { return Vec3::NAN };
            let (bounces, visits) = pixel(at);
            let (word, _) = place_of(*mapping, SIZE, at);
            let live = masks[*bounce as usize * words + word as usize].count_ones();
            match name {
                "depth" if bounces > 0 => legend.ramp((bounces - 1) as f32 / 7.0),
                "words" if live > 0 => legend.ramp((live - 1) as f32 / 31.0),
                "nodes" if bounces > 0 => legend.ramp((visits as f32 / bounces as f32).log2() / 8.0),
                "mask" => legend.swatch(usize::from(bounces <= *bounce)),
                _ => Vec3::ZERO,
            }
        };
        let picture =
            |view: &crate::techniques::ViewInfo| pixels().flat_map(|at| color(view.name, at).to_array()).collect();
        (VIEWS.iter().map(picture).collect(), masks, counts)
    }

    fn gpu(bench: &mut TestBench, (mapping, bounce): &Self::Input) -> anyhow::Result<Self::Output> {
        let gpu = bench.gpu().clone();
        let settings = ReflectionsSettings { depth: 8, mapping: *mapping, view_bounce: *bounce, ..Default::default() };
        let plan = PlanBlock::new(&settings, gpu.policy(), SIZE, SIZE);
        let held = SizeResources { plan, room: SizeBuffers::fitting(&gpu, None, &plan)? };
        let pipelines = Pipelines::new(&gpu);
        let mut visits = vec![0u32; plan.words as usize * 32];
        let mut texels = vec![];
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let (bounces, nodes) = pixel([x, y]);
                let (word, bit) = place_of(*mapping, SIZE, [x, y]);
                visits[(word * 32 + bit) as usize] = nodes;
                texels.push([0, 0, 0, half::from_f64(f64::from(bounces))]);
            }
        }
        let picture = Image::new(&gpu, ImageDesc::new("picture", SIZE, Format::Rgba8, &[Use::Storage]))?.mip(0);
        bench.run(|frame| {
            frame.upload(&held.room.traced.mip(0), &texels)?;
            frame.upload_buffer(&held.room.visits, &visits)
        })?;
        let mut found = vec![];
        for view in 0..VIEWS.len() as u32 {
            bench.run(|frame| held.view(frame, &pipelines, &settings, view, &picture))?;
            let texels: Vec<[u8; 4]> = bench.read(&picture)?;
            found.push(texels.iter().flat_map(|t| [t[0], t[1], t[2]].map(f32::from)).collect());
        }
        let [masks, counts] = bench.run(|frame| held.count(frame, &pipelines))?;
        Ok((found, bench.read_buffer(&masks)?, bench.read_buffer(&counts)?))
    }

    fn agree(_: &Self::Input, cpu: &Self::Output, gpu: &Self::Output) -> Verdict {
        let words = cpu.1.iter().zip(&gpu.1).filter(|(a, b)| a != b).count() + cpu.1.len().abs_diff(gpu.1.len());
        let exact = Verdict::at_most("words of masks that differ", words as f64, 0.0)
            .and(Verdict { passed: cpu.2 == gpu.2, text: format!("counts {:?}, expected {:?}", gpu.2, cpu.2) });
        let one = |(view, (cpu, gpu)): (&crate::techniques::ViewInfo, (&Vec<f32>, &Vec<f32>))| {
            Verdict::within(view.name, &Errors::between(cpu, gpu), [0.5, 1.1, 1.1])
        };
        VIEWS.iter().zip(cpu.0.iter().zip(&gpu.0)).map(one).fold(exact, Verdict::and)
    }
}
