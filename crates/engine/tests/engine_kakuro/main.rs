//! Tests the Kakuro engine through its public API: generated puzzles, steps, canonical forms, texts, seeds, and the
//! agreement of the two solvers. Published puzzles are tested too if `PUZZLED_DATA` names a folder with them.
#![cfg(test)]

mod frozen;
mod hints;
mod one_cell;
mod properties;
mod steps;

use std::{fs, path::PathBuf, sync::atomic::AtomicBool};

use puzzled_engine::{
    kakuro::{
        Kakuro,
        board::{Digit, Puzzle},
        canonical, core,
        layout::Layout,
        layouts::{Wanted, has_symmetry, is_joined, make},
        metrics::KakuroMetrics,
        notation::{text, url},
        solver, techniques,
    },
    shared::{
        budget::Budget,
        job_index::{IndexOutcome, JobIndex, first_hit},
        kind::{PuzzleKind, WebLink},
        level::{Level, Tenths, level_of},
        record::RatingRecord,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        text::{RegionType, TextError, Unrated, Verdict},
        tries::Made,
    },
};

fn spec(variant: &str, symmetry: Symmetry, difficulty: Difficulty) -> Spec {
    Spec { kind: "kakuro".to_owned(), variant: variant.to_owned(), symmetry, difficulty, givens: None, technique: None }
}

fn generate(spec: &Spec, index: u32) -> Made {
    assert_eq!(Kakuro.check_spec(spec), Ok(()), "{spec:?}");
    let at = JobIndex { kind: &Kakuro, spec, seed: 7, index };
    match first_hit(&at, 0..200, &AtomicBool::new(false), &mut |_| ()) {
        IndexOutcome::Hit { made, .. } => *made,
        other => panic!("{spec:?}: {other:?}"),
    }
}

/// Three puzzles of each of ten shapes and symmetries.
fn mixed() -> Vec<(Spec, Made)> {
    let shapes = [
        ("4x4", Symmetry::None),
        ("4x8", Symmetry::Rotation180),
        ("6x6", Symmetry::Full),
        ("7x7", Symmetry::Rotation90),
        ("8x10", Symmetry::Rotation180),
        ("8x10-runs9-white70", Symmetry::None),
        ("10x8-runs5", Symmetry::Horizontal),
        ("11x12", Symmetry::Vertical),
        ("12x12-white55", Symmetry::Diagonal),
        ("13x13", Symmetry::AntiDiagonal),
    ];
    let specs = shapes.map(|(variant, symmetry)| spec(variant, symmetry, Difficulty::Any));
    specs.into_iter().flat_map(|spec| (0..3).map(move |index| (spec.clone(), generate(&spec, index)))).collect()
}

fn solutions(puzzle: &Puzzle, limit: usize) -> [Vec<Vec<Digit>>; 2] {
    let never = AtomicBool::new(false);
    let mut found = [
        solver::solutions(puzzle, limit, &mut Budget::new(200_000, &never)).unwrap(),
        core::solutions(puzzle, limit, &mut Budget::new(200_000, &never)).unwrap(),
    ];
    for solutions in &mut found {
        solutions.sort();
    }
    found
}

#[test]
fn generated_puzzles_are_unique_and_have_the_wanted_layout() {
    for (spec, made) in mixed() {
        let puzzle = text::parse(&made.text).unwrap();
        let solution = text::parse_board(&made.solution).unwrap();
        assert_eq!(solution.puzzle, puzzle);
        assert_eq!(solutions(&puzzle, 2), [[solution.digits.clone()], [solution.digits]], "{}", made.text);
        let layout = puzzle.layout();
        let size = format!("{}x{}", layout.width(), layout.height());
        assert!(spec.variant.starts_with(&size) && is_joined(layout) && has_symmetry(layout, spec.symmetry));
        let (cap, share) = match spec.variant.as_str() {
            "8x10-runs9-white70" => (9, 70),
            "10x8-runs5" => (5, 62),
            "12x12-white55" => (7, 55),
            _ => (7, 62),
        };
        assert!(layout.runs().iter().all(|run| run.whites().len() <= cap), "{}", made.text);
        assert!(100 * layout.cells().len() >= share * (layout.width() - 1) * (layout.height() - 1), "{}", made.text);
        assert_eq!(usize::from(made.givens), layout.runs().len());
    }
}

#[test]
fn the_digits_of_each_run_add_up_to_its_sum() {
    for (spec, made) in mixed() {
        let size = Kakuro.size(&spec.variant, &made.text).unwrap();
        let rows: Vec<Vec<&str>> = made.solution.lines().map(|row| row.split(' ').collect()).collect();
        assert_eq!((rows.len(), rows[0].len()), (usize::from(size.rows), usize::from(size.columns)), "{spec:?}");
        let at = |cell: u16| rows[usize::from(cell / size.columns)][usize::from(cell % size.columns)];
        let regions = Kakuro.regions(&spec.variant, &made.text).unwrap();
        assert_eq!(regions.len(), usize::from(made.givens), "a run a clue: {}", made.text);
        for region in &regions {
            assert_eq!((region.region_type, region.operator), (RegionType::Run, None));
            let digits: Vec<u32> = region.cells.iter().map(|&cell| at(cell).parse().unwrap()).collect();
            assert_eq!(region.sum, Some(digits.iter().sum()), "{region:?}\n{}", made.solution);
            // The clue is in the cell before the first one, in the direction of the run.
            let step = region.cells[1] - region.cells[0];
            assert!(region.cells.windows(2).all(|pair| pair[1] - pair[0] == step), "{region:?}");
            let (across, down) = at(region.cells[0] - step).split_once('\\').unwrap();
            let clue = if step == 1 { across } else { down };
            assert_eq!(region.sum, clue.parse().ok(), "{region:?}\n{}", made.text);
        }
        // Each white cell is in one run across and one down.
        let in_runs = regions.iter().map(|region| region.cells.len()).sum::<usize>();
        assert_eq!(in_runs, 2 * made.text.matches('.').count(), "{}", made.text);
    }
}

#[test]
fn steps_agree_with_the_solution_and_reach_it() {
    let never = AtomicBool::new(false);
    for (_, made) in mixed().into_iter().chain(levels()) {
        let puzzle = text::parse(&made.text).unwrap();
        let layout = puzzle.layout();
        let digits = text::parse_board(&made.solution).unwrap().digits;
        let digit_at = |cell: u16| digits[layout.cells().iter().position(|&other| other == cell).unwrap()];
        let steps = techniques::reason(&puzzle, &mut Budget::new(1_000_000, &never)).unwrap();
        let mut placed = 0;
        for step in &steps {
            assert!(step.placed.iter().all(|&(cell, digit)| digit_at(cell) == digit), "{step:?}\n{}", made.text);
            assert!(step.removed.iter().all(|&(cell, digit)| digit_at(cell) != digit), "{step:?}\n{}", made.text);
            assert!(!step.cells.is_empty() && techniques::sentence(step).ends_with('.'), "{step:?}");
            assert!(!(step.placed.is_empty() && step.removed.is_empty()), "{step:?}");
            placed += step.placed.len();
        }
        assert_eq!(placed, digits.len(), "{}", made.text);
        let reasoned = Kakuro.reason("", &made.text, &mut Budget::new(u64::MAX, &never)).unwrap();
        assert_eq!((reasoned.steps, reasoned.record), (steps, Ok(made.record)));
    }
}

fn levels() -> Vec<(Spec, Made)> {
    let specs = Level::ALL.map(|level| spec("8x10", Symmetry::Rotation180, Difficulty::Level(level)));
    specs.into_iter().flat_map(|spec| (0..2).map(move |index| (spec.clone(), generate(&spec, index)))).collect()
}

#[test]
fn wanted_level_or_range_is_met() {
    for (spec, made) in levels() {
        assert_eq!(Difficulty::Level(level_of(Kakuro.variants()[0].levels, made.record.rating)), spec.difficulty);
    }
    for (min, max) in [(20, 22), (36, 37), (48, 49)] {
        let difficulty = Difficulty::Range { min: Tenths(min), max: Tenths(max) };
        let made = generate(&spec("9x8", Symmetry::None, difficulty), 0);
        assert!((min..=max).contains(&made.record.rating.0), "{}", made.record.explanation);
    }
}

#[test]
fn layout_of_the_caller_is_filled_unchanged() {
    let variant = "5x5:#####,#..##,#...#,##...,###..";
    let made = generate(&spec(variant, Symmetry::Rotation180, Difficulty::Any), 0);
    let signs: String = made.text.split_whitespace().map(|token| if token == "." { '.' } else { '#' }).collect();
    assert_eq!(signs, variant[4..].replace(',', ""));
}

#[test]
fn texts_and_links_read_back_as_the_same_puzzle() {
    for (spec, made) in mixed() {
        let puzzle = text::parse(&made.text).unwrap();
        assert_eq!(text::parse(&url::write(&puzzle)).as_ref(), Ok(&puzzle));
        assert_eq!(Kakuro.links("", &made.text), Ok(vec![WebLink { name: "puzz.link", url: url::write(&puzzle) }]));
        assert_eq!(Kakuro.normalize(&spec.variant, &url::write(&puzzle)).as_ref(), Ok(&made.text));
        let drawing = Kakuro.draw("", &made.solution).unwrap();
        assert!(drawing.lines().all(|line| line.len() <= 100) && drawing.ends_with("+\n"));
    }
    let of_size = Kakuro.normalize("8x10", "# \\4 \\3\n3\\ . .\n4\\ . .");
    let reason = "the text is 3x3, but the variant is 8x10".to_owned();
    assert_eq!(of_size, Err(TextError::Malformed { reason }));
}

#[test]
fn isomorphs_share_canonical_form_and_solution_count() {
    let mut forms: Vec<String> = Vec::new();
    for (_, made) in mixed() {
        let puzzle = text::parse(&made.text).unwrap();
        assert_eq!(canonical::canonical(&puzzle), made.canonical);
        for number in 0..16 {
            let image = canonical::image(&puzzle, number);
            assert_eq!(canonical::canonical(&image), made.canonical, "{number} {}", made.text);
            assert_eq!(solutions(&image, 2).map(|found| found.len()), [1, 1]);
        }
        forms.push(made.canonical);
    }
    let count = forms.len();
    forms.sort();
    forms.dedup();
    assert_eq!(forms.len(), count, "different seeds gave the same puzzle");
}

/// On such a board, the steps may fill every cell although there is no solution. A record must not be made from that.
#[test]
fn puzzle_without_a_solution_has_no_rating() {
    let never = AtomicBool::new(false);
    for text in ["# \\15 \\6\n13\\ . .\n9\\ . .", "# \\3 \\17\n4\\ . .\n10\\ . ."] {
        let mut budget = Budget::new(1_000, &never);
        let verdict = Kakuro.validate("", text, &mut budget).unwrap();
        assert!(matches!(verdict, Verdict::Contradiction { .. }), "{text}: {verdict:?}");
        assert_eq!(Kakuro.reason("", text, &mut budget).unwrap().record, Err(Unrated::Stuck), "{text}");
    }
}

/// The search follows chains in rounds, so the order of the runs does not matter.
#[test]
fn isomorphs_need_chains_of_the_same_length() {
    let never = AtomicBool::new(false);
    let of_level = |level| generate(&spec("8x10", Symmetry::None, Difficulty::Level(level)), 1);
    for made in [Level::Expert, Level::Evil].map(of_level) {
        let puzzle = text::parse(&made.text).unwrap();
        let needed = |record: &RatingRecord| {
            let metrics = record.metrics.read::<KakuroMetrics>().unwrap();
            (metrics.tier, metrics.chain)
        };
        for number in 0..16 {
            let image = text::write(&canonical::image(&puzzle, number));
            let reasoned = Kakuro.reason("", &image, &mut Budget::new(u64::MAX, &never)).unwrap();
            assert_eq!(needed(&reasoned.record.unwrap()), needed(&made.record), "{number} {}", made.text);
        }
    }
}

/// The puzzles have random digits on random layouts; many have several solutions.
#[test]
fn kernel_and_core_find_the_same_solutions() {
    let mut rng = Rng::from_seed(3);
    let mut several = 0;
    for round in 0..150 {
        let (width, height) = [(4, 5), (5, 5), (7, 5), (6, 7)][round % 4];
        let wanted = Wanted { width, height, run_max: 6, white_min: 60, symmetry: Symmetry::None };
        let layout = layout(&wanted, &mut rng).unwrap();
        let puzzle = Puzzle::of_solution(layout.clone(), &random_fill(&layout, &mut rng));
        let [by_kernel, by_core] = solutions(&puzzle, 100_000);
        assert_eq!(by_kernel, by_core, "{}", text::write(&puzzle));
        assert!(by_kernel.iter().all(|digits| puzzle.is_solved_by(digits)));
        several += usize::from(by_kernel.len() > 1);
    }
    assert!(several > 50, "{several}");
}

/// A layout with these properties, or `None` after a bounded number of bad layouts.
fn layout(wanted: &Wanted, rng: &mut Rng) -> Option<Layout> {
    make(wanted, rng, &Budget::new(0, &AtomicBool::new(false))).unwrap()
}

fn random_fill(layout: &Layout, rng: &mut Rng) -> Vec<Digit> {
    'start: loop {
        let mut digits = vec![0; layout.cells().len()];
        for white in 0..digits.len() {
            let runs = layout.runs_of(white).map(|run| layout.runs()[run].whites());
            let taken =
                |digit: &Digit| runs.iter().any(|run| run.iter().any(|&other| digits[usize::from(other)] == *digit));
            let free: Vec<Digit> = (1..=9).filter(|digit| !taken(digit)).collect();
            if free.is_empty() {
                continue 'start;
            }
            digits[white] = free[rng.index(free.len())];
        }
        return digits;
    }
}

/// The names and texts of published puzzles, which are not part of the repository. `PUZZLED_DATA` names the folder; if it is
/// unset, nothing is checked.
fn real_puzzles() -> Vec<(String, String)> {
    #[expect(clippy::disallowed_methods, reason = "the data lie where the tester says, or nowhere")]
    let Ok(folder) = std::env::var("PUZZLED_DATA") else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        fs::read_dir(PathBuf::from(folder).join("kakuro")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| (path.file_stem().unwrap().display().to_string(), fs::read_to_string(path).unwrap());
    files.into_iter().map(read).collect()
}

#[test]
fn real_puzzles_have_their_published_solutions() {
    let never = AtomicBool::new(false);
    for (name, file) in real_puzzles() {
        let puzzle = text::parse(&file).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let [by_kernel, by_core] = solutions(&puzzle, 2);
        let wanted = if name.starts_with("nonunique_") { 2 } else { 1 };
        assert_eq!([by_kernel.len(), by_core.len()], [wanted; 2], "{name}");
        let (_, listed) = file.split_once("# solution\n").unwrap();
        let listed: Vec<Digit> =
            listed.lines().take_while(|line| !line.contains("solution")).flat_map(digits_of).collect();
        assert!(puzzle.is_solved_by(&listed), "{name}");
        if wanted == 2 {
            let verdict = Kakuro.validate("", &file, &mut Budget::new(100_000, &never)).unwrap();
            assert!(matches!(verdict, Verdict::Several { ref differ, .. } if differ.len() > 1), "{name}");
            continue;
        }
        assert_eq!([by_kernel[0].clone(), by_core[0].clone()], [listed.clone(), listed], "{name}");
        let reasoned = Kakuro.reason("", &file, &mut Budget::new(u64::MAX, &never)).unwrap();
        assert!(reasoned.record.is_ok(), "{name}");
        let address = file.lines().find_map(|line| line.strip_prefix("# pzpr: ")).unwrap();
        assert_eq!(text::parse(address).as_ref(), Ok(&puzzle), "{name}");
        assert!(url::write(&puzzle).ends_with(address), "{name}");
    }
}

fn digits_of(row: &str) -> Vec<Digit> {
    row.split_whitespace().filter_map(|token| token.parse().ok()).collect()
}

/// A seed decides the puzzle on every machine, as long as the engine version stays the same.
#[test]
fn seed_always_makes_the_same_puzzle() {
    let golden = [
        ("4x4", Symmetry::None, "# \\16 \\10 #/14\\ . . \\12/18\\ . . ./# 6\\ . ."),
        // The puzzles of a layout in the name are those of the first release.
        ("4x4:####,#..#,#...,##..", Symmetry::None, "# \\17 \\19 #/16\\ . . \\6/22\\ . . ./# 4\\ . ."),
        (
            "6x5",
            Symmetry::Rotation180,
            "# \\9 \\14 \\27 # #/23\\ . . . \\7 #/12\\ . . . . \\4/# 10\\ . . . ./# # 16\\ . . .",
        ),
    ];
    for (variant, symmetry, wanted) in golden {
        let made = generate(&spec(variant, symmetry, Difficulty::Any), 0);
        assert_eq!(made.text.replace('\n', "/"), wanted);
    }
}
