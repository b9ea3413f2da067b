//! Writes the explanation of a Kakuro rating in one sentence: the techniques of the hardest tier, the number of easier
//! steps, and the cells that stay open without that tier.

use crate::{
    kakuro::board::Puzzle,
    shared::{
        level::Tenths,
        phrases::{counted, list, times},
        record::TechniqueCount,
    },
};

/// The explanation of a rating. `technique` is the hardest technique, and `techniques` are those used, easiest first; `open` is
/// the number of cells that were open when the hardest tier was first needed.
pub(super) fn explain(
    technique: &str,
    techniques: &[TechniqueCount],
    rating: Tenths,
    puzzle: &Puzzle,
    open: usize,
) -> String {
    let layout = puzzle.layout();
    let (cells, runs) = (layout.cells().len(), puzzle.clue_count());
    let tier = techniques.last().map_or(Tenths(10), |hardest| hardest.rating);
    let (mut hardest, easier): (Vec<_>, Vec<_>) = techniques.iter().partition(|used| used.rating == tier);
    hardest.reverse();
    hardest.sort_by_key(|used| used.technique != technique);
    let without = match open {
        0 => "from the first step on".to_owned(),
        1 => format!("without it 1 of {cells} cells stays open"),
        _ => format!("without it {open} of {cells} cells stay open"),
    };
    let besides: u32 = easier.iter().map(|used| used.count).sum();
    let besides = if besides == 0 { String::new() } else { format!(", besides {}", counted(besides, "easier step")) };
    format!("{rating}: needs {}{besides}; {without}; {cells} white cells in {runs} runs.", named(&hardest))
}

fn named(techniques: &[&TechniqueCount]) -> String {
    let parts = techniques.iter().map(|used| format!("{} {}", used.technique, times(used.count)));
    if techniques.is_empty() { "nothing".to_owned() } else { list(parts, "and") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text::parse;

    fn check(techniques: &[(&'static str, u8, u32)], rating: u8, open: usize, expected: &str) {
        let hardest = techniques.last().map_or("", |(name, ..)| name);
        let counted = |&(technique, tenths, count)| TechniqueCount { technique, rating: Tenths(tenths), count };
        let puzzle = parse("# \\4 \\3\n3\\ . .\n4\\ . .").unwrap();
        let techniques: Vec<_> = techniques.iter().map(counted).collect();
        assert_eq!(explain(hardest, &techniques, Tenths(rating), &puzzle, open), expected);
    }

    #[test]
    fn explanation_names_the_hardest_tier_and_sums_up_the_rest() {
        let end = "4 white cells in 4 runs.";
        check(&[("Last Cell", 10, 4)], 10, 0, &format!("1.0: needs Last Cell 4 times; from the first step on; {end}"));
        check(
            &[("Last Cell", 10, 4), ("Naked Pair", 40, 1), ("Run Fillings", 40, 2)],
            45,
            2,
            &format!(
                "4.5: needs Run Fillings twice and Naked Pair once, besides 4 easier steps; without it 2 of 4 cells stay open; {end}"
            ),
        );
        check(
            &[("Last Cell", 10, 1), ("Sum Cut", 50, 1)],
            52,
            1,
            &format!("5.2: needs Sum Cut once, besides 1 easier step; without it 1 of 4 cells stays open; {end}"),
        );
    }
}
