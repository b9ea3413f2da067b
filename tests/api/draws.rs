//! `GetPuzzle`, `GetStock`, and `GetServerInfo`: the fields of a puzzle, newer ratings on request, draws by criteria, draws
//! that find no puzzle, counts of the stock, and what the server tells about its version, kinds, levels, and limits.

use puzzled_base::ids::PuzzleId;
use puzzled_engine::{
    registry,
    shared::{metrics::Metrics, record::StoredRecord},
    sudoku::metrics::SudokuMetrics,
};
use puzzled_store::{
    RatingStore as _,
    stock::rating::{NewRating, Outcome},
};

use crate::prelude::*;

#[tokio::test]
async fn puzzle_has_all_its_fields_and_its_solution_only_on_request() {
    let server = Server::start().await;
    let job = server.fill(Symmetry::Rotation180, 26, 1).await;
    let request = pb::GetPuzzleRequest { include_record: true, ..sudoku_for("") };
    let drawn = server.get_puzzle(request).await.unwrap();
    assert_eq!((drawn.id.as_str(), drawn.text.as_str(), drawn.solution.as_str()), ("puzzle-1", PUZZLE, ""));
    assert_eq!((drawn.kind(), drawn.variant.as_str()), (pb::Kind::Sudoku, "9x9"));
    assert_eq!((drawn.symmetry(), drawn.level()), (pb::Symmetry::Rotation180, pb::Level::Hard));
    assert_eq!((drawn.rating.to_bits(), drawn.givens), (2.6_f64.to_bits(), 30));
    assert_eq!((drawn.technique.as_str(), drawn.predicted_seconds), ("Hidden Single", Some(120)));
    assert_eq!((drawn.seed, drawn.job_id.as_str(), drawn.job_index, drawn.job_try), (7, "job-1", 0, 0));
    assert!(drawn.engine_version > 0 && drawn.create_time.is_some());
    assert_eq!((drawn.rows, drawn.columns, drawn.drawing.as_str(), drawn.regions.len()), (9, 9, "", 0));
    assert_eq!(job.id.to_string(), drawn.job_id);
    let record = drawn.record.clone().unwrap();
    assert_eq!((record.rater.as_str(), record.rater_version), ("puzzled-se", 1));
    assert_eq!(record.explanation, "hidden singles in boxes");
    assert_eq!(record.techniques[0].technique, "Hidden Single");
    let Some(pb::rating_record::Metrics::Sudoku(metrics)) = record.metrics else { panic!("no metrics") };
    assert_eq!((metrics.er.to_bits(), metrics.freedom, metrics.backtracks), (2.6_f64.to_bits(), 171, 4));

    let by_id = pb::GetPuzzleRequest {
        id: drawn.id.clone(),
        include_solution: true,
        include_record: true,
        ..Default::default()
    };
    let found = server.get_puzzle(by_id).await.unwrap();
    assert_eq!(found, pb::Puzzle { solution: SOLUTION.to_owned(), ..drawn.clone() });
    for (include_solutions, expected) in [(false, drawn), (true, found)] {
        let list = pb::ListPuzzlesRequest { include_solutions, include_record: true, ..Default::default() };
        assert_eq!(server.list_puzzles(list).await.unwrap().puzzles, [expected]);
    }
}

#[tokio::test]
async fn puzzle_of_a_newer_version_is_shown_bare_and_drawn_for_nobody() {
    let server = Server::start().await;
    let later = Metrics::of("later", &[7]);
    for (kind, variant) in [("later", "9x9"), ("sudoku", "5x5"), ("kakuro", "8x10-later9"), ("sudoku", "9x9")] {
        server.store_newer(kind, variant, later.clone()).await;
    }
    let mut puzzles = server.puzzles().await;
    let all = pb::ListPuzzlesRequest {
        include_drawing: true,
        include_structure: true,
        include_links: true,
        include_record: true,
        ..Default::default()
    };
    let listed = puzzles.list_puzzles(all).await.unwrap().into_inner().puzzles;
    let kinds: Vec<_> = listed.iter().map(pb::Puzzle::kind).collect();
    assert_eq!(kinds, [pb::Kind::Unspecified, pb::Kind::Sudoku, pb::Kind::Kakuro, pb::Kind::Sudoku]);
    assert!(listed.iter().all(|puzzle| puzzle.text == PUZZLE && puzzle.record.as_ref().unwrap().metrics.is_none()));
    assert!(listed[..3].iter().all(|puzzle| puzzle.drawing.is_empty() && (puzzle.rows, puzzle.columns) == (0, 0)));
    assert!(listed[..3].iter().all(|puzzle| puzzle.board.is_empty() && puzzle.links.is_empty()));
    assert!(listed[3].rows == 9 && !listed[3].drawing.is_empty(), "only the metrics are unknown");

    let all = pb::ExportPuzzlesRequest {
        include_drawing: true,
        include_structure: true,
        include_links: true,
        include_record: true,
        ..Default::default()
    };
    let exported = puzzles.export_puzzles(all).await.unwrap().into_inner().message().await.unwrap().unwrap();
    assert_eq!(exported.puzzles, listed);
    for puzzle in listed {
        let by_id = pb::GetPuzzleRequest {
            id: puzzle.id.clone(),
            include_drawing: true,
            include_structure: true,
            include_links: true,
            include_record: true,
            ..Default::default()
        };
        assert_eq!(puzzles.get_puzzle(by_id).await.unwrap().into_inner().puzzle, Some(puzzle));
    }
    let any = pb::GetPuzzleRequest { variant: "any".to_owned(), ..sudoku_for("") };
    for _ in 0..20 {
        let drawn = puzzles.get_puzzle(any.clone()).await.unwrap().into_inner().puzzle.unwrap();
        assert_eq!(drawn.variant, "9x9");
    }
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Kakuro.into(), ..any };
    check(puzzles.get_puzzle(any).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn drawings_come_only_on_request() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 151).await;
    let mut puzzles = server.puzzles().await;
    let request = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), include_drawing: true, ..Default::default() };
    let shown = server.get_puzzle(request).await.unwrap();
    assert_eq!(shown.drawing.lines().count(), 13, "{}", shown.drawing);
    assert!(shown.drawing.is_ascii() && shown.drawing.lines().all(|line| line.len() <= 100), "{}", shown.drawing);

    server.create_daily(pb::Kind::Sudoku).await;
    let daily = pb::GetDailyPuzzleRequest::default();
    let plain = puzzles.get_daily_puzzle(daily.clone()).await.unwrap().into_inner().puzzle.unwrap();
    let daily = pb::GetDailyPuzzleRequest { include_drawing: true, ..daily };
    let shown = puzzles.get_daily_puzzle(daily).await.unwrap().into_inner().puzzle.unwrap();
    assert!(plain.drawing.is_empty() && shown.drawing.lines().count() == 13, "{}", shown.drawing);

    // The day has one of the 151 puzzles.
    let list = pb::ListPuzzlesRequest { page_size: 150, ..Default::default() };
    let plain = server.list_puzzles(list.clone()).await.unwrap();
    assert!(plain.puzzles.len() == 150 && plain.puzzles.iter().all(|puzzle| puzzle.drawing.is_empty()));
    let shown = pb::ListPuzzlesRequest { include_drawing: true, ..list };
    let shown = server.list_puzzles(shown).await.unwrap();
    assert!(shown.puzzles.len() == 100 && shown.puzzles.iter().all(|puzzle| !puzzle.drawing.is_empty()));
    // The next page may omit them, and may be longer.
    let rest = pb::ListPuzzlesRequest { page_token: shown.next_page_token, ..Default::default() };
    assert_eq!(server.list_puzzles(rest).await.unwrap().puzzles[..], plain.puzzles[100..]);

    let export = pb::ExportPuzzlesRequest { include_drawing: true, ..Default::default() };
    assert_eq!(server.export(export).await.unwrap()[0], shown.puzzles);
    assert_eq!(server.withdraw("puzzle-1").await.unwrap().drawing, "");
}

#[tokio::test]
async fn draws_match_all_criteria() {
    let server = Server::start().await;
    for (symmetry, rating) in [(Symmetry::None, 15), (Symmetry::None, 16), (Symmetry::Full, 16), (Symmetry::None, 40)] {
        server.fill(symmetry, rating, 3).await;
    }
    let cases: [(pb::GetPuzzleRequest, &[&str]); 8] = [
        (sudoku_for(""), &["1.5", "1.6", "4"]),
        (pb::GetPuzzleRequest { level: pb::Level::Easy.into(), ..sudoku_for("") }, &["1.5"]),
        (pb::GetPuzzleRequest { level: pb::Level::Medium.into(), ..sudoku_for("") }, &["1.6"]),
        (pb::GetPuzzleRequest { min_rating: Some(1.6), ..sudoku_for("") }, &["1.6", "4"]),
        (pb::GetPuzzleRequest { max_rating: Some(1.6), ..sudoku_for("") }, &["1.5", "1.6"]),
        (pb::GetPuzzleRequest { min_rating: Some(1.6), max_rating: Some(1.6), ..sudoku_for("") }, &["1.6"]),
        (pb::GetPuzzleRequest { symmetry: pb::Symmetry::Full.into(), ..sudoku_for("") }, &["1.6"]),
        (pb::GetPuzzleRequest { variant: "9x9".to_owned(), level: pb::Level::Hard.into(), ..sudoku_for("") }, &["4"]),
    ];
    for (request, expected) in cases {
        let mut found = BTreeSet::new();
        for _ in 0..60 {
            let puzzle = server.get_puzzle(request.clone()).await.unwrap();
            if request.symmetry != 0 {
                assert_eq!(puzzle.symmetry, request.symmetry);
            }
            found.insert(puzzle.rating.to_string());
        }
        assert!(found.iter().eq(expected), "{request:?}: {found:?}");
    }
}

#[tokio::test]
async fn an_empty_draw_names_the_nearest_filled_shelves() {
    let server = Server::start().await;
    let details = check(server.get_puzzle(sudoku_for("")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(details.error_info().unwrap().metadata.is_empty(), "nothing is near in an empty stock");

    server.fill(Symmetry::None, 12, 3).await;
    server.fill(Symmetry::Full, 28, 1).await;
    let wanted = pb::GetPuzzleRequest { min_rating: Some(3.0), max_rating: Some(3.4), ..sudoku_for("") };
    let refused = server.get_puzzle(wanted).await;
    let message = "no Sudoku 9x9 rated 3.0–3.4 in stock; nearest: 30 givens, rated 2.8 (1 puzzle); queue some with Generate \
                   (`puzzled enqueue`), or set enqueue_if_short (`puzzled get --make`)";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!(metadata["nearest_1"], "sudoku 9x9, 30 givens, rated 2.8: 1");
    assert_eq!(metadata["nearest_2"], "sudoku 9x9, 30 givens, rated 1.2: 3");
    let violation = &details.precondition_failure().unwrap().violations[0];
    assert_eq!(violation.subject, "Sudoku 9x9 rated 3.0–3.4");
}

#[tokio::test]
async fn stock_is_counted_by_shelf_and_by_level() {
    let server = Server::start().await;
    for (symmetry, rating, count) in [(Symmetry::None, 12, 3), (Symmetry::Full, 12, 2), (Symmetry::None, 28, 1)] {
        server.fill(symmetry, rating, count).await;
    }
    let all = server.get_stock(pb::GetStockRequest::default()).await.unwrap();
    assert_eq!(all.total, 6);
    let levels: Vec<_> = all.levels.iter().map(|one| (one.level(), one.variant.as_str(), one.count)).collect();
    assert_eq!(levels, [(pb::Level::Easy, "9x9", 5), (pb::Level::Hard, "9x9", 1)]);
    let shelves: Vec<_> = all.shelves.iter().map(|one| (one.symmetry(), one.rating.to_string(), one.count)).collect();
    let row = |symmetry, rating: &str, count| (symmetry, rating.to_owned(), count);
    let (none, full) = (pb::Symmetry::None, pb::Symmetry::Full);
    assert_eq!(shelves, [row(none, "1.2", 3), row(none, "2.8", 1), row(full, "1.2", 2)]);

    let easy =
        pb::GetStockRequest { kind: 1, level: pb::Level::Easy.into(), symmetry: full.into(), ..Default::default() };
    let some = server.get_stock(easy).await.unwrap();
    assert_eq!((some.total, some.shelves.len(), some.levels.len()), (2, 1, 1));
    let evil = pb::GetStockRequest { kind: 1, level: pb::Level::Evil.into(), ..Default::default() };
    assert_eq!(server.get_stock(evil).await.unwrap(), pb::GetStockResponse::default());
}

/// The number of digits of a variant.
fn size(variant: &pb::VariantInfo) -> u32 {
    u32::try_from(variant.symbols.len()).unwrap()
}

#[tokio::test]
async fn server_info_has_versions_kinds_levels_and_limits() {
    let server = Server::start().await;
    let info = server.info().await.get_server_info(pb::GetServerInfoRequest {}).await.unwrap().into_inner();
    assert_eq!((info.version.as_str(), info.engine_version > 0), (env!("CARGO_PKG_VERSION"), true));
    let caller = pb::Caller { name: "anonymous".to_owned(), role: pb::Role::Admin.into(), solutions: true };
    assert_eq!(info.caller, Some(caller));
    let sudoku = &info.kinds[0];
    assert_eq!((sudoku.kind(), sudoku.default_variant.as_str()), (pb::Kind::Sudoku, "9x9"));
    assert!(!sudoku.variant_meaning.is_empty());
    let ratings = info.kinds.iter().flat_map(|kind| &kind.variants).map(|variant| {
        let levels: Vec<_> = variant.levels.iter().map(|level| level.level().as_str_name()).collect();
        let all = ["LEVEL_EASY", "LEVEL_MEDIUM", "LEVEL_HARD", "LEVEL_EXPERT", "LEVEL_EVIL"];
        assert_eq!(levels, all[..levels.len()], "without gaps");
        for level in &variant.levels {
            assert_eq!(level.supported, level.min_rating <= variant.max_generated_rating, "{level:?}");
            assert!(level.min_rating <= level.max_rating && !level.reason.is_empty());
        }
        // The last level ends where the rater does.
        assert_eq!(variant.levels.last().map(|level| level.max_rating), Some(variant.max_rating));
        assert!(variant.rules.contains(" each ") && variant.rules.ends_with('.'), "{}", variant.rules);
        assert!(!variant.rater.is_empty() && variant.rater_version > 0 && !variant.symmetries.is_empty());
        let has_boxes = variant.rules.contains("box");
        assert_eq!(variant.box_rows * variant.box_columns, if has_boxes { size(variant) } else { 0 });
        (variant.name.as_str(), variant.max_rating, variant.max_generated_rating)
    });
    let known = registry::kinds().iter().flat_map(|kind| kind.variants());
    let known = known.map(|known| (known.name, known.rating_max.decimal(), known.generated_max.decimal()));
    assert_eq!(ratings.collect::<Vec<_>>(), known.collect::<Vec<_>>());
    let techniques = |kind: usize| &info.kinds[kind].variants[0].techniques;
    let named = |name: &str| techniques(0).iter().find(|known| known.name == name).unwrap();
    for (name, rating, generated, rare) in [
        ("X-Wing", 3.2, true, false),
        ("Direct Claiming", 1.9, false, false),
        ("Dynamic Cell Forcing Chains (+)", 9.0, true, true),
        ("Dynamic Cell Forcing Chains (+ Nested Dynamic Forcing Chains)", 11.0, false, false),
    ] {
        let known = named(name);
        assert_eq!((known.min_rating, known.generated, known.rare), (rating, generated, rare), "{name}");
    }
    assert!(techniques(0).is_sorted_by(|one, other| one.min_rating <= other.min_rating));
    assert!(!techniques(1).is_empty() && techniques(1).iter().all(|known| !known.generated));
    let limits = info.limits.unwrap();
    assert_eq!((limits.max_count, limits.max_page_size, limits.max_request_bytes), (100_000, 200, 1 << 20));
    // Each limit is returned. 0 is returned only for limits that are off.
    let descriptors = DescriptorPool::decode(puzzled_api::DESCRIPTORS).unwrap();
    let of = descriptors.get_message_by_name("puzzled.v1.Limits").unwrap();
    let told = prost_reflect::DynamicMessage::decode(of.clone(), &*prost::Message::encode_to_vec(&limits)).unwrap();
    let off: Vec<_> = of.fields().filter(|field| !told.has_field(field)).map(|field| field.name().to_owned()).collect();
    assert_eq!(off, ["max_rating_nodes", "max_puzzles", "max_database_bytes"]);
}

/// Three puzzles rated 2.6, each with another outcome of a newer rating.
async fn rated_again() -> Server {
    let server = Server::start().await;
    server.fill(Symmetry::None, 26, 3).await;
    let record = StoredRecord {
        rater: "puzzled-se".to_owned(),
        rater_version: 99,
        explanation: "it is harder".to_owned(),
        techniques: vec![("Swordfish".to_owned(), Tenths(38), 2)],
        metrics: Metrics::of("sudoku", &SudokuMetrics { er: Tenths(42), ..SudokuMetrics::default() }),
    };
    let outcomes = [Outcome::Rated { rating: Tenths(42), record }, Outcome::AtLeast(Tenths(71)), Outcome::Stuck];
    let ratings = (1..).zip(outcomes).map(|(id, outcome)| NewRating {
        puzzle_id: PuzzleId(id),
        rater: "puzzled-se".to_owned(),
        rater_version: 99,
        outcome,
    });
    assert_eq!(server.store.add_ratings(&ratings.collect::<Vec<_>>(), None).await.unwrap(), 3);
    server
}

#[tokio::test]
async fn newer_ratings_come_if_they_are_asked_for_and_change_nothing_else() {
    let server = rated_again().await;
    let include = |include_ratings| pb::ListPuzzlesRequest { include_ratings, ..Default::default() };
    let plain = server.list_puzzles(include(false)).await.unwrap().puzzles;
    let listed = server.list_puzzles(include(true)).await.unwrap().puzzles;
    assert!(plain.iter().all(|puzzle| puzzle.ratings.is_empty()));
    let expected = [
        (pb::RatingOutcome::Rated, 4.2, pb::Level::Expert, true),
        (pb::RatingOutcome::AtLeast, 7.1, pb::Level::Evil, false),
        (pb::RatingOutcome::Stuck, 0.0, pb::Level::Unspecified, false),
    ];
    for ((puzzle, plain), expected) in listed.iter().zip(&plain).zip(expected) {
        let [rating] = &puzzle.ratings[..] else { panic!("{puzzle:?}") };
        assert_eq!((rating.outcome(), rating.rating, rating.level(), rating.record.is_some()), expected);
        assert_eq!((rating.rater.as_str(), rating.rater_version), ("puzzled-se", 99));
        assert!(rating.create_time.is_some());
        assert_eq!((puzzle.rating, puzzle.level()), (2.6, pb::Level::Hard));
        assert_eq!(pb::Puzzle { ratings: Vec::new(), ..puzzle.clone() }, *plain);
    }
    let record = listed[0].ratings[0].record.as_ref().unwrap();
    assert_eq!((record.rater_version, record.techniques[0].technique.as_str()), (99, "Swordfish"));
    // The same by ID, by a random draw, and as a stream.
    let by_id = pb::GetPuzzleRequest { id: "puzzle-2".to_owned(), include_ratings: true, ..Default::default() };
    assert_eq!(server.get_puzzle(by_id).await.unwrap(), listed[1]);
    let any = pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), include_ratings: true, ..Default::default() };
    let drawn = server.get_puzzle(any).await.unwrap();
    assert!(listed.contains(&drawn));
    let export = pb::ExportPuzzlesRequest { include_ratings: true, ..Default::default() };
    assert_eq!(server.export(export).await.unwrap(), [listed]);
}
