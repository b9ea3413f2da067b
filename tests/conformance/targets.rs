//! Stock targets as rows: set, changed, declared, deleted.

use puzzled::store::{
    Store,
    target::{Schedule, StockTarget, TargetId, TargetSet, Wish},
};
use puzzled_engine::{
    level::{Level, Tenths},
    spec::{Spec, Target},
    symmetry::Symmetry,
};

use crate::{
    backend::{START, World},
    support::spec,
};

/// Targets that cases which are not about it allow.
const TARGETS_MAX: u32 = 100;

/// So many puzzles of the usual spec.
pub(crate) fn wish(target: u32) -> Wish {
    Wish { spec: spec(), low_water: target, target, priority: -5, no_extras: false, schedule: None }
}

/// Nine puzzles of a level.
pub(crate) fn of_level(level: Level) -> Wish {
    Wish { spec: Spec { target: Target::Level(level), ..spec() }, ..wish(9) }
}

pub(crate) async fn set(store: &dyn Store, wish: Wish) -> StockTarget {
    match store.set_target(wish, TARGETS_MAX).await.unwrap() {
        TargetSet::Set(target) => target,
        TargetSet::TooMany { targets } => panic!("{targets} targets"),
    }
}

pub(crate) async fn a_target_is_found_as_it_was_set(store: &dyn Store, world: &World) {
    let schedule =
        Schedule { cron: "0 1 * * *".to_owned(), time_zone: "Europe/Berlin".to_owned(), window_minutes: 240 };
    let range = Target::Range { min: Tenths(12), max: Tenths(255) };
    let mut expected = Vec::new();
    for (target, schedule) in [(Target::Any, None), (Target::Level(Level::Expert), Some(schedule)), (range, None)] {
        let spec = Spec { target, symmetry: Symmetry::AntiDiagonal, variant: "2x3".to_owned(), ..spec() };
        let no_extras = schedule.is_some();
        let wish = Wish { spec, low_water: 3, target: u32::MAX, priority: -100, no_extras, schedule };
        let target = set(store, wish.clone()).await;
        let (created_at, updated_at) = (world.now(), world.now());
        assert_eq!(target, StockTarget { id: target.id, wish, is_declared: false, created_at, updated_at });
        expected.push(target);
        world.pass_ms(10);
    }
    assert_eq!(store.targets().await.unwrap(), expected);
    assert_eq!(world.open().await.targets().await.unwrap(), expected);
}

pub(crate) async fn a_spec_has_one_target_and_setting_it_again_changes_it(store: &dyn Store, world: &World) {
    let first = set(store, wish(5)).await;
    world.pass_ms(10);
    let changed = Wish { low_water: 2, target: 7, priority: 1, no_extras: true, ..wish(5) };
    let again = set(store, changed.clone()).await;
    let updated_at = START.plus_ms(10);
    assert_eq!(again, StockTarget { wish: changed, updated_at, ..first });
    assert_eq!(store.targets().await.unwrap(), [again]);
}

pub(crate) async fn a_target_more_than_may_be_is_refused(store: &dyn Store, _: &World) {
    for (level, wanted) in [(Level::Easy, None), (Level::Medium, None), (Level::Hard, Some(2)), (Level::Easy, None)] {
        let refused = match store.set_target(of_level(level), 2).await.unwrap() {
            TargetSet::Set(_) => None,
            TargetSet::TooMany { targets } => Some(targets),
        };
        assert_eq!(refused, wanted, "{level:?}");
    }
}

pub(crate) async fn a_deleted_target_is_gone_and_was_known(store: &dyn Store, _: &World) {
    let [one, other] = [set(store, wish(5)).await, set(store, of_level(Level::Hard)).await];
    assert_eq!(store.delete_target(one.id).await.unwrap(), Some(one.clone()));
    assert_eq!(store.targets().await.unwrap(), [other]);
    for id in [one.id, TargetId(0), TargetId(-1), TargetId(i64::MAX)] {
        assert_eq!(store.delete_target(id).await.unwrap(), None);
    }
    assert!(set(store, wish(5)).await.id > one.id, "ids are never given twice");
}

pub(crate) async fn declared_targets_come_and_go_with_their_declaration(store: &dyn Store, world: &World) {
    set(store, of_level(Level::Evil)).await;
    store.declare_targets(&[of_level(Level::Easy), of_level(Level::Hard)]).await.unwrap();
    let before = store.targets().await.unwrap();
    world.pass_ms(10);
    store.declare_targets(&[of_level(Level::Hard), of_level(Level::Medium)]).await.unwrap();
    let targets = store.targets().await.unwrap();
    let told: Vec<_> = targets.iter().map(|target| (target.wish.spec.target, target.is_declared)).collect();
    let level = |level| Target::Level(level);
    assert_eq!(told, [(level(Level::Evil), false), (level(Level::Hard), true), (level(Level::Medium), true)]);
    assert_eq!((targets[1].id, targets[1].created_at), (before[2].id, START));
    store.declare_targets(&[]).await.unwrap();
    assert_eq!(store.targets().await.unwrap().len(), 1);
}

pub(crate) async fn a_declaration_goes_before_what_was_set(store: &dyn Store, _: &World) {
    set(store, wish(5)).await;
    store.declare_targets(&[wish(6)]).await.unwrap();
    let targets = store.targets().await.unwrap();
    assert_eq!((targets[0].wish.target, targets[0].is_declared), (6, true));
    // Set by hand it is no longer the file's, until that is read again.
    set(store, wish(7)).await;
    store.declare_targets(&[]).await.unwrap();
    assert_eq!(store.targets().await.unwrap()[0].wish.target, 7);
}
