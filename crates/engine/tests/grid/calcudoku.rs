//! What calcudoku alone has: cages with operators, in which digits may repeat. Its rules are written here again, from the texts.

use puzzled_engine::shared::text::{RegionType, compare::BoardState};

use super::{clues::each_board, maps::Map};

#[test]
fn digits_of_each_cage_make_its_number_by_its_operator() {
    each_board("operators", RegionType::Cage, |line, cages| {
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
fn board_with_other_cages_or_operators_is_told_apart() {
    each_board("other operators", RegionType::Cage, |line, _| {
        let turned = Map::transposed(line.size()).apply(&line.text);
        let other = line.text.replace('-', "+").replace('/', "x");
        for board in [turned, other].iter().filter(|board| **board != line.text) {
            if let Ok(compared) = line.kind.compare(line.of(), board) {
                assert!(matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty()), "{}", line.text);
            }
        }
    });
}
