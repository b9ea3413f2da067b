//! Held puzzles: no draw of others meets them, their holder draws them once each, and a release puts them on their shelves.

use puzzled_store::deliveries::holder::{Release, ReleaseOf};

use crate::{
    deliveries::puzzle_of,
    prelude::*,
    withdrawals::{of_all, of_job},
};

fn holder(audience: &str) -> Holder {
    Holder::Audience(audience.to_owned())
}

/// Makes a puzzle of each of these numbers for a holder, by a job in one commit.
async fn hold(store: &dyn Store, holder: &Holder, numbers: &[u64]) -> JobId {
    let new = NewJob { holder: Some(holder.clone()), priority: 100, ..job(u32::try_from(numbers.len()).unwrap()) };
    let id = queue(store, new).await.id;
    let slice = claimed_whole(store, 1).await;
    committed(store, &slice, numbers).await;
    id
}

/// A request for a puzzle that the audience holds.
fn exclusive(audience: &str, seed: u64) -> NewDelivery {
    NewDelivery {
        audience: audience.to_owned(),
        name: None,
        from: DrawFrom::Held(ShelfFilter::ANY),
        with_record: true,
        seed,
    }
}

/// The numbers of the puzzles that an audience gets by exclusive requests until none is left, sorted.
async fn held_by(store: &dyn Store, audience: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    for seed in 0..1_000 {
        match deliver_one(store, exclusive(audience, seed)).await {
            Delivered::New(puzzle) => numbers.push(number_of(&puzzle)),
            Delivered::Exhausted => {
                numbers.sort_unstable();
                return numbers;
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("the held puzzles do not end");
}

fn of(of: ReleaseOf) -> Release {
    Release { of, reason: "a book was cancelled".to_owned() }
}

async fn released(store: &dyn Store, what: ReleaseOf) -> Vec<i64> {
    store.release(&of(what), 100, &someone()).await.unwrap().iter().map(|id| id.0).collect()
}

pub(crate) async fn held_puzzles_are_drawn_listed_and_counted_by_nobody_else(store: &dyn Store, _: &World) {
    stock(store, 0..3).await;
    let before = counts(store).await;
    let id = hold(store, &holder("one"), &[3, 4, 5]).await;
    assert_eq!(counts(store).await[..before.len()], before, "no position more");
    assert_eq!(store.count_held(None, &ShelfFilter::ANY).await.unwrap(), 3);
    assert_eq!(store.count_held(Some(&holder("other")), &ShelfFilter::ANY).await.unwrap(), 0);
    assert_eq!(all_puzzles(store).await.len(), 3, "a list");
    assert!(result_of(store, id).await.is_empty());
    for audience in ["one", "other"] {
        assert_eq!(drained(store, audience).await.len(), 3, "{audience}");
    }
    for (number, id) in [(3, 4), (4, 5), (5, 6)] {
        let puzzle = store.puzzle(PuzzleId(id)).await.unwrap().unwrap();
        assert_eq!((number_of(&puzzle), puzzle.position, puzzle.holder), (number, None, Some(holder("one"))));
    }
    assert_eq!(job_of(store, id).await.holder, Some(holder("one")));
    assert_eq!(store.queue_state().await.unwrap().growth.puzzles.used, 6, "both count towards the limit");
}

pub(crate) async fn holder_gets_each_held_puzzle_once(store: &dyn Store, _: &World) {
    let numbers: Vec<_> = (0..30).collect();
    hold(store, &holder("one"), &numbers).await;
    hold(store, &holder("other"), &[30, 31]).await;
    // One write serves several callers, also under a name.
    let named = |name: &str, seed| {
        let name = Some(request(name, "body"));
        NewDelivery { name, ..exclusive("one", seed) }
    };
    let wanted = [exclusive("one", 1), named("a", 2), named("a", 3), exclusive("other", 4), named("b", 5)];
    let delivered = store.deliver(&wanted).await.unwrap();
    let first: Vec<_> = delivered.into_iter().map(|one| number_of(&puzzle_of(one))).collect();
    assert_eq!(first[1], first[2], "the same name");
    assert!(first[3] >= 30 && first[0] < 30, "{first:?}");
    assert_eq!(number_of(&puzzle_of(deliver_one(store, named("a", 9)).await)), first[1]);
    let mut all = held_by(store, "one").await;
    all.extend([first[0], first[1], first[4]]);
    all.sort_unstable();
    assert_eq!(all, numbers);
    assert_eq!(held_by(store, "other").await, [30, 31].into_iter().filter(|one| *one != first[3]).collect::<Vec<_>>());
    assert_eq!(held_by(store, "nobody").await, [0; 0]);
}

pub(crate) async fn held_puzzles_are_drawn_uniformly(store: &dyn Store, _: &World) {
    hold(store, &holder("one"), &[0, 1, 2, 3]).await;
    let mut orders = BTreeSet::new();
    for seed in 0..60 {
        let number = number_of(&puzzle_of(deliver_one(store, exclusive("one", seed)).await));
        orders.insert(number);
        // A forgotten history lets the audience draw again, but not a forgotten audience: it holds nothing.
        if orders.len() == 4 {
            return;
        }
        hold(store, &holder("one"), &[seed + 10]).await;
    }
    panic!("some were never drawn: {orders:?}");
}

pub(crate) async fn held_puzzle_is_withdrawn_or_forgotten_without_a_change_of_its_shelf(store: &dyn Store, _: &World) {
    stock(store, 0..2).await;
    let id = hold(store, &holder("one"), &[2, 3, 4]).await;
    let before = counts(store).await;
    let withdrawn = store.withdraw(PuzzleId(3), "a misprint", &someone()).await.unwrap().unwrap();
    assert!(withdrawn.withdrawn.is_some());
    puzzle_of(deliver_one(store, exclusive("one", 1)).await);
    let done = store.withdraw_many(&of_job(id, true), None, 100, &someone()).await.unwrap();
    assert_eq!((done.changed.len(), done.forgotten), (2, 1), "the delivered one stays as a record");
    assert_eq!(counts(store).await, before);
    // Its place in the index of solutions is free only after it was forgotten.
    assert_eq!(store.count_held(None, &ShelfFilter::ANY).await.unwrap(), 0);
    store.withdraw_many(&of_all(false), None, 100, &someone()).await.unwrap();
    assert_eq!(all_puzzles(store).await.len(), 0);
}

pub(crate) async fn held_puzzle_keeps_its_place_among_repeats(store: &dyn Store, _: &World) {
    hold(store, &holder("one"), &[7]).await;
    queue(store, job(1)).await;
    let slice = claimed_whole(store, 2).await;
    let repeated = committed(store, &slice, &[7]).await;
    assert_eq!((repeated.made, repeated.tally.repeats), (0, 1));
    let slice = claimed_whole(store, 3).await;
    committed(store, &slice, &[8]).await;
    // Within one job, the lower index takes the solution of a held puzzle, too.
    queue(store, NewJob { holder: Some(holder("one")), priority: 100, ..job(2) }).await;
    let first = claimed_of(store, 1, 4).await;
    let second = claimed_of(store, 1, 5).await;
    committed(store, &second, &[9]).await;
    committed(store, &first, &[9]).await;
    assert_eq!(counts(store).await.iter().map(|(_, empty)| *empty).sum::<i64>(), 0, "no position becomes empty");
    assert_eq!(store.count_held(None, &ShelfFilter::ANY).await.unwrap(), 2);
}

pub(crate) async fn released_puzzles_get_the_next_positions_of_their_shelves(store: &dyn Store, _: &World) {
    stock(store, 0..2).await;
    assert_eq!(drained(store, "other").await.len(), 2);
    hold(store, &holder("one"), &[0, 1, 2, 3, 4].map(|number| number + 10)).await;
    assert_eq!(released(store, ReleaseOf::Ids([4, 1, 99].map(PuzzleId).to_vec())).await, [4]);
    assert_eq!(released(store, ReleaseOf::Holder(holder("nobody"))).await, [0; 0]);
    let rest = ReleaseOf::Holder(holder("one"));
    assert_eq!(store.count_releasable(&rest).await.unwrap(), 4);
    assert_eq!(store.releasable(&rest, 2).await.unwrap(), [3, 5].map(PuzzleId));
    assert_eq!(store.release(&of(rest.clone()), 3, &someone()).await.unwrap(), [3, 5, 6].map(PuzzleId));
    assert_eq!(released(store, rest.clone()).await, [7]);
    assert_eq!(released(store, rest).await, [0; 0]);
    assert_eq!(store.count_held(None, &ShelfFilter::ANY).await.unwrap(), 0);
    assert_eq!(all_puzzles(store).await.len(), 7);
    assert_eq!(drained(store, "other").await.len(), 5, "an audience that was done gets them, too");
    assert_eq!(drained(store, "one").await.len(), 7);
    let entries = store.audit_entries(&AuditFilter::default(), None, 1).await.unwrap();
    assert_eq!(
        (entries[0].subjects.join(" "), entries[0].details["released"].as_u64()),
        ("puzzle-7".to_owned(), Some(1))
    );
}

pub(crate) async fn forgotten_audience_holds_nothing_and_its_jobs_do_not_name_it(store: &dyn Store, _: &World) {
    let id = hold(store, &holder("one"), &[1, 2, 3]).await;
    hold(store, &holder("other"), &[4]).await;
    puzzle_of(deliver_one(store, exclusive("one", 1)).await);
    let open =
        queue(store, NewJob { holder: Some(holder("one")), shortfall: Some("for one".to_owned()), ..job(2) }).await;
    let expected = Forgotten { deliveries: 1, withdrawn: 3, cancelled: 1 };
    assert_eq!(store.forget_audience("one", &someone()).await.unwrap(), expected);
    assert_eq!(store.forget_audience("one", &someone()).await.unwrap(), Forgotten::default());
    assert_eq!((job_of(store, id).await.holder, job_of(store, open.id).await.state), (None, JobState::Cancelled));
    for id in 1..=3 {
        let puzzle = store.puzzle(PuzzleId(id)).await.unwrap().unwrap();
        assert!(puzzle.withdrawn.is_some() && puzzle.holder.is_none(), "{puzzle:?}");
    }
    assert_eq!(store.count_held(None, &ShelfFilter::ANY).await.unwrap(), 1);
}

pub(crate) async fn held_puzzles_are_released_all_or_nothing(store: &dyn Store, world: &World) {
    hold(store, &holder("one"), &[1, 2, 3]).await;
    let release = of(ReleaseOf::Holder(holder("one")));
    crate::abandon::all_or_nothing(store, world, async || store.release(&release, 100, &someone()).await).await;
}
