//! Golden step lists: for each technique one puzzle that needs it and nothing harder, written out in
//! `tests/golden/steps`. The first line is the puzzle; then a line a step: rating and technique, cells of the pattern,
//! effect, sentence.

use std::fmt::Write as _;

use puzzled_engine::sudoku::{
    board::{Grid, cell_name},
    techniques::{TECHNIQUES, reason},
};

use super::with_budget;

/// Writes the steps of the golden file's puzzle and compares; returns the hardest technique.
fn check(golden: &str) -> &'static str {
    let puzzle = Grid::parse(golden.lines().next().unwrap()).unwrap();
    let mut written = format!("{}\n", puzzle.line());
    let steps = with_budget(|budget| reason(&puzzle, budget));
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

        /// Direct Claiming has no puzzle: see `techniques/direct.rs` for the proof. The others are too rare: none of
        /// some two thousand puzzles of all ratings up to 10.4 has one as its hardest step.
        #[test]
        fn every_technique_that_is_not_too_rare_has_a_golden_list() {
            let listed = [$($technique),*];
            let names = TECHNIQUES.iter().map(|technique| technique.name);
            let missing: Vec<_> = names.filter(|name| !listed.contains(name) && !name.contains("Double") && !is_deep(name)).collect();
            assert_eq!(missing, ["Direct Claiming", "Hidden Quad", "Two-String Kite"]);
        }
    };
}

/// Whether a technique nests more than single chains.
fn is_deep(name: &str) -> bool {
    name.contains("(+ Multiple") || name.contains("(+ Dynamic") || name.contains("(+ Nested")
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
    two_cells_lose_what_leaves_a_third_without_a_digit: "Aligned Pair Exclusion" in "aligned_pair_exclusion";
    three_cells_lose_what_leaves_a_fourth_without_a_digit: "Aligned Triplet Exclusion" in "aligned_triplet_exclusion";
    a_cycle_of_cells_and_houses_holds_both_ways_round: "Bidirectional Cycle" in "bidirectional_cycle";
    a_cycle_of_one_digit_holds_both_ways_round: "Bidirectional X-Cycle" in "bidirectional_x_cycle";
    a_cycle_of_cells_of_two_digits_holds_both_ways_round: "Bidirectional Y-Cycle" in "bidirectional_y_cycle";
    one_cell_that_saves_the_board_from_two_solutions_holds_its_third_digit: "Bivalue Universal Grave 1" in "bivalue_universal_grave_1";
    one_of_several_cells_holds_the_digit_that_saves_the_board_from_two_solutions: "Bivalue Universal Grave 2" in "bivalue_universal_grave_2";
    a_naked_set_takes_one_of_the_digits_that_save_the_board_from_two_solutions: "Bivalue Universal Grave 3" in "bivalue_universal_grave_3";
    two_cells_that_save_the_board_from_two_solutions_keep_the_digit_they_share: "Bivalue Universal Grave 4" in "bivalue_universal_grave_4";
    what_follows_from_each_digit_of_a_cell_is_true: "Cell Forcing Chains" in "cell_forcing_chains";
    what_follows_dynamically_from_each_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains" in "dynamic_cell_forcing_chains";
    what_follows_with_chains_inside_from_each_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains (+ Forcing Chains)" in "dynamic_cell_forcing_chains_with_chains";
    what_follows_with_patterns_inside_from_each_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains (+)" in "dynamic_cell_forcing_chains_plus";
    what_leads_dynamically_to_a_contradiction_is_false: "Dynamic Contradiction Forcing Chains" in "dynamic_contradiction_forcing_chains";
    what_leads_with_chains_inside_to_a_contradiction_is_false: "Dynamic Contradiction Forcing Chains (+ Forcing Chains)" in "dynamic_contradiction_forcing_chains_with_chains";
    what_leads_with_patterns_inside_to_a_contradiction_is_false: "Dynamic Contradiction Forcing Chains (+)" in "dynamic_contradiction_forcing_chains_plus";
    what_follows_dynamically_whether_a_candidate_is_true_or_false_is_true: "Dynamic Double Forcing Chains" in "dynamic_double_forcing_chains";
    what_follows_dynamically_from_each_place_of_a_digit_is_true: "Dynamic Region Forcing Chains" in "dynamic_region_forcing_chains";
    what_follows_with_chains_inside_from_each_place_of_a_digit_is_true: "Dynamic Region Forcing Chains (+ Forcing Chains)" in "dynamic_region_forcing_chains_with_chains";
    what_follows_with_patterns_inside_from_each_place_of_a_digit_is_true: "Dynamic Region Forcing Chains (+)" in "dynamic_region_forcing_chains_plus";
    what_implies_its_contrary_is_false: "Forcing Chain" in "forcing_chain";
    what_implies_its_contrary_by_one_digit_is_false: "Forcing X-Chain" in "forcing_x_chain";
    four_lines_that_need_a_digit_in_four_lines_across_clear_those: "Jellyfish" in "jellyfish";
    a_naked_quad_clears_its_house: "Naked Quad" in "naked_quad";
    what_leads_to_a_contradiction_of_one_digit_is_false: "Nishio Forcing Chains" in "nishio_forcing_chains";
    what_follows_from_each_place_of_a_digit_is_true: "Region Forcing Chains" in "region_forcing_chains";
    two_parallel_lines_joined_at_one_end_need_the_digit_at_the_other: "Skyscraper" in "skyscraper";
    two_strong_links_joined_at_one_end_need_the_digit_at_the_other: "Turbot Fish" in "turbot_fish";
    a_ring_with_one_cell_too_full_takes_its_other_digit: "Unique Loop 1" in "unique_loop_1";
    a_ring_whose_full_cells_share_a_digit_holds_it: "Unique Loop 2" in "unique_loop_2";
    a_ring_with_two_full_cells_makes_a_set_with_others: "Unique Loop 3" in "unique_loop_3";
    a_ring_with_two_full_cells_and_a_locked_digit_loses_the_other: "Unique Loop 4" in "unique_loop_4";
    a_rectangle_with_one_cell_too_full_takes_its_other_digit: "Unique Rectangle 1" in "unique_rectangle_1";
    a_rectangle_whose_full_cells_share_a_digit_holds_it: "Unique Rectangle 2" in "unique_rectangle_2";
    a_rectangle_with_two_full_cells_makes_a_set_with_others: "Unique Rectangle 3" in "unique_rectangle_3";
    a_rectangle_with_two_full_cells_and_a_locked_digit_loses_the_other: "Unique Rectangle 4" in "unique_rectangle_4";
}
