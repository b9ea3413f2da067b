//! Criteria: a filter finds the puzzles that meet all of them, whichever job made the puzzles, and no others.

use puzzled_engine::{registry, shared::rng::Rng};
use puzzled_store::stock::draws::{Draw, Stock};

use crate::{prelude::*, puzzles::paged, targets::wish as target_wish};

/// The techniques of the puzzles of the cases.
const TECHNIQUES: [&str; 3] = ["Naked Single", "X-Wing", "Swordfish"];

/// Whether a puzzle meets all criteria by its own properties, without its shelf's technique and givens.
fn meets(filter: &ShelfFilter, puzzle: &Puzzle) -> bool {
    let ShelfKey { kind, variant, base, symmetry, rating, .. } = &puzzle.shelf;
    let (info, givens) = (registry::kind(kind).unwrap().variant(variant).unwrap(), puzzle.givens);
    let is_sudoku = kind == "sudoku";
    let styled = info.delivered(*rating).unwrap_or(Givens::new(0, u16::MAX));
    let fits_symmetry = |wanted| match wanted {
        Symmetry::None => *symmetry == Symmetry::None,
        Symmetry::Rotation180 => [wanted, Symmetry::Rotation90, Symmetry::Full].contains(symmetry),
        _ => [wanted, Symmetry::Full].contains(symmetry),
    };
    let (min, max) = match filter.difficulty {
        Difficulty::Any => (Tenths(0), Tenths::MAX),
        Difficulty::Level(level) => level.range(info.levels).unwrap_or((Tenths::MAX, Tenths(0))),
        Difficulty::Range { min, max } => (min, max),
    };
    filter.kind.as_ref().is_none_or(|wanted| wanted == kind)
        && match &filter.variant {
            VariantFilter::Any => true,
            VariantFilter::OfBase(name) => name == base,
            VariantFilter::Exactly(name) => name == variant,
        }
        && filter.symmetry.is_none_or(fits_symmetry)
        && (min..=max).contains(rating)
        && filter.technique.as_ref().is_none_or(|wanted| is_sudoku && *wanted == puzzle.technique)
        && match filter.givens {
            GivensFilter::Any => true,
            GivensFilter::STYLED => !is_sudoku || styled.contains(givens),
            GivensFilter::Within { min, max } => {
                let lowest = min.unwrap_or(styled.min.min(max.unwrap_or(u16::MAX)));
                let highest = max.unwrap_or(styled.max.max(min.unwrap_or(0)));
                is_sudoku && (lowest..=highest).contains(&givens)
            }
        }
}

/// A filter around one of the puzzles, which at least one of them meets.
fn any_filter(puzzles: &[Puzzle], rng: &mut Rng) -> ShelfFilter {
    loop {
        let Puzzle { shelf, technique, givens, .. } = &puzzles[rng.index(puzzles.len())];
        let mut near = || u8::try_from(rng.below(8)).unwrap();
        let range = Difficulty::Range { min: Tenths(shelf.rating.0 - near()), max: Tenths(shelf.rating.0 + near()) };
        let [min, max] = [givens.saturating_sub(near().into()), givens + u16::from(near())].map(Some);
        let level = Difficulty::Level(Level::ALL[rng.index(Level::ALL.len())]);
        let (of_base, exactly) =
            (VariantFilter::OfBase(shelf.base.clone()), VariantFilter::Exactly(shelf.variant.clone()));
        let filter = ShelfFilter {
            kind: (rng.below(2) == 0).then(|| shelf.kind.clone()),
            variant: [VariantFilter::Any, of_base, exactly][rng.index(3)].clone(),
            symmetry: (rng.below(2) == 0).then(|| Symmetry::ALL[rng.index(Symmetry::ALL.len())]),
            difficulty: [Difficulty::Any, level, range][rng.index(3)],
            technique: (rng.below(3) == 0).then(|| technique.clone()),
            givens: [
                GivensFilter::Any,
                GivensFilter::STYLED,
                GivensFilter::Within { min, max: None },
                GivensFilter::Within { min: None, max },
                GivensFilter::Within { min, max },
            ][rng.index(5)],
        };
        if puzzles.iter().any(|puzzle| meets(&filter, puzzle)) {
            return filter;
        }
    }
}

pub(crate) async fn every_puzzle_that_fits_is_reachable_and_no_other(store: &dyn Store, world: &World) {
    let mut rng = Rng::from_seed(38);
    let symmetries = Symmetry::ALL.map(|symmetry| Spec { symmetry, ..of("sudoku", "9x9") });
    let specs = symmetries.into_iter().chain([of("kakuro", "8x10"), of("kakuro", "8x10-runs9")]);
    for (spec, first) in specs.zip((0..).step_by(100)) {
        let mut below = |bound: u64| u16::try_from(rng.below(bound)).unwrap();
        let mut any =
            |number| (number, u8::try_from(10 + below(85)).unwrap(), TECHNIQUES[usize::from(below(3))], 19 + below(30));
        stock_of(store, spec, &(first..first + 70).map(&mut any).collect::<Vec<_>>()).await;
    }
    // Some shelves have only empty positions, and others have some.
    for id in all_puzzles(store).await.iter().map(|puzzle| puzzle.id).step_by(9) {
        store.withdraw(id, "a test", &someone()).await.unwrap();
    }
    let (all, shelves) = (all_puzzles(store).await, store.shelves().await.unwrap());
    let stock = Stock::new(world.open().await, Arc::new(Chance::from_seed(1)), ManualClock::at(START), bounds());
    for round in 0..200 {
        let filter = any_filter(&all, &mut rng);
        let expected: Vec<_> = all.iter().filter(|puzzle| meets(&filter, puzzle)).map(|puzzle| puzzle.id).collect();
        let limit = u32::try_from(1 + rng.below(2 * expected.len() as u64)).unwrap();
        let found: Vec<_> = paged(store, &filter, limit).await.iter().map(|puzzle| puzzle.id).collect();
        assert_eq!(found, expected, "pages of {filter:?}");
        let from = DrawFrom::Shelves(Arc::new(FittingShelves::of(&shelves, &filter)));
        let wanted = NewDelivery { from, with_record: false, ..wish(store, &round.to_string(), 0).await };
        let wanted: Vec<_> =
            (0..=expected.len()).map(|seed| NewDelivery { seed: seed as u64, ..wanted.clone() }).collect();
        let mut delivered: Vec<_> = (store.deliver(&wanted).await.unwrap().into_iter())
            .filter_map(|one| if let Delivered::New(puzzle) = one { Some(puzzle.id) } else { None })
            .collect();
        delivered.sort();
        assert_eq!(delivered, expected, "deliveries of {filter:?}");
        for _ in 0..3 {
            let Draw::Puzzle(drawn) = stock.draw(&filter, false).await.unwrap() else { panic!("{filter:?}") };
            assert!(expected.contains(&drawn.id), "draws of {filter:?}");
        }
    }
}

/// Makes one puzzle for each of these specs, with this rating.
async fn one_of_each(store: &dyn Store, specs: &[Spec], rating: u8) {
    for (spec, number) in specs.iter().zip(u64::from(rating) * 100..) {
        stock_of(store, spec.clone(), &[(number, rating, "X-Wing", 30)]).await;
    }
}

async fn fitting(store: &dyn Store, filter: &ShelfFilter) -> Vec<Puzzle> {
    store.puzzles(filter, None, 100, false).await.unwrap()
}

pub(crate) async fn shelf_holds_one_technique_and_number_of_givens(store: &dyn Store, world: &World) {
    let puzzles = [(1, 32, "X-Wing", 24), (2, 32, "X-Wing", 25), (3, 32, "Swordfish", 24), (4, 32, "X-Wing", 24)];
    for spec in [of("sudoku", "9x9"), Spec { givens: Some(Givens::new(20, 30)), ..of("sudoku", "9x9") }] {
        let shift = if spec.givens.is_some() { 10 } else { 0 };
        stock_of(
            store,
            spec,
            &puzzles.map(|(number, rating, technique, givens)| (number + shift, rating, technique, givens)),
        )
        .await;
    }
    stock_of(store, of("kakuro", "8x10"), &puzzles).await;
    // A variant without these criteria has one shelf, and its puzzles keep their technique and givens.
    let mut all = counts(store).await;
    all.sort_unstable();
    assert_eq!(all, [(2, 0), (2, 0), (4, 0), (4, 0)]);
    let store = world.open().await;
    let shelves = store.shelves().await.unwrap();
    for puzzle in all_puzzles(&*store).await {
        let own = (puzzle.technique.as_str(), puzzle.givens);
        let of_shelf = (puzzle.shelf.technique.as_str(), puzzle.shelf.givens);
        assert_eq!(of_shelf, if puzzle.shelf.kind == "sudoku" { own } else { ("", 0) });
        let shelf_id = shelves.iter().find(|shelf| shelf.key == puzzle.shelf).unwrap().id;
        let position = Position { shelf_id, number: puzzle.position.unwrap() };
        let without_record = Puzzle { record: None, ..puzzle.clone() };
        assert_eq!(store.puzzles_at(&[position], false).await.unwrap(), [Some(without_record)]);
        assert_eq!(store.puzzle(puzzle.id).await.unwrap(), Some(puzzle));
    }
}

pub(crate) async fn symmetry_matches_those_that_include_it(store: &dyn Store, _: &World) {
    use Symmetry as S;
    one_of_each(store, &S::ALL.map(|symmetry| Spec { symmetry, ..of("sudoku", "9x9") }), 32).await;
    for (symmetry, expected) in [
        (None, &S::ALL[..]),
        (Some(S::None), &[S::None]),
        (Some(S::Rotation180), &[S::Rotation180, S::Rotation90, S::Full]),
        (Some(S::Rotation90), &[S::Rotation90, S::Full]),
        (Some(S::AntiDiagonal), &[S::AntiDiagonal, S::Full]),
        (Some(S::Full), &[S::Full]),
    ] {
        let found = fitting(store, &ShelfFilter { symmetry, ..ShelfFilter::ANY }).await;
        assert_eq!(found.iter().map(|puzzle| puzzle.shelf.symmetry).collect::<Vec<_>>(), expected, "{symmetry:?}");
    }
}

pub(crate) async fn base_matches_all_its_variants_and_a_variant_only_itself(store: &dyn Store, _: &World) {
    let names = ["20x20", "20x20-runs9-white70", "20x21", "4x4:####,#..#,#...,##.."];
    one_of_each(store, &names.map(|name| of("kakuro", name)), 32).await;
    let bases: Vec<_> = store.shelves().await.unwrap().into_iter().map(|shelf| shelf.key.base).collect();
    assert_eq!(bases, ["20x20", "20x20", "20x21", "4x4"]);
    for (asked, expected) in
        [("20x20", &names[..2]), ("20x20-runs9-white70", &names[1..2]), ("4x4", &names[3..]), ("20x20-runs9", &[])]
    {
        let found = fitting(store, &ShelfFilter::of(&of("kakuro", asked))).await;
        assert_eq!(found.iter().map(|puzzle| puzzle.shelf.variant.as_str()).collect::<Vec<_>>(), expected, "{asked}");
    }
}

pub(crate) async fn level_filter_uses_the_rating_ranges_of_each_variant(store: &dyn Store, _: &World) {
    let specs = [of("sudoku", "9x9"), of("kakuro", "8x10"), of("kakuro", "8x10-runs9")];
    for rating in [14, 20, 40] {
        one_of_each(store, &specs, rating).await;
    }
    let sudoku = ("sudoku", "9x9");
    let kakuro = ["8x10", "8x10-runs9"].map(|variant| ("kakuro", variant));
    for (level, expected) in [
        (Level::Easy, vec![sudoku, kakuro[0], kakuro[1], kakuro[0], kakuro[1]]),
        (Level::Medium, vec![sudoku]),
        (Level::Hard, vec![sudoku, kakuro[0], kakuro[1]]),
        (Level::Evil, vec![]),
    ] {
        let filter = ShelfFilter { difficulty: Difficulty::Level(level), ..ShelfFilter::ANY };
        let found = fitting(store, &filter).await;
        let found = found.iter().map(|puzzle| (puzzle.shelf.kind.as_str(), puzzle.shelf.variant.as_str()));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{level:?}");
    }
}

pub(crate) async fn page_includes_puzzles_shelved_on_a_new_shelf_meanwhile(store: &dyn Store, _: &World) {
    let x_wing = ShelfFilter { technique: Some("X-Wing".to_owned()), ..ShelfFilter::ANY };
    stock_of(store, of("sudoku", "9x9"), &[(1, 32, "X-Wing", 24), (2, 32, "Swordfish", 24)]).await;
    let first = fitting(store, &x_wing).await;
    assert_eq!(first.len(), 1);
    stock_of(store, of("sudoku", "9x9"), &[(3, 33, "Swordfish", 24), (4, 33, "X-Wing", 25)]).await;
    let rest = store.puzzles(&x_wing, Some(first[0].id), 100, false).await.unwrap();
    assert_eq!(rest.iter().map(number_of).collect::<Vec<_>>(), [4]);
}

pub(crate) async fn refill_counts_exactly_the_shelves_of_a_draw(store: &dyn Store, _: &World) {
    let sudoku = of("sudoku", "9x9");
    let puzzles =
        [(1, 12, "Naked Single", 60), (2, 12, "Naked Single", 30), (3, 32, "X-Wing", 24), (4, 34, "X-Wing", 28)];
    stock_of(store, sudoku.clone(), &puzzles).await;
    stock_of(store, Spec { symmetry: Symmetry::Full, ..sudoku.clone() }, &[(5, 32, "Swordfish", 24)]).await;
    one_of_each(store, &[of("kakuro", "8x10"), of("kakuro", "8x10-runs9")], 32).await;
    let level = |level, spec: Spec| Spec { difficulty: Difficulty::Level(level), ..spec };
    let givens = |min, max| Spec { givens: Some(Givens::new(min, max)), ..sudoku.clone() };
    for (spec, have) in [
        (sudoku.clone(), 3),
        (level(Level::Easy, sudoku.clone()), 1),
        (level(Level::Easy, givens(55, 80)), 1),
        (givens(24, 28), 2),
        (givens(25, 27), 0),
        (Spec { technique: Some("X-Wing".to_owned()), ..sudoku.clone() }, 2),
        (Spec { technique: Some("Swordfish".to_owned()), ..sudoku.clone() }, 0),
        (Spec { symmetry: Symmetry::Diagonal, ..sudoku.clone() }, 1),
        (Spec { difficulty: Difficulty::Range { min: Tenths(33), max: Tenths(35) }, ..sudoku.clone() }, 1),
        (of("kakuro", "8x10"), 2),
        (of("kakuro", "8x10-runs9"), 1),
        (level(Level::Medium, of("kakuro", "8x10")), 2),
        (level(Level::Hard, of("kakuro", "8x10")), 0),
    ] {
        let filter = ShelfFilter::of(&spec);
        assert_eq!(fitting(store, &filter).await.len(), have, "{spec:?}");
        let target = set(store, Wish { spec: spec.clone(), ..target_wish(20) }).await;
        assert_eq!(target.wish.spec, spec);
        let refill = Refill { shelves: filter, ..refill(&target, Asked::Manual(someone())) };
        let job = queued(store.refill(refill).await.unwrap());
        assert_eq!((job.wanted as usize, &job.spec), (20 - have, &spec));
        store.cancel(job.id, &someone()).await.unwrap();
    }
}
