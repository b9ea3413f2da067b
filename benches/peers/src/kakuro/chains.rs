//! Measures the length of the contradictions that the hardest Kakuros need: new ones of four sizes, and those in given
//! files. The lower bound of Evil was chosen from this output.

use std::{fs, io, sync::atomic::AtomicBool, time::Duration};

use puzzled_engine::{
    kakuro::{Kakuro, metrics::KakuroMetrics},
    shared::{
        budget::Budget, kind::PuzzleKind as _, level::Tenths, record::RatingRecord, spec::Difficulty,
        symmetry::Symmetry,
    },
};

use super::make::{make, spec, worked};

const SEED: u64 = 5;

const SIZES: [&str; 4] = ["8x10", "8x10-runs9-white70", "12x12", "15x15"];

/// Number of columns; the last one counts all longer chains.
const LINKS_SHOWN: usize = 16;

/// Prints the lengths for one puzzle of each index up to `count`, of each size, and then for the puzzles in `files`.
pub fn run(count: u32, files: &[String]) -> io::Result<()> {
    let links: String = (0..LINKS_SHOWN).map(|links| format!("{links:>5}")).collect();
    println!("{:<22} {:>7} {:>9}{links} links", "what", "puzzles", "mean ms");
    for size in SIZES {
        let spec = spec(size, Symmetry::None, Difficulty::Range { min: Tenths(60), max: Tenths(79) });
        let begun = worked();
        let made = (0..count).filter_map(|index| make(&spec, SEED, index));
        let records: Vec<_> = made.map(|(_, made)| made.record).collect();
        println!("{}", row(size, &records, worked() - begun));
    }
    let never = AtomicBool::new(false);
    let mut records = Vec::new();
    let begun = worked();
    for file in files {
        let mut budget = Budget::new(u64::MAX, &never);
        let reasoned = Kakuro.reason("", &fs::read_to_string(file)?, &mut budget);
        records.extend(reasoned.ok().and_then(|reasoned| reasoned.record.ok()));
    }
    println!("{}", row("files", &records, worked() - begun));
    let search = |record: &&RatingRecord| record.techniques.iter().any(|used| used.technique == "Trial and Error");
    println!("of the files {} need a search", records.iter().filter(search).count());
    Ok(())
}

fn row(name: &str, records: &[RatingRecord], took: Duration) -> String {
    let mut counts = [0; LINKS_SHOWN];
    for record in records {
        let links = record.metrics.read::<KakuroMetrics>().map_or(0, |metrics| metrics.chain);
        counts[(links as usize).min(LINKS_SHOWN - 1)] += 1;
    }
    let counts: String = counts.iter().map(|count| format!("{count:>5}")).collect();
    let mean = took.as_secs_f64() * 1_000.0 / records.len().max(1) as f64;
    format!("{name:<22} {:>7} {mean:>9.1}{counts}", records.len())
}
