//! Deliveries: no audience gets a solution twice, concurrent callers get different puzzles, and no puzzle is missed.

use crate::prelude::*;

fn ids<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> BTreeSet<PuzzleId> {
    puzzles.into_iter().map(|puzzle| puzzle.id).collect()
}

/// A request with a request ID.
fn named(id: &str, body: &str, wanted: NewDelivery) -> NewDelivery {
    NewDelivery { name: Some(request(id, body)), ..wanted }
}

pub(crate) fn puzzle_of(delivered: Delivered) -> Puzzle {
    match delivered {
        Delivered::New(puzzle) | Delivered::Same(puzzle) => *puzzle,
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn an_audience_gets_each_puzzle_once_and_then_nothing(store: &dyn Store, _: &World) {
    stock(store, 0..50).await;
    let puzzles = drained(store, "one").await;
    assert_eq!((puzzles.len(), ids(&puzzles)), (50, ids(&all_puzzles(store).await)));
    assert_eq!(had(store, "one").await, puzzles.iter().map(|puzzle| puzzle.id).collect::<Vec<_>>());
    // A delivery returns the same fields as a read of the puzzle.
    for puzzle in puzzles {
        assert_eq!(store.puzzle(puzzle.id).await.unwrap(), Some(puzzle));
    }
}

pub(crate) async fn new_stock_is_never_missed(store: &dyn Store, _: &World) {
    stock(store, 0..10).await;
    for seed in 0..4 {
        deliver_one(store, wish(store, "one", seed).await).await;
    }
    for round in 1..6 {
        stock(store, round * 10..round * 10 + 10).await;
        for seed in 0..7 {
            deliver_one(store, wish(store, "one", seed).await).await;
        }
    }
    drained(store, "one").await;
    stock(store, 60..61).await;
    assert_eq!(drained(store, "one").await.len(), 1);
    assert_eq!(had(store, "one").await.into_iter().collect::<BTreeSet<_>>(), ids(&all_puzzles(store).await));
}

pub(crate) async fn each_audience_gets_the_whole_stock_in_its_own_order(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    let mut orders = BTreeSet::new();
    for (seed, audience) in (0..).zip(["one", "other", " ", "~"]) {
        let mut order = Vec::new();
        for turn in 0..20 {
            let wanted = NewDelivery { seed: seed * 100 + turn, ..wish(store, audience, 0).await };
            order.push(puzzle_of(deliver_one(&*world.open().await, wanted).await).id);
        }
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), 20);
        orders.insert(order);
    }
    assert_eq!(orders.len(), 4);
}

pub(crate) async fn puzzles_are_delivered_only_from_the_given_shelves(store: &dyn Store, _: &World) {
    stock(store, 0..50).await;
    let all = wish(store, "one", 1).await;
    let shelves: Vec<_> = store.shelves().await.unwrap().into_iter().skip(1).step_by(2).collect();
    let ratings: Vec<_> = shelves.iter().map(|shelf| shelf.key.rating).collect();
    let among = Arc::new(FittingShelves::of(&shelves, &ShelfFilter::ANY));
    for seed in 0..20 {
        let puzzle = puzzle_of(
            deliver_one(store, NewDelivery { from: DrawFrom::Shelves(among.clone()), seed, ..all.clone() }).await,
        );
        assert!(ratings.len() == 2 && ratings.contains(&puzzle.shelf.rating));
    }
    assert_eq!(
        deliver_one(store, NewDelivery { from: DrawFrom::Shelves(among), ..all.clone() }).await,
        Delivered::Exhausted
    );
    assert_eq!(
        deliver_one(store, NewDelivery { from: DrawFrom::Shelves(Arc::default()), ..all }).await,
        Delivered::Exhausted
    );
    assert_eq!(drained(store, "one").await.len(), 30);
}

pub(crate) async fn each_solution_is_delivered_once_per_audience(store: &dyn Store, world: &World) {
    stock(store, 0..40).await;
    // Four puzzles of each solution. No commit stores such puzzles, so only the delivery itself can prevent a second
    // one.
    let first = "(select repeat_hash from puzzles as first where first.job_index = puzzles.job_index % 10)";
    world.tamper(&format!("drop index puzzles_repeat_hash; update puzzles set repeat_hash = {first}")).await;
    // One audience gets its puzzles in one write, and the other in single writes.
    let wanted = vec![wish(store, "one", 3).await; 40];
    let wanted: Vec<_> = (0..).zip(wanted).map(|(seed, wanted)| NewDelivery { seed, ..wanted }).collect();
    let at_once = store.deliver(&wanted).await.unwrap();
    for (audience, puzzles) in [
        ("one", at_once.into_iter().filter(|one| *one != Delivered::Exhausted).map(puzzle_of).collect()),
        ("other", drained(store, "other").await),
    ] {
        let solutions: BTreeSet<_> = puzzles.iter().map(|puzzle| made_at(puzzle).index % 10).collect();
        assert_eq!((puzzles.len(), solutions.len()), (10, 10), "{audience}");
        assert_eq!(had(store, audience).await.len(), 10);
    }
}

pub(crate) async fn repeated_request_gets_the_same_puzzle(store: &dyn Store, world: &World) {
    stock(store, 0..20).await;
    let wanted = named("a", "x", wish(store, "one", 1).await);
    let first = puzzle_of(deliver_one(store, wanted.clone()).await);
    drained(store, "one").await;
    store.withdraw(first.id, "a misprint", &someone()).await.unwrap();
    let first = store.puzzle(first.id).await.unwrap().unwrap();
    for seed in 0..3 {
        let again = NewDelivery { seed, from: DrawFrom::Shelves(Arc::default()), ..wanted.clone() };
        assert_eq!(deliver_one(&*world.open().await, again).await, Delivered::Same(Box::new(first.clone())));
    }
    assert_eq!(had(store, "one").await.len(), 20);
    let listed = store.deliveries("one", None, 100).await.unwrap();
    let ids: Vec<_> = listed.iter().filter_map(|delivery| delivery.request_id.as_deref()).collect();
    assert_eq!(ids, ["a"]);
}

pub(crate) async fn changed_request_with_a_known_request_id_gets_the_puzzle_id(store: &dyn Store, _: &World) {
    stock(store, 0..5).await;
    let wanted = named("a", "x", wish(store, "one", 1).await);
    let first = puzzle_of(deliver_one(store, wanted.clone()).await);
    for body in ["", "y", "xx"] {
        let other = named("a", body, wanted.clone());
        let told = deliver_one(store, other).await;
        assert_eq!(told, Delivered::OtherRequest { puzzle: first.id, differs: other_level(body, "x") });
    }
    assert_eq!(had(store, "one").await, [first.id]);
}

pub(crate) async fn concurrent_requests_with_one_request_id_get_one_puzzle(store: &dyn Store, _: &World) {
    stock(store, 0..20).await;
    let plain = wish(store, "one", 1).await;
    let ask = |name: &str, body: &str| named(name, body, plain.clone());
    let answers =
        store.deliver(&[ask("a", "x"), ask("b", "x"), ask("a", "x"), ask("a", "y"), plain.clone()]).await.unwrap();
    let [first, second, again, other, plain] = answers.try_into().unwrap();
    let (first, second) = (puzzle_of(first), puzzle_of(second));
    assert_eq!(again, Delivered::Same(Box::new(first.clone())));
    assert_eq!(other, Delivered::OtherRequest { puzzle: first.id, differs: other_level("y", "x") });
    assert_eq!(had(store, "one").await, [first.id, second.id, puzzle_of(plain).id]);
}

pub(crate) async fn request_id_belongs_to_its_audience(store: &dyn Store, _: &World) {
    stock(store, 0..1).await;
    let one = named("a", "x", wish(store, "one", 1).await);
    let other = named("a", "y", wish(store, "other", 1).await);
    let answers = store.deliver(&[one, other]).await.unwrap();
    assert!(answers.iter().all(|answer| matches!(answer, Delivered::New(_))), "{answers:?}");
}

pub(crate) async fn request_without_a_puzzle_leaves_its_request_id_free(store: &dyn Store, _: &World) {
    let wanted = named("a", "x", wish(store, "one", 1).await);
    let both = store.deliver(&[wanted.clone(), wanted.clone()]).await.unwrap();
    assert_eq!(both, [Delivered::Exhausted, Delivered::Exhausted]);
    stock(store, 0..1).await;
    let wanted = named("a", "y", wish(store, "one", 1).await);
    assert!(matches!(deliver_one(store, wanted).await, Delivered::New(_)));
}

pub(crate) async fn withdrawn_puzzles_are_never_delivered(store: &dyn Store, _: &World) {
    stock(store, 0..60).await;
    let all = all_puzzles(store).await;
    for puzzle in all.iter().step_by(2) {
        store.withdraw(puzzle.id, "a test", &someone()).await.unwrap();
    }
    let mut puzzles = Vec::new();
    for seed in 0..10 {
        puzzles.push(puzzle_of(deliver_one(store, wish(store, "one", seed).await).await));
    }
    // A delivered puzzle may be withdrawn too.
    store.withdraw(puzzles[0].id, "a test", &someone()).await.unwrap();
    puzzles.extend(drained(store, "one").await);
    assert_eq!(ids(&puzzles), ids(all.iter().skip(1).step_by(2)));
    assert_eq!(puzzles.len(), 30);
}

pub(crate) async fn callers_of_several_processes_never_share_a_puzzle(store: &dyn Store, world: &World) {
    stock(store, 0..100).await;
    let mut callers = JoinSet::new();
    for process in 0..2 {
        let store = world.open().await;
        for caller in 0..4 {
            let store = Arc::clone(&store);
            callers.spawn(async move {
                let mut puzzles = Vec::new();
                for turn in 0..100 {
                    let seed = process * 10_000 + caller * 1_000 + turn;
                    match deliver_one(&*store, wish(&*store, "one", seed).await).await {
                        Delivered::Exhausted => break,
                        delivered => puzzles.push(puzzle_of(delivered).id),
                    }
                }
                puzzles
            });
        }
    }
    let puzzles: Vec<_> = callers.join_all().await.concat();
    assert_eq!((puzzles.len(), puzzles.iter().collect::<BTreeSet<_>>().len()), (100, 100));
}

pub(crate) async fn each_puzzle_has_the_same_chance_at_every_turn(store: &dyn Store, _: &World) {
    const PUZZLES: usize = 12;
    const AUDIENCES: u32 = 600;
    stock(store, 0..PUZZLES as u64).await;
    let wanted = wish(store, "", 0).await;
    let mut counts = [[0_u32; PUZZLES]; PUZZLES];
    for audience in 0..AUDIENCES {
        // Half of the deliveries share a write and half are single writes, because the two draw differently.
        let turns = |seed: usize| NewDelivery {
            audience: audience.to_string(),
            seed: u64::from(audience) * 100 + seed as u64,
            ..wanted.clone()
        };
        let mut order = store.deliver(&(0..PUZZLES / 2).map(turns).collect::<Vec<_>>()).await.unwrap();
        for turn in PUZZLES / 2..PUZZLES {
            order.push(deliver_one(store, turns(turn)).await);
        }
        for (turn, delivered) in order.into_iter().enumerate() {
            counts[turn][usize::try_from(puzzle_of(delivered).id.0).unwrap() - 1] += 1;
        }
    }
    let puzzles = f64::from(u32::try_from(PUZZLES).unwrap());
    let expected = f64::from(AUDIENCES) / puzzles;
    let freedom = puzzles - 1.0;
    for (turn, counts) in counts.iter().enumerate() {
        let sum: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        assert!((sum - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "turn {turn}: {sum} {counts:?}");
    }
}

pub(crate) async fn deliveries_are_listed_newest_first_with_any_page_size(store: &dyn Store, world: &World) {
    stock(store, 0..12).await;
    for seed in 0..12 {
        world.pass_ms(10);
        let audience = if seed % 4 == 0 { "other" } else { "one" };
        deliver_one(store, wish(store, audience, seed).await).await;
    }
    let all = store.deliveries("one", None, 100).await.unwrap();
    assert_eq!(all.len(), 9);
    assert!(all.windows(2).all(|pair| pair[0].at > pair[1].at && pair[0].id > pair[1].id), "{all:?}");
    for size in 1..10 {
        let read = async |before| store.deliveries("one", before, size).await.unwrap();
        assert_eq!(joined(|delivery: &Delivery| delivery.id, read).await, all, "pages of {size}");
    }
    assert_eq!(store.deliveries("nobody", None, 100).await.unwrap(), []);
}

pub(crate) async fn forgotten_audience_starts_anew_and_others_stay_unchanged(store: &dyn Store, _: &World) {
    stock(store, 0..10).await;
    drained(store, "one").await;
    let others = drained(store, "other").await;
    assert_eq!(store.forget_audience("one", &someone()).await.unwrap().deliveries, 10);
    assert_eq!(store.forget_audience("one", &someone()).await.unwrap(), Forgotten::default());
    assert_eq!(had(store, "one").await, []);
    assert_eq!(had(store, "other").await.len(), others.len());
    assert_eq!(drained(store, "one").await.len(), 10);
    assert_eq!(drained(store, "other").await, []);
}
