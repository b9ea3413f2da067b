//! Tests of ladders that no kind has: that of 9×9 Sudoku on its reference puzzles, and one for stars in regions.

use super::{LADDER, REFUTATIONS, fish, hidden_single, ladder::climb, rung, seen_by_all, sentences};
use crate::{
    grid::{
        cells::Cells,
        find::Technique,
        position::Position,
        puzzle::Puzzle,
        rate::reasoned,
        rules::Rules,
        variant::{Areas, Content, GridVariant, Group},
    },
    shared::{budget::Budget, level::Tenths, text::Reasoned},
    sudoku::sizes::SIZES,
};

fn named(name: &str) -> &'static GridVariant {
    SIZES.variant(name).unwrap()
}

fn leaked(variant: GridVariant) -> &'static GridVariant {
    Box::leak(Box::new(variant))
}

/// The techniques of Sudoku Explainer that the ladder lacks.
const UNKNOWN: [&str; 4] = ["Unique", "BUG", "Aligned", "Cycle"];

#[test]
fn reference_ratings_of_9x9_are_met_by_97_percent() {
    let variant = leaked(GridVariant { extra: &[], ..*named("9x9-x") });
    let lines = include_str!("../../../tests/data/sudoku_ratings.csv").lines().skip(1);
    let (mut known, mut differing) = (0, Vec::new());
    for fields in lines.map(|line| line.split(',').collect::<Vec<_>>()) {
        let tenths: u8 = fields[3].replace('.', "").parse().unwrap();
        if tenths >= 66 || UNKNOWN.iter().any(|name| fields[6].contains(name)) {
            continue;
        }
        let digits: Vec<u8> = fields[0].bytes().map(|sign| sign - b'0').collect();
        let rules = Rules::with(variant, &[]);
        let rated = climb(&mut Position::of(&rules, digits.as_slice()).unwrap(), LADDER, Tenths::MAX);
        known += 1;
        if rated.rating != Tenths(tenths) {
            differing.push(format!("{} {} {}: {} {}", fields[0], fields[3], fields[6], rated.rating, rated.technique));
        }
    }
    println!("{} of {known} puzzles differ:\n{}", differing.len(), differing.join("\n"));
    assert!(known > 1_000 && differing.len() * 100 <= 3 * known);
}

#[test]
fn stars_are_found_by_the_same_functions() {
    let ladder: &'static [Technique] = Box::leak(Box::new([
        rung("Single", 10, |t, p, take| hidden_single(|_| true, t, p, take), sentences::hidden_single),
        rung("Seen", 15, |t, p, take| seen_by_all(|_| true, t, p, take), sentences::seen_by_all),
        rung("Two Lines", 30, |t, p, take| fish(2, t, p, take), sentences::fish),
        REFUTATIONS,
    ]));
    let (areas, content, group) = (Areas::Regions, Content::Stars, Group::Turns);
    let variant = leaked(GridVariant { name: "stars", areas, content, group, ladder, ..*named("4x4") });
    let regions = b"aabbccbbccbdcddd".map(|letter| letter - b'a').to_vec();
    let puzzle = Puzzle { variant, digits: vec![0; 16], regions };
    let Reasoned { steps, record } = reasoned(&puzzle, &mut Budget::of_nodes(0));
    let stars: Vec<_> = steps.iter().flat_map(|step| &step.placed).map(|(cell, _)| *cell).collect();
    assert_eq!(Cells::from_iter(stars), [1, 7, 8, 14].into_iter().collect(), "{steps:?}");
    assert_eq!(record.unwrap().rating, Tenths(15));
}
