//! Tests of accepted command lines; tests/cli.rs tests refusals.

use super::*;
use glam::UVec2;

fn parsed(line: &str) -> Result<Task, Failure> {
    parse(std::iter::once("meniscus").chain(line.split_whitespace()).map(OsString::from))
}

pub(crate) fn task(line: &str) -> Task {
    parsed(line).unwrap_or_else(|failure| panic!("{line}: {failure}"))
}

fn refusal(line: &str) -> String {
    let failure = parsed(line).expect_err(line);
    assert_eq!(failure.code, 2, "{line}");
    failure.to_string()
}

#[test]
fn the_command_is_well_formed() {
    command().debug_assert();
}

#[test]
fn numbers_may_have_a_sign_so_that_their_range_is_said() {
    let all = command();
    let mut numbers = 0;
    for option in std::iter::once(&all).chain(all.get_subcommands()).flat_map(clap::Command::get_opts) {
        let names = option.get_value_names().unwrap_or_default();
        if names.iter().any(|name| ["N", "HZ", "WxH", "WxH,..", "X,Y", "INDEX|NAME"].contains(&name.as_str())) {
            assert!(option.is_allow_negative_numbers_set() || option.is_allow_hyphen_values_set(), "{option}");
            numbers += 1;
        }
    }
    assert!(numbers > 10, "{numbers}");
}

#[test]
fn instruments_have_options_of_their_own() {
    let Task::Headless(_, _, output) = task("headless --count-passes glass --frames 2 --count-passes mip") else {
        panic!("headless");
    };
    assert_eq!(output.instruments.0, [("count-passes", "glass".into()), ("count-passes", "mip".into())]);
}

#[test]
fn no_command_is_not_the_command_window() {
    assert_eq!(task(""), Task::Launch(Common::default(), ViewOptions::default()));
    assert_eq!(task("window"), Task::Window(Common::default(), ViewOptions::default()));
    let (Task::Launch(common, view), Task::Window(same_common, same_view)) =
        (task("--size 10x20 --lens 1,2"), task("--size 10x20 window --lens 1,2"))
    else {
        panic!("the options make no other command of it")
    };
    assert_eq!((common, view), (same_common, same_view));
}

#[test]
fn common_options_are_accepted_before_and_after_the_command() {
    let before = task("--size 64x32 --gpu 1 --set a.b=1 --validate headless --set c.d=2");
    let after = task("headless --size 64x32 --gpu 1 --set a.b=1 --set c.d=2 --validate");
    assert_eq!(before, after);
    let Task::Headless(common, _, output) = after else { panic!("not headless") };
    assert_eq!(common.size, Some(Size(UVec2::new(64, 32))));
    assert_eq!(common.gpu, Some(GpuChoice::Index(1)));
    assert_eq!(common.set.iter().map(|set| set.0.to_string()).collect::<Vec<_>>(), ["[a]\nb = 1\n", "[c]\nd = 2\n"]);
    assert!(common.validate);
    assert_eq!(output.frames, 1);
    assert_eq!(task("--lens 1,2 headless"), task("headless --lens 1,2"));
}

#[test]
fn bench_and_verify_take_one_technique() {
    let verify = |technique: &str, quick, list| {
        Task::Verify(Common::default(), Some(technique.into()), VerifyOptions { quick, list })
    };
    assert_eq!(task("verify glass"), verify("glass", false, false));
    assert_eq!(task("verify glass/table --quick"), verify("glass/table", true, false));
    assert_eq!(task("verify --list glass"), verify("glass", false, true));
    let Task::Bench(_, _, options) = task("bench --against Cargo.toml --any-device") else { panic!("not bench") };
    assert_eq!((options.against, options.any_device), (Some("Cargo.toml".into()), true));
    assert_eq!(task("shaders glass"), Task::Shaders(Common::default(), Some("glass".into())));
}

#[test]
fn a_dash_is_standard_output_and_one_file_can_have_it() {
    assert!(task("headless --png -").takes_standard_output() && task("list --json -").takes_standard_output());
    assert!(!task("headless --trace ./- --json x.json").takes_standard_output());
    assert!(refusal("headless --png - --json -").contains("--png and --json"));
}

#[test]
fn pictures_are_called_pngs() {
    for name in ["a.png", "a.PNG", "a.jpg.png", "/dev/null", "-"] {
        task(&format!("headless --png {name}"));
        task(&format!("headless --record {name}"));
    }
    task("headless --record a.apng");
    task("headless --record a.y4m");
    for name in ["a", "png", "a.png.gif", "./-", "a.apng"] {
        let said = refusal(&format!("headless --png {name}"));
        assert!(said.ends_with("expected a name that ends in .png or -") && said.contains(name), "{said}");
    }
    assert!(refusal("headless --record a.gif").ends_with("expected a name that ends in .png, .apng, .y4m or -"));
}

#[cfg(unix)]
#[test]
fn outputs_go_to_a_file_each() {
    let folder = base::fixtures::Folder::new("cli-distinct");
    let at = |name: &str| folder.0.join(name).display().to_string();
    let both = |a: &str, b: &str| format!("headless --save meshlets/ids={} --save meshlets/depth={}", at(a), at(b));
    task(&both("a.npy", "b.npy"));
    std::fs::write(at("there.npy"), b"old").unwrap();
    std::os::unix::fs::symlink(at("there.npy"), at("link.npy")).unwrap();
    std::os::unix::fs::symlink(&folder.0, at("again")).unwrap();
    for (a, b) in [("there.npy", "link.npy"), ("a.npy", "again/a.npy")] {
        assert!(refusal(&both(a, b)).contains("--save twice"), "{a} {b}");
    }
    task("headless --png /dev/null --trace /dev/null");
    assert!(refusal(&format!("headless --png {0} --trace {0}", at("x.png"))).contains("--png and --trace"));
}
