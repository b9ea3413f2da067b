//! Golden tests of step lists: for each technique, one puzzle that needs it and nothing harder. The files are in
//! `tests/golden/steps`. The first line is the puzzle. Each further line is a step: rating and technique, cells of the
//! pattern, effect, and sentence.

use std::fmt::Write as _;

use puzzled_engine::sudoku::{
    board::{Grid, cell_name},
    techniques::{TECHNIQUES, reason, sentence},
};

use super::with_budget;

/// Solves the puzzle of a golden file by steps, compares them with the file, and returns the hardest technique.
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
        let (rating, technique, sentence) = (step.rating, step.technique, sentence(step));
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

        /// No puzzle needs Direct Claiming; `techniques/direct.rs` has the proof. The others are too rare: among some two
        /// thousand puzzles of all ratings up to 10.4, none has one of them as its hardest step.
        #[test]
        fn every_common_technique_has_a_golden_list() {
            let listed = [$($technique),*];
            let names = TECHNIQUES.iter().map(|technique| technique.name);
            let missing: Vec<_> = names.filter(|name| !listed.contains(name) && !name.contains("Double") && !is_deep(name)).collect();
            assert_eq!(missing, ["Direct Claiming", "Hidden Quad", "Two-String Kite"]);
        }
    };
}

/// Whether a technique nests chains harder than single ones in its branches.
fn is_deep(name: &str) -> bool {
    name.contains("(+ Multiple") || name.contains("(+ Dynamic") || name.contains("(+ Nested")
}

golden! {
    last_empty_cell_of_a_house_takes_the_missing_digit: "Last Cell" in "last_cell";
    a_digit_with_one_place_in_a_box_goes_there: "Hidden Single in Box" in "hidden_single_in_box";
    a_digit_with_one_place_in_a_line_goes_there: "Hidden Single in Line" in "hidden_single_in_line";
    digit_pointing_along_a_line_has_one_place_in_another_box: "Direct Pointing" in "direct_pointing";
    hidden_pair_leaves_a_third_digit_one_place: "Direct Hidden Pair" in "direct_hidden_pair";
    a_cell_with_one_candidate_takes_it: "Naked Single" in "naked_single";
    hidden_triplet_leaves_a_fourth_digit_one_place: "Direct Hidden Triplet" in "direct_hidden_triplet";
    digit_locked_in_a_line_by_a_box_leaves_the_rest_of_the_line: "Pointing" in "pointing";
    digit_locked_in_a_box_by_a_line_leaves_the_rest_of_the_box: "Claiming" in "claiming";
    a_naked_pair_clears_its_house: "Naked Pair" in "naked_pair";
    two_lines_with_a_digit_in_two_crossing_lines_clear_those: "X-Wing" in "x_wing";
    a_hidden_pair_clears_its_cells: "Hidden Pair" in "hidden_pair";
    a_naked_triplet_clears_its_house: "Naked Triplet" in "naked_triplet";
    three_lines_with_a_digit_in_three_crossing_lines_clear_those: "Swordfish" in "swordfish";
    a_hidden_triplet_clears_its_cells: "Hidden Triplet" in "hidden_triplet";
    a_pivot_of_two_digits_forces_one_of_its_pincers: "XY-Wing" in "xy_wing";
    a_pivot_of_three_digits_forces_itself_or_a_pincer: "XYZ-Wing" in "xyz_wing";
    two_cells_lose_digits_that_leave_a_third_cell_without_candidates: "Aligned Pair Exclusion" in "aligned_pair_exclusion";
    three_cells_lose_digits_that_leave_a_fourth_without_candidates: "Aligned Triplet Exclusion" in "aligned_triplet_exclusion";
    cycle_of_cells_and_houses_holds_in_both_directions: "Bidirectional Cycle" in "bidirectional_cycle";
    cycle_of_one_digit_holds_in_both_directions: "Bidirectional X-Cycle" in "bidirectional_x_cycle";
    cycle_of_bivalue_cells_holds_in_both_directions: "Bidirectional Y-Cycle" in "bidirectional_y_cycle";
    only_cell_with_extra_candidates_takes_one_of_them: "Bivalue Universal Grave 1" in "bivalue_universal_grave_1";
    cells_with_one_shared_extra_candidate_place_it: "Bivalue Universal Grave 2" in "bivalue_universal_grave_2";
    extra_candidates_form_a_naked_set_with_other_cells: "Bivalue Universal Grave 3" in "bivalue_universal_grave_3";
    two_cells_with_extra_candidates_keep_their_common_digit: "Bivalue Universal Grave 4" in "bivalue_universal_grave_4";
    consequence_of_every_digit_of_a_cell_is_true: "Cell Forcing Chains" in "cell_forcing_chains";
    dynamic_consequence_of_every_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains" in "dynamic_cell_forcing_chains";
    nested_chain_consequence_of_every_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains (+ Forcing Chains)" in "dynamic_cell_forcing_chains_with_chains";
    nested_pattern_consequence_of_every_digit_of_a_cell_is_true: "Dynamic Cell Forcing Chains (+)" in "dynamic_cell_forcing_chains_plus";
    candidate_with_a_dynamic_contradiction_is_false: "Dynamic Contradiction Forcing Chains" in "dynamic_contradiction_forcing_chains";
    candidate_with_a_nested_chain_contradiction_is_false: "Dynamic Contradiction Forcing Chains (+ Forcing Chains)" in "dynamic_contradiction_forcing_chains_with_chains";
    candidate_with_a_nested_pattern_contradiction_is_false: "Dynamic Contradiction Forcing Chains (+)" in "dynamic_contradiction_forcing_chains_plus";
    dynamic_consequence_of_a_candidate_and_its_opposite_is_true: "Dynamic Double Forcing Chains" in "dynamic_double_forcing_chains";
    dynamic_consequence_of_every_place_of_a_digit_is_true: "Dynamic Region Forcing Chains" in "dynamic_region_forcing_chains";
    nested_chain_consequence_of_every_place_of_a_digit_is_true: "Dynamic Region Forcing Chains (+ Forcing Chains)" in "dynamic_region_forcing_chains_with_chains";
    nested_pattern_consequence_of_every_place_of_a_digit_is_true: "Dynamic Region Forcing Chains (+)" in "dynamic_region_forcing_chains_plus";
    candidate_that_implies_its_opposite_is_false: "Forcing Chain" in "forcing_chain";
    candidate_that_implies_its_opposite_by_one_digit_is_false: "Forcing X-Chain" in "forcing_x_chain";
    four_lines_with_a_digit_in_four_crossing_lines_clear_those: "Jellyfish" in "jellyfish";
    a_naked_quad_clears_its_house: "Naked Quad" in "naked_quad";
    candidate_with_a_contradiction_of_one_digit_is_false: "Nishio Forcing Chains" in "nishio_forcing_chains";
    consequence_of_every_place_of_a_digit_is_true: "Region Forcing Chains" in "region_forcing_chains";
    two_parallel_lines_joined_at_one_end_need_the_digit_at_the_other: "Skyscraper" in "skyscraper";
    two_strong_links_joined_at_one_end_need_the_digit_at_the_other: "Turbot Fish" in "turbot_fish";
    loop_with_one_cell_with_extra_candidates_takes_one_of_them: "Unique Loop 1" in "unique_loop_1";
    loop_with_one_shared_extra_candidate_places_it: "Unique Loop 2" in "unique_loop_2";
    loop_with_two_extended_cells_forms_a_set_with_others: "Unique Loop 3" in "unique_loop_3";
    loop_with_two_extended_cells_and_a_locked_digit_loses_the_other: "Unique Loop 4" in "unique_loop_4";
    rectangle_with_one_cell_with_extra_candidates_takes_one_of_them: "Unique Rectangle 1" in "unique_rectangle_1";
    rectangle_with_one_shared_extra_candidate_places_it: "Unique Rectangle 2" in "unique_rectangle_2";
    rectangle_with_two_extended_cells_forms_a_set_with_others: "Unique Rectangle 3" in "unique_rectangle_3";
    rectangle_with_two_extended_cells_and_a_locked_digit_loses_the_other: "Unique Rectangle 4" in "unique_rectangle_4";
}
