//! Captures the log lines of a server under test. The server runs on the thread of its test, so that the test gets its
//! own lines only.

use std::{
    io::{self, Write},
    sync::{Arc, LazyLock, Mutex},
};

use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, NoSubscriber},
};
use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

/// The lines that are logged on this thread from here on, as long as it lives.
pub(crate) struct Log {
    bytes: Bytes,
    _guard: DefaultGuard,
}

impl Log {
    pub(crate) fn begin() -> Self {
        // Where there is one logger only, tracing asks the thread that meets a message first whether it is wanted at all, and
        // that may be the thread of another test. So there are always two.
        static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));
        LazyLock::force(&SECOND);
        let bytes = Bytes::default();
        let lines = tracing_subscriber::fmt()
            .with_max_level(LevelFilter::INFO)
            .with_writer(bytes.clone())
            .with_ansi(false)
            .without_time()
            .with_target(false)
            .finish();
        Self { bytes, _guard: tracing::subscriber::set_default(lines) }
    }

    /// The lines so far with this in them.
    pub(crate) fn with(&self, what: &str) -> Vec<String> {
        let text = String::from_utf8(self.bytes.0.lock().unwrap().clone()).unwrap();
        text.lines().filter(|line| line.contains(what)).map(|line| line.trim_start().to_owned()).collect()
    }
}

#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Bytes {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}
