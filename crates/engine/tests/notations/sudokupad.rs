//! Long addresses of `SudokuPad`: the fields that state no rule, and the solutions that they state.

use puzzled_engine::registry;

use super::{Folder, folder_of_sudoku, fpuzzles::packed, read};

/// A long address of SudokuPad with this JSON after the nine boxes.
pub(crate) fn sudokupad(first_box: &str, fields: &str) -> String {
    sudokupad_of(|_| "{}".to_owned(), first_box, fields)
}

/// Such an address with these cells in reading order.
fn sudokupad_of(cell: impl Fn(usize) -> String, first_box: &str, fields: &str) -> String {
    let of_box = |number: usize| {
        let cell = |place: usize| format!("[{},{}]", number / 3 * 3 + place / 3, number % 3 * 3 + place % 3);
        format!("[{}]", (0..9).map(cell).collect::<Vec<_>>().join(","))
    };
    let boxes = std::iter::once(first_box.to_owned()).filter(|own| !own.is_empty());
    let boxes: Vec<_> = boxes.chain((0..9).map(of_box)).collect();
    let row = |row: usize| format!("[{}]", (0..9).map(|column| cell(row * 9 + column)).collect::<Vec<_>>().join(","));
    let cells = (0..9).map(row).collect::<Vec<_>>().join(",");
    packed("https://sudokupad.app/scl", &format!("{{\"regions\":[{}],\"cells\":[{cells}]{fields}}}", boxes.join(",")))
}

#[test]
fn fields_of_sudokupad_that_state_no_rule_are_read() {
    let fields = [
        ",\"title\":\"x\",\"foglight\":[[0,0]],\"lines\":[]",
        ",\"metadata\":{\"msgcorrect\":\"x\",\"antiknight\":false}",
        ",\"cages\":[{\"value\":\"comment: x\"}]",
    ];
    for fields in fields {
        assert_eq!(read("sudoku", &sudokupad("", fields)), Ok(".".repeat(81)), "{fields}");
    }
    let marked = sudokupad_of(|_| "{\"centremarks\":[1,2],\"cornermarks\":[3],\"pencilMarks\":[4]}".to_owned(), "", "");
    assert_eq!(read("sudoku", &marked), Ok(".".repeat(81)));
}

#[test]
fn solution_that_sudokupad_states_is_compared() {
    let sudoku = registry::kind("sudoku").unwrap();
    let Folder { puzzle, solution, .. } = folder_of_sudoku();
    let wrong = format!("{}{}", &solution[..80], if solution.ends_with('1') { '2' } else { '1' });
    let cell = |at: usize| match puzzle.as_bytes()[at] {
        digit @ b'1'..=b'9' => format!("{{\"value\":\"{}\"}}", char::from(digit)),
        _ => "{}".to_owned(),
    };
    for before in [",\"metadata\":{\"solution\":\"", ",\"cages\":[{\"value\":\"solution: "] {
        let after = if before.contains("cages") { "\"}]" } else { "\"}" };
        let normalized = |stated: &str| {
            let long = sudokupad_of(cell, "", &format!("{before}{stated}{after}"));
            [long.clone(), long.replacen("scl", "ctc", 1)]
                .map(|text| sudoku.normalize("", &text).map_err(|it| it.to_string()))
        };
        for text in normalized(&solution) {
            assert_eq!(text.as_ref(), Ok(&puzzle));
        }
        for text in normalized(&wrong) {
            let fault = text.unwrap_err();
            assert!(fault.starts_with("the stated solution differs from the only solution in r9c9;"), "{fault}");
        }
    }
}
