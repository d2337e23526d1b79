//! Tests of the breaks.

use super::checks;
use base::settings::{parse_set, to_toml};
use gpu::Gpu;
use lab::{Break, Effort, TestBench};
use std::ops::ControlFlow;
use techniques::{INFOS, Settings, broken};

#[test]
fn ten_breaks_belong_to_one_technique_each() {
    assert_eq!(Break::ALL.len(), 1 + 10);
    for of in Break::ALL {
        let owners = INFOS.iter().filter(|info| info.lab.breaks.iter().any(|broken| broken.of == *of)).count();
        assert_eq!(owners, usize::from(*of != Break::None), "{}", of.name());
        let Some((info, broken)) = broken(*of) else { continue };
        assert!(checks(info).iter().any(|check| check.name == broken.check), "{}: no check {}", info.id, broken.check);
        assert!(!broken.edits.is_empty(), "{}", of.name());
    }
}

#[test]
fn no_preset_contains_a_break() {
    let mut settings = Settings::default();
    settings.lab.r#break = Break::Lanes;
    let text = to_toml(&settings).unwrap();
    assert!(!text.contains("break") && text.contains("[glass]"), "{text}");
    let mut again = Settings::default();
    again.lay(text.parse().unwrap()).unwrap();
    assert_eq!(again.lab.r#break, Break::None);
}

#[test]
fn settings_of_a_break_are_known() {
    for info in INFOS {
        for broken in info.lab.breaks {
            let before = Settings::default();
            let with = before.broken_by(broken);
            for argument in broken.settings.iter().chain(broken.shows_with) {
                let laid = parse_set(argument).and_then(|table| before.clone().lay(table));
                assert_eq!(laid, Ok(()), "{}: {argument}", broken.of.name());
            }
            assert_eq!(with.scene.source, before.scene.source, "{}", broken.of.name());
            let shown = before.with_arguments(broken.shows_with);
            assert_eq!(shown.lacks(broken.shows_with), Vec::<&str>::new(), "{}", broken.of.name());
        }
    }
}

#[test]
fn each_break_is_noticed_by_its_check() {
    let gpu = Gpu::headless(true).unwrap();
    for info in INFOS {
        for broken in info.lab.breaks {
            let mut bench = TestBench::on(&gpu.with_edits(broken.edits)).unwrap();
            let check = checks(info).into_iter().find(|check| check.name == broken.check).unwrap();
            let (mut cases, mut failed) = (0, None);
            check.run_until(&mut bench, Effort::Quick, &mut |outcome| {
                cases += 1;
                if outcome.verdict.passed {
                    return ControlFlow::Continue(());
                }
                failed = Some(outcome.verdict.text);
                ControlFlow::Break(())
            });
            let text = failed.unwrap_or_else(|| panic!("{} passes {cases} cases", broken.of.name()));
            assert!(!text.contains("edited on purpose"), "{}: {text}", broken.of.name());
        }
    }
}
