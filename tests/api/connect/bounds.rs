//! Limits on HTTP/1.1 connections: the time and the size of a request's head, the number and the age of connections,
//! and clients that do not read. Also calls in many pieces, or one after another on a connection.

use std::time::Duration;

use puzzled::settings::Settings;
use puzzled_engine::shared::symmetry::Symmetry;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
};

use super::http::{one, path, request, with_head};
use crate::server::Server;

pub(crate) async fn bounded(change: impl FnOnce(&mut Settings)) -> Server {
    Server::with(|options| change(&mut options.settings)).await
}

/// A request that is answered at once.
pub(crate) fn quick() -> Vec<u8> {
    request("POST", &path("JobService/GetQueue"), &[("content-type", "application/json")], b"{}")
}

/// A connection that was used, and stays open.
pub(crate) async fn used(server: &Server) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(&quick()).await.unwrap();
    assert_eq!(one(&mut stream).await.status, 200);
    stream
}

/// Waits until the server has closed the connection. One that it keeps open keeps the test waiting.
async fn closed(stream: &mut TcpStream) {
    let mut bytes = [0; 1_000];
    while stream.read(&mut bytes).await.is_ok_and(|len| len > 0) {}
}

#[tokio::test]
async fn first_head_that_takes_too_long_is_closed() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_millis(20)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"POST / HTTP/1.1\r\nhost: ").await.unwrap();
    closed(&mut stream).await;
}

#[tokio::test]
async fn later_head_that_takes_too_long_is_closed() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_secs(1)).await;
    let mut stream = used(&server).await;
    stream.write_all(b"POST / HTTP/1.1\r\nhost: ").await.unwrap();
    closed(&mut stream).await;
}

/// Cause: the connection was closed without an answer.
#[tokio::test]
async fn head_that_is_too_long_is_refused_in_a_sentence() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_hours(1)).await;
    let endless = [&b"GET / HTTP/1.1\r\na: "[..], &vec![b'b'; 100_000]].concat();
    for mut stream in [TcpStream::connect(server.address).await.unwrap(), used(&server).await] {
        stream.write_all(&endless).await.unwrap();
        let answer = one(&mut stream).await;
        assert_eq!((answer.status, answer.header("connection")), (431, "close"));
        assert_eq!(answer.text(), "The head of the request is longer than 16384 bytes; send less in headers.\n");
        stream.shutdown().await.unwrap();
        closed(&mut stream).await;
    }
}

#[tokio::test]
async fn refused_client_that_stays_is_closed_after_the_time_of_a_head() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_millis(200)).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(&[b"GET / HTTP/1.1\r\na: ", &[b'b'; 16_384][..]].concat()).await.unwrap();
    closed(&mut stream).await;
}

#[tokio::test]
async fn socket_without_a_whole_head_takes_no_place_among_connections() {
    let server = bounded(|settings| settings.connections.max_connections = 1).await;
    let mut begun = Vec::new();
    for _ in 0..5 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(b"POST / HTTP/1.1\r\n").await.unwrap();
        begun.push(stream);
    }
    let _only = used(&server).await;
    let mut refused = TcpStream::connect(server.address).await.unwrap();
    let _ = refused.write_all(&quick()).await;
    closed(&mut refused).await;
}

#[tokio::test]
async fn body_in_many_pieces_is_read_whole() {
    let server = Server::start().await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    for byte in quick() {
        stream.write_all(&[byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    assert_eq!(one(&mut stream).await.status, 200);
}

#[tokio::test]
async fn connection_carries_one_call_after_another() {
    let server = Server::start().await;
    let mut stream = used(&server).await;
    for _ in 0..20 {
        stream.write_all(&quick()).await.unwrap();
        assert_eq!(one(&mut stream).await.status, 200);
    }
    // Two requests at once are answered in order.
    stream.write_all(&[quick(), quick()].concat()).await.unwrap();
    assert_eq!([one(&mut stream).await.status, one(&mut stream).await.status], [200, 200]);
}

#[tokio::test]
async fn idle_connection_that_is_too_old_is_closed() {
    let server = bounded(|settings| settings.connections.connection_age_seconds = Duration::from_millis(500)).await;
    closed(&mut used(&server).await).await;
}

#[tokio::test]
async fn reader_of_a_stream_that_stops_reading_is_closed() {
    let server = bounded(|settings| {
        (settings.connections.keepalive_seconds, settings.connections.keepalive_timeout_seconds) =
            (Duration::from_millis(100), Duration::from_millis(100));
        settings.limits.max_exports = 2;
    })
    .await;
    server.fill(Symmetry::None, 12, 4_000).await;
    let socket = TcpSocket::new_v4().unwrap();
    // Far less than the stream has, so that the server's writes must wait.
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    let headers = [("content-type", "application/connect+json")];
    let body = with_head(
        0,
        br#"{"includeSolutions":true,"includeDrawing":true,"includeStructure":true,"includeRecord":true}"#,
    );
    stream.write_all(&request("POST", &path("PuzzleService/ExportPuzzles"), &headers, &body)).await.unwrap();
    // One caller holds half of the places: another export is refused until the first one has ended.
    let again = request(
        "POST",
        &path("PuzzleService/ExportPuzzles"),
        &[headers[0], ("connection", "close")],
        &with_head(0, br#"{"afterId":"puzzle-3999"}"#),
    );
    stream.read_exact(&mut [0; 100]).await.unwrap();
    loop {
        let mut other = TcpStream::connect(server.address).await.unwrap();
        other.write_all(&again).await.unwrap();
        let (messages, end) = super::http::whole(&mut other).await.json_messages();
        if end == serde_json::json!({}) {
            assert_eq!(messages.len(), 1);
            break;
        }
        assert_eq!(end["error"]["code"], "resource_exhausted");
    }
    // The rest of what was sent, and then the end: not all of the stream.
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    assert!(!rest.ends_with(b"\r\n0\r\n\r\n"));
}
