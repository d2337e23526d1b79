//! Methods to make a chain that tables show, and the bytes that each must move.

use crate::{
    passes::strips::reread_levels,
    pixel::ChainFormat,
    settings::{Method, MipChainSettings},
    tier::Filter,
};
use gpu::{full_chain, mip_size};

pub(super) fn methods(format: ChainFormat, like: &MipChainSettings) -> Vec<MipChainSettings> {
    let of = |method, filter, levels_per_dispatch| MipChainSettings {
        method,
        filter,
        levels_per_dispatch,
        format,
        ..like.clone()
    };
    let ours = [(Method::SinglePass, Filter::Box), (Method::SinglePass, Filter::Tent), (Method::Strips, Filter::Tent)];
    let mut all = ours.map(|(method, filter)| of(method, filter, 5)).to_vec();
    all.extend((1..=6).map(|m| of(Method::Ladder, Filter::Box, m)));
    all.extend([Method::PerLevel, Method::Blit].map(|method| of(method, Filter::Box, 5)));
    all
}

pub(super) fn name_of(settings: &MipChainSettings) -> String {
    let method = settings.method.name();
    let method = match settings.method {
        Method::Ladder => format!("{method} {}", settings.levels_per_dispatch),
        _ => method.into(),
    };
    match settings.method {
        Method::Blit => method,
        _ => format!("{method} {}", settings.filter.name()),
    }
}

pub(super) fn title_of(settings: &MipChainSettings) -> String {
    let (method, filter) = (settings.method.title(), settings.filter.title().to_lowercase());
    match settings.method {
        Method::Ladder => format!("{method} {}, {filter}", settings.levels_per_dispatch),
        Method::Blit => method,
        _ => format!("{method}, {filter}"),
    }
}

/// Each level once that is read again, the others but level 0 never.
pub(super) fn bytes_moved(size: [u32; 2], settings: &MipChainSettings) -> [u64; 2] {
    let width = u64::from(settings.format.image().bytes());
    let bytes = |level| mip_size(size, level).into_iter().map(u64::from).product::<u64>() * width;
    let levels = full_chain(size);
    let every = |step: u32| (0..levels.max(2) - 1).step_by(step as usize).collect();
    let read: Vec<u32> = match settings.method {
        Method::Auto | Method::SinglePass => vec![0],
        Method::Strips => reread_levels(size, levels.max(2), settings.filter),
        Method::Ladder => every(settings.levels_per_dispatch.max(1)),
        Method::PerLevel | Method::Blit | Method::Raster => every(1),
    };
    let reads = read.into_iter().map(bytes).sum();
    [reads, (1..levels).map(bytes).sum()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_pass_reads_the_picture_alone() {
        let of = |method, levels_per_dispatch| {
            let format = ChainFormat::Rgba8;
            bytes_moved([8, 4], &MipChainSettings { method, levels_per_dispatch, format, ..Default::default() })
        };
        let writes = 4 * (4 * 2 + 2 + 1);
        assert_eq!(of(Method::SinglePass, 5), [4 * 32, writes]);
        assert_eq!(of(Method::Strips, 5), [4 * (32 + 2), writes]);
        assert_eq!(of(Method::Ladder, 2), [4 * (32 + 2), writes]);
        assert_eq!(of(Method::PerLevel, 5), [4 * (32 + 8 + 2), writes]);
    }
}
