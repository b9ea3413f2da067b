//! The TLS of a listener: makes the handshakes with clients, and replaces the certificates for later handshakes when
//! the content of the files changes.

use std::{io, sync::Arc};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, sink};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::files::{Loaded, NamedFiles, shown};
use crate::{
    settings::TlsSettings,
    system::watched_files::{Rereads, Unreadable, WatchedFiles},
    telemetry::{Reloaded, report_certificate_expiry, report_reload},
};
use puzzled_base::{
    clock::{Clock, Millis},
    live::Live,
    message::of_file,
    tls::TlsError,
};

/// The maximum number of bytes to read from a client after its handshake has failed.
const REST_MAX: u64 = 64 << 10;

/// The TLS of a listener. A connection keeps the certificates that it began with.
#[derive(Debug)]
pub struct ListenerTls {
    loaded: Live<Loaded>,
}

impl ListenerTls {
    /// When the server's certificate expires.
    #[must_use]
    pub fn expires_at(&self) -> Millis {
        self.loaded.get().expires_at
    }

    /// Makes the handshake with a client.
    ///
    /// # Errors
    /// Errors of the stream, and `InvalidData` for errors of TLS.
    pub async fn accept<S: AsyncRead + AsyncWrite + Unpin>(&self, stream: S) -> io::Result<TlsStream<S>> {
        let acceptor = TlsAcceptor::from(Arc::clone(&self.loaded.get().config));
        match acceptor.accept(stream).into_fallible().await {
            Ok(stream) => Ok(stream),
            Err((error, mut stream)) => {
                // If the socket closed while the client was still sending, the client would lose the alert that says
                // why.
                if stream.shutdown().await.is_ok() {
                    // The client may be gone.
                    let _ = tokio::io::copy(&mut stream.take(REST_MAX), &mut sink()).await;
                }
                Err(error)
            }
        }
    }
}

/// Replaces the TLS of a listener when the content of its files changes.
#[derive(Debug)]
pub struct TlsWatch {
    tls: Arc<ListenerTls>,
    named: NamedFiles,
    watched: WatchedFiles,
    clock: Arc<dyn Clock>,
}

impl TlsWatch {
    /// Reads the files, and begins to watch them. `None` if no file is set.
    ///
    /// # Errors
    /// [`TlsError`] if a file is missing or cannot be used.
    pub async fn begin(files: &TlsSettings, rereads: Rereads, clock: Arc<dyn Clock>) -> Result<Option<Self>, TlsError> {
        if !files.is_on() {
            return Ok(None);
        }
        let named = files.named()?;
        let paths = named.all().map(|file| file.path.clone()).collect();
        let mut watched = WatchedFiles::new(paths, rereads);
        let contents = watched.read().await;
        let loaded = load(&named, contents, clock.now())?;
        tracing::info!(expires_at = shown(loaded.expires_at), "TLS files loaded");
        report_certificate_expiry(loaded.expires_at);
        Ok(Some(Self { tls: Arc::new(ListenerTls { loaded: Live::new(loaded) }), named, watched, clock }))
    }

    /// The TLS whose certificates this watch replaces.
    #[must_use]
    pub fn tls(&self) -> Arc<ListenerTls> {
        Arc::clone(&self.tls)
    }

    /// Follows the files. Without a watch, returns at once.
    pub async fn run(watch: Option<Self>) {
        let Some(mut watch) = watch else { return };
        loop {
            let contents = watch.watched.changed().await;
            match load(&watch.named, contents, watch.clock.now()) {
                Ok(loaded) => {
                    tracing::info!(expires_at = shown(loaded.expires_at), "TLS files reloaded");
                    report_certificate_expiry(loaded.expires_at);
                    report_reload(Reloaded::Certificates, true);
                    watch.tls.loaded.set(loaded);
                }
                Err(error) => {
                    tracing::error!(%error, "TLS files not reloaded; those in force stay");
                    report_reload(Reloaded::Certificates, false);
                }
            }
        }
    }
}

fn load(named: &NamedFiles, contents: Result<Vec<Vec<u8>>, Unreadable>, now: Millis) -> Result<Loaded, TlsError> {
    match contents {
        Ok(contents) => named.load(&contents, now),
        Err(Unreadable { path, error }) => {
            let file = named.all().find(|file| file.path == path);
            let setting = file.map_or("tls_cert", |file| file.setting);
            Err(TlsError::File { setting, path, reason: of_file(&error) })
        }
    }
}
