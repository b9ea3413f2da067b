//! The audit trail: which changes have entries, what entries say, and how they are listed and pruned.

use serde_json::json;

use crate::{
    prelude::*,
    prune::everything,
    targets::{declaration, wish},
    work,
};

async fn entries(store: &dyn Store, filter: AuditFilter) -> Vec<AuditEntry> {
    let mut entries = store.audit_entries(&filter, None, u32::MAX).await.unwrap();
    entries.reverse();
    entries
}

async fn all(store: &dyn Store) -> Vec<AuditEntry> {
    entries(store, AuditFilter::default()).await
}

fn told(entries: &[AuditEntry]) -> Vec<String> {
    entries.iter().map(|entry| format!("{} {}", entry.method, entry.subjects.join(" ")).trim_end().to_owned()).collect()
}

/// A job that is queued by a call of `Generate`.
fn generated(wanted: u32) -> NewJob {
    NewJob { by: Some(caller("Generate")), ..job(wanted) }
}

pub(crate) async fn entry_names_the_actor_and_the_change(store: &dyn Store, world: &World) {
    world.pass_ms(5);
    queue(store, NewJob { request: Some(request("night \"7\"", "x")), ..generated(3) }).await;
    let expected = AuditEntry {
        id: 1,
        at: START.plus_ms(5),
        principal: "anonymous".to_owned(),
        role: Some(Role::Admin),
        address: "192.0.2.1:7".to_owned(),
        method: "Generate".to_owned(),
        call_id: "call-1".to_owned(),
        subjects: vec!["job-1".to_owned()],
        details: json!({ "spec": job(3).spec.words(), "count": 3, "request_id": "night \"7\"" })
            .as_object()
            .unwrap()
            .clone(),
        is_denied: false,
        calls: 1,
    };
    assert_eq!(all(store).await, [expected]);
    let command = Actor::command("root", "db-1", "rerate");
    store.note(&command, json!({ "ratings": 2 })).await.unwrap();
    let entry = all(store).await.remove(1);
    let told = (&*entry.principal, entry.role, &*entry.address, &*entry.method, &*entry.call_id);
    assert_eq!(told, ("cli:root", None, "db-1", "rerate", ""));
}

pub(crate) async fn calls_that_change_nothing_have_no_entry(store: &dyn Store, _: &World) {
    let named = NewJob { request: Some(request("a", "x")), ..job(2) };
    let known = queue(store, named.clone()).await;
    cancelled(store, known.id).await;
    let target = set(store, wish(5)).await;
    store.set_pause(Some("a move"), &someone()).await.unwrap();
    let before = all(store).await;
    store.enqueue(named.clone(), OPEN_JOBS_MAX).await.unwrap();
    store.enqueue_batch(&[named.clone(), named], OPEN_JOBS_MAX).await.unwrap();
    cancelled(store, known.id).await;
    for pause in ["", "a move"] {
        assert!(!store.set_pause(Some(pause), &someone()).await.unwrap());
    }
    store.create_target(&wish(5), 9, &someone()).await.unwrap();
    store.update_target(target.id, &Change::default(), &someone()).await.unwrap();
    store.withdraw(PuzzleId(9), "a misprint", &someone()).await.unwrap();
    store.cancel(JobId(9), &someone()).await.unwrap();
    store.forget_audience("nobody", &someone()).await.unwrap();
    assert_eq!(all(store).await, before);
    assert!(store.set_pause(None, &someone()).await.unwrap());
    assert!(!store.set_pause(None, &someone()).await.unwrap());
    store.delete_target(target.id, &someone()).await.unwrap();
    store.delete_target(target.id, &someone()).await.unwrap();
    assert_eq!(all(store).await.len(), before.len() + 2);
}

pub(crate) async fn planners_and_workers_have_no_entries(store: &dyn Store, _: &World) {
    let target = set(store, wish(2)).await;
    let before = all(store).await;
    let planned = refill(&target, Asked::Planned { last: None, not_after_at: None });
    assert_eq!(queued(store.refill(planned).await.unwrap()).principal, None);
    let slice = claimed(store, 1).await;
    committed(store, &slice, &[1, 2]).await;
    deliver_one(store, work::wish(store, "one", 1).await).await;
    assert_eq!(all(store).await, before);
}

pub(crate) async fn target_entry_has_the_target_before_and_after(store: &dyn Store, _: &World) {
    let target = set(store, wish(5)).await;
    let change = Change { count: Edit::Set(6), priority: Edit::Set(7), ..Change::default() };
    store.update_target(target.id, &change, &someone()).await.unwrap();
    store.delete_target(target.id, &someone()).await.unwrap();
    let of = |entry: &AuditEntry, side: &str| {
        let of = entry.details[side].as_object()?;
        Some((of["target"].as_u64().unwrap(), of["priority"].as_i64().unwrap()))
    };
    let sides: Vec<_> = all(store).await.iter().map(|entry| (of(entry, "before"), of(entry, "after"))).collect();
    let (old, new) = (Some((5, i64::from(target.wish.priority))), Some((6, 7)));
    assert_eq!(sides, [(None, old), (old, new), (new, None)]);
}

pub(crate) async fn declared_targets_have_entries_of_the_configuration(store: &dyn Store, _: &World) {
    let by = Actor::configuration("host-1");
    for wishes in [&[wish(5)][..], &[wish(6)], &[wish(6)], &[]] {
        store.declare_targets(&declaration("night", wishes), 9, &by).await.unwrap().unwrap();
    }
    let found = all(store).await;
    assert_eq!(told(&found), ["CreateStockTarget target-1", "UpdateStockTarget target-1"]);
    for entry in found {
        assert_eq!((&*entry.principal, entry.role, &*entry.address), ("configuration", None, "host-1"));
        assert_eq!(entry.details["after"]["declared_by"], "night");
    }
}

pub(crate) async fn batch_has_one_entry_with_all_its_jobs(store: &dyn Store, _: &World) {
    let batched = |wanted| NewJob { by: Some(caller("BatchGenerate")), ..job(wanted) };
    store.enqueue_batch(&[batched(1), batched(2), batched(3)], OPEN_JOBS_MAX).await.unwrap();
    let found = all(store).await;
    assert_eq!(told(&found), ["BatchGenerate job-1 job-2 job-3"]);
    assert_eq!(found[0].details, json!({ "jobs": 3, "count": 6 }).as_object().unwrap().clone());
    // Independent callers who share a write have an entry each.
    store.enqueue_all(&[generated(1), generated(2)], OPEN_JOBS_MAX).await.unwrap();
    assert_eq!(told(&all(store).await)[1..], ["Generate job-4", "Generate job-5"]);
}

pub(crate) async fn denied_calls_of_a_minute_share_an_entry(store: &dyn Store, world: &World) {
    let denial = |name: &str, method: &str, calls| {
        let by = Actor { name: name.into(), role: Some(Role::Maker), ..(*caller(method)).clone() };
        Denial { by, calls }
    };
    store.note_denied(&[]).await.unwrap();
    store.note_denied(&[denial("day", "PauseQueue", 2), denial("night", "PauseQueue", 1)]).await.unwrap();
    store.note_denied(&[denial("day", "PauseQueue", 3), denial("day", "ListAuditEntries", 1)]).await.unwrap();
    world.pass_ms(60_000);
    store.note_denied(&[denial("day", "PauseQueue", 4)]).await.unwrap();
    let found = all(store).await;
    let told: Vec<_> = found.iter().map(|entry| (&*entry.principal, &*entry.method, entry.calls)).collect();
    let expected = [
        ("day", "PauseQueue", 5),
        ("night", "PauseQueue", 1),
        ("day", "ListAuditEntries", 1),
        ("day", "PauseQueue", 4),
    ];
    assert_eq!(told, expected);
    assert!(found.iter().all(|entry| entry.is_denied && entry.subjects.is_empty()));
    assert_eq!((found[0].at, found[3].at), (START, START.plus_ms(60_000)));
}

pub(crate) async fn entries_are_filtered_and_paged(store: &dyn Store, world: &World) {
    let by = |name: &str, method: &str| Arc::new(Actor { name: name.into(), ..(*caller(method)).clone() });
    for (name, method) in [("day", "Generate"), ("night", "Generate"), ("night", "BatchGenerate")] {
        let new = NewJob { by: Some(by(name, method)), ..job(1) };
        store.enqueue_batch(&[new.clone(), new], OPEN_JOBS_MAX).await.unwrap();
        world.pass_ms(10);
    }
    queue(store, NewJob { by: Some(by("day", "Generate")), ..job(1) }).await;
    cancelled(store, JobId(6)).await;
    let ids =
        async |filter: AuditFilter| -> Vec<i64> { entries(store, filter).await.iter().map(|entry| entry.id).collect() };
    let any = AuditFilter::default;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(ids(AuditFilter { principal: text("night"), ..any() }).await, [2, 3]);
    assert_eq!(ids(AuditFilter { method: text("Generate"), ..any() }).await, [1, 2, 4]);
    assert_eq!(ids(AuditFilter { principal: text("night"), method: text("Generate"), ..any() }).await, [2]);
    assert_eq!(ids(AuditFilter { subject: text("job-6"), ..any() }).await, [3, 5]);
    assert_eq!(ids(AuditFilter { subject: text("job-7"), ..any() }).await, [4]);
    for unknown in ["job", "job-60", "job_6", "target-1"] {
        assert_eq!(ids(AuditFilter { subject: text(unknown), ..any() }).await, [] as [i64; 0]);
    }
    let (since, before) = (Some(START.plus_ms(10)), Some(START.plus_ms(30)));
    assert_eq!(ids(AuditFilter { since, before, ..any() }).await, [2, 3]);
    let page = store.audit_entries(&any(), Some(5), 2).await.unwrap();
    assert_eq!(page.iter().map(|entry| entry.id).collect::<Vec<_>>(), [4, 3]);
}

pub(crate) async fn old_audit_entries_are_pruned(store: &dyn Store, world: &World) {
    let queued = queue(store, generated(1)).await;
    world.pass_ms(10);
    queue_again(store, cancelled(store, queued.id).await.id, 1).await;
    let prune = Prune { audited_before: Some(START.plus_ms(10)), ..everything(world) };
    assert_eq!(store.prune(prune).await.unwrap(), Pruned { audit_entries: 1, ..Pruned::default() });
    assert_eq!(all(store).await.len(), 2);
    assert_eq!(store.prune(prune).await.unwrap(), Pruned::default());
}
