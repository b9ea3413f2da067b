use super::*;
use crate::{
    grid::{
        samples::{self, KIND},
        variant::Areas,
    },
    shared::rng::Rng,
};

/// A random isomorph: lines move by the group of the variant, and digits are renamed.
fn isomorph(puzzle: &Puzzle, rng: &mut Rng) -> Puzzle {
    let variant = puzzle.variant;
    let turns: Vec<_> = Turn::all().filter(|turn| turn.is_of(variant)).collect();
    let turn = turns[rng.index(turns.len())];
    let order = match (variant.group, variant.areas) {
        (Group::Boxes, Areas::Boxes { rows, columns }) => {
            let lines = [rows, columns].map(|together| shuffled(variant.size, together, rng));
            Order { transposed: variant.is_square() && rng.below(2) == 1, lines }
        }
        (Group::Lines, _) => lines::maps(variant)[rng.index(lines::maps(variant).len())],
        _ => Order { transposed: false, lines: [std::array::from_fn(|line| u8::try_from(line).unwrap()); 2] },
    };
    let mut names: Vec<u8> = (0..=variant.digits()).collect();
    rng.shuffle(&mut names[1..]);
    let digits = puzzle.digits.iter().map(|digit| names[usize::from(*digit)]).collect();
    let moved = puzzle.with(digits).moved(|cell| order.source(variant.size, cell));
    moved.moved(|cell| turn.source(variant.size, cell))
}

fn shuffled(size: u8, together: u8, rng: &mut Rng) -> [u8; LINES_MAX] {
    let mut groups: Vec<Vec<u8>> = (0..size).collect::<Vec<_>>().chunks(together.into()).map(<[u8]>::to_vec).collect();
    rng.shuffle(&mut groups);
    for lines in &mut groups {
        rng.shuffle(lines);
    }
    let order = groups.concat();
    std::array::from_fn(|at| order.get(at).copied().unwrap_or(0))
}

#[test]
fn isomorphs_share_a_form_that_is_its_own_form() {
    let mut rng = Rng::from_seed(5);
    for variant in KIND.variants {
        for _ in 0..if variant.size < 10 { 300 } else { 40 } {
            let puzzle = samples::puzzle(variant, &mut rng);
            let form = canonical(&puzzle).unwrap();
            assert!(form.starts_with(&format!("{}: ", variant.name)));
            assert_eq!(canonical(&isomorph(&puzzle, &mut rng)), Ok(form.clone()), "{}", text::write(&puzzle));
            assert_eq!(canonical(&text::parse(&KIND, "", &form).unwrap()), Ok(form));
        }
    }
}

#[test]
fn another_digit_makes_another_form() {
    let mut rng = Rng::from_seed(6);
    for variant in KIND.variants {
        let puzzle = samples::puzzle(variant, &mut rng);
        let form = canonical(&puzzle).unwrap();
        for cell in 0..variant.cells() {
            let mut other = puzzle.clone();
            other.digits[cell] = u8::from(other.digits[cell] == 0);
            assert_ne!(canonical(&other).unwrap(), form, "{} {cell}", text::write(&puzzle));
        }
    }
}

/// Boxes of 2 rows and 3 columns become boxes of 3 rows and 2 columns, so the rules are others.
#[test]
fn turned_or_mirrored_6x6_and_8x8_are_other_puzzles() {
    let mut rng = Rng::from_seed(7);
    for (name, turn) in [("6x6", 4), ("6x6", 5), ("6x6", 6), ("6x6", 7), ("8x8", 4), ("8x8", 5), ("8x8", 6), ("8x8", 7)]
    {
        let turn = Turn::all().nth(turn).unwrap();
        for _ in 0..100 {
            let puzzle = samples::puzzle(samples::named(name), &mut rng);
            let turned = puzzle.moved(|cell| turn.source(puzzle.variant.size, cell));
            assert_ne!(canonical(&turned), canonical(&puzzle), "{}", text::write(&puzzle));
        }
    }
}

#[test]
fn nearly_empty_texts_have_a_form_or_a_clear_error() {
    let form = |text: &str| canonical(&text::parse(&KIND, "", text).unwrap()).map_err(|error| error.to_string());
    assert_eq!(form(&format!("6x6: {:.<36}", "")), Ok(format!("6x6: {:.<36}", "")));
    assert_eq!(form(&format!("6x6: {:.<36}", "..5")), form(&format!("6x6: {:.>36}", "4")));
    assert_eq!(form(&format!("6x6: {:2<36}", "")), Ok(format!("6x6: {:1<36}", "")));
    assert_eq!(
        form(&format!("8x8: {:.<64}", "1")).unwrap_err(),
        "the board is too symmetric: more than 4096 orders of its rows and columns look alike; use one that is neither \
         nearly empty nor nearly full"
    );
}

/// These forms are frozen: puzzles in stock are compared by them.
#[test]
fn the_form_of_a_puzzle_never_changes() {
    let mut rng = Rng::from_seed(8);
    for (puzzle, form) in [
        ("4x4: 3.....3..4.....2", "4x4: 1.....1..2.....3"),
        ("4x4: 4......32......1", "4x4: 1......23......4"),
        ("4x4: .3.....14.....4.", "4x4: .1.....23.....3."),
        ("6x6: 3.......26..51........31..64.......6", "6x6: ....12.13.......4.4..5....2...6..4.."),
        ("6x6: 6....33.4.6.2..........6.1.3.25....1", "6x6: .1.23.3...1.4.3..55...6.....4.1....."),
        ("6x6: .2.63....21....5....5....36....51.2.", "6x6: .1..23....45.....22.....13....54..1."),
        (
            "8x8: .31....87.84....8.2..4....41...62...75....5..6.1....31.21....76.",
            "8x8: 1.....23....451..5.6.2..723......4...17.6...2.4.26....8..85..7..",
        ),
        (
            "8x8: .....8....7.42...7.4.5.6862..........4171.4.2.5...62.1....5.....",
            "8x8: .1..23.......4..34..5..6.....273.7.......2.5.6....42.51.651.....",
        ),
        (
            "8x8: 2..3....7...3..8..7....6.61...5..5...14.6....3..8..4...1....8..5",
            "8x8: 1.....2...3.4.5......6.36..4...5.7.....1.51.3...7....2.68..2....",
        ),
        (
            "9x9-x: .5..3.7.......74.......4.5..9..8..17.........32..1..9..4.1.......67.......2.4..7.",
            "9x9-x: ......12......2....2.3.4..5......2.1.1.4.6.7.4.2......1..8.3.5....7......89......",
        ),
        (
            "9x9-x: .9..1.....6.48.....8...53..1.....4.............7.....9..63...2.....79.4.....5..9.",
            "9x9-x: ......123.....2.....43.......5.....267.....583.....4.......89.....7.....926......",
        ),
        (
            "9x9-x: .6........4.8.....95.1......16.9.8.............7.3.19......7.58.....8.6........7.",
            "9x9-x: .......1......2.3......1.42..1.5.67...........63.7.2..74.6......8.2......3.......",
        ),
        (
            "5x5: 1.......2....3........... regions=aaabbaabbbccdddcccddeeeee",
            "5x5: .............1....2.3.... regions=aaaaabbbccbbcccddeeedddee",
        ),
        (
            "7x7: ................................................. regions=aaabbbbaaabbccddabbccddeeccfddeefffgdeefffggggggg",
            "7x7: ................................................. regions=aaaaaaaabccdddbbccdddbbcceedbbfggeefffggeefffgggg",
        ),
    ] {
        let puzzle = text::parse(&KIND, "", puzzle).unwrap();
        assert_eq!(canonical(&puzzle).as_deref(), Ok(form));
        assert_eq!(canonical(&isomorph(&puzzle, &mut rng)).as_deref(), Ok(form));
    }
}
