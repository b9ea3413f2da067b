//! What calcudoku alone has: cages with operators, in which digits may repeat. Its rules are written here again, from the texts.

use puzzled_engine::{
    grid::GridMetrics,
    shared::{
        step::House,
        text::{RegionType, compare::BoardState},
    },
};

use super::{Line, checker::cages_of, each, maps::Map, reason};

/// Checks each calcudoku, with its cages as the text states them.
fn each_board(what: &str, mut check: impl FnMut(&Line, &[House])) {
    each(what, |line| {
        if line.has_operators() {
            check(line, &cages_of(line.size(), &line.text));
        }
        usize::from(line.has_operators())
    });
}

#[test]
fn digits_of_each_cage_make_its_number_by_its_operator() {
    each_board("operators", |line, cages| {
        let digits = line.digits(&line.solution);
        for cage in cages {
            let mut of_cage: Vec<u32> = cage.cells.iter().map(|cell| digits[usize::from(*cell)].into()).collect();
            of_cage.sort_unstable();
            let made = match (cage.operator, &of_cage[..]) {
                (None, &[digit]) => digit,
                (Some("+"), of_cage) if of_cage.len() > 1 => of_cage.iter().sum(),
                (Some("x"), of_cage) if of_cage.len() > 1 => of_cage.iter().product(),
                (Some("-"), &[smaller, larger]) => larger - smaller,
                (Some("/"), &[smaller, larger]) if larger % smaller == 0 => larger / smaller,
                _ => panic!("{cage:?} {}", line.text),
            };
            assert_eq!(Some(made), cage.sum, "{cage:?} {}", line.text);
        }
        assert_eq!(cages.iter().map(|cage| cage.cells.len()).sum::<usize>(), digits.len());
        assert!(cages.iter().all(|cage| cage.cells.len() <= line.size().min(5)), "{}", line.text);
    });
}

#[test]
fn cages_are_the_regions_and_the_clues() {
    each_board("calcudoku regions", |line, cages| {
        let regions = line.kind.regions(line.variant(), &line.text).unwrap();
        let listed = regions.into_iter().map(|region| {
            assert_eq!(region.region_type, RegionType::Cage);
            (region.cells, region.sum, region.operator)
        });
        assert!(listed.eq(cages.iter().map(|cage| (cage.cells.clone(), cage.sum, cage.operator))), "{}", line.text);
        let metrics = reason(line, &line.text).record.unwrap().metrics.read::<GridMetrics>().unwrap();
        assert_eq!((metrics.clues as usize, metrics.cage_sizes.iter().sum()), (cages.len(), metrics.clues));
    });
}

#[test]
fn board_with_other_cages_or_operators_is_told_apart() {
    each_board("other operators", |line, _| {
        let turned = Map::transposed(line.size()).apply(&line.text);
        let other = line.text.replace('-', "+").replace('/', "x");
        for board in [turned, other].iter().filter(|board| **board != line.text) {
            if let Ok(compared) = line.kind.compare(line.of(), board) {
                assert!(matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty()), "{}", line.text);
            }
        }
    });
}
