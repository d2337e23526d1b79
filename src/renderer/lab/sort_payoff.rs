//! Times of sorting and shading in a frame.

use base::timing::FrameTiming;

/// Microseconds of sorting, if pixels were shaded by the list, and of shading. Views and measurements do not count.
pub fn sample(timing: &FrameTiming) -> Option<(Option<f64>, f64)> {
    match (timing.us_of(&[shade::LIST]), timing.us_of(&[shade::RASTER])) {
        (Some(list), None) => Some((Some(timing.us_of(&[pixel_sort::LENGTHS, pixel_sort::SORT])?), list)),
        (None, Some(raster)) => Some((None, raster)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::timing::PassTiming;

    #[test]
    fn pixel_sort_passes_are_summed() {
        let of = |passes: &[(&str, f64)]| {
            let pass =
                |(name, us): &(&str, f64)| PassTiming { name: (*name).into(), gpu_us: Some(*us), ..Default::default() };
            sample(&FrameTiming { passes: passes.iter().map(pass).collect(), ..FrameTiming::default() })
        };
        let sort = [("pixel_sort/lengths", 4.0), ("pixel_sort/sort", 6.0), ("pixel_sort/measure list", 1e6)];
        let list = [("shade/list", 50.0), ("shade/list marble", 40.0), ("shade/sky", 1e6)];
        assert_eq!(of(&[sort.as_slice(), &list].concat()), Some((Some(10.0), 90.0)));
        assert_eq!(of(&[("shade/raster", 7.0), ("shade/raster sky", 3.0)]), Some((None, 10.0)));
        assert_eq!((of(&list), of(&sort), of(&[])), (None, None, None), "no whole frame");
    }
}
