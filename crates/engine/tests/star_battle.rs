//! Tests of star battle through the trait. The rules and the turns are written here again, from the texts, and share nothing with the
//! engine.
#![cfg(test)]

use puzzled_engine::{
    registry,
    shared::{
        budget::Budget,
        kind::{HintFor, PuzzleKind, View},
        level::LevelBorder,
        resolve::OpenSpec,
        rng::Rng,
        spec::{Difficulty, Spec},
        symmetry::Symmetry,
        text::{Hint, RegionType, Verdict, board::PlayerBoard, compare::BoardState},
        tries::{Made, Try},
        variant::VariantInfo,
    },
};

fn kind() -> &'static dyn PuzzleKind {
    registry::kind("star_battle").unwrap()
}

fn spec(info: &VariantInfo, difficulty: Difficulty) -> Spec {
    let open = OpenSpec { symmetry: None, difficulty, min_givens: None, max_givens: None, technique: None };
    info.resolve("star_battle", info.name, &open).unwrap()
}

/// Calls `check` with some puzzles of each variant and level.
fn each_puzzle(count: usize, mut check: impl FnMut(&Made, &'static str, &LevelBorder)) {
    for info in kind().variants() {
        for border in info.levels {
            let spec = spec(info, Difficulty::Level(border.level));
            kind().check_spec(&spec).unwrap();
            let tries =
                (0..).map(|seed| kind().make(&spec, &mut Rng::from_seed(seed), &mut Budget::of_nodes(1_000_000)));
            let made =
                tries.take(2_000).filter_map(|ended| if let Try::Made(made) = ended { Some(made) } else { None });
            let made: Vec<_> = made.take(count).collect();
            assert_eq!(made.len(), count, "{} {:?}", info.name, border.level);
            for made in &made {
                check(made, info.name, border);
            }
        }
    }
}

/// The signs of the cells and the letters of the regions.
fn parts(text: &str) -> (usize, Vec<u8>, Vec<u8>) {
    let words: Vec<_> = text.split(' ').collect();
    let size = words[0].split_once('x').unwrap().0.parse().unwrap();
    (size, words[1].bytes().collect(), words[2].strip_prefix("regions=").unwrap().bytes().collect())
}

/// All placements of one star in each row, column, and region without stars that touch, each as the columns of the rows.
fn placements(size: usize, regions: &[u8]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new()];
    for row in 0..size {
        let fits = |before: &Vec<usize>, column: usize| {
            let region = |(row, column): (usize, usize)| regions[row * size + column];
            let is_apart = |(at, &other): (usize, &usize)| {
                other != column
                    && region((at, other)) != region((row, column))
                    && (at + 1 < row || other.abs_diff(column) > 1)
            };
            before.iter().enumerate().all(is_apart)
        };
        let next = |before: Vec<usize>| {
            let columns: Vec<_> = (0..size).filter(|column| fits(&before, *column)).collect();
            columns.into_iter().map(move |column| [&before[..], &[column]].concat())
        };
        found = found.into_iter().flat_map(next).collect();
    }
    found
}

/// The text turned or mirrored. The letters stay, so they may be out of order.
fn turned(text: &str, turn: usize) -> String {
    let (size, signs, regions) = parts(text);
    let source = |cell: usize| {
        let (row, column) = (cell / size, cell % size);
        let (row, column) = if turn & 4 == 0 { (row, column) } else { (column, row) };
        let row = if turn & 2 == 0 { row } else { size - 1 - row };
        row * size + if turn & 1 == 0 { column } else { size - 1 - column }
    };
    let moved = |of: &[u8]| -> String { (0..of.len()).map(|cell| char::from(of[source(cell)])).collect() };
    format!("{size}x{size}: {} regions={}", moved(&signs), moved(&regions))
}

#[test]
fn puzzle_of_each_level_has_one_solution_and_its_rating() {
    each_puzzle(3, |made, variant, border| {
        let (size, signs, regions) = parts(&made.text);
        assert!(signs.iter().all(|sign| *sign == b'.') && made.givens == 0, "{}", made.text);
        let (_, stars, _) = parts(&made.solution);
        let columns: Vec<_> =
            stars.chunks(size).map(|row| row.iter().position(|sign| *sign == b'*').unwrap()).collect();
        assert_eq!(made.solution.matches('*').count(), size, "{}", made.solution);
        assert_eq!(placements(size, &regions), [columns], "{}", made.text);
        let verdict = kind().validate(variant, &made.text, &mut Budget::of_nodes(100_000)).unwrap();
        assert_eq!(verdict, Verdict::Unique { solution: made.solution.clone() });
        assert!((border.min..=border.max).contains(&made.record.rating), "{} {}", made.text, made.record.rating);
        for text in [&made.text, &made.solution] {
            assert_eq!(kind().normalize("", text).as_ref(), Ok(text));
        }
        let of_board = kind().regions(variant, &made.text).unwrap();
        assert_eq!(of_board.len(), size);
        assert!(of_board.iter().all(|region| region.region_type == RegionType::Region && region.cells.len() > 1));
    });
}

#[test]
fn turned_puzzle_has_the_same_form_rating_and_metrics() {
    each_puzzle(2, |made, variant, _| {
        for turn in 0..8 {
            let turned = turned(&made.text, turn);
            assert_eq!(kind().canonical("", &turned).as_ref(), Ok(&made.canonical), "{turned}");
            let record = kind().reason(variant, &turned, &mut Budget::of_nodes(0)).unwrap().record.unwrap();
            let rated = |it: &puzzled_engine::shared::record::RatingRecord| (it.rating, it.technique);
            assert_eq!(rated(&record), rated(&made.record), "{turned}");
            let rounds = |it: &puzzled_engine::shared::record::RatingRecord| {
                it.metrics.read::<puzzled_engine::grid::GridMetrics>().map(|metrics| metrics.rounds)
            };
            assert_eq!(rounds(&record), rounds(&made.record), "{turned}");
        }
        let view = View { variant, symmetry: Symmetry::None, text: &made.text, solution: &made.solution };
        let view = kind().scramble(&view, &mut Rng::from_seed(5)).unwrap().unwrap();
        assert_eq!(kind().canonical(variant, &view.text).as_ref(), Ok(&made.canonical));
        let verdict = kind().validate(variant, &view.text, &mut Budget::of_nodes(100_000)).unwrap();
        assert_eq!(verdict, Verdict::Unique { solution: view.solution });
    });
}

#[test]
fn hints_lead_to_a_board_that_is_complete() {
    each_puzzle(1, |made, variant, _| {
        let puzzle = HintFor { variant, text: &made.text, solution: &made.solution };
        let (size, mut signs, _) = parts(&made.text);
        let hint = |signs: &[u8], candidates: &[u32]| {
            let text = String::from_utf8(signs.to_vec()).unwrap();
            let board = PlayerBoard { text: &text, candidates };
            (kind().hint(puzzle, board, &mut Budget::of_nodes(0)).unwrap(), kind().compare(puzzle, &text).unwrap())
        };
        // A cross in a cell with a star is wrong, and one in any other cell is not.
        let (_, stars, _) = parts(&made.solution);
        let star = stars.iter().position(|sign| *sign == b'*').unwrap();
        let mut crossed: Vec<u32> = stars.iter().map(|sign| if *sign == b'*' { 2 } else { 1 }).collect();
        let Hint::Steps(steps) = hint(&signs, &crossed).0 else { panic!("{}", made.text) };
        assert_eq!((steps[0].technique, steps[0].placed.len()), ("Last Place", 1));
        crossed[star] = 1;
        assert_eq!(hint(&signs, &crossed).0, Hint::Wrong(vec![(star.try_into().unwrap(), 0)]));
        let mut placed = 0;
        while let (Hint::Steps(steps), state) = hint(&signs, &[]) {
            assert_eq!(state, BoardState::CorrectSoFar);
            for step in &steps {
                let sentence = kind().sentence(variant, step);
                assert!(sentence.contains("star") && sentence.ends_with('.'), "{sentence}");
            }
            signs[usize::from(steps.last().unwrap().placed[0].0)] = b'*';
            placed += 1;
        }
        assert_eq!((placed, hint(&signs, &[])), (size, (Hint::Solved, BoardState::Complete)));
    });
}

#[test]
fn stars_that_exclude_each_other_are_named_with_their_cells() {
    let text = |stars: &[usize]| {
        let signs: String = (0..36).map(|cell| if stars.contains(&cell) { '*' } else { '.' }).collect();
        format!("6x6: {signs} regions=aabbccaabbccaabbccddeeffddeeffddeeff")
    };
    for (stars, cells, reason) in [
        (&[0, 4][..], vec![0, 4], "two stars in row 1"),
        (&[0, 13], vec![0, 13], "two stars in region 1"),
        (&[0, 1], vec![0, 1], "two stars in row 1, two stars in region 1"),
        (&[15, 20], vec![15, 20], "stars that touch"),
    ] {
        let verdict = kind().validate("", &text(stars), &mut Budget::of_nodes(100)).unwrap();
        assert_eq!(verdict, Verdict::Contradiction { cells, reason: reason.to_owned() });
    }
}

#[test]
fn spec_with_givens_symmetry_or_technique_is_refused() {
    let info = kind().variant("8x8").unwrap();
    let refusal = |open: &OpenSpec<'_>| match info.resolve("star_battle", "8x8", open) {
        Ok(spec) => kind().check_spec(&spec).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    let open =
        OpenSpec { symmetry: None, difficulty: Difficulty::Any, min_givens: None, max_givens: None, technique: None };
    assert_eq!(
        refusal(&OpenSpec { min_givens: Some(1), ..open }),
        "min_givens: star_battle cannot be asked for by its givens; omit the field"
    );
    assert_eq!(
        refusal(&OpenSpec { symmetry: Some(Symmetry::Full), ..open }),
        "symmetry: star_battle 8x8 has no symmetry full; use none"
    );
    assert_eq!(
        refusal(&OpenSpec { technique: info.technique("Exclusion"), ..open }),
        "technique: star_battle cannot be asked for by a technique, because its rating states the class of reasoning; omit the \
         field"
    );
}
