//! The cages of killer and their sums. The tests check them from the texts alone, without the code of the engine.

use std::collections::HashSet;

use puzzled_engine::{
    grid::GridMetrics,
    registry,
    shared::{
        budget::Budget,
        text::{RegionType, compare::BoardState},
    },
};

use super::{
    Line, each,
    maps::{Map, cages},
    reason,
};

/// Checks each killer, with the cells of its cages and their sums.
fn each_board(what: &str, mut check: impl FnMut(&Line, &[(Vec<usize>, usize)])) {
    each(what, |line| {
        if line.has_cages() {
            let (letters, sums) = line.text.split_once(" cages=").unwrap().1.split_once(" sums=").unwrap();
            let sums = sums.split(',').map(|sum| sum.parse::<usize>().unwrap());
            check(line, &cages(line.size(), letters).into_iter().zip(sums).collect::<Vec<_>>());
        }
        usize::from(line.has_cages())
    });
}

#[test]
fn cages_have_two_to_six_cells_without_repeats_that_add_up() {
    each_board("cages", |line, cages| {
        let digits = line.digits(&line.solution);
        for (cells, sum) in cages {
            let of_cage: Vec<usize> = cells.iter().map(|cell| digits[*cell].into()).collect();
            assert!((2..=6).contains(&cells.len()), "{}", line.text);
            assert_eq!(of_cage.iter().sum::<usize>(), *sum, "{}", line.text);
            assert_eq!(of_cage.iter().collect::<HashSet<_>>().len(), cells.len(), "{}", line.text);
        }
        assert_eq!(cages.iter().map(|(cells, _)| cells.len()).sum::<usize>(), digits.len());
    });
}

#[test]
fn record_counts_the_cages_of_each_size() {
    each_board("cage sizes", |line, cages| {
        let record = reason(line, &line.text).record.unwrap();
        let metrics = record.metrics.read::<GridMetrics>().unwrap();
        let count = |size: usize| cages.iter().filter(|(cells, _)| cells.len() == size).count();
        let sizes =
            (1..).zip(&metrics.cage_sizes).all(|(size, number)| count(size) == usize::try_from(*number).unwrap());
        assert!(sizes && metrics.cage_sizes.iter().sum::<u32>() == metrics.clues, "{metrics:?} {}", line.text);
    });
}

#[test]
fn cages_come_after_the_boxes_with_their_sums() {
    each_board("regions", |line, cages| {
        let regions = line.kind.regions(line.variant(), &line.text).unwrap();
        let (boxes, of_cages) = regions.split_at(line.size());
        assert!(boxes.iter().all(|region| region.region_type == RegionType::Region && region.sum.is_none()));
        let listed = of_cages.iter().map(|cage| {
            assert_eq!(cage.region_type, RegionType::Cage);
            (
                cage.cells.iter().map(|cell| usize::from(*cell)).collect::<Vec<_>>(),
                usize::try_from(cage.sum.unwrap()).unwrap(),
            )
        });
        assert_eq!(listed.collect::<Vec<_>>(), cages, "{}", line.text);
    });
}

#[test]
fn board_with_other_cages_is_told_apart() {
    each_board("other cages", |line, _| {
        let other = Map::transposed(line.size()).apply(&line.text);
        let compared = line.kind.compare(line.of(), &other).unwrap();
        assert!(matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty()), "{}", line.text);
    });
}

/// On this board, the proof of a refutation needs one round more than the search did, because the board has changed since. Such a step once
/// named no houses.
#[test]
fn each_refutation_names_its_houses() {
    let text = format!(
        "9x9: {:.<81} cages=abbbbaaaaaaacccbbabbddacaccacccabaddabddabbbbbbddcccaaababbbcbbacadaaaacacddddbbc \
         sums=21,20,22,26,7,13,5,15,16,13,6,12,19,10,15,22,25,8,15,13,16,15,9,30,16,5,11",
        ""
    );
    let killer = registry::kind("killer").unwrap();
    let steps = killer.reason("9x9", &text, &mut Budget::of_nodes(u64::MAX)).unwrap().steps;
    let refutations: Vec<_> = steps.iter().filter(|step| step.technique == "Refutation").collect();
    assert!(refutations.len() > 9, "{}", refutations.len());
    for step in refutations {
        assert!(!step.houses.is_empty(), "{}", killer.sentence("9x9", step));
    }
}
