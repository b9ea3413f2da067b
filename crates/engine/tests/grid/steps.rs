//! The steps that people get: the constraint core derives each of them again, and finds faults that were put into them.

use std::collections::BTreeMap;

use puzzled_engine::shared::{
    budget::Budget,
    step::{Step, Unproven},
    text::{Hint, board::PlayerBoard, compare::BoardState},
};

use super::{LINES, Line, cases::golden_file, checker::Notes, each, is_committed, reason};

/// The number of cells of a board that get a wrong digit, one after the other.
const WRONG_CELLS: usize = 5;

fn check(line: &Line, marks: &[u32], steps: &[Step]) -> Result<(), Unproven> {
    Notes::of(line, marks).check(steps)
}

#[test]
fn each_step_follows_and_the_hardest_has_the_rating_of_the_puzzle() {
    each("steps", |line| {
        let (steps, solution) = (reason(line, &line.text).steps, line.digits(&line.solution));
        assert_eq!(steps.iter().map(|step| step.rating).max(), Some(line.rating), "{}", line.text);
        assert_eq!(check(line, &[], &steps), Ok(()), "{}", line.text);
        assert!(steps.iter().flat_map(|step| &step.placed).all(|&(cell, digit)| solution[usize::from(cell)] == digit));
        assert!(steps.iter().all(|step| line.kind.sentence(line.variant(), step).ends_with('.')));
        steps.len()
    });
}

/// Sentences once named the two houses in the order of their numbers.
#[test]
fn first_house_of_a_direct_step_has_its_pattern_and_the_last_its_digit() {
    each("direct", |line| {
        let notes = Notes::of(line, &[]);
        let steps = reason(line, &line.text).steps.into_iter().filter(|step| step.technique.starts_with("Direct"));
        let checked = steps.map(|step| {
            let (first, last) = (&step.houses[0], &step.houses[step.houses.len() - 1]);
            let is_right =
                step.cells.iter().all(|cell| notes.is_in(first, *cell)) && notes.is_in(last, step.placed[0].0);
            assert!(is_right, "{} {step:?}", line.text);
        });
        checked.count()
    });
}

#[test]
fn wrong_conclusion_of_a_step_is_found() {
    each("faults", |line| {
        let (steps, solution) = (reason(line, &line.text).steps, line.digits(&line.solution));
        let mut notes = Notes::of(line, &[]);
        let faulty = steps.chunks(11).map(|steps| {
            let mut wrong = vec![falsified(&steps[0], &solution)];
            wrong.extend_from_slice(&steps[1..]);
            assert!(notes.clone().check(&wrong).is_err_and(|fault| fault.step == 0), "{} {:?}", line.text, steps[0]);
            assert_eq!(notes.check(steps), Ok(()), "{}", line.text);
        });
        faulty.count()
    });
}

/// The step with a conclusion that is wrong: another digit or the removal of the right one, a star in a cell without one or the removal
/// of one.
fn falsified(step: &Step, solution: &[u8]) -> Step {
    let first = |of: u8| solution.iter().position(|digit| *digit == of).map(|cell| u16::try_from(cell).unwrap());
    let empty = first(0);
    let digits_max = *solution.iter().max().unwrap();
    let another = |digit: u8| digit % digits_max + 1;
    let placed = step.placed.iter().map(|&(cell, digit)| empty.map_or((cell, another(digit)), |cell| (cell, digit)));
    let removed = step.removed.iter().map(|&(cell, digit)| match empty {
        None => (cell, solution[usize::from(cell)]),
        Some(_) => (first(digit).unwrap(), digit),
    });
    Step { placed: placed.collect(), removed: removed.collect(), ..step.clone() }
}

/// A region that lacked two stars and had no place left once had a step without cells.
#[test]
fn steps_of_a_board_with_a_wrong_digit_name_cells() {
    each("wrong digits", |line| {
        let (cells, solution) = (line.digits(&line.text), line.digits(&line.solution));
        let is_wrong = |&cell: &usize| cells[cell] == 0 && !(line.has_stars() && solution[cell] == 1);
        let wrong = (0..cells.len()).filter(is_wrong).take(WRONG_CELLS);
        let asked = wrong.filter_map(|cell| {
            let digit = usize::from(solution[cell]) % line.digits_max();
            let (variant, rest) = line.text.split_once(": ").unwrap();
            let symbol = &line.info.symbols[digit..=digit];
            let text = format!("{variant}: {}{symbol}{}", &rest[..cell], &rest[cell + 1..]);
            // A digit that its row already has is refused.
            let text = line.kind.normalize("", &text).ok()?;
            let steps = reason(line, &text).steps;
            assert!(steps.iter().all(|step| !step.cells.is_empty()), "{text} {steps:?}");
            Some(())
        });
        asked.count()
    });
}

#[test]
fn hint_ends_with_a_digit_and_removes_no_mark_again() {
    each("hints", |line| {
        let marks = marks(line);
        let Ok(Hint::Steps(steps)) = hint(line, &marks) else { panic!("{}", line.text) };
        assert_eq!(check(line, &marks, &steps), Ok(()), "{}", line.text);
        let (last, before) = steps.split_last().unwrap();
        assert!(last.placed.len() == 1 && before.iter().all(|step| step.placed.is_empty()), "{}", line.text);
        let mut removed = steps.iter().flat_map(|step| &step.removed);
        let has =
            |cell: u16, digit: u8| matches!(marks[usize::from(cell)], marks if marks == 0 || marks & 1 << digit != 0);
        assert!(removed.all(|&(cell, digit)| has(cell, digit)), "{}", line.text);
        1
    });
}

fn hint(line: &Line, candidates: &[u32]) -> Result<Hint, puzzled_engine::shared::text::TextError> {
    line.kind.hint(line.of(), PlayerBoard { text: "", candidates }, &mut Budget::of_nodes(u64::MAX))
}

/// The marks of a player who has crossed out the digit after the right one in each empty cell, or every other cell without a star.
fn marks(line: &Line) -> Vec<u32> {
    let (puzzle, solution) = (line.digits(&line.text), line.digits(&line.solution));
    let digits_max = u8::try_from(line.digits_max()).unwrap();
    let of_cell = |(at, (given, right)): (usize, (&u8, &u8))| match (line.has_stars(), given) {
        (true, _) => u32::from(*right == 0 && at % 2 == 0),
        (false, 0) => ((2 << digits_max) - 2) & !(1 << (right % digits_max + 1)),
        (false, _) => 0,
    };
    puzzle.iter().zip(&solution).enumerate().map(of_cell).collect()
}

#[test]
fn hints_lead_to_the_solution() {
    let mut number = 0;
    each("walks", |line| {
        number += 1;
        // A hint for a killer looks at all its sums, so a walk through its cells takes long. One in four killers is enough.
        if (line.has_cages() || line.has_operators()) && number % 4 != 0 {
            return 0;
        }
        let of = line.of();
        let mut board = line.text.clone();
        let start = board.find(": ").map_or(0, |at| at + 2);
        loop {
            match line.kind.hint(of, board.as_str().into(), &mut Budget::of_nodes(u64::MAX)).unwrap() {
                Hint::Steps(steps) => {
                    let cell = start + usize::from(steps.last().unwrap().placed[0].0);
                    board.replace_range(cell..=cell, &line.solution[cell..=cell]);
                    assert_ne!(line.kind.compare(of, &board), Ok(BoardState::Wrong(Vec::new())));
                }
                end => {
                    assert_eq!((end, &board), (Hint::Solved, &line.solution));
                    break;
                }
            }
        }
        assert_eq!(line.kind.compare(of, &board), Ok(BoardState::Complete));
        1
    });
}

#[test]
fn wrong_digit_or_mark_is_named_and_changed_givens_are_told_apart() {
    each("boards", |line| {
        let (puzzle, solution) = (line.digits(&line.text), line.digits(&line.solution));
        let start = line.text.find(": ").unwrap() + 2;
        let changed = |cell: usize| {
            let other = solution.iter().position(|digit| *digit != solution[cell]).unwrap();
            let mut board = line.text.clone();
            board.replace_range(start + cell..=start + cell, &line.solution[start + other..=start + other]);
            (u16::try_from(cell).unwrap(), solution[other], board)
        };
        if let Some(given) = puzzle.iter().position(|digit| *digit != 0) {
            let (cell, _, board) = changed(given);
            assert_eq!(line.kind.compare(line.of(), &board), Ok(BoardState::GivensDiffer(vec![cell])));
        }
        let open = |of_star: bool| {
            let is_open = |at: &usize| puzzle[*at] == 0 && (!line.has_stars() || (solution[*at] != 0) == of_star);
            (0..puzzle.len()).find(is_open).unwrap()
        };
        let (cell, digit, board) = changed(open(false));
        assert_eq!(line.kind.compare(line.of(), &board), Ok(BoardState::Wrong(vec![(cell, digit)])));
        assert_eq!(line.kind.compare(line.of(), &line.text), Ok(BoardState::CorrectSoFar));
        let (mut marks, marked) = (vec![0; puzzle.len()], open(true));
        marks[marked] = 1;
        assert_eq!(hint(line, &marks), Ok(Hint::Wrong(vec![(u16::try_from(marked).unwrap(), 0)])));
        1
    });
}

/// `tests/golden/grid_sentences.txt` has the first step of each technique of each variant.
#[test]
fn sentences_stay_word_for_word() {
    if is_committed() {
        let mut first: BTreeMap<(&str, &str, &str), String> = BTreeMap::new();
        for line in LINES.iter() {
            for step in reason(line, &line.text).steps {
                let sentence = || line.kind.sentence(line.variant(), &step);
                first.entry((line.kind.name(), line.variant(), step.technique)).or_insert_with(sentence);
            }
        }
        let line = |((kind, variant, technique), words)| format!("{kind} {variant} {technique}: {words}\n");
        let written: String = first.into_iter().map(line).collect();
        golden_file::check("grid_sentences.txt", &written);
    }
}
