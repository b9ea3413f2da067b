//! Solutions that a file states beside its puzzles are compared with the only solution, for every kind and form.

use crate::{prelude::*, run, run_with_input};
use puzzled_engine::{
    registry,
    shared::{kind::PuzzleKind, text::TextForm},
};

const DIFFERS: &str = "the stated solution differs from the only solution in ";

/// A puzzle of a kind and its solution, as fields of JSON.
fn made(kind: &dyn PuzzleKind) -> (String, String) {
    let json = run(&format!("generate --kind {} --seed 1 --format json --solutions", kind.name())).out;
    let puzzle: Value = serde_json::from_str(json.trim()).unwrap();
    ["text", "solution"].map(|field| puzzle[field].as_str().unwrap().to_owned()).into()
}

/// A solution in which two neighbors of the grid that differ are exchanged.
fn misprint(solution: &str) -> String {
    let start = solution.find(": ").map_or(0, |at| at + 2);
    let step = if solution.contains('\\') { 2 } else { 1 };
    let is_cell = |sign: u8| sign.is_ascii_digit() || b".*".contains(&sign);
    let cells = solution.as_bytes();
    let is_alone =
        |at: usize| step == 1 || cells[at - 1] == b' ' && cells[at + 1] == b' ' && cells.get(at + 3) != Some(&b'\\');
    let at = (start + step..cells.len() - step - 2).find(|&at| {
        is_cell(cells[at])
            && is_cell(cells[at + step])
            && cells[at] != cells[at + step]
            && is_alone(at)
            && is_alone(at + step)
    });
    let at = at.unwrap();
    let mut signs: Vec<char> = solution.chars().collect();
    signs.swap(at, at + step);
    signs.into_iter().collect()
}

#[test]
fn stated_solution_of_each_kind_and_form_is_compared() {
    for &kind in registry::kinds() {
        let (text, right) = made(kind);
        let wrong = misprint(&right);
        let quoted = |text: &str| format!("\"{text}\"");
        let json = |solution: &str| serde_json::json!({ "text": text, "solution": solution }).to_string();
        let csv = |solution: &str| format!("text,note,solution\n{},x,{}\n", quoted(&text), quoted(solution));
        let bare = |solution: &str| format!("{},{}\n", quoted(&text), quoted(solution));
        let section = |solution: &str| format!("{text}\n# solution\n{solution}\n");
        let mut forms = vec![(json(&right), json(&wrong)), (csv(&right), csv(&wrong))];
        match kind.text_form() {
            TextForm::Paragraph => forms.push((section(&right), section(&wrong))),
            // A star battle's solution has empty cells, so only a header tells it from another puzzle.
            TextForm::Line if right.contains('*') => {}
            TextForm::Line => forms.push((bare(&right), bare(&wrong))),
        }
        for (right, wrong) in forms {
            let rated = |input: &str| run_with_input(&format!("rate --kind {}", kind.name()), input);
            assert_eq!((rated(&right).err.as_str(), rated(&right).code), ("", Some(0)), "{right}");
            let refused = rated(&wrong);
            assert!(refused.code == Some(2) && refused.err.contains(DIFFERS), "{wrong}: {}", refused.err);
        }
    }
}

#[test]
fn solution_that_is_no_board_is_refused_and_an_empty_one_states_nothing() {
    let (text, _) = made(registry::kind("sudoku").unwrap());
    for (solution, fault) in [("", ""), ("12", "the stated solution: 2 cells; the puzzle must have exactly 81")] {
        let rated = run_with_input("rate", &format!("text,solution\n{text},{solution}\n"));
        assert_eq!(
            (rated.code, rated.err.contains(fault)),
            (Some(if fault.is_empty() { 0 } else { 2 }), true),
            "{}",
            rated.err
        );
    }
    // A field more than the header: the solution cannot be told from a text that has commas.
    assert_eq!(run_with_input("rate", &format!("text,solution\n{text},12,x\n")).code, Some(0));
}

#[tokio::test]
async fn imports_and_searches_refuse_a_misprint_before_they_send_it() {
    let (server, _, address) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzles");
    let (text, right) = made(registry::kind("jigsaw").unwrap());
    let record = |solution: &str| {
        serde_json::json!({ "kind": "KIND_JIGSAW", "text": text, "solution": solution }).to_string() + "\n"
    };
    for (content, kind) in
        [(record(&misprint(&right)), ""), (format!("text,solution\n{text},{}\n", misprint(&right)), "--kind jigsaw")]
    {
        fs::write(&file, content).unwrap();
        let place = file.display();
        let import = ended(&address, &format!("import {place} --source test {kind}"), 2).await;
        assert!(import.err.contains(DIFFERS), "{}", import.err);
        let find = ended(&address, &format!("find --kind jigsaw {place}"), 2).await;
        assert!(find.err.contains(DIFFERS), "{}", find.err);
    }
    fs::write(&file, record(&right)).unwrap();
    ended(&address, &format!("import {} --source test", file.display()), 0).await;
    drop(server);
}
