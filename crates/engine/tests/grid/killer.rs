//! What killer alone has: cages and their sums. Its rules are written here again, from the texts.

use std::collections::HashSet;

use puzzled_engine::{
    grid::GridMetrics,
    registry,
    shared::{
        budget::{Budget, OutOfBudget},
        kind::{PuzzleKind, View},
        rng::Rng,
        symmetry::Symmetry,
        text::{RegionType, Verdict, compare::BoardState},
    },
};

use super::{
    LINES, Line, each,
    maps::{Map, cages},
    reason,
};

fn killer() -> &'static dyn PuzzleKind {
    registry::kind("killer").unwrap()
}

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

#[test]
fn killer_has_turns_and_mirrors_with_and_without_the_complement() {
    let mut rng = Rng::from_seed(5);
    for (variant, count) in [("6x6", 8), ("9x9", 16), ("9x9-x", 16)] {
        let line = LINES.iter().find(|line| line.has_cages() && line.variant() == variant).unwrap();
        let of = View { variant, symmetry: Symmetry::None, text: &line.text, solution: &line.solution };
        let mut view = || line.kind.scramble(&of, &mut rng).unwrap().unwrap().text;
        assert_eq!((0..200).map(|_| view()).collect::<HashSet<_>>().len(), count, "{variant}");
    }
}

fn text(letters: &str, sums: &str) -> String {
    format!("6x6: {} cages={letters} sums={sums}", ".".repeat(36))
}

#[test]
fn wrong_cages_and_sums_are_refused_with_their_place() {
    let fault = |text: &str| killer().normalize("", text).unwrap_err().to_string();
    let pairs = "aabbaabbaabb".repeat(3);
    assert_eq!(fault(&format!("6x6: {}", ".".repeat(36))), "cages= is missing; add it with a letter for each cell");
    assert_eq!(
        fault(&format!("6x6: {} cages={pairs}", ".".repeat(36))),
        "sums= is missing; add it with a number for each cage"
    );
    assert_eq!(
        fault(&text("aa3", "3")),
        "cages= row 1, column 3: '3' is not allowed; use a to z, or . for a cell without a cage"
    );
    assert_eq!(fault(&text("aabb", "3,4")), "cages= has 4 letters; the puzzle must have exactly 36");
    let lone = format!("aa{}", ".".repeat(34));
    assert_eq!(
        fault(&text(&format!("aab{}", ".".repeat(33)), "3")),
        "sums= has 1 number for 2 cages; the cage at row 1, column 3 has no sum"
    );
    assert_eq!(
        fault(&text(&format!("aab.aa{}", ".".repeat(30)), "3,4")),
        "sums= has 2 numbers for 3 cages; the cells of a at row 1, column 5 do not touch the first cage a; add their \
         sum, or connect them"
    );
    assert_eq!(fault(&text(&lone, "3,4")), "sums= has 2 numbers for 1 cage; use one for each cage");
    for sum in ["2", "12", "x", "-3"] {
        let words = format!("the cage at row 1, column 1 has 2 cells and the sum \"{sum}\"; use 3 to 11");
        assert_eq!(fault(&text(&lone, sum)), words);
    }
    let seven = format!("{}{}", "a".repeat(7), ".".repeat(29));
    assert_eq!(fault(&text(&seven, "22")), "the cage at row 1, column 1 has 7 cells; it must have at most 6");
}

#[test]
fn cells_without_a_cage_are_read_and_digits_may_be_given() {
    let rows = ["123456", "456123", "231564", "564231", "312645", "645312"].concat();
    let stated = format!("6x6: {}. cages=Zz{} sums=3", &rows[..35], ".".repeat(34));
    let written = format!("6x6: {}. cages=aa{} sums=3", &rows[..35], ".".repeat(34));
    assert_eq!(killer().normalize("", &stated).as_ref(), Ok(&written));
    let verdict = killer().validate("", &written, &mut Budget::of_nodes(100));
    assert!(matches!(verdict, Ok(Verdict::Unique { .. })), "{verdict:?}");
}

#[test]
fn repeat_in_a_cage_is_named_by_its_sum_and_first_cell() {
    let (cells, letters) = (format!(".5.....5{}", ".".repeat(28)), format!(".a....aa{}", ".".repeat(28)));
    let text = format!("6x6: {cells} cages={letters} sums=12");
    let verdict = killer().validate("", &text, &mut Budget::of_nodes(100)).unwrap();
    let reason = "two 5s in column 2, two 5s in box 1, two 5s in the cage of 12 at r1c2".to_owned();
    assert_eq!(verdict, Verdict::Contradiction { cells: vec![1, 7], reason });
    let empty = format!("6x6: {} cages=aa{} sums=3", ".".repeat(36), ".".repeat(34));
    assert!(matches!(killer().validate("", &empty, &mut Budget::of_nodes(1_000)), Ok(Verdict::Several { .. })));
    assert_eq!(killer().validate("", &empty, &mut Budget::of_nodes(0)), Ok(Verdict::Unknown(OutOfBudget::Nodes)));
}

/// Cages in JSON of f-puzzles, on a board of 6 by 6 cells.
fn fpuzzles(cages: &str, more: &str) -> String {
    let row = format!("[{}]", ["{}"; 6].join(","));
    format!("{{\"size\":6,\"grid\":[{}],\"killercage\":[{cages}]{more}}}", [row.as_str(); 6].join(","))
}

#[test]
fn cages_of_fpuzzles_are_read_and_faults_are_named() {
    let read =
        |cages: &str, more: &str| killer().normalize("", &fpuzzles(cages, more)).map_err(|error| error.to_string());
    let cage = |cells: &str, value: &str| format!("{{\"cells\":[{cells}],\"value\":{value}}}");
    let pair = cage("\"R2C1\",\"R1C1\"", "\"9\"");
    let right = format!("6x6: {} cages=a.....a{} sums=9", ".".repeat(36), ".".repeat(29));
    assert_eq!(read(&pair, ",\"title\":\"x\",\"metadata\":{\"author\":\"y\"}"), Ok(right));
    let fault = |cages: &str, more: &str| read(cages, more).unwrap_err();
    assert_eq!(fault(&pair.replace("\"9\"", "\"\""), ""), "f-puzzles: the cage at r1c1 has no sum; add one");
    assert_eq!(
        fault(&cage("\"R1C1\",\"R3C1\"", "9"), ""),
        "f-puzzles: the cage at r1c1 is not connected at r3c1; its cells must share sides"
    );
    assert_eq!(
        fault(&pair.replace("\"9\"", "12"), ""),
        "the cage at row 1, column 1 has 2 cells and the sum \"12\"; use 3 to 11"
    );
    assert_eq!(
        fault(&format!("{pair},{}", cage("\"R1C1\",\"R1C2\"", "5")), ""),
        "f-puzzles: r1c1 is in two cages; remove it from one"
    );
    assert_eq!(fault(&cage("\"R7C1\"", "5"), ""), "f-puzzles: \"R7C1\" is no cell of the board; use R1C1");
    assert_eq!(fault("", ""), "f-puzzles: the puzzle has no cages; a killer must have some");
    assert_eq!(
        fault(&pair, ",\"antiknight\":true"),
        "f-puzzles: \"antiknight\" may state an extra rule; use a puzzle without it"
    );
    assert_eq!(
        fault(&pair, ",\"diagonal+\":true"),
        "f-puzzles: \"diagonal+\" may state an extra rule; use a puzzle without it"
    );
    let asked = killer().normalize("9x9", &fpuzzles(&pair, "")).unwrap_err().to_string();
    assert_eq!(asked, "the text names the variant \"6x6\"; the puzzle is of 9x9");
}
