//! What kinds with regions have, and star battle alone: stars that touch, and cells that stay empty. Its rules are written here again,
//! from the texts.

use std::{collections::BTreeSet, sync::atomic::AtomicBool};

use puzzled_engine::shared::{
    budget::Budget,
    text::{
        Hint, RegionType,
        board::PlayerBoard,
        compare::BoardState,
        proof::{ProofLimits, Unfit, prove},
    },
};

use super::{Line, each, is_committed, maps::Map};

/// Checks each puzzle of star battle, with its size and the letters of its regions.
fn each_board(what: &str, check: impl FnMut(&Line, usize, &[u8])) {
    each_of(Line::has_stars, what, check);
}

/// Checks each puzzle of this sort, which has regions.
pub(crate) fn each_of(is_of: fn(&Line) -> bool, what: &str, mut check: impl FnMut(&Line, usize, &[u8])) {
    each(what, |line| {
        if is_of(line) {
            check(line, line.size(), line.text.split_once(" regions=").unwrap().1.as_bytes());
        }
        usize::from(is_of(line))
    });
}

/// The stars of all ways to put so many stars into each row, column, and region without stars that touch.
fn placements(size: usize, stars: usize, regions: &[u8]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for row in 0..size {
        for number in 0..stars {
            let fits = |before: &Vec<usize>, star: usize| {
                let column = star % size;
                let like = |is_like: &dyn Fn(usize) -> bool| before.iter().filter(|other| is_like(**other)).count();
                let touches = |other: &usize| other / size + 1 >= row && (other % size).abs_diff(column) < 2;
                like(&|other| other % size == column) < stars
                    && like(&|other| regions[other] == regions[star]) < stars
                    && !before.iter().any(touches)
                    && before.iter().all(|other| *other < star)
            };
            // Each column and region has room for the stars that it lacks, so the number of ways stays small.
            let can_end = |now: &Vec<usize>| {
                let like = |is_like: &dyn Fn(usize) -> bool| now.iter().filter(|star| is_like(**star)).count();
                let rows = (size - row - 1).div_ceil(2) + usize::from(number + 1 < stars);
                let last = now.last().copied().unwrap_or_default();
                (0..size).all(|column| like(&|star| star % size == column) + rows >= stars)
                    && regions.iter().all(|region| {
                        let later = (last + 1..size * size).filter(|cell| regions[*cell] == *region).count();
                        like(&|star| regions[star] == *region) + later >= stars
                    })
            };
            let next = |before: Vec<usize>| {
                let cells: Vec<_> = (row * size..(row + 1) * size).filter(|star| fits(&before, *star)).collect();
                cells.into_iter().map(move |star| [&before[..], &[star]].concat())
            };
            found = found.into_iter().flat_map(next).filter(can_end).collect();
        }
    }
    found
}

#[test]
fn only_the_stars_of_the_solution_keep_the_rules() {
    each_board("counted", |line, size, regions| {
        let stars: Vec<usize> =
            (0..).zip(line.digits(&line.solution)).filter(|(_, star)| *star == 1).map(|(cell, _)| cell).collect();
        assert_eq!(stars.len(), size * line.stars(), "{}", line.solution);
        assert_eq!(placements(size, line.stars(), regions), [stars], "{}", line.text);
    });
}

#[test]
fn regions_are_the_cells_of_one_letter() {
    each_of(Line::has_regions, "regions", |line, _, _| {
        let of_board = line.kind.regions(line.variant(), &line.text).unwrap();
        assert!(of_board.iter().all(|region| region.region_type == RegionType::Region));
        let mut counted: Vec<_> = (0_u16..).zip(line.regions()).map(|(cell, region)| (region, cell)).collect();
        counted.sort_unstable();
        let listed =
            (0_u16..).zip(&of_board).flat_map(|(number, region)| region.cells.iter().map(move |cell| (number, *cell)));
        assert!(listed.eq(counted), "{}", line.text);
    });
}

/// Version 0.2 has these variants, and refuses their boards if a region has one cell. It would draw such a puzzle from a shelf.
#[test]
fn boards_that_the_last_minor_version_refuses_are_not_stored() {
    let never = AtomicBool::new(false);
    let limits = ProofLimits { search_nodes_max: 100_000, rating_nodes_max: 100_000, cancel: &never };
    let mut refused = BTreeSet::new();
    each_board("stored", |line, _, letters| {
        let place = |letter: &u8| letters.iter().position(|other| other == letter);
        let is_of_two = |letter: &u8| place(letter) != letters.iter().rposition(|other| other == letter);
        let is_known = ["6x6", "7x7", "8x8", "9x9", "10x10"].contains(&line.variant());
        match prove(line.kind, "", &line.text, limits) {
            Ok(proved) => {
                assert_eq!(proved.made.text, line.text);
                assert!(!is_known || letters.iter().all(is_of_two), "{}", line.text);
            }
            Err(Unfit::TooNew(fault)) => {
                assert!(is_known && fault.starts_with("region ") && fault.contains(" has one cell, row "), "{fault}");
                refused.insert(line.variant());
            }
            other => panic!("{}: {other:?}", line.text),
        }
    });
    assert!(refused.len() == 5 || !is_committed(), "{refused:?}");
}

#[test]
fn board_with_other_regions_is_told_apart() {
    each_of(Line::has_regions, "other regions", |line, size, _| {
        let other = Map::transposed(size).apply(&line.text);
        let compared = line.kind.compare(line.of(), &other).unwrap();
        assert!(matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty()), "{}", line.text);
        let hint = line.kind.hint(line.of(), other.as_str().into(), &mut Budget::of_nodes(0));
        assert!(hint.unwrap_err().to_string().contains("the regions differ from those of the puzzle"));
    });
}

#[test]
fn hint_for_a_board_whose_other_cells_are_crossed_is_a_star() {
    each_board("crosses", |line, _, _| {
        let candidates: Vec<_> = line.digits(&line.solution).iter().map(|star| u32::from(*star == 0)).collect();
        let board = PlayerBoard { text: "", candidates: &candidates };
        let Ok(Hint::Steps(steps)) = line.kind.hint(line.of(), board, &mut Budget::of_nodes(0)) else {
            panic!("{}", line.text)
        };
        assert_eq!((steps.len(), steps[0].technique, steps[0].placed.len()), (1, "Last Place", 1));
    });
}
