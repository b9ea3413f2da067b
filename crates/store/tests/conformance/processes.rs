//! The rows of processes: added, renewed, listed with their slices, removed, and pruned.

use puzzled_store::jobs::process::{HELD_MAX, HeldSlice, Process, Role};

use crate::{prelude::*, prune::everything};

/// The description of a process with this name.
pub(crate) fn process(name: &str) -> Process {
    Process {
        name: name.to_owned(),
        host: "a host".to_owned(),
        pid: 7,
        role: Role::Serve,
        version: "0.1.0".to_owned(),
        workers: 2,
    }
}

async fn listed(store: &dyn Store) -> Vec<Listed> {
    store.processes(None, u32::MAX).await.unwrap()
}

async fn names(store: &dyn Store) -> Vec<String> {
    listed(store).await.into_iter().map(|listed| listed.process.name).collect()
}

pub(crate) async fn a_process_is_listed_from_its_start_to_its_removal(store: &dyn Store, world: &World) {
    let worker = Process { role: Role::Work, workers: 0, pid: u32::MAX, ..process("bbbb0002") };
    store.keep_process(&process("aaaa0001")).await.unwrap();
    world.pass_ms(5);
    store.keep_process(&worker).await.unwrap();
    let all = listed(store).await;
    assert_eq!([&all[0].process, &all[1].process], [&process("aaaa0001"), &worker]);
    assert_eq!((all[1].started_at, all[1].seen_at), (START.plus_ms(5), START.plus_ms(5)));
    assert_eq!((all[0].held, all[0].slices.len()), (0, 0));
    assert_eq!(store.processes(None, 1).await.unwrap(), all[..1]);
    assert_eq!(store.processes(Some(all[0].id), 9).await.unwrap(), all[1..]);
    assert!(store.remove_process("aaaa0001").await.unwrap());
    assert!(!store.remove_process("aaaa0001").await.unwrap());
    assert_eq!(listed(store).await, all[1..]);
}

pub(crate) async fn renewal_of_a_process_keeps_its_start_time(store: &dyn Store, world: &World) {
    store.keep_process(&process("aaaa0001")).await.unwrap();
    world.pass_ms(10_000);
    store.keep_process(&process("aaaa0001")).await.unwrap();
    let all = listed(store).await;
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].started_at, all[0].seen_at), (START, START.plus_ms(10_000)));
}

pub(crate) async fn a_process_lists_the_slices_that_its_workers_hold(store: &dyn Store, world: &World) {
    for name in ["aaaa0001", "aaaa00010", "bbbb0002"] {
        store.keep_process(&process(name)).await.unwrap();
    }
    let queued = queue(store, job(9)).await;
    let mut slices = Vec::new();
    for (token, worker) in [(1, "aaaa0001-1"), (2, "aaaa0001-2"), (3, "aaaa00010-1"), (4, "cccc0003-1")] {
        let claim = Claim { worker: worker.into(), size: slices_of(2), ..claim(token) };
        slices.push(store.claim(claim).await.unwrap().slice.unwrap());
    }
    let held = |at: usize, worker: &str| HeldSlice {
        slice_id: slices[at].lease.slice_id,
        job_id: queued.id,
        first_index: slices[at].first_index,
        end_index: slices[at].end_index,
        worker: worker.to_owned(),
        lease_expires_at: Millis(START.0 + LEASE_MS),
    };
    let all = listed(store).await;
    // The second process gets only its own slice, although its name starts with the name of the first.
    assert_eq!(all[0].slices, [held(0, "aaaa0001-1"), held(1, "aaaa0001-2")]);
    assert_eq!(all[1].slices, [held(2, "aaaa00010-1")]);
    assert_eq!([all[0].held, all[1].held, all[2].held], [2, 1, 0]);
    committed(store, &slices[0], &[1, 2]).await;
    assert_eq!(listed(store).await[0].slices, [held(1, "aaaa0001-2")]);
    // An expired lease belongs to no process.
    world.pass_ms(LEASE_MS);
    assert!(listed(store).await.iter().all(|process| process.slices.is_empty() && process.held == 0));
    // Nor does a slice of a job that has ended.
    store.claim(Claim { worker: "aaaa0001-1".into(), ..claim(5) }).await.unwrap();
    assert_eq!(listed(store).await[0].held, 1);
    store.cancel(queued.id, &someone()).await.unwrap();
    assert_eq!(listed(store).await[0].held, 0);
}

pub(crate) async fn oldest_slices_of_a_process_are_listed_and_all_are_counted(store: &dyn Store, _: &World) {
    store.keep_process(&process("aaaa0001")).await.unwrap();
    queue(store, job(HELD_MAX + 5)).await;
    for token in 1..=i64::from(HELD_MAX + 5) {
        store.claim(Claim { worker: "aaaa0001-1".into(), size: slices_of(1), ..claim(token) }).await.unwrap();
    }
    let all = listed(store).await;
    assert_eq!((all[0].held, all[0].slices.len()), (HELD_MAX + 5, HELD_MAX as usize));
    assert!(all[0].slices.is_sorted_by_key(|slice| slice.slice_id) && all[0].slices[0].first_index == 0);
}

pub(crate) async fn rows_of_processes_not_seen_for_long_are_pruned_in_parts(store: &dyn Store, world: &World) {
    for name in ["aaaa0001", "bbbb0002", "cccc0003", "dddd0004"] {
        store.keep_process(&process(name)).await.unwrap();
        world.pass_ms(10);
    }
    store.keep_process(&process("aaaa0001")).await.unwrap();
    let few = Prune { rows_max: 2, seen_before: Some(world.now()), ..everything(world) };
    assert_eq!(store.prune(few).await.unwrap(), Pruned { processes: 2, ..Pruned::default() });
    assert_eq!(store.prune(few).await.unwrap(), Pruned { processes: 1, ..Pruned::default() });
    assert_eq!(store.prune(few).await.unwrap(), Pruned::default());
    assert_eq!(names(store).await, ["aaaa0001"]);
    // A pruned process that still runs is listed again.
    store.keep_process(&process("bbbb0002")).await.unwrap();
    assert_eq!(names(store).await, ["aaaa0001", "bbbb0002"]);
}
