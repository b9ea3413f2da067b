//! The limit on open files, which includes sockets: a server raises it as far as it may.
#![cfg(target_os = "linux")]

use std::fs;

use rustix::process::{Resource, getrlimit};

use crate::{Site, server::Server};

#[tokio::test]
async fn server_raises_its_soft_limit_of_open_files_to_the_hard_one() {
    let site = Site::new().await;
    let server = Server::start_with_files(&site.database, &["--workers", "0"], 256).await;
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.pid().as_raw_nonzero())).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let [soft, hard] = [0, 1].map(|at| line.split_whitespace().nth(at).unwrap());
    assert_eq!(soft, hard);
    // If the hard limit of the machine were that low, the test would prove nothing.
    assert!(getrlimit(Resource::Nofile).maximum.is_none_or(|hard| hard > 256), "{line}");
}
