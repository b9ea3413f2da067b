//! What cages with operators and clues beside the grid have in common: the regions and the metrics state them as the text does.

use puzzled_engine::{
    grid::GridMetrics,
    shared::{step::House, text::RegionType},
};

use super::{
    Line,
    checker::{cages_of, sightlines_of},
    each, reason,
};

/// Checks each puzzle with clues of one of these types, with the clues as its text states them.
pub(crate) fn each_board(what: &str, clue_type: RegionType, mut check: impl FnMut(&Line, &[House])) {
    each(what, |line| {
        let clues = match clue_type {
            RegionType::Cage if line.has_operators() => cages_of(line.size(), &line.text),
            RegionType::Sightline if line.has_sightlines() => sightlines_of(line.size(), &line.text),
            _ => return 0,
        };
        check(line, &clues);
        1
    });
}

#[test]
fn clues_of_the_text_are_the_regions_and_are_counted() {
    for (what, clue_type) in [("calcudoku regions", RegionType::Cage), ("sightlines", RegionType::Sightline)] {
        each_board(what, clue_type, |line, clues| {
            let regions = line.kind.regions(line.variant(), &line.text).unwrap();
            let listed = regions.into_iter().map(|region| {
                assert_eq!(region.region_type, clue_type);
                (region.cells, region.sum, region.operator)
            });
            assert!(listed.eq(clues.iter().map(|clue| (clue.cells.clone(), clue.sum, clue.operator))), "{}", line.text);
            let metrics = reason(line, &line.text).record.unwrap().metrics.read::<GridMetrics>().unwrap();
            let cages = if clue_type == RegionType::Cage { metrics.clues } else { 0 };
            assert_eq!((metrics.clues as usize, metrics.cage_sizes.iter().sum()), (clues.len(), cages));
        });
    }
}
