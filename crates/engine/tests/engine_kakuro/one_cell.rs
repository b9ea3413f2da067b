//! Boards with runs of one cell, which other programs make and we do not. With a clue, such a run is its digit; without one, it binds
//! nothing. The rules are written here again, from the texts.

use std::{collections::HashSet, sync::atomic::AtomicBool};

use puzzled_engine::{
    kakuro::{
        Kakuro,
        board::{Digit, Puzzle},
        canonical::{canonical, image},
        notation::{text, url},
        techniques::{check_hint, check_steps, reason, sentence},
    },
    picture::Shown,
    shared::{
        budget::Budget,
        kind::{HintFor, PuzzleKind},
        rng::Rng,
        text::{
            Hint, Verdict,
            compare::BoardState,
            proof::{ProofLimits, Unfit, prove},
        },
    },
};

use crate::solutions;

/// The number of random boards.
const BOARDS: u64 = 600;

/// The maximum number of solutions that are compared: more than four cells have.
const SOLUTIONS_MAX: usize = 7_000;

/// A board with a solution.
struct Board {
    text: String,
    /// The cells of each run with a clue, and its sum.
    runs: Vec<(Vec<usize>, u8)>,
    /// The digit of each cell; 0 for a block.
    digits: Vec<Digit>,
    /// The number of runs of one cell, without and with a clue.
    lone: [usize; 2],
}

/// A random board of at most 7x7 cells; `None` if its digits get into each other's way. Half of its runs of one cell have a clue.
fn board(seed: u64) -> Option<Board> {
    let mut rng = Rng::from_seed(seed);
    let [width, height] = [3 + rng.index(5), 3 + rng.index(5)];
    let percent = 40 + rng.below(50);
    let is_inner = |cell: usize| cell >= width && !cell.is_multiple_of(width);
    let white: Vec<bool> = (0..width * height).map(|cell| is_inner(cell) && rng.below(100) < percent).collect();
    let mut runs = Vec::new();
    for step in [1, width] {
        for first in (0..white.len()).filter(|&cell| white[cell] && !white[cell - step]) {
            let next = (first..white.len()).step_by(step).take_while(|&cell| white[cell]);
            runs.push((first - step, step, next.collect::<Vec<_>>()));
        }
    }
    let mut digits = vec![0; white.len()];
    for cell in (0..white.len()).filter(|&cell| white[cell]) {
        let of_cell = runs.iter().filter(|(.., cells)| cells.contains(&cell));
        let taken: Vec<Digit> = of_cell.flat_map(|(.., cells)| cells.iter().map(|&other| digits[other])).collect();
        let free: Vec<Digit> = (1..=9).filter(|digit| !taken.contains(digit)).collect();
        digits[cell] = *free.get(rng.index(free.len().max(1)))?;
    }
    let (mut clues, mut lone) = (vec![[None; 2]; white.len()], [0; 2]);
    runs.retain(|(clue_at, step, cells)| {
        let has_clue = cells.len() > 1 || rng.below(2) == 0;
        let sum: Digit = cells.iter().map(|&cell| digits[cell]).sum();
        clues[*clue_at][usize::from(*step != 1)] = has_clue.then_some(sum);
        lone[usize::from(has_clue)] += usize::from(cells.len() == 1);
        has_clue
    });
    let token = |cell: usize| match clues[cell] {
        _ if white[cell] => ".".to_owned(),
        [None, None] => "#".to_owned(),
        sides => sides.map(|side| side.map_or_else(String::new, |sum| sum.to_string())).join("\\"),
    };
    let tokens: Vec<_> = (0..white.len()).map(token).collect();
    let text = tokens.chunks(width).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n");
    let sum = |cells: &[usize]| cells.iter().map(|&cell| digits[cell]).sum();
    let runs = runs.into_iter().map(|(.., cells)| (sum(&cells), cells)).map(|(sum, cells)| (cells, sum)).collect();
    white.contains(&true).then_some(Board { text, runs, digits, lone })
}

/// Checks each random board that has a run of one cell, and returns their number.
fn each(mut check: impl FnMut(&Board, &Puzzle)) -> usize {
    let boards = (0..BOARDS).filter_map(board).filter(|board| board.lone != [0; 2]);
    let read = |board: Board| {
        let puzzle = text::parse(&board.text).unwrap_or_else(|fault| panic!("{fault}\n{}", board.text));
        check(&board, &puzzle);
    };
    boards.map(read).count()
}

/// Whether digits, one for each cell, keep the rules.
fn is_right(runs: &[(Vec<usize>, u8)], digits: &[Digit]) -> bool {
    runs.iter().all(|(cells, sum)| {
        let in_run = || cells.iter().map(|&cell| digits[cell]);
        in_run().collect::<HashSet<_>>().len() == cells.len() && in_run().sum::<Digit>() == *sum
    })
}

/// Checks each random board with one solution, which a rating states, and returns their number.
fn each_unique(mut check: impl FnMut(&Board, &Puzzle, HintFor<'_>)) -> usize {
    let mut unique = 0;
    each(|board, puzzle| {
        let verdict = Kakuro.validate("", &board.text, &mut Budget::of_nodes(100_000)).unwrap();
        if let Verdict::Unique { solution } = verdict {
            check(board, puzzle, HintFor { variant: "", text: &board.text, solution: &solution });
            unique += 1;
        }
    });
    unique
}

#[test]
fn every_notation_of_such_a_board_is_read_again() {
    let count = each(|board, puzzle| {
        assert_eq!(text::write(puzzle), board.text);
        assert_eq!(text::parse(&url::write(puzzle)).as_ref(), Ok(puzzle), "{}", url::write(puzzle));
        let drawing = Kakuro.draw("", &board.text).unwrap();
        assert_eq!(text::parse(&drawing).as_ref(), Ok(puzzle), "{drawing}");
        assert_eq!(Kakuro.regions("", &board.text).unwrap().len(), board.runs.len());
        assert_eq!(usize::from(Kakuro.pattern("", &board.text).unwrap().givens), board.runs.len());
        assert!(Kakuro.picture("", Shown { text: &board.text, ..Shown::default() }).is_ok());
    });
    assert!(count > 400, "{count}");
}

#[test]
fn both_solvers_find_the_solutions_that_the_rules_allow() {
    let [mut lone, mut counted] = [[0; 2], [0; 2]];
    each(|board, puzzle| {
        let whites = puzzle.layout().cells().iter().map(|&cell| usize::from(cell)).collect::<Vec<_>>();
        let [by_kernel, by_core] = solutions(puzzle, SOLUTIONS_MAX);
        assert!(by_kernel == by_core || by_core.len() == SOLUTIONS_MAX, "{}", board.text);
        let mut digits = board.digits.clone();
        assert!(is_right(&board.runs, &digits));
        for solution in &by_kernel {
            whites.iter().zip(solution).for_each(|(&white, &digit)| digits[white] = digit);
            assert!(is_right(&board.runs, &digits) && puzzle.is_solved_by(solution), "{}", board.text);
        }
        if whites.len() <= 4 {
            let all = (0..9_usize.pow(u32::try_from(whites.len()).unwrap())).filter(|number| {
                let mut rest = *number;
                for &white in &whites {
                    (digits[white], rest) = (Digit::try_from(rest % 9 + 1).unwrap(), rest / 9);
                }
                is_right(&board.runs, &digits)
            });
            assert_eq!(all.count(), by_kernel.len(), "{}", board.text);
            counted[usize::from(by_kernel.len() > 1)] += 1;
        }
        (0..2).for_each(|at| lone[at] += board.lone[at]);
    });
    assert!(lone.iter().all(|count| *count > 300) && counted.iter().all(|count| *count > 10), "{lone:?} {counted:?}");
}

#[test]
fn all_images_of_such_a_board_share_one_form() {
    each(|board, puzzle| {
        for number in 0..16 {
            let other = image(puzzle, number);
            assert_eq!(canonical(&other), canonical(puzzle), "{}", board.text);
            assert!((0..16).any(|back| image(&other, back) == *puzzle), "{}", board.text);
        }
    });
}

#[test]
fn each_step_is_proved_and_the_last_ends_at_the_solution() {
    let mut words = String::new();
    let unique = each_unique(|board, puzzle, of| {
        let steps = reason(puzzle, &mut Budget::of_nodes(1_000_000)).unwrap();
        assert_eq!(check_steps(puzzle, &steps, &mut Budget::of_nodes(1_000_000)), Ok(()), "{}", board.text);
        let placed: usize = steps.iter().map(|step| step.placed.len()).sum();
        assert_eq!(placed, puzzle.layout().cells().len(), "{}", board.text);
        let record = Kakuro.reason("", &board.text, &mut Budget::of_nodes(1_000_000)).unwrap().record.unwrap();
        assert!(record.explanation.ends_with(&format!("in {} runs.", board.runs.len())), "{}", record.explanation);
        assert_eq!(Kakuro.compare(of, of.solution), Ok(BoardState::Complete));
        let regions = Kakuro.regions("", &board.text).unwrap();
        for house in steps.iter().flat_map(|step| &step.houses) {
            let region = &regions[usize::from(house.number)];
            assert_eq!((&region.cells, region.sum), (&house.cells, house.sum), "{}", board.text);
        }
        words.extend(steps.iter().map(|step| sentence(step) + "\n"));
    });
    assert!(unique > 60, "{unique}");
    assert!(words.contains("is the only cell of its run, so it takes the clue "), "{words}");
    assert!(!words.contains("the 0 ") && !words.contains("  ") && !words.contains(" ,"), "{words}");
}

/// Version 0.2 refuses each run of one cell. It knows the variants, so it would draw such a puzzle from a shelf.
#[test]
fn boards_that_the_last_minor_version_refuses_are_not_stored() {
    let never = AtomicBool::new(false);
    let limits = ProofLimits { search_nodes_max: 100_000, rating_nodes_max: 100_000, cancel: &never };
    let mut unique = 0;
    each(|board, _| match prove(&Kakuro, "", &board.text, limits) {
        Err(Unfit::Several(_)) => {}
        Err(Unfit::Unreadable(fault)) => {
            assert!(fault.ends_with("is below 4, the minimum for generated boards"), "{fault}");
        }
        Err(Unfit::TooNew(fault)) => {
            assert!(fault.starts_with("the run ") && fault.contains(" has one cell; "), "{fault}");
            unique += 1;
        }
        stored => panic!("{}: {stored:?}", board.text),
    });
    assert!(unique > 20, "{unique}");
}

#[test]
fn hints_lead_from_the_empty_board_to_the_solution() {
    each_unique(|board, puzzle, of| {
        let mut digits = vec![0; puzzle.layout().cells().len()];
        loop {
            let on_board = text::write_board(puzzle, &digits);
            match Kakuro.hint(of, on_board.as_str().into(), &mut Budget::of_nodes(1_000_000)).unwrap() {
                Hint::Solved => break,
                Hint::Steps(steps) => {
                    let proved = check_hint(puzzle, &digits, &[], &steps, &mut Budget::of_nodes(1_000_000));
                    assert_eq!(proved, Ok(()), "{on_board}");
                    let (cell, digit) = steps.last().unwrap().placed[0];
                    digits[puzzle.layout().cells().binary_search(&cell).unwrap()] = digit;
                }
                other => panic!("{}: {other:?}", board.text),
            }
        }
    });
}
