//! Opens many connections for the bench `crowd`, and sends nothing on them, or only the greeting of HTTP/2. Counts how
//! many the server has not closed.

use std::{io::ErrorKind, net::SocketAddr};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// An HTTP/2 client's preface and empty settings.
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Open sockets whose clients send nothing more.
#[derive(Debug)]
pub(crate) struct Crowd(Vec<TcpStream>);

impl Crowd {
    /// Opens `count` sockets that never send anything.
    pub(crate) async fn gather(server: SocketAddr, count: usize) -> Self {
        let mut sockets = Vec::new();
        for _ in 0..count {
            sockets.push(TcpStream::connect(server).await.expect("a connection; is the limit of open files too low?"));
        }
        Self(sockets)
    }

    /// Opens `count` sockets that greet the server as HTTP/2 clients do and then send nothing, not even acknowledgments.
    pub(crate) async fn greet(server: SocketAddr, count: usize) -> Self {
        let mut crowd = Self::gather(server, count).await;
        for socket in &mut crowd.0 {
            socket.write_all(GREETING).await.expect("a server that reads");
            socket.read_exact(&mut [0; 9]).await.expect("the server's settings");
        }
        crowd
    }

    /// The number of sockets that the server has not closed and on which it has sent nothing more.
    pub(crate) fn open(&self) -> usize {
        self.0.iter().filter(|socket| is_open(socket)).count()
    }
}

fn is_open(socket: &TcpStream) -> bool {
    socket.try_read(&mut [0; 100]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
}
