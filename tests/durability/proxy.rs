//! A proxy between processes and PostgreSQL. A test can make it close all connections, or keep them open and pass
//! nothing.

use std::{net::SocketAddr, path::PathBuf};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// What the proxy does with its connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Line {
    /// Lets everything pass.
    Open,
    /// Ends all connections, and each new one at once.
    Cut,
    /// Keeps all connections open, and lets nothing pass.
    Silent,
}

pub(crate) struct Proxy {
    address: SocketAddr,
    line: watch::Sender<Line>,
}

impl Proxy {
    /// Starts a proxy for the database server on this socket.
    pub(crate) async fn start(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let line = watch::Sender::new(Line::Open);
        let state = line.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, socket.clone(), state.clone()));
            }
        });
        Self { address, line }
    }

    /// The URL of the database through the proxy.
    pub(crate) fn url(&self) -> String {
        format!("postgres://puzzled@{}/postgres?sslmode=disable", self.address)
    }

    pub(crate) fn set(&self, line: Line) {
        self.line.send_replace(line);
    }
}

async fn carry(mut near: TcpStream, socket: PathBuf, mut state: watch::Receiver<Line>) {
    let cut = {
        let mut state = state.clone();
        async move { drop(state.wait_for(|line| *line == Line::Cut).await) }
    };
    let both = async {
        state.wait_for(|line| *line != Line::Silent).await.ok()?;
        let mut far = UnixStream::connect(socket).await.ok()?;
        let (mut near_bytes, mut far_bytes) = ([0; 8_192], [0; 8_192]);
        loop {
            let (from_near, length) = tokio::select! {
                read = near.read(&mut near_bytes) => (true, read.ok()?),
                read = far.read(&mut far_bytes) => (false, read.ok()?),
            };
            if length == 0 {
                return Some(());
            }
            state.wait_for(|line| *line != Line::Silent).await.ok()?;
            if from_near {
                far.write_all(&near_bytes[..length]).await.ok()?;
            } else {
                near.write_all(&far_bytes[..length]).await.ok()?;
            }
        }
    };
    tokio::select! {
        () = cut => {}
        _ended = both => {}
    }
}
