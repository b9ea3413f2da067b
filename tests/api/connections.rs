//! Connections: clients that send nothing do not keep others out, handshakes have a time limit, clients of other
//! protocols are disconnected, and the limits in total and for each address hold.

use std::{io, net::SocketAddr};

use puzzled::settings::Settings;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpSocket,
};

use crate::{log::Log, prelude::*};

/// Tries until a server has noticed that a client has left.
const TRIES_MAX: u32 = 10_000;

pub(crate) async fn bounded(change: impl FnOnce(&mut Settings)) -> Server {
    Server::with(|options| change(&mut options.settings)).await
}

/// Connects this many sockets that send nothing.
pub(crate) async fn silent(server: &Server, count: usize) -> Vec<TcpStream> {
    let mut sockets = Vec::new();
    for _ in 0..count {
        sockets.push(TcpStream::connect(server.address).await.unwrap());
    }
    sockets
}

/// Whether the server closed the client's connection, in any way. A server that keeps it open keeps the test waiting.
async fn closed(socket: &mut TcpStream) -> bool {
    matches!(socket.read(&mut [0; 100]).await, Ok(0) | Err(_))
}

fn is_open(socket: &TcpStream) -> bool {
    socket.try_read(&mut [0; 100]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// Whether a call on this connection is answered; not if the server has closed it.
async fn is_served(raw: &mut Raw) -> bool {
    if raw.requests.clone().ready().await.is_err() {
        return false;
    }
    match raw.try_call("JobService/GetJob", &job_1()) {
        Ok(call) => match call.await {
            Ok(response) => raw::status_of(response).await.code() == Code::NotFound,
            Err(_) => false,
        },
        Err(_) => false,
    }
}

#[tokio::test]
async fn fifth_silent_socket_closes_the_first_of_four() {
    let server = bounded(|settings| settings.connections.max_handshakes = 4).await;
    let mut sockets = silent(&server, 5).await;
    assert!(closed(&mut sockets[0]).await);
    assert!(sockets[1..].iter().all(is_open));
}

#[tokio::test]
async fn client_behind_a_crowd_of_silent_sockets_is_served() {
    // More of them than there are places of any class. Each of these calls used to wait behind them.
    let server = bounded(|settings| {
        settings.connections.max_handshakes = 16;
        settings.connections.max_connections = 4;
    })
    .await;
    let sockets = silent(&server, 100).await;
    server.health().await.check(HealthCheckRequest::default()).await.unwrap();
    assert!(is_served(&mut Raw::connect(server.address).await).await);
    drop(sockets);
}

#[tokio::test]
async fn handshake_limit_is_one_line_until_it_is_no_longer_reached() {
    let log = Log::begin();
    let server = bounded(|settings| settings.connections.max_handshakes = 4).await;
    let mut sockets = silent(&server, 8).await;
    for socket in &mut sockets[..4] {
        assert!(closed(socket).await);
    }
    assert_eq!(log.with("handshake limit reached").len(), 1);
    drop(sockets);
    // The server sees the others leave, then this client come.
    for _ in 0..TRIES_MAX {
        assert!(is_served(&mut Raw::connect(server.address).await).await);
        if !log.with("handshake limit no longer reached").is_empty() {
            break;
        }
    }
    assert_eq!(log.with("handshake limit").len(), 2, "{:?}", log.with(""));
}

#[tokio::test]
async fn preface_in_pieces_is_accepted() {
    let server = Server::start().await;
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    socket.set_nodelay(true).unwrap();
    for byte in PREFACE.iter().chain(SETTINGS) {
        socket.write_all(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut frame = [0; 9];
    socket.read_exact(&mut frame).await.unwrap();
    assert_eq!(frame[3..5], [4, 0], "the server's settings come first: {frame:?}");
}

#[tokio::test]
async fn client_that_speaks_something_else_is_closed_at_once() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_hours(1)).await;
    for greeting in ["GET /\r\n", "SSH-2.0-OpenSSH\r\n", "\x16\x03\x01\x02\0\x01"] {
        let mut socket = TcpStream::connect(server.address).await.unwrap();
        socket.write_all(greeting.as_bytes()).await.unwrap();
        assert!(closed(&mut socket).await, "{greeting:?}");
    }
}

#[tokio::test]
async fn handshake_that_takes_too_long_is_closed() {
    let server = bounded(|settings| settings.connections.handshake_seconds = Duration::from_millis(20)).await;
    let mut socket = TcpStream::connect(server.address).await.unwrap();
    socket.write_all(&PREFACE[..23]).await.unwrap();
    assert!(closed(&mut socket).await);
}

#[tokio::test]
async fn connection_above_the_limit_is_closed_and_logged_once() {
    let log = Log::begin();
    let server = bounded(|settings| settings.connections.max_connections = 2).await;
    let [mut first, mut second] = [Raw::connect(server.address).await, Raw::connect(server.address).await];
    assert!(is_served(&mut first).await && is_served(&mut second).await);
    for _ in 0..3 {
        let mut refused = Raw::connect(server.address).await;
        assert!(!is_served(&mut refused).await);
    }
    assert_eq!(log.with("WARN connection limit reached").len(), 1);
    assert!(is_served(&mut first).await, "those that are connected stay so");
    drop(second);
    serves_again(server.address).await;
    assert_eq!(log.with("connection limit").len(), 2, "{:?}", log.with(""));
    let ends = log.with("INFO connection limit no longer reached");
    assert!(ends.len() == 1 && ends[0].contains("refused="), "{ends:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn connection_over_the_address_limit_is_closed_and_others_are_served() {
    let log = Log::begin();
    let server = bounded(|settings| settings.connections.max_connections_per_address = Some(2)).await;
    let [mut first, mut second] = [Raw::connect(server.address).await, Raw::connect(server.address).await];
    assert!(is_served(&mut first).await && is_served(&mut second).await);
    assert!(!is_served(&mut Raw::connect(server.address).await).await);
    // Silent sockets take no place among the connections of their address.
    let _silent = silent(&server, 3).await;
    let mut other = Raw::over(from("127.0.0.2:0", server.address).await).await;
    assert!(is_served(&mut other).await);
    assert_eq!(log.with("WARN connection limit per address reached").len(), 1);
    drop(second);
    serves_again(server.address).await;
    assert_eq!(log.with("connection limit per address").len(), 2, "{:?}", log.with(""));
    assert_eq!(log.with("INFO connection limit per address no longer reached").len(), 1);
}

/// Connects from a separate address.
#[cfg(target_os = "linux")]
async fn from(own: &str, server: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(own.parse().unwrap()).unwrap();
    socket.connect(server).await.unwrap()
}

/// Connects until the server has noticed that another client has left.
async fn serves_again(server: SocketAddr) {
    for _ in 0..TRIES_MAX {
        if is_served(&mut Raw::connect(server).await).await {
            return;
        }
    }
    panic!("the place is not free again");
}
