//! Stock targets: their creation, update, list, and deletion by calls, and their declaration by configurations.

use puzzled_store::{
    jobs::process::RUNNING_MS,
    targets::{
        declaration::{Act, Clash, Declaration, Declared},
        target::{Schedule, TargetUpdated, UpdateRefusal},
    },
};

use crate::{prelude::*, processes::process};

/// The limit of targets in cases that do not test the limit.
const TARGETS_MAX: u32 = 100;

/// A wish for this many puzzles of the usual spec.
pub(crate) fn wish(count: u32) -> Wish {
    Wish { spec: spec(), low_water: None, count, priority: -5, schedule: None }
}

/// Nine puzzles of a level.
pub(crate) fn of_level(level: Level) -> Wish {
    Wish { spec: Spec { difficulty: Difficulty::Level(level), ..spec() }, ..wish(9) }
}

/// Creates a target with this wish, or updates the target of its spec.
pub(crate) async fn set(store: &dyn Store, wish: Wish) -> StockTarget {
    match store.create_target(&wish, TARGETS_MAX, &someone()).await.unwrap() {
        TargetCreated::Created(target) => target,
        TargetCreated::Exists(id) => updated(store.update_target(id, &to(&wish), &someone()).await.unwrap()),
        TargetCreated::TooMany { targets } => panic!("{targets} targets"),
    }
}

fn updated(updated: TargetUpdated) -> StockTarget {
    match updated {
        TargetUpdated::Updated(target) => target,
        other => panic!("not updated: {other:?}"),
    }
}

/// The update that results in this wish.
fn to(wish: &Wish) -> Change {
    assert_eq!(wish.schedule, None);
    Change {
        count: Edit::Set(wish.count),
        low_water: wish.low_water.map_or(Edit::Reset, Edit::Set),
        priority: Edit::Set(wish.priority),
        cron: Edit::Reset,
        ..Change::default()
    }
}

/// The declarations of the configuration with this name.
pub(crate) fn declaration(name: &str, wishes: &[Wish]) -> Declaration {
    Declaration::new(name.to_owned(), wishes.to_vec()).unwrap()
}

/// The changes by a process that starts with this configuration: the action, and the level of the target.
async fn declared(store: &dyn Store, name: &str, wishes: &[Wish]) -> Vec<(Act, Difficulty)> {
    let declared = store.declare_targets(&declaration(name, wishes), TARGETS_MAX, &someone()).await.unwrap().unwrap();
    declared.into_iter().map(|Declared { act, of }| (act, of.wish.spec.difficulty)).collect()
}

/// All targets: their levels, and who declares them.
async fn all(store: &dyn Store) -> Vec<(Difficulty, Option<String>)> {
    let targets = store.targets().await.unwrap();
    targets.into_iter().map(|target| (target.wish.spec.difficulty, target.declared_by)).collect()
}

fn by(level: Level, name: &str) -> (Difficulty, Option<String>) {
    (Difficulty::Level(level), Some(name.to_owned()))
}

pub(crate) async fn target_is_found_as_it_was_created(store: &dyn Store, world: &World) {
    let schedule =
        Schedule { cron: "0 1 * * *".to_owned(), time_zone: "Europe/Berlin".to_owned(), window_minutes: 240 };
    let range = Difficulty::Range { min: Tenths(12), max: Tenths(255) };
    let mut expected = Vec::new();
    for (difficulty, schedule) in
        [(Difficulty::Any, None), (Difficulty::Level(Level::Expert), Some(schedule)), (range, None)]
    {
        let spec = Spec { difficulty, symmetry: Symmetry::AntiDiagonal, variant: "2x3".to_owned(), ..spec() };
        let low_water = schedule.is_none().then_some(3);
        let wish = Wish { spec, low_water, count: u32::MAX, priority: -100, schedule };
        let target = set(store, wish.clone()).await;
        let (created_at, updated_at) = (world.now(), world.now());
        assert_eq!(target, StockTarget { id: target.id, wish, declared_by: None, created_at, updated_at });
        expected.push(target);
        world.pass_ms(10);
    }
    assert_eq!(store.targets().await.unwrap(), expected);
    assert_eq!(world.open().await.targets().await.unwrap(), expected);
}

pub(crate) async fn spec_that_has_a_target_gets_no_second_one(store: &dyn Store, _: &World) {
    let first = set(store, wish(5)).await;
    // The existing target is found even at the limit of targets.
    for targets_max in [100, 1] {
        let again = store.create_target(&wish(7), targets_max, &someone()).await.unwrap();
        assert_eq!(again, TargetCreated::Exists(first.id));
    }
    assert_eq!(store.targets().await.unwrap(), [first]);
}

pub(crate) async fn target_beyond_the_limit_is_refused(store: &dyn Store, _: &World) {
    for (level, expected) in [(Level::Easy, None), (Level::Medium, None), (Level::Hard, Some(2))] {
        let refused = match store.create_target(&of_level(level), 2, &someone()).await.unwrap() {
            TargetCreated::TooMany { targets } => Some(targets),
            TargetCreated::Created(_) | TargetCreated::Exists(_) => None,
        };
        assert_eq!(refused, expected, "{level:?}");
    }
}

pub(crate) async fn update_changes_named_fields_and_keeps_id_and_spec(store: &dyn Store, world: &World) {
    let first = set(store, wish(5)).await;
    set(store, of_level(Level::Hard)).await;
    world.pass_ms(10);
    let change = Change {
        low_water: Edit::Set(2),
        count: Edit::Set(7),
        cron: Edit::Set("0 1 * * *".to_owned()),
        ..Change::default()
    };
    let changed = updated(store.update_target(first.id, &change, &someone()).await.unwrap());
    let schedule = Schedule { cron: "0 1 * * *".to_owned(), time_zone: "UTC".to_owned(), window_minutes: 60 };
    let wish = Wish { low_water: Some(2), count: 7, schedule: Some(schedule), ..first.wish.clone() };
    assert_eq!(changed, StockTarget { wish, updated_at: START.plus_ms(10), ..first });
    // An update without effect writes nothing.
    world.pass_ms(10);
    for change in [Change::default(), change] {
        assert_eq!(updated(store.update_target(first.id, &change, &someone()).await.unwrap()), changed);
    }
    assert_eq!(world.open().await.targets().await.unwrap()[0], changed);
}

pub(crate) async fn refused_update_changes_nothing(store: &dyn Store, _: &World) {
    let own = set(store, Wish { low_water: Some(4), ..wish(5) }).await;
    declared(store, "night", &[of_level(Level::Hard)]).await;
    let before = store.targets().await.unwrap();
    let fewer = Change { count: Edit::Set(3), ..Change::default() };
    let refused = store.update_target(own.id, &fewer, &someone()).await.unwrap();
    assert!(
        matches!(&refused, TargetUpdated::Refused(UpdateRefusal::Invalid(faults)) if faults[0].field == "low_water"),
        "{refused:?}"
    );
    let refused = store.update_target(before[1].id, &fewer, &someone()).await.unwrap();
    assert_eq!(refused, TargetUpdated::Refused(UpdateRefusal::Declared("night".to_owned())));
    for id in [TargetId(99), TargetId(0), TargetId(-1), TargetId(i64::MAX)] {
        assert_eq!(store.update_target(id, &fewer, &someone()).await.unwrap(), TargetUpdated::NoTarget);
    }
    assert_eq!(store.targets().await.unwrap(), before);
}

pub(crate) async fn concurrent_updates_lose_nothing(store: &dyn Store, world: &World) {
    let id = set(store, wish(5)).await.id;
    let changes = [
        Change { count: Edit::Set(50), ..Change::default() },
        Change { priority: Edit::Set(9), ..Change::default() },
        Change { cron: Edit::Set("0 1 * * *".to_owned()), ..Change::default() },
        Change { low_water: Edit::Set(2), ..Change::default() },
    ];
    let mut callers = JoinSet::new();
    for change in changes {
        let store = world.open().await;
        callers.spawn(async move { updated(store.update_target(id, &change, &someone()).await.unwrap()) });
    }
    callers.join_all().await;
    let Wish { count, priority, schedule, low_water, .. } = store.targets().await.unwrap().remove(0).wish;
    assert_eq!((count, priority, schedule.is_some(), low_water), (50, 9, true, Some(2)));
}

pub(crate) async fn pages_of_any_size_join_to_all_targets(store: &dyn Store, _: &World) {
    for level in Level::ALL {
        set(store, of_level(level)).await;
    }
    store.delete_target(TargetId(2), &someone()).await.unwrap();
    let all = store.targets().await.unwrap();
    for size in 1..=5 {
        let read = async |after| store.target_page(after, size).await.unwrap();
        assert_eq!(joined(|target: &StockTarget| target.id, read).await, all, "pages of {size}");
    }
}

pub(crate) async fn deletion_removes_a_target_and_returns_it(store: &dyn Store, _: &World) {
    let [one, other] = [set(store, wish(5)).await, set(store, of_level(Level::Hard)).await];
    assert_eq!(store.delete_target(one.id, &someone()).await.unwrap(), Some(one.clone()));
    assert_eq!(store.targets().await.unwrap(), [other]);
    for id in [one.id, TargetId(0), TargetId(-1), TargetId(i64::MAX)] {
        assert_eq!(store.delete_target(id, &someone()).await.unwrap(), None);
    }
    assert!(set(store, wish(5)).await.id > one.id, "an ID is never used twice");
}

pub(crate) async fn declared_targets_follow_their_configuration(store: &dyn Store, world: &World) {
    use Level::{Easy, Evil, Hard, Medium};
    set(store, of_level(Evil)).await;
    let day = [of_level(Easy), of_level(Hard)];
    let level = Difficulty::Level;
    assert_eq!(declared(store, "day", &day).await, [(Act::Added, level(Easy)), (Act::Added, level(Hard))]);
    assert_eq!(declared(store, "night", &[wish(3)]).await, [(Act::Added, Difficulty::Any)]);
    let before = store.targets().await.unwrap();
    world.pass_ms(10);
    let store = &*world.open().await;
    assert_eq!(declared(store, "day", &day).await, []);
    assert_eq!(store.targets().await.unwrap(), before, "an unchanged target is not written");

    let day = [Wish { count: 10, ..of_level(Hard) }, of_level(Medium)];
    let changes = [(Act::Removed, level(Easy)), (Act::Changed, level(Hard)), (Act::Added, level(Medium))];
    assert_eq!(declared(store, "day", &day).await, changes);
    let own = (level(Evil), None);
    let of_night = (Difficulty::Any, Some("night".to_owned()));
    assert_eq!(all(store).await, [own, by(Hard, "day"), of_night, by(Medium, "day")]);
    let hard = &store.targets().await.unwrap()[1];
    let [created_at, updated_at] = [START, START.plus_ms(10)];
    assert_eq!((hard.id, hard.wish.count), (before[2].id, 10));
    assert_eq!((hard.created_at, hard.updated_at), (created_at, updated_at));
}

/// Regression: a server that started without its configuration file deleted the declared targets of all other servers.
pub(crate) async fn configuration_without_targets_changes_nothing(store: &dyn Store, _: &World) {
    declared(store, "default", &[of_level(Level::Easy)]).await;
    for name in ["default", "other"] {
        assert_eq!(declared(store, name, &[]).await, []);
    }
    assert_eq!(all(store).await, [by(Level::Easy, "default")]);
}

pub(crate) async fn target_of_a_call_becomes_declared(store: &dyn Store, _: &World) {
    let target = set(store, of_level(Level::Easy)).await;
    set(store, of_level(Level::Hard)).await;
    let day = [of_level(Level::Easy), Wish { count: 6, ..of_level(Level::Hard) }];
    let level = Difficulty::Level;
    let changes = [(Act::Declared, level(Level::Easy)), (Act::Declared, level(Level::Hard))];
    assert_eq!(declared(store, "day", &day).await, changes);
    assert_eq!(all(store).await, [by(Level::Easy, "day"), by(Level::Hard, "day")]);
    let targets = store.targets().await.unwrap();
    assert_eq!((targets[0].id, targets[1].wish.count), (target.id, 6));
    // The configuration now owns the targets, so it can remove one.
    assert_eq!(declared(store, "day", &day[1..]).await, [(Act::Removed, level(Level::Easy))]);
}

/// Version 0.3 added styles, so that a table without a symmetry became another spec. While an older process runs, both would
/// replace the target of the other in turn.
pub(crate) async fn declared_target_gets_its_style_once_no_older_process_runs(store: &dyn Store, world: &World) {
    let plain = of_level(Level::Hard);
    let styled = Spec { symmetry: Symmetry::Rotation180, ..plain.spec.clone() };
    let before = declaration("day", std::slice::from_ref(&plain));
    let after = declaration("day", &[Wish { spec: styled.clone(), count: 12, ..plain }]);
    let after = after.with_open_symmetries([styled.clone()]);
    let acts = async |store: &dyn Store, declaration: &Declaration| -> Vec<Act> {
        let declared = store.declare_targets(declaration, TARGETS_MAX, &someone()).await.unwrap().unwrap();
        declared.into_iter().map(|declared| declared.act).collect()
    };
    assert_eq!(acts(store, &before).await, [Act::Added]);
    let target = store.targets().await.unwrap().remove(0);
    let making = queued(store.refill(refill(&target, Asked::Manual(someone()))).await.unwrap());
    let old = process("aaaa0001");
    store.keep_process(&old).await.unwrap();

    let waiting = Everything::of(store).await;
    assert_eq!(acts(store, &after).await, [Act::Kept]);
    // The older process starts again.
    assert_eq!(acts(store, &before).await, []);
    assert_eq!(Everything::of(store).await, waiting);

    // It was killed. Processes of the new version notice that together.
    world.pass_ms(RUNNING_MS);
    let mut processes = JoinSet::new();
    for _ in 0..3 {
        let (store, after) = (world.open().await, after.clone());
        processes.spawn(async move { store.declare_targets(&after, TARGETS_MAX, &someone()).await.unwrap().unwrap() });
    }
    let changed = processes.join_all().await.concat();
    let [Declared { act: Act::Changed, of: now }] = changed.as_slice() else { panic!("{changed:?}") };
    assert_eq!((now.id, now.created_at, now.wish.count), (target.id, target.created_at, 12));
    assert_eq!(now.wish.spec, styled);
    assert_eq!(store.targets().await.unwrap(), changed.iter().map(|declared| declared.of.clone()).collect::<Vec<_>>());
    let ended = job_of(store, making.id).await;
    assert_eq!((ended.state, ended.target_id), (JobState::Ended, None));
    let next = queued(store.refill(refill(now, Asked::Planned { last: None, not_after_at: None })).await.unwrap());
    assert_eq!((next.spec, next.wanted), (styled, 12));

    // An older process that starts now declares its own target, and the newer ones wait again.
    assert_eq!(acts(store, &before).await, [Act::Removed, Act::Added]);
    store.keep_process(&old).await.unwrap();
    assert_eq!(acts(store, &after).await, [Act::Kept]);
    store.remove_process("aaaa0001").await.unwrap();
    assert_eq!(acts(store, &after).await, [Act::Changed]);
    world.is_sound().await;
}

pub(crate) async fn spec_of_another_configuration_is_refused_and_nothing_changes(store: &dyn Store, _: &World) {
    declared(store, "day", &[of_level(Level::Easy), of_level(Level::Hard)]).await;
    declared(store, "night", &[of_level(Level::Medium)]).await;
    let before = store.targets().await.unwrap();
    let night = declaration("night", &[of_level(Level::Evil), of_level(Level::Hard)]);
    let clash = store.declare_targets(&night, TARGETS_MAX, &someone()).await.unwrap().unwrap_err();
    let Clash::OfAnother { table, name, other, remedy, .. } = &clash else { panic!("{clash:?}") };
    let to_do = format!("delete {}", before[1].id);
    assert_eq!((*table, name.as_str(), other.as_str(), remedy), (2, "night", "day", &to_do));
    assert_eq!(store.targets().await.unwrap(), before);
}

pub(crate) async fn declared_target_that_was_deleted_comes_back(store: &dyn Store, _: &World) {
    declared(store, "day", &[of_level(Level::Easy)]).await;
    let id = store.targets().await.unwrap()[0].id;
    assert_eq!(store.delete_target(id, &someone()).await.unwrap().unwrap().declared_by.as_deref(), Some("day"));
    let easy = Difficulty::Level(Level::Easy);
    assert_eq!(declared(store, "day", &[of_level(Level::Easy)]).await, [(Act::Added, easy)]);
    assert!(store.targets().await.unwrap()[0].id > id);
}

pub(crate) async fn declared_targets_never_exceed_the_limit_of_targets(store: &dyn Store, _: &World) {
    set(store, of_level(Level::Evil)).await;
    let day = declaration("day", &[of_level(Level::Easy), of_level(Level::Hard)]);
    let refused = store.declare_targets(&day, 2, &someone()).await.unwrap();
    let (name, remedy) = ("day".to_owned(), "delete some, or raise `max_targets`");
    assert_eq!(refused, Err(Clash::TooMany { name, plural: "stock targets", number: 3, max: 2, remedy }));
    assert_eq!(store.targets().await.unwrap().len(), 1);
    assert_eq!(store.declare_targets(&day, 3, &someone()).await.unwrap().unwrap().len(), 2);
}

pub(crate) async fn concurrent_declarations_create_each_target_once(store: &dyn Store, world: &World) {
    let day = declaration("day", &Level::ALL.map(of_level));
    let mut processes = JoinSet::new();
    for _ in 0..4 {
        let (store, day) = (world.open().await, day.clone());
        processes
            .spawn(async move { store.declare_targets(&day, TARGETS_MAX, &someone()).await.unwrap().unwrap().len() });
    }
    let mut changes = processes.join_all().await;
    changes.sort_unstable();
    assert_eq!(changes, [0, 0, 0, 5]);
    assert_eq!(all(store).await, Level::ALL.map(|level| by(level, "day")));
}

pub(crate) async fn of_concurrent_configurations_with_one_spec_one_succeeds(store: &dyn Store, world: &World) {
    let names = ["day", "night", "weekend"];
    let mut processes = JoinSet::new();
    for (name, own) in names.into_iter().zip(Level::ALL) {
        let store = world.open().await;
        let declared = declaration(name, &[of_level(own), of_level(Level::Evil)]);
        processes
            .spawn(async move { store.declare_targets(&declared, TARGETS_MAX, &someone()).await.unwrap().is_ok() });
    }
    let started = processes.join_all().await;
    assert_eq!(started.iter().filter(|started| **started).count(), 1, "{started:?}");
    let targets = all(store).await;
    let [(_, own), (evil, shared)] = targets.as_slice() else { panic!("{targets:?}") };
    assert_eq!((own, *evil), (shared, Difficulty::Level(Level::Evil)));
}
