//! The chain's time beside the bytes that it must move.

use super::{
    Method, MipChain, MipChainSettings, chain_for,
    oracle::{Tent, test_picture},
};
use crate::{
    gpu::{Format, full_chain, mip_size},
    lab::{BENCH_CACHES, Bed, Bench, BenchOptions, Oracle, Row},
    techniques::Technique,
};

const SIZES: [[u32; 2]; 6] = [[1024, 1024], [1280, 720], [1919, 1079], [2560, 1440], [3840, 2160], [4096, 4096]];
const QUICK: [[u32; 2]; 1] = [[320, 180]];
const METHODS: [Method; 2] = [Method::PerLevel, Method::Blit];

/// Rows by size and method.
pub const BENCH: Bench =
    Bench { name: "chain", rows: |options| options.sizes_or(&SIZES, &QUICK).len() * METHODS.len(), run };

fn run(bed: &mut Bed, options: &BenchOptions, each: &mut dyn FnMut(Row)) -> anyhow::Result<()> {
    let technique = MipChain::new(bed.gpu())?;
    for size in options.sizes_or(&SIZES, &QUICK) {
        let picture = bed.picture(size, &test_picture(size))?;
        let chain = chain_for(bed.gpu(), "chain", size)?;
        let texels = |level| mip_size(size, level).into_iter().map(u64::from).product::<u64>();
        let reads = texels(0) * u64::from(Format::Rgba8.bytes());
        let writes = (0..full_chain(size)).map(texels).sum::<u64>() * u64::from(Format::Rgba16F.bytes());
        let probe = bed.traffic_probe(reads, writes, options.reps(), BENCH_CACHES)?;
        for method in METHODS {
            let settings = MipChainSettings { method, ..Default::default() };
            let record = |frame: &mut crate::gpu::Frame| technique.record(frame, &settings, &picture.mip(0), &chain);
            let gpu_us = bed.measure(options.reps(), BENCH_CACHES, record)?;
            // The driver's own filter has no oracle here; large sizes are checked at the smaller ones.
            let small = size[0].max(size[1]) <= 2048;
            let checked = method == Method::PerLevel
                && small
                && Tent::agree(&size, &Tent::cpu(&size), &Tent::gpu(bed, &size)?).passed;
            let case = format!("{}x{} rgba16f", size[0], size[1]);
            let variant = method.name().into();
            each(Row { case, variant, gpu_us, bytes: reads + writes, probe_us: Some(probe.median), checked });
        }
    }
    Ok(())
}
