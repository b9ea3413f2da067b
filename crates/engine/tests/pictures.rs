//! Compares pictures, as SVG, with the golden files that the documentation shows. `UPDATE_GOLDEN=1 cargo test -p puzzled-engine
//! --test pictures` writes the files anew; look at them.
#![cfg(test)]

use std::{env, fs, path::Path};

use puzzled_engine::{
    picture::{Mark, Picture, Shade, Shown, Stroke, svg},
    registry,
    shared::{budget::Budget, step::Step},
};

const SUDOKU: &str = "..2658.3...4.....66...1..2..4...53.8.518.769.8.31...7..6..7...23.....8...1.5827..";
const SUDOKU_SOLUTION: &str = "972658431134729586685314927746295318251837694893146275568973142327461859419582763";

/// Its hardest step is an X-Wing.
const X_WING: &str = "6.17.......83...4.....1..86...67..38.7.5932......21..5......4515.3....2.1....5.6.";

const KAKURO: &str = "\
# # # # # # \\23 \\16
# \\7 \\29 \\4 # 17\\15 . .
16\\ . . . 22\\13 . . .
21\\ . . . . . . #
8\\ . . 14\\26 . . \\10 #
# 17\\ . . 4\\4 . . \\15
# # 9\\16 . . 4\\4 . .
# 22\\8 . . . . . .
7\\ . . . 13\\ . . .
16\\ . . # # # # #";

fn picture(kind: &str, variant: &str, shown: Shown<'_>) -> Picture {
    registry::kind(kind).unwrap().picture(variant, shown).unwrap()
}

/// The steps of a puzzle up to the first by a technique.
fn steps_to(kind: &str, variant: &str, text: &str, technique: &str) -> Vec<Step> {
    let kind = registry::kind(kind).unwrap();
    let mut steps = kind.reason(variant, text, &mut Budget::of_nodes(1_000_000)).unwrap().steps;
    let at = steps.iter().position(|step| step.technique == technique).unwrap();
    steps.truncate(at + 1);
    steps
}

/// Asserts that a picture equals its golden file.
fn check(file: &str, picture: &Picture) {
    let written = svg::write(picture);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images").join(file);
    #[expect(clippy::disallowed_methods, reason = "a person sets UPDATE_GOLDEN")]
    if env::var("UPDATE_GOLDEN").is_ok() {
        fs::write(&file, &written).unwrap();
    }
    let golden = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(written, golden, "{}: UPDATE_GOLDEN=1 writes it anew", file.display());
}

#[test]
fn sudoku_has_thick_lines_between_its_boxes() {
    check("sudoku.svg", &picture("sudoku", "9x9", Shown { text: SUDOKU, ..Shown::default() }));
}

#[test]
fn digits_of_a_solution_differ_from_givens() {
    let shown = Shown { text: SUDOKU, solution: Some(SUDOKU_SOLUTION), rules: true, ..Shown::default() };
    check("sudoku-solution.svg", &picture("sudoku", "9x9", shown));
}

#[test]
fn step_has_its_pattern_and_the_candidates_that_it_removes() {
    let steps = steps_to("sudoku", "9x9", X_WING, "X-Wing");
    check("sudoku-step.svg", &picture("sudoku", "9x9", Shown { text: X_WING, steps: &steps, ..Shown::default() }));
}

#[test]
fn kakuro_has_its_clues_in_halves_of_blocks() {
    check("kakuro.svg", &picture("kakuro", "8x10", Shown { text: KAKURO, rules: true, ..Shown::default() }));
}

#[test]
fn step_of_a_kakuro_has_its_pattern_and_candidates() {
    let steps = steps_to("kakuro", "8x10", KAKURO, "Fitting Combinations");
    check("kakuro-step.svg", &picture("kakuro", "8x10", Shown { text: KAKURO, steps: &steps, ..Shown::default() }));
}

#[test]
fn diagonals_leave_the_digits_free() {
    let text = "9x9-x: 9......2.5...3...7..2....8...5673...8...................4...8.......1.....9..8.4.";
    check("sudoku-x.svg", &picture("sudoku", "9x9-x", Shown { text, rules: true, ..Shown::default() }));
}

#[test]
fn windows_are_shaded_except_where_a_step_has_its_pattern() {
    let text = "9x9-windoku: ....13.....65....721...............5..5.7.2..8...............496....53.....96....";
    check("sudoku-windoku.svg", &picture("sudoku", "9x9-windoku", Shown { text, rules: true, ..Shown::default() }));
    let steps = steps_to("sudoku", "9x9-windoku", text, "Pointing");
    let step = picture("sudoku", "9x9-windoku", Shown { text, steps: &steps, ..Shown::default() });
    let shades =
        |wanted| step.marks.iter().filter(|mark| matches!(mark, Mark::Fill(_, shade) if *shade == wanted)).count();
    let in_window = |cell: &&u16| [*cell / 9, *cell % 9].iter().all(|line| line % 4 != 0);
    let pattern = &steps[steps.len() - 1].cells;
    assert_eq!(shades(Shade::Pattern), pattern.len());
    assert_eq!(shades(Shade::Window), 36 - pattern.iter().filter(in_window).count());
}

#[test]
fn step_of_a_smaller_sudoku_has_its_pattern_and_candidates() {
    let text = "6x6: 4.32..5........4.6....2.....1...43..";
    let steps = steps_to("sudoku", "6x6", text, "XY-Wing");
    check("sudoku-6x6-step.svg", &picture("sudoku", "6x6", Shown { text, steps: &steps, ..Shown::default() }));
}

#[test]
fn star_battle_has_thick_lines_between_its_regions() {
    let rows = "regions=aaaabbbbaaaaaabbcaacdbbeccccdbbecccfffbgfcccffggfffcfffghhfffffg";
    let text = &format!("8x8: {} {rows}", ".".repeat(64));
    check("star-battle.svg", &picture("star_battle", "8x8", Shown { text, rules: true, ..Shown::default() }));
    let steps = steps_to("star_battle", "8x8", text, "Exclusion");
    let shown = Shown { text, steps: &steps, ..Shown::default() };
    check("star-battle-step.svg", &picture("star_battle", "8x8", shown));
    let solution = &format!("8x8: .....*.....*...........*....*....*............*...*.....*....... {rows}");
    let solved = picture("star_battle", "8x8", Shown { text, solution: Some(solution), ..Shown::default() });
    let stars = solved.marks.iter().filter(|mark| matches!(mark, Mark::Star(..)));
    assert_eq!(stars.count(), 8);
    let step = picture("star_battle", "8x8", shown);
    let crosses = |width| {
        step.marks.iter().filter(|mark| matches!(mark, Mark::Line(from, to, stroke) if *stroke == width && from.x.fract() > 0.0 && to.y.fract() > 0.0)).count()
    };
    assert_eq!(crosses(Stroke::Emphasis), 2 * steps[steps.len() - 1].removed.len());
}

#[test]
fn binairo_has_the_digits_0_and_1_and_signs_between_cells() {
    let text = "8x8: ...1.1.0....0........1.........01.....1...00....11..1.1.........";
    check("binairo.svg", &picture("binairo", "8x8", Shown { text, rules: true, ..Shown::default() }));
    let steps = steps_to("binairo", "8x8", text, "Unlike Lines");
    check("binairo-step.svg", &picture("binairo", "8x8", Shown { text, steps: &steps, ..Shown::default() }));
    let text = "6x6-signs: .........1.................0....1..1 right=------=xx--------x-==--x-xx--- \
                down=----------x-------------------";
    check("binairo-signs.svg", &picture("binairo", "6x6-signs", Shown { text, rules: true, ..Shown::default() }));
}

#[test]
fn jigsaw_has_thick_lines_between_its_regions() {
    let text = "9x9: ....2....2.8...7..94.7.1.5........7.4...1...5.7........8.5.2.46..1...8.2....3.... \
                regions=aabbbbbccaaabbccccaaaabbcccdddeeffffdddeeeeffddgheeffidgghheifigggghhiiigghhhhiii";
    check("jigsaw.svg", &picture("jigsaw", "9x9", Shown { text, rules: true, ..Shown::default() }));
    let text = "9x9: ..............1..3......48...7..2548..6...2..4815..6...34......8..1.............. \
                regions=aaabbbbccaabbbbcccdaaabccecddafffeecdddggfeeeddhgffeiedhhgffeiihhhggfiiihhhgggiii";
    let steps = steps_to("jigsaw", "9x9", text, "Pointing");
    check("jigsaw-step.svg", &picture("jigsaw", "9x9", Shown { text, steps: &steps, ..Shown::default() }));
}

#[test]
fn futoshiki_has_signs_between_its_cells() {
    let text = "5x5: .....34..........3....... right=>->--<->------>->--- down=----------------<---";
    check("futoshiki.svg", &picture("futoshiki", "5x5", Shown { text, rules: true, ..Shown::default() }));
    let text = "5x5: ......................... right=>------------->->--- down=<------>------<><---";
    let steps = steps_to("futoshiki", "5x5", text, "Sign");
    check("futoshiki-step.svg", &picture("futoshiki", "5x5", Shown { text, steps: &steps, ..Shown::default() }));
}
