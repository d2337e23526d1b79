//! Structural similarity of each blur to the true Gaussian, from pictures that are read back once.

use super::blur_judge::Judge;
use crate::frost::{Area, Frost};
use crate::passes::BlurInput;
use crate::settings::Blur;
use glam::UVec2;
use gpu::{Delayed, Error, Frame, ReadBack, Result};
use media::difference::ssim;
use media::picture::Picture;

#[derive(Default)]
pub struct Similarity {
    /// The true Gaussian first, then [`Blur::ALL`].
    pending: Delayed<(UVec2, Vec<ReadBack>)>,
    ssim: Vec<f64>,
}

impl Similarity {
    pub fn ssim(&self) -> &[f64] {
        &self.ssim
    }

    pub fn forget(&mut self) {
        *self = Self::default();
    }

    pub fn on_timing(&mut self, ended: u64) -> Result<()> {
        let Some((extent, reads)) = self.pending.take(ended) else { return Ok(()) };
        let size = extent.to_array();
        let picture = |read: &ReadBack| Ok(Picture { size, rgba: read.read()? });
        let pictures = reads.iter().map(picture).collect::<Result<Vec<_>>>()?;
        let Some((truth, blurred)) = pictures.split_first() else { return Ok(()) };
        let refuse = |why: anyhow::Error| Error::Pass { pass: "glass/compare".into(), problem: format!("{why:#}") };
        self.ssim = blurred.iter().map(|picture| ssim(truth, picture).map_err(refuse)).collect::<Result<_>>()?;
        Ok(())
    }

    pub fn record(
        &mut self,
        judge: &Judge,
        frame: &mut Frame,
        frost: &mut Frost,
        input: BlurInput,
        sigma: f32,
        area: Area,
    ) -> Result<()> {
        self.forget();
        let truth = judge.truth(frame, input.chain, sigma, area)?;
        let mut reads = Vec::new();
        for blur in std::iter::once(None).chain(Blur::ALL.iter().copied().map(Some)) {
            let picture = judge.picture(frame, frost, input, &truth, blur, (sigma, area))?;
            reads.push(frame.read_image(&picture)?);
        }
        self.pending.put(frame.number(), (area.1 - area.0, reads));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::blur_judge::whole_numbers;
    use crate::lab::checks::{boxed_of, chain_of, test_picture};
    use crate::passes::BoxBlurRequest;
    use lab::TestBench;

    #[test]
    fn similarities_are_in_the_order_of_the_blurs() {
        let mut bench = TestBench::validated();
        let gpu = bench.gpu().clone();
        let (picture, sigma) = (test_picture(UVec2::new(320, 240)), 12.0);
        let area = (UVec2::new(40, 24), UVec2::new(203, 151));
        let chain = chain_of(&mut bench, &picture).unwrap();
        let wanted = BoxBlurRequest::around(sigma, whole_numbers(area));
        let boxed = boxed_of(&mut bench, &picture, Some(wanted)).unwrap();
        let (judge, mut frost) = (Judge::default(), Frost::new(&gpu).unwrap());
        let mut similarity = Similarity::default();
        let number = bench.run(|frame| {
            let input = BlurInput { chain: &chain, boxed: boxed.as_ref() };
            similarity.record(&judge, frame, &mut frost, input, sigma, area)?;
            Result::Ok(frame.number())
        });
        similarity.on_timing(number.unwrap()).unwrap();
        let of = |blur: Blur| similarity.ssim()[Blur::ALL.iter().position(|one| *one == blur).unwrap()];
        assert_eq!(similarity.ssim().len(), Blur::ALL.len());
        assert!(similarity.ssim().iter().all(|ssim| (0.5..=1.0).contains(ssim)), "{:?}", similarity.ssim());
        assert!(of(Blur::Preblur) > 0.99 && of(Blur::Preblur) > of(Blur::Box81) + 1e-3, "{:?}", similarity.ssim());
        similarity.forget();
        assert!(similarity.ssim().is_empty());
    }
}
