//! What kinds with signs have: signs of which the puzzle needs enough, and that its solution keeps.

use puzzled_engine::shared::{
    budget::Budget,
    step::Cell,
    text::{RegionType, Verdict, compare::BoardState},
};

use super::{LINES, Line, checker::signs, each, maps::Map};

/// Checks each puzzle with signs, with its signs and the digits of the puzzle and of its solution.
fn each_board(what: &str, mut check: impl FnMut(&Line, &[([Cell; 2], char)], [&[u8]; 2])) {
    each(what, |line| {
        if line.has_signs() {
            let digits = [line.digits(&line.text), line.digits(&line.solution)];
            check(line, &signs(&line.text, line.size()), [&digits[0], &digits[1]]);
        }
        usize::from(line.has_signs())
    });
}

#[test]
fn solution_keeps_the_signs() {
    each_board("signs kept", |line, signs, [_, solution]| {
        for (cells, sign) in signs {
            let [first, second] = cells.map(|cell| solution[usize::from(cell)]);
            let is_kept = match sign {
                '<' => first < second,
                '>' => first > second,
                '=' => first == second,
                _ => first != second,
            };
            assert!(is_kept, "{} {cells:?}", line.text);
        }
        let edges = line.kind.regions(line.variant(), &line.text).unwrap();
        assert!(edges.iter().all(|edge| edge.region_type == RegionType::Edge));
        let of_text = signs.iter().map(|(cells, sign)| (cells.to_vec(), sign.to_string()));
        let of_edge = |operator: Option<&str>| operator.unwrap().to_owned();
        assert!(edges.into_iter().map(|edge| (edge.cells, of_edge(edge.operator))).eq(of_text), "{}", line.text);
    });
}

#[test]
fn made_puzzles_have_enough_signs_and_none_that_says_nothing() {
    each_board("signs needed", |line, signs, [digits, _]| {
        assert!(signs.len() >= line.size(), "{}", line.text);
        let is_idle = |cells: &[Cell; 2]| cells.iter().all(|cell| digits[usize::from(*cell)] != 0);
        assert!(!signs.iter().any(|(cells, _)| is_idle(cells)), "{}", line.text);
        let signs: Vec<_> = signs.iter().filter(|(_, sign)| ['<', '>'].contains(sign)).collect();
        for (at, (cells, sign)) in signs.iter().enumerate() {
            // Whether other signs lead from the smaller cell to the larger one.
            let [smaller, larger] = if *sign == '<' { *cells } else { [cells[1], cells[0]] };
            let mut reached = vec![smaller];
            let mut next = 0;
            while next < reached.len() {
                for (other, (cells, sign)) in signs.iter().enumerate().filter(|(other, _)| *other != at) {
                    let [from, to] = if *sign == '<' { *cells } else { [cells[1], cells[0]] };
                    if from == reached[next] && !reached.contains(&to) {
                        assert_ne!(to, larger, "{}: sign {at} follows, the last from {other}", line.text);
                        reached.push(to);
                    }
                }
                next += 1;
            }
        }
    });
}

#[test]
fn board_with_other_signs_is_told_apart_and_a_broken_sign_is_named() {
    each_board("other signs", |line, signs, [_, solution]| {
        let other = Map::transposed(line.size()).apply(&line.text);
        let compared = line.kind.compare(line.of(), &other).unwrap();
        let is_told_apart = matches!(compared, BoardState::GivensDiffer(cells) if !cells.is_empty());
        // Signs may be their own mirror image. Then only a given with another digit tells the board apart.
        let signs_of = |text: &str| text.split(' ').skip(2).map(str::to_owned).collect::<Vec<_>>();
        let [givens, filled] = [&line.text, &other].map(|text| line.digits(text));
        let is_overwritten =
            givens.iter().zip(&filled).any(|(given, digit)| *given != 0 && *digit != 0 && given != digit);
        let differs = signs_of(&other) != signs_of(&line.text) || is_overwritten;
        assert_eq!(is_told_apart, differs, "{}", line.text);
        let cells = line.solution.split(' ').nth(1).unwrap();
        assert_eq!(line.kind.compare(line.of(), cells), Ok(BoardState::Complete));
        let Some(([first, second], _)) = signs.iter().copied().find(|(_, sign)| ['<', '>'].contains(sign)) else {
            return;
        };
        let [at, with] = [first, second].map(|cell| line.text.find(": ").unwrap() + 2 + usize::from(cell));
        let mut broken = line.text.clone();
        broken.replace_range(at..=at, &line.solution[with..=with]);
        broken.replace_range(with..=with, &line.solution[at..=at]);
        let verdict = line.kind.validate(line.variant(), &broken, &mut Budget::of_nodes(0)).unwrap();
        let Verdict::Contradiction { cells, reason } = verdict else { panic!("{broken} {verdict:?}") };
        assert!(cells.contains(&first) && cells.contains(&second) && reason.contains(" is broken"), "{reason}");
        assert_ne!(solution[usize::from(first)], solution[usize::from(second)]);
    });
}

#[test]
fn data_has_puzzles_with_signs() {
    assert!(LINES.iter().any(Line::has_signs));
}
