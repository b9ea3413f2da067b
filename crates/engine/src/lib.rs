//! Makes, solves, and rates logic puzzles that have exactly one solution: Sudoku, Kakuro, and the other kinds of the
//! [`registry`].
//!
//! Everything here is pure computation: nothing waits, logs, or reads a clock, a file, or the environment. Random numbers come
//! from an [`Rng`](shared::rng::Rng), and a [`Budget`](shared::budget::Budget) of nodes bounds the work. So equal arguments give
//! equal results on every machine.
//!
//! # Map
//!
//! | task | where |
//! |---|---|
//! | work with any kind of puzzle by its name: check, rate, solve by steps, hint, draw | [`registry`], [`PuzzleKind`](shared::kind::PuzzleKind) |
//! | generate puzzles by level, rating, technique, or givens | [`shared::spec`], [`shared::job_index`] |
//! | solve a Sudoku or count its solutions, in microseconds | [`sudoku::kernel`] |
//! | compare Sudoku up to symmetry | [`sudoku::canonical`] |
//! | make complete Sudoku grids, fast or uniformly random | [`sudoku::make::grids`] |
//! | look up the techniques of Sudoku and their ratings | [`sudoku::techniques`], [`sudoku::rate::rating`], [`sudoku::hodoku`] |
//! | work with boards, layouts, techniques, and texts of Kakuro | [`kakuro`] |
//! | describe a board's size and its groups of cells, to draw it | [`Size`](shared::text::Size), [`Region`](shared::text::Region) |
//! | draw a puzzle, its solution, or a step as SVG | [`picture`] |
//! | state a puzzle of your own as variables and constraints | [`csp`] |
//!
//! # Examples
//!
//! Solve a Sudoku and count its solutions, up to a limit of two:
//!
//! ```
//! use puzzled_engine::{shared::budget::Budget, sudoku::{board::Grid, kernel::Kernel}};
//!
//! let puzzle = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
//! let puzzle = Grid::parse(puzzle).unwrap();
//! let kernel = Kernel::fastest();
//! assert_eq!(kernel.count(&puzzle, 2, &mut Budget::of_nodes(1_000)), Ok(1));
//! let solutions = kernel.solutions(&puzzle, 1, &mut Budget::of_nodes(1_000)).unwrap();
//! assert!(solutions[0].line().starts_with("795628134"));
//! ```
//!
//! Compare two puzzles by their canonical forms, which are equal if one puzzle is the other rotated, permuted, or relabeled:
//!
//! ```
//! use puzzled_engine::{shared::rng::Rng, sudoku::{board::Grid, canonical::canonical, make::grids::scramble}};
//!
//! let puzzle = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
//! let puzzle = Grid::parse(puzzle).unwrap();
//! let other = scramble(&puzzle, &mut Rng::from_seed(1));
//! assert_ne!(other, puzzle);
//! assert_eq!(canonical(&other), canonical(&puzzle));
//! ```
//!
//! Make a complete grid. Each of the 6,670,903,752,021,072,936,960 grids is equally likely:
//!
//! ```
//! use puzzled_engine::{shared::{budget::Budget, rng::Rng}, sudoku::make::grids::uniform_grid};
//!
//! let grid = uniform_grid(&mut Rng::from_seed(1), &mut Budget::of_nodes(1_000_000)).unwrap();
//! assert_eq!((grid.givens(), grid.clash()), (81, None));
//! ```
//!
//! Rate a puzzle and show the steps that a person would take:
//!
//! ```
//! use puzzled_engine::{shared::budget::Budget, registry};
//!
//! let text = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
//! let sudoku = registry::kind("sudoku").unwrap();
//! let reasoned = sudoku.reason("9x9", text, &mut Budget::of_nodes(1_000_000)).unwrap();
//! for step in &reasoned.steps {
//!     println!("{} {}: {}", step.rating, step.technique, sudoku.sentence("9x9", step));
//! }
//! assert_eq!(reasoned.record.unwrap().rating.to_string(), "1.2");
//! ```
//!
//! Generate a puzzle of a level. The same spec, seed, and index always give the same puzzle:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use puzzled_engine::{shared::{job_index::{IndexOutcome, JobIndex, first_hit}, level::Level, spec::{Difficulty, Spec}, symmetry::Symmetry}, registry};
//!
//! let sudoku = registry::kind("sudoku").unwrap();
//! let spec = Spec {
//!     kind: "sudoku".to_owned(),
//!     variant: "9x9".to_owned(),
//!     symmetry: Symmetry::None,
//!     difficulty: Difficulty::Level(Level::Hard),
//!     givens: None,
//!     technique: None,
//! };
//! sudoku.check_spec(&spec).unwrap();
//! let index = JobIndex { kind: sudoku, spec: &spec, seed: 7, index: 0 };
//! let outcome = first_hit(&index, 0..1_000, &AtomicBool::new(false), &mut |_miss| ());
//! let IndexOutcome::Hit { made, .. } = outcome else { panic!("{outcome:?}") };
//! println!("{} is rated {}", made.text, made.record.rating);
//! assert!((26..=40).contains(&made.record.rating.0));
//! ```
//!
//! Give a hint to a person who has filled in part of the board:
//!
//! ```
//! use puzzled_engine::{shared::{budget::Budget, kind::HintFor, text::Hint}, registry};
//!
//! let text = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
//! let solution = "795628134426153987813479265638791452549382716271564398187946523352817649964235871";
//! let puzzle = HintFor { variant: "9x9", text, solution };
//! let sudoku = registry::kind("sudoku").unwrap();
//! let right = format!("7{}", &text[1..]);
//! let hint = sudoku.hint(puzzle, right.as_str().into(), &mut Budget::of_nodes(1_000_000));
//! assert!(matches!(hint, Ok(Hint::Steps(steps)) if !steps[0].placed.is_empty()));
//! let wrong = format!("9{}", &text[1..]);
//! let hint = sudoku.hint(puzzle, wrong.as_str().into(), &mut Budget::of_nodes(1_000_000));
//! assert_eq!(hint, Ok(Hint::Wrong(vec![(0, 9)])));
//! ```
//!
//! Solve a Kakuro. In its text, `#` is a block, `.` is an empty cell, and `4\3` is a block with the sums across and down:
//!
//! ```
//! use puzzled_engine::{shared::{budget::Budget, text::Verdict}, registry};
//!
//! let kakuro = registry::kind("kakuro").unwrap();
//! let text = "# \\3 \\4\n4\\ . .\n3\\ . .";
//! let verdict = kakuro.validate("3x3", text, &mut Budget::of_nodes(1_000)).unwrap();
//! let Verdict::Unique { solution } = verdict else { panic!("{verdict:?}") };
//! println!("{}", kakuro.draw("3x3", &solution).unwrap());
//! ```
//!
//! Draw a puzzle as SVG:
//!
//! ```
//! use puzzled_engine::{picture::{Shown, svg}, registry};
//!
//! let text = "...62..3.4..15.....134.9...63.7.1..25.9...71.27...4398..7...5..352......9...3....";
//! let sudoku = registry::kind("sudoku").unwrap();
//! let picture = sudoku.picture("9x9", Shown { text, rules: true, ..Shown::default() }).unwrap();
//! assert_eq!((picture.columns, picture.rows), (9, 9));
//! println!("{}", svg::write(&picture));
//! ```
//!
//! State your own problem, here the Latin squares of order 3 whose diagonal adds up to 6:
//!
//! ```
//! use puzzled_engine::{shared::budget::Budget, csp::{Constraint, Domain, Model, Search, Var}};
//!
//! let mut model = Model::new();
//! let rows: Vec<Vec<Var>> =
//!     (0..3).map(|_| (0..3).map(|_| model.variable(Domain::range(1, 3))).collect()).collect();
//! for line in 0..3 {
//!     model.post(Constraint::AllDifferent(rows[line].clone()));
//!     model.post(Constraint::AllDifferent(rows.iter().map(|row| row[line]).collect()));
//! }
//! model.post(Constraint::Sum { vars: (0..3).map(|line| rows[line][line]).collect(), total: 6 });
//!
//! let (mut search, mut budget) = (Search::new(&model), Budget::of_nodes(1_000));
//! let mut squares = Vec::new();
//! while let Some(square) = search.next_solution(&mut budget).unwrap() {
//!     assert_eq!((0..3).map(|line| square[rows[line][line].index()]).sum::<u8>(), 6);
//!     squares.push(square);
//! }
//! assert_eq!(squares.len(), 8);
//! ```

mod binairo;
mod calcudoku;
pub mod csp;
mod futoshiki;
pub mod grid;
mod jigsaw;
pub mod kakuro;
mod killer;
pub mod picture;
pub mod registry;
pub mod shared;
mod skyscrapers;
mod star_battle;
pub mod sudoku;
mod suguru;
#[cfg(any(test, feature = "test-kind"))]
#[doc(hidden)]
pub mod toy;

/// Its examples are tested with those of this page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The version of everything that decides which puzzle a seed yields, and of what can be made. It is stored with each puzzle. Raise it
/// if a release makes what the last one did not, or if the puzzle of a seed in `tests/golden` changes. In the second case, state it as
/// the [`seed_version`](shared::kind::PuzzleKind::seed_version) of the variants whose puzzles change.
pub const ENGINE_VERSION: u32 = 21;

/// The engine version of the last minor release. Its programs may use the same database, so no text is stored that they cannot read,
/// see [`novelty`](shared::kind::PuzzleKind::novelty).
pub const LAST_MINOR_VERSION: u32 = 18;

/// The engine version of the first release. Everything that existed then has this version as its `since`.
pub const FIRST_VERSION: u32 = 17;
