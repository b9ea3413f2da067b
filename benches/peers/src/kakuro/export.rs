//! Makes Kakuros of mixed sizes, symmetries, and levels, and writes them with their solutions as lines of JSON, for
//! programs that share no code with this one.

use puzzled_engine::shared::{level::Level, spec::Difficulty, symmetry::Symmetry};

use super::make::{make, spec};

/// The sizes, symmetries, and targets through which the export cycles.
const VARIANTS: [&str; 14] = [
    "8x10",
    "4x4",
    "5x6",
    "6x6",
    "7x7",
    "8x8",
    "10x10",
    "12x12",
    "10x8-runs5",
    "9x13",
    "8x10-runs9-white70",
    "12x12-white55",
    "15x15",
    "20x20",
];
const SYMMETRIES: [Symmetry; 4] = [Symmetry::None, Symmetry::Rotation180, Symmetry::Horizontal, Symmetry::Vertical];
const TARGETS: [Difficulty; 5] = [
    Difficulty::Any,
    Difficulty::Level(Level::Easy),
    Difficulty::Level(Level::Medium),
    Difficulty::Level(Level::Hard),
    Difficulty::Any,
];

pub fn run(count: u32, seed: u64) {
    for index in 0..count {
        let variant = VARIANTS[index as usize % VARIANTS.len()];
        let symmetry = SYMMETRIES[index as usize / VARIANTS.len() % SYMMETRIES.len()];
        let target = TARGETS[index as usize / (VARIANTS.len() * SYMMETRIES.len()) % TARGETS.len()];
        let is_small = matches!(variant, "4x4" | "5x6");
        let difficulty = if is_small { Difficulty::Any } else { target };
        let spec = spec(variant, symmetry, difficulty);
        let Some((_, made)) = make(&spec, seed, index) else {
            eprintln!("index {index} was not made: {variant} {} {difficulty:?}", symmetry.name());
            continue;
        };
        let text = |text: &str| text.replace('\\', "\\\\").replace('\n', "\\n");
        println!(
            "{{\"index\":{index},\"variant\":\"{variant}\",\"symmetry\":\"{}\",\"rating\":\"{}\",\"text\":\"{}\",\"solution\":\"{}\"}}",
            symmetry.name(),
            made.record.rating,
            text(&made.text),
            text(&made.solution)
        );
    }
}
