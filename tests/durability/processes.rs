//! The rows of processes: present while a process runs, removed by an orderly end, and left by a kill.

use puzzled_api::v1 as pb;

use crate::{Site, server::Server};

async fn listed(server: &Server) -> Vec<pb::Process> {
    server.client.info().list_processes(pb::ListProcessesRequest::default()).await.unwrap().into_inner().processes
}

fn pids(processes: &[pb::Process]) -> Vec<u32> {
    processes.iter().map(|process| process.process_id).collect()
}

fn pid(server: &Server) -> u32 {
    u32::try_from(server.pid().as_raw_nonzero().get()).unwrap()
}

#[tokio::test]
async fn process_row_stays_after_a_kill_and_goes_at_a_shutdown() {
    let site = Site::new().await;
    let asked = Server::start(&site.database, &["--workers", "0"]).await;
    let ending = Server::start(&site.database, &["--workers", "1", "--lease-ms", "3600000"]).await;
    let killed = Server::start(&site.database, &["--workers", "2", "--lease-ms", "3600000"]).await;
    let all = listed(&asked).await;
    assert_eq!(pids(&all), [pid(&asked), pid(&ending), pid(&killed)]);
    assert_eq!(all.iter().map(|process| process.workers).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(all.iter().all(|process| process.role() == pb::ProcessRole::Serve && !process.host.is_empty()), "{all:?}");
    let before = pid(&killed);
    killed.kill().await;
    ending.terminate();
    assert_eq!(ending.exit_code().await, Some(0));
    let left = listed(&asked).await;
    assert_eq!(pids(&left), [pid(&asked), before]);
    // A process that is killed before the commit of a renewal leaves its row unchanged.
    let mut halted = Server::start(&site.database, &["--workers", "0", "--halt-at", "keep_process.commit:2"]).await;
    assert_eq!(listed(&asked).await.len(), 3);
    halted.logs("halted at keep_process.commit").await;
    halted.kill().await;
    let left = listed(&asked).await;
    assert_eq!((left.len(), left[2].start_time), (3, left[2].seen_time), "the renewal did not happen");
}
