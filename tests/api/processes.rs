//! `ListProcesses`: the processes of a database, the slices that they hold, and pages.

use puzzled_store::{
    ProcessStore as _,
    jobs::process::{Process, Role},
};

use crate::prelude::*;

async fn list(server: &Server, page_size: i32, page_token: &str) -> pb::ListProcessesResponse {
    let request = pb::ListProcessesRequest { page_size, page_token: page_token.to_owned() };
    server.info().await.list_processes(request).await.unwrap().into_inner()
}

async fn keep(server: &Server, name: &str, role: Role) {
    let (host, version) = ("a host".to_owned(), "0.1.0".to_owned());
    let process = Process { name: name.to_owned(), host, pid: 7, role, version, workers: 2 };
    server.store.keep_process(&process).await.unwrap();
}

#[tokio::test]
async fn processes_are_listed_with_the_slices_of_a_running_job() {
    let server = Server::start().await;
    assert_eq!(list(&server, 0, "").await, pb::ListProcessesResponse::default());
    keep(&server, "5f1c09aa", Role::Serve).await;
    keep(&server, "77c0ffee", Role::Work).await;
    let job = server.queue_job(Symmetry::None, 20).await;
    let slice = server.queue.claim("77c0ffee-2").await.unwrap().unwrap();
    let listed = list(&server, 0, "").await;
    assert_eq!(listed.next_page_token, "");
    let [first, second] = &listed.processes[..] else { panic!("{listed:?}") };
    assert_eq!((first.id.as_str(), first.role(), first.held_slices), ("5f1c09aa", pb::ProcessRole::Serve, 0));
    assert_eq!((second.id.as_str(), second.role(), second.held_slices), ("77c0ffee", pb::ProcessRole::Work, 1));
    assert_eq!((second.host.as_str(), second.process_id, second.workers), ("a host", 7, 2));
    assert_eq!((second.version.as_str(), second.start_time), ("0.1.0", second.seen_time));
    let [held] = &second.slices[..] else { panic!("{second:?}") };
    assert_eq!((held.job_id.clone(), held.slice), (job.id.to_string(), slice.lease.slice_id));
    assert_eq!((held.first_index, held.end_index), (slice.first_index, slice.end_index));
    assert_eq!(held.worker, "77c0ffee-2");
    let (expires, seen) = (held.lease_expire_time.unwrap(), second.seen_time.unwrap());
    assert!((14..=60).contains(&(expires.seconds - seen.seconds)), "{held:?}");
    // No process holds a slice that was given back.
    server.queue.give_back(slice.lease).await.unwrap();
    assert_eq!(list(&server, 0, "").await.processes[1].slices, []);
}

#[tokio::test]
async fn processes_are_listed_page_by_page() {
    let server = Server::start().await;
    for number in 0..5 {
        keep(&server, &format!("aaaa000{number}"), Role::Serve).await;
    }
    let (mut token, mut ids) = (String::new(), Vec::new());
    for size in [2, 2, 1] {
        let page = list(&server, 2, &token).await;
        assert_eq!(page.processes.len(), size);
        ids.extend(page.processes.into_iter().map(|process| process.id));
        token = page.next_page_token;
    }
    assert_eq!(token, "");
    assert_eq!(ids, ["aaaa0000", "aaaa0001", "aaaa0002", "aaaa0003", "aaaa0004"]);
    let request = pb::ListProcessesRequest { page_size: -1, page_token: "next".to_owned() };
    let expected = [
        ("page_size", "-1 is below 0; use 0 for the default, or 1 to 200"),
        ("page_token", "\"next\" is not a token of this list and these criteria; use the last next_page_token"),
    ];
    check_fields(server.info().await.list_processes(request).await, &expected);
}
