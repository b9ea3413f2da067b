//! Tests of the text of the sample kind: regions, stars, and more than nine digits.

use super::*;
use crate::grid::samples::{KIND, SIGHTLINES, SIGNS, SMALL};

const SIX: &str = "6x6: 1.....2.....3.....4.....5.....6.....";
const FIVE_REGIONS: &str = "aaabbaabbbccdddcccddeeeee";
const STARS: &str = "aaabbbbaaabbccddabbccddeeccfddeefffgdeefffggggggg";

fn fault(text: &str) -> String {
    parse(&KIND, "", text).unwrap_err().to_string()
}

#[test]
fn name_or_number_of_cells_says_the_variant() {
    let plain = |text: &str| plain_variant(&KIND, text).map(|variant| variant.name);
    assert_eq!(plain(&SIX[5..]), Some("6x6"));
    assert_eq!(plain(&".".repeat(144)), Some("12x12"));
    assert_eq!(plain(&".".repeat(81)), None, "a variant with further houses has a name");
    assert_eq!(plain(SIX), None);
    assert_eq!(plain(&format!("{}\n{}", &SIX[5..20], &SIX[20..])), None, "two lines");
    assert_eq!(plain("https://a.b/c.de"), None);
    assert!(parse(&KIND, "9x9-x", &".".repeat(81)).is_ok());
    for (text, name) in [
        (SIX, Some("6x6")),
        ("\u{feff}\n9x9-x:", Some("9x9-x")),
        ("9x9-anti-knight: 1", Some("9x9-anti-knight")),
        ("x: 1", None),
        ("6x6", None),
        (":0000:x:1", None),
        ("https://6x6", None),
    ] {
        assert_eq!(named_variant(text), name);
    }
}

#[test]
fn wrong_cells_and_names_are_refused_with_what_is_allowed() {
    assert_eq!(fault("7x7-a: 1"), "unknown variant \"7x7-a\" of sample; did you mean 7x7?");
    assert_eq!(
        fault(&".".repeat(81)),
        "81 cells, and the text names no variant; begin it with a name, such as 6x6:, or use 16 (4x4), 36 (6x6), 64 (8x8), 100 (10x10), \
         144 (12x12), 256 (16x16), 25 (5x5), 49 (7x7) cells"
    );
    let twelve = format!("12x12: {:.<144}", "C0");
    assert_eq!(
        fault(&twelve),
        "row 1, column 2: '0' is not allowed together with another sign for an empty cell; use 1 to 9, A to C, . for an empty \
         cell"
    );
    assert!(parse(&KIND, "", &twelve.replace('.', "0")).is_ok());
}

#[test]
fn wrong_regions_are_refused_with_their_place() {
    let with = |regions: &str| fault(&format!("5x5: {:.<25} regions={regions}", ""));
    assert_eq!(fault(&format!("5x5: {:.<25}", "")), "regions= is missing; add it with 25 letters, one for each cell");
    assert_eq!(with("aa"), "regions= has 2 letters; the puzzle must have exactly 25");
    // The regions were numbered before their letters were counted, which ended beyond the largest board.
    assert_eq!(with(&"a".repeat(300)), "regions= has 300 letters; the puzzle must have exactly 25");
    assert_eq!(with("aabb1"), "regions= row 1, column 5: '1' is not allowed; use a to z");
    assert_eq!(
        with(&"abcde".repeat(5)[..24].replace('e', "d")),
        "regions= has 24 letters; the puzzle must have exactly 25"
    );
    assert_eq!(with(&"abcdd".repeat(5)), "regions= has 4 regions; the puzzle must have exactly 5");
    assert_eq!(
        with("zycdezycdezycdezycdezycdf"),
        "regions= has 6 regions, the first too many f at row 5, column 5; the puzzle must have exactly 5"
    );
    assert_eq!(
        with("abcdeabcdeabcdeabcdeabcdd"),
        "regions= region d at row 1, column 4 has 6 cells; it must have exactly 5"
    );
    assert_eq!(
        with("abcdeabcdebacdeabcdeabcde"),
        "regions= region a is not connected at row 3, column 2; its cells must share sides"
    );
    assert_eq!(with("aa regions=aa"), "regions= is stated twice; state it once");
    let text = format!("7x7: {:.<49} regions={}", "", STARS.replace("gdeefffggggggg", "ddeefffgffffff"));
    assert_eq!(parse(&KIND, "", &text).map(|puzzle| write(&puzzle)).as_ref(), Ok(&text), "a region of one cell");
    let stars = fault(&format!("7x7: {:.<49} regions={STARS}", "1"));
    assert_eq!(stars, "row 1, column 1: '1' is not allowed; use . for a cell without a star, * for a star");
}

#[test]
fn board_has_the_regions_of_its_puzzle_unless_it_states_others() {
    let letters = FIVE_REGIONS.replace('a', "Z").replace('b', "a");
    let puzzle = parse(&KIND, "", &format!("5x5: {:.<25} regions={letters}", "12")).unwrap();
    assert_eq!(write(&puzzle), format!("5x5: {:.<25} regions={FIVE_REGIONS}", "12"), "letters in order");
    assert_eq!(parse_board(&puzzle, " "), Ok(puzzle.clone()));
    let board = parse_board(&puzzle, &format!("{:.<25}", "123")).unwrap();
    assert_eq!((board.givens(), puzzle.clues_differ(&board)), (3, vec![]));
    let other = parse_board(&puzzle, &format!("{:.<25} regions={}", "", "abcde".repeat(5))).unwrap();
    assert_eq!(puzzle.clues_differ(&other)[..3], [1, 2, 3]);
    assert!(matches!(parse_board(&puzzle, SIX), Err(TextError::Variant { .. })));
}

#[test]
fn signs_are_read_and_written_by_rows() {
    let text = "3x3: 1.. ... ..3 right=<->x=- down=-<>X-=";
    let puzzle = parse(&SIGNS, "", text).unwrap();
    let written = "3x3: 1.......3 right=<->x=- down=-<>x-=";
    assert_eq!(write(&puzzle), written);
    assert_eq!(parse(&SIGNS, "", written), Ok(puzzle.clone()));
    let cells: Vec<_> = puzzle.clues.signs.iter().map(|sign| (sign.cells, sign.relation.sign())).collect();
    let expected = [
        ([0, 1], "<"),
        ([1, 4], "<"),
        ([2, 5], ">"),
        ([3, 4], ">"),
        ([3, 6], "x"),
        ([4, 5], "x"),
        ([5, 8], "="),
        ([6, 7], "="),
    ];
    assert_eq!(cells, expected);
    let board = parse_board(&puzzle, "12.......").unwrap();
    assert!(puzzle.clues_differ(&board).is_empty());
    let other = parse_board(&puzzle, &format!("......... {}", written[15..].replace("<->", "-->"))).unwrap();
    assert_eq!(puzzle.clues_differ(&other), [0, 1]);
}

#[test]
fn wrong_signs_are_refused_with_their_place() {
    let fault = |parts: &str| parse(&SIGNS, "", &format!("......... {parts}")).unwrap_err().to_string();
    let missing = |name: &str| {
        format!("{name} is missing; add it with 6 signs, row by row; use <, >, = or x for a sign, - for none")
    };
    assert_eq!(fault(""), missing("right="));
    assert_eq!(fault("right=------"), missing("down="));
    assert_eq!(fault("right=----- down="), "right= has 5 signs; the puzzle must have exactly 6");
    assert_eq!(
        fault("right=---^-- down=------"),
        "right= row 2, column 2: '^' is not allowed; use <, >, = or x for a sign, - for none"
    );
    assert_eq!(
        fault("right=------ down=---.--"),
        "down= row 2, column 1: '.' is not allowed; use <, >, = or x for a sign, - for none"
    );
    assert_eq!(fault("right=------ sums=1"), "sample 3x3 has no part \"sums=\"; remove it; it has right= and down=");
}

#[test]
fn clues_beside_the_grid_are_read_written_and_turned() {
    let text = "4x4: 1... .... .... ...3 north=4.-1 east=0_2. south=..3x west=.?.2";
    let puzzle = parse(&SIGHTLINES, "", text).unwrap();
    let written = "4x4: 1..............3 north=4..1 east=..2. south=..3. west=...2";
    assert_eq!(write(&puzzle), written);
    assert_eq!(parse(&SIGHTLINES, "", written), Ok(puzzle.clone()));
    // A quarter turn to the right: the clues of the left side, from the bottom, stand above the board.
    let turned = puzzle.moved(|cell| (3 - cell % 4) * 4 + cell / 4);
    assert_eq!(write(&turned), "4x4: ...1........3... north=2... east=4..1 south=.2.. west=..3.");
    let mirrored = puzzle.moved(|cell| cell / 4 * 4 + 3 - cell % 4);
    assert_eq!(write(&mirrored), "4x4: ...1........3... north=1..4 east=...2 south=.3.. west=..2.");
    let board = parse_board(&puzzle, "12..............").unwrap();
    assert!(puzzle.clues_differ(&board).is_empty());
    let other = parse_board(&puzzle, &written.replace("north=4", "north=.")).unwrap();
    assert_eq!(puzzle.clues_differ(&other), [0, 4, 8, 12]);
}

#[test]
fn wrong_clues_beside_the_grid_are_refused_with_their_place() {
    let fault = |parts: &str| parse(&SIGHTLINES, "", &format!("{:.<16} {parts}", "")).unwrap_err().to_string();
    let allowed = "use 1 to 4 for a clue, . for none";
    assert_eq!(fault(""), format!("north= is missing; add it with 4 signs, from left to right; {allowed}"));
    assert_eq!(fault("north=...."), format!("east= is missing; add it with 4 signs, from top to bottom; {allowed}"));
    assert_eq!(fault("north=..."), "north= has 3 signs; the puzzle must have exactly 4");
    assert_eq!(fault(&format!("north={:.<300}", "")), "north= has 300 signs; the puzzle must have exactly 4");
    assert_eq!(fault("north=...5"), format!("north= column 4: '5' is not allowed; {allowed}"));
    assert_eq!(fault("north=.... east=.a.."), format!("east= row 2: 'a' is not allowed; {allowed}"));
}

#[test]
fn equal_letters_are_one_small_region_only_if_they_touch() {
    let text = |letters: &str| format!("6x6: {:.<36} regions={letters}", "12");
    let letters = "ccxxyyccxxyyzzccttzzccttddxxffddxxff";
    let puzzle = parse(&SMALL, "", &text(letters)).unwrap();
    assert_eq!(puzzle.regions[12..18], [3, 3, 4, 4, 5, 5], "c begins a further region");
    let written = text("aabbaaaabbaabbaabbbbaabbaabbaaaabbaa");
    assert_eq!(write(&puzzle), written);
    assert_eq!(parse(&SMALL, "", &written), Ok(puzzle));
    let single = parse(&SMALL, "", &text(&"abababbababa".repeat(3))).unwrap();
    assert_eq!(single.regions, (0..36).collect::<Vec<u8>>(), "more regions than letters");
    let fault = parse(&SMALL, "", &text(&letters.replace('z', "c"))).unwrap_err().to_string();
    let expected = "regions= region c at row 1, column 1 has 12 cells; it must have at most 5, so use different letters for regions \
                    that share a side";
    assert_eq!(fault, expected);
}
