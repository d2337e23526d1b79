//! Tests of the comparison: its end, and its verdict.

use super::*;

fn two() -> Vec<Alternative> {
    ["one", "two"].map(Alternative::new).to_vec()
}

fn asked() -> (Comparison, Instant) {
    let (mut comparison, start) = (Comparison::default(), Instant::now());
    comparison.request(start);
    (comparison, start)
}

fn run(means: [f64; 2], spread: f64) -> Comparison {
    let (mut comparison, start) = asked();
    let mut noise = 12_345_u32;
    for round in 0..1000_u32 {
        if !comparison.is_active() {
            break;
        }
        comparison.begin(0, "", two());
        for (index, mean) in means.into_iter().enumerate() {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let part = f64::from(noise >> 8) / f64::from(1 << 24) * 2.0 - 1.0;
            comparison.add(0, index, Some(mean * (1.0 + 0.01 * spread * part)));
        }
        comparison.check(start + Duration::from_millis(u64::from(10 * round)));
    }
    comparison
}

fn overlapping(_: [Quartiles; 2]) -> String {
    "noisy".into()
}

fn said(comparison: &Comparison) -> String {
    comparison.verdict().text
}

#[test]
fn clear_times_end_it_soon_and_noisy_ones_have_no_verdict() {
    let clear = run([100.0, 150.0], 5.0);
    assert_eq!(clear.progress(), Progress::Done { rounds: ROUNDS_LEAST, end: End::Clear });
    assert!(said(&clear).starts_with("one is fastest, "), "{}", said(&clear));
    let difference = clear.saved([1, 0], &overlapping).unwrap();
    assert!((40.0..60.0).contains(&difference.median) && difference.low > 0.0);
    let [one, two] = [0, 1].map(|index| clear.alternatives()[index].times().unwrap());
    assert_eq!(difference.median, two.median - one.median, "what the table shows");
    let noisy = run([100.0, 101.0], 60.0);
    assert_eq!(noisy.progress(), Progress::Done { rounds: ROUNDS_MOST, end: End::Limit });
    assert!(said(&noisy).starts_with("Too noisy to tell which is fastest, "), "{}", said(&noisy));
    assert_eq!(noisy.saved([1, 0], &overlapping).unwrap_err().text, "noisy");
}

/// The median of the pairs' differences would contradict the two medians next to it.
#[test]
fn a_saving_is_the_difference_of_the_medians_that_are_shown() {
    let (mut comparison, _) = asked();
    comparison.begin(0, "", two());
    for [one, two] in [[1.0, 2.0], [3.0, 4.0], [10.0, 5.0]] {
        comparison.add(0, 0, Some(one));
        comparison.add(0, 1, Some(two));
    }
    let [one, two] = [0, 1].map(|index| comparison.alternatives()[index].times().unwrap());
    let (there, back) = (comparison.difference(0, 1).unwrap(), comparison.difference(1, 0).unwrap());
    assert_eq!((there.median, back.median), (one.median - two.median, two.median - one.median));
    assert_eq!((there.low, there.high), (-back.high, -back.low));
    assert!(there.low <= there.median && there.median <= there.high);
    for spread in [0.0, 1.0, 5.0, 20.0] {
        let comparison = run([100.0, 150.0], spread);
        let difference = comparison.difference(1, 0).unwrap();
        assert!(comparison.saved([1, 0], &overlapping).is_err() || difference.low >= 0.0, "one sign: {difference:?}");
    }
}

#[test]
fn verdicts_never_contradict_each_other() {
    for spread in [0.0, 1.0, 5.0, 20.0, 40.0, 80.0] {
        for (means, right) in [([100.0, 130.0], "one is"), ([130.0, 100.0], "two is"), ([100.0, 100.0], "none")] {
            let said = said(&run(means, spread));
            let is_noisy = said.starts_with("Too noisy");
            assert!(is_noisy || said.starts_with(right) || spread == 0.0 && right == "none", "{spread}: {said}");
        }
    }
}

#[test]
fn the_fastest_of_good_quality_is_named_too() {
    let comparison = run([100.0, 150.0], 5.0);
    let said = |quality_db: &[f64]| comparison.verdict_of_quality(quality_db).text;
    assert!(said(&[20.0, 60.0]).contains("Of those of 40 dB or more: two is fastest, "), "{}", said(&[20.0, 60.0]));
    for none_or_all in [[20.0, 20.0], [60.0, 60.0]] {
        let said = said(&none_or_all);
        assert!(!said.contains("Of those") && !said.contains("closest"), "{said}");
    }
    let better = said(&[45.0, 60.0]);
    assert!(better.contains(" two is closest, 60.0 dB instead of 45.0 dB with one, in "), "{better}");
    let same = said(&[60.0, 20.0]);
    assert!(same.matches("fastest").count() == 1 && same.ends_with(" It has 40 dB or more."), "once: {same}");
}

#[test]
fn it_can_be_stopped_and_requested_again() {
    let mut comparison = Comparison::default();
    assert!(!comparison.is_active());
    let start = Instant::now();
    comparison.add(0, 0, Some(1.0));
    assert_eq!(comparison.rounds(), 0, "nothing was asked for");
    comparison.request(start);
    assert!(comparison.begin(0, "k", two()) && !comparison.begin(0, "k", two()));
    (0..2).for_each(|index| comparison.add(0, index, Some(7.0)));
    comparison.check(start);
    assert!(matches!(comparison.progress(), Progress::Running { rounds: 1, .. }));
    comparison.stop();
    assert_eq!(comparison.progress(), Progress::Done { rounds: 1, end: End::Stopped });
    assert_eq!(said(&comparison), "Stopped early: too few rounds to say which is fastest.");
    comparison.stop();
    comparison.request(start);
    assert_eq!((comparison.rounds(), comparison.progress()), (0, Progress::Running { rounds: 0, part: 0.0 }));
}

#[test]
fn samples_of_another_subject_do_not_count_and_time_ends_it() {
    let (mut comparison, start) = asked();
    comparison.set_subject(0, "small");
    comparison.begin(0, "", two());
    comparison.add(0, 0, Some(1.0));
    comparison.set_subject(0, "large");
    assert!(comparison.alternatives().iter().all(|one| one.times().is_none()));
    comparison.check(start);
    comparison.add(0, 0, Some(1.0));
    comparison.check(start + LONGEST / 2);
    assert!(comparison.is_active());
    comparison.check(start + LONGEST + LONGEST / 2);
    assert_eq!(comparison.progress(), Progress::Done { rounds: 0, end: End::Limit });
    assert_eq!(said(&comparison), "Out of time: too few rounds to say which is fastest.");
    comparison.set_subject(0, "after");
    assert_eq!(comparison.subject(), "large", "a card keeps what it was of");
}

#[test]
fn substitutes_are_no_part_of_the_verdict_and_devices_without_times_end_it() {
    let (mut comparison, start) = asked();
    let mut all = two();
    all.push(Alternative { is_substitute: true, ..Alternative::new("three") });
    comparison.begin(0, "", all.clone());
    for _ in 0..ROUNDS_LEAST {
        (0..3).for_each(|index| comparison.add(0, index, Some([5.0, 9.0, 5.0][index])));
        comparison.check(start);
    }
    assert!(said(&comparison).starts_with("one is fastest"));
    comparison.request(start);
    comparison.begin(0, "", all);
    (0..WITHOUT_TIME).for_each(|index| comparison.add(0, index % 3, None));
    comparison.check(start);
    assert_eq!(said(&comparison), "This device gives no times.");
}
