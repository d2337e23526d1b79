//! Options of bench and of the tables of source documents.

use super::arguments::{Size, whole};
use clap::Args;
use std::path::PathBuf;

/// What bench measures.
#[derive(Args, Clone, Debug, PartialEq)]
#[command(next_help_heading = "Bench")]
pub struct BenchOptions {
    /// Sizes to measure at. Default: those of each benchmark.
    #[arg(long, value_name = "WxH,..", allow_hyphen_values = true, value_delimiter = ',')]
    pub sizes: Vec<Size>,
    /// Image formats to measure. Default: those of each benchmark.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub formats: Vec<String>,
    /// How many measured runs for each row. Default: 50, with --quick 5.
    #[arg(long, value_name = "N", value_parser = whole(1, 1_000_000), allow_negative_numbers = true)]
    pub reps: Option<u32>,
    /// Few and small: seconds, for a smoke test.
    #[arg(long)]
    pub quick: bool,
    /// Compares with the JSON of an earlier run: exit code 1 if a row is slower beyond noise (10 runs or more).
    #[arg(long, value_name = "OLD.json")]
    pub against: Option<PathBuf>,
    /// Compares with another device or driver, too.
    #[arg(long, requires = "against")]
    pub any_device: bool,
}

/// What the tables of the source documents are measured with.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Tables")]
pub struct TableOptions {
    /// How many measured runs for each row. Default: 50, with --quick 5.
    #[arg(long, value_name = "N", value_parser = whole(1, 1_000_000), allow_negative_numbers = true)]
    pub reps: Option<u32>,
    /// Few and small, not the sources' sizes: for a smoke test.
    #[arg(long)]
    pub quick: bool,
}
