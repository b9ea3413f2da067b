//! Health checks: the status of each service, with an unreachable database, and during a shutdown. Two failed pings do
//! not make a server unhealthy.

use crate::prelude::*;

const NAMES: [&str; 6] = [
    "",
    "puzzled.v1.PuzzleService",
    "puzzled.v1.JobService",
    "puzzled.v1.StockService",
    "puzzled.v1.SeriesService",
    "puzzled.v1.ServerService",
];

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test]
async fn every_service_follows_the_database_down_and_up() {
    let server = Server::start().await;
    let mut health = server.health().await;
    for name in NAMES {
        let mut stream = health.watch(of(name)).await.unwrap().into_inner();
        for (gate, expected) in [
            (Gate::Open, ServingStatus::Serving),
            (Gate::Unreachable, ServingStatus::NotServing),
            (Gate::Open, ServingStatus::Serving),
            (Gate::Refusing, ServingStatus::NotServing),
            (Gate::Open, ServingStatus::Serving),
        ] {
            server.store.set(gate);
            while stream.message().await.unwrap().unwrap().status() != expected {}
            assert_eq!(health.check(of(name)).await.unwrap().into_inner().status(), expected, "{name:?}");
        }
    }
}

#[tokio::test]
async fn two_failed_pings_in_a_row_take_no_server_out_of_service() {
    // Far enough apart that a watch would receive it.
    let server = Server::with(|options| options.settings.health_every = Duration::from_millis(20)).await;
    let mut watch = server.health().await.watch(of("")).await.unwrap().into_inner();
    while watch.message().await.unwrap().unwrap().status() != ServingStatus::Serving {}
    for _ in 0..5 {
        server.store.fail_pings(2).await;
    }
    server.shutdown.cancel();
    let mut told = Vec::new();
    while let Some(message) = watch.message().await.unwrap() {
        told.push(message.status());
    }
    // The end's.
    assert_eq!(told, [ServingStatus::NotServing]);
    server.ended().await.unwrap();
}

/// Cause: the watch ended with `NOT_FOUND`, so that clients of the protocol gave up the connection.
#[tokio::test]
async fn watch_of_an_unknown_service_says_so_and_stays_open() {
    let server = Server::start().await;
    let mut watch = server.health().await.watch(of("puzzled.v1.Nobody")).await.unwrap().into_inner();
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::ServiceUnknown);
    let next = watch.message();
    tokio::pin!(next);
    tokio::select! {
        biased;
        ended = &mut next => panic!("{ended:?}"),
        answered = async { server.health().await.check(of("")).await } => drop(answered.unwrap()),
    }
    server.shutdown.cancel();
    assert_eq!(next.await.unwrap(), None);
    server.ended().await.unwrap();
}
