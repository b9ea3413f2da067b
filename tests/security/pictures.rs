//! The addresses of pictures: they need an identity, the right to solutions where a picture shows one, and a role that knows the
//! puzzle.

use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::{
    http::{Answer, send_over},
    server::{Entry, Server, entry, token_of},
    solutions::stocked,
};

async fn get(server: &Server, principal: Option<&str>, path: &str) -> Answer {
    let bearer = principal.map(|principal| format!("Bearer {}", token_of(principal)));
    let headers: Vec<_> = bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
    send_over(TcpStream::connect(server.address).await.unwrap(), "GET", path, &headers, b"").await
}

#[tokio::test(flavor = "multi_thread")]
async fn address_of_a_picture_has_the_access_rules_of_its_method() {
    let entries =
        [entry("ops", "admin"), entry("reader", "reader"), Entry { solutions: false, ..entry("blind", "reader") }];
    let server = Server::start(&entries).await;
    server.work();
    let ops = server.client("ops").await;
    let id = stocked(&ops).await[0]["id"].as_str().unwrap().to_owned();
    let held = json!({ "kind": "KIND_SUDOKU", "level": "LEVEL_EASY", "count": 1, "audience": "anna" });
    let job = ops.call("Generate", held).await.unwrap().unwrap()["job"]["id"].clone();
    let mut watch = ops.open("WatchJob", json!({ "id": job })).await.unwrap();
    while watch.message().await.unwrap().is_some() {}
    let next = format!("puzzle-{}", id.rsplit('-').next().unwrap().parse::<u32>().unwrap() + 3);
    let path = |id: &str, query: &str| format!("/puzzles/{id}.svg{query}");
    for (principal, path, status) in [
        (None, path(&id, ""), 401),
        (Some("blind"), path(&id, ""), 200),
        (Some("blind"), path(&id, "?candidates=true"), 200),
        (Some("blind"), path(&id, "?solution=true"), 403),
        (Some("blind"), path(&id, "?step=1"), 403),
        (Some("reader"), path(&id, "?solution=true"), 200),
        (Some("reader"), path(&id, "?step=1"), 200),
        (Some("ops"), path(&next, ""), 200),
        (Some("reader"), path(&next, ""), 404),
    ] {
        let answer = get(&server, principal, &path).await;
        assert_eq!(answer.status, status, "{principal:?} {path}: {answer:?}");
        if status != 200 {
            let error: Value = answer.json();
            assert!(error["code"].is_string() && !error["details"].as_array().unwrap().is_empty(), "{error}");
        }
    }
}
