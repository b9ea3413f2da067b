//! Golden step lists: for each technique one puzzle that needs it and nothing harder, written out in
//! `tests/golden/steps`. The first line is the puzzle; then a line a step: rating and technique, cells of the pattern,
//! effect, sentence.

use std::fmt::Write as _;

use puzzled::engine::sudoku::{
    board::{Grid, cell_name},
    techniques::{TECHNIQUES, reason},
};

/// Writes the steps of the golden file's puzzle and compares; returns the hardest technique.
fn check(golden: &str) -> &'static str {
    let puzzle = Grid::parse(golden.lines().next().unwrap()).unwrap();
    let mut written = format!("{}\n", puzzle.line());
    let steps = reason(&puzzle);
    for step in &steps {
        let name = |cell: u16| cell_name(usize::from(cell));
        let cells: Vec<_> = step.cells.iter().map(|&cell| name(cell)).collect();
        let placed = step.placed.iter().map(|&(cell, digit)| format!("{}={digit}", name(cell)));
        let removed = step.removed.iter().map(|&(cell, digit)| format!("{}<>{digit}", name(cell)));
        let effects: Vec<_> = placed.chain(removed).collect();
        let (rating, technique, sentence) = (step.rating, step.technique, &step.sentence);
        writeln!(written, "{rating} {technique} | {} | {} | {sentence}", cells.join(" "), effects.join(" ")).unwrap();
    }
    assert_eq!(written, golden, "the steps are now:\n{written}");
    steps.iter().max_by_key(|step| step.rating).unwrap().technique
}

macro_rules! golden {
    ($($argument:ident: $technique:literal in $file:literal;)*) => {
        $(
            #[test]
            fn $argument() {
                assert_eq!(check(include_str!(concat!("../golden/steps/", $file, ".txt"))), $technique);
            }
        )*

        /// Direct Claiming alone has no puzzle: see `techniques/direct.rs` for the proof that there is none.
        #[test]
        fn every_technique_but_direct_claiming_has_a_golden_list() {
            let listed = [$($technique),*, "Direct Claiming"];
            let missing: Vec<_> = TECHNIQUES.iter().filter(|technique| !listed.contains(&technique.name)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    };
}

golden! {
    the_last_empty_cell_of_a_house_takes_the_missing_digit: "Last Cell" in "last_cell";
    a_digit_with_one_place_in_a_box_goes_there: "Hidden Single in Box" in "hidden_single_in_box";
    a_digit_with_one_place_in_a_line_goes_there: "Hidden Single in Line" in "hidden_single_in_line";
    a_digit_that_points_along_a_line_leaves_one_place_in_another_box: "Direct Pointing" in "direct_pointing";
    two_digits_that_fill_two_cells_leave_a_third_one_place: "Direct Hidden Pair" in "direct_hidden_pair";
    a_cell_with_one_candidate_takes_it: "Naked Single" in "naked_single";
    three_digits_that_fill_three_cells_leave_a_fourth_one_place: "Direct Hidden Triplet" in "direct_hidden_triplet";
    a_digit_that_a_box_needs_in_a_line_goes_from_the_rest_of_the_line: "Pointing" in "pointing";
    a_digit_that_a_line_needs_in_a_box_goes_from_the_rest_of_the_box: "Claiming" in "claiming";
    a_naked_pair_clears_its_house: "Naked Pair" in "naked_pair";
    two_lines_that_need_a_digit_in_two_lines_across_clear_those: "X-Wing" in "x_wing";
    a_hidden_pair_clears_its_cells: "Hidden Pair" in "hidden_pair";
    a_naked_triplet_clears_its_house: "Naked Triplet" in "naked_triplet";
    three_lines_that_need_a_digit_in_three_lines_across_clear_those: "Swordfish" in "swordfish";
    a_hidden_triplet_clears_its_cells: "Hidden Triplet" in "hidden_triplet";
    a_pivot_of_two_digits_forces_one_of_its_pincers: "XY-Wing" in "xy_wing";
    a_pivot_of_three_digits_forces_itself_or_a_pincer: "XYZ-Wing" in "xyz_wing";
}
