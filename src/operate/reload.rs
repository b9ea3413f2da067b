//! Reads the settings again while a process runs: on SIGHUP, and when the content of the configuration file changes.
//! Compares contents, because orchestrators replace a symbolic link, and editors replace the file.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use tokio::{
    signal::unix::Signal,
    sync::{mpsc, watch},
    time::{MissedTickBehavior, interval},
};

use crate::{
    app::Reloads,
    operate::CommandError,
    settings::Config,
    system::watched_files::Rereads,
    telemetry::{Reloaded, report_reload},
};
use puzzled_base::message::text_of;

/// The usual name of the configuration file. A file of this name is not read unless a setting names it.
pub(crate) const USUAL_FILE: &str = "puzzled.toml";

/// What a process was configured by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    /// The command line.
    pub(crate) args: Vec<OsString>,
    /// The configuration file as it was read, if there is one.
    pub(crate) file: Option<FileText>,
    /// The keys of settings that this version ignores.
    pub(crate) ignored: Vec<&'static str>,
}

/// A configuration file as it was read.
#[derive(Debug, Clone)]
pub(crate) struct FileText {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// How the file is watched. Only for tests.
#[derive(Debug, Args)]
pub(crate) struct PollArgs {
    /// Time between two reads of the configuration file and of the files that it names, in milliseconds; a change
    /// applies after two reads have found it
    #[arg(long, value_name = "MS", hide = true, default_value_t = 1_000)]
    config_poll_ms: u64,
}

impl PollArgs {
    /// Warns of a file that is not read, and starts to watch. For each SIGHUP and each new content, a configuration is sent, or
    /// the log says what is wrong with the content.
    pub(crate) fn start(&self, source: Source, hangups: Signal) -> Reloads {
        // One configuration can wait while the next one is read. SIGHUPs that come meanwhile count as one.
        let (configs, taken) = mpsc::channel(1);
        if source.file.is_none() && Path::new(USUAL_FILE).exists() {
            tracing::warn!(file = USUAL_FILE, "configuration file not read; pass it with --config");
        }
        let (hangup, received) = watch::channel(());
        let every = Duration::from_millis(self.config_poll_ms.max(1));
        tokio::spawn(Watch { source, configs, hangup, unsettled: None, is_missing: false }.run(hangups, every));
        Reloads { configs: taken, rereads: Rereads { every, hangups: received } }
    }
}

async fn text_in(path: &Path) -> Result<String, String> {
    let bytes = tokio::fs::read(path).await.map_err(|error| error.to_string())?;
    text_of(bytes).map_err(str::to_owned)
}

struct Watch {
    source: Source,
    configs: mpsc::Sender<Config>,
    /// Tells the watchers of other files about a SIGHUP.
    hangup: watch::Sender<()>,
    /// New content that one read has found. It applies if a second read finds the same, because the first read may have
    /// met a partly written file.
    unsettled: Option<String>,
    /// Whether the last read found no file.
    is_missing: bool,
}

impl Watch {
    async fn run(mut self, mut hangups: Signal, every: Duration) {
        let mut reads = interval(every);
        reads.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = self.configs.closed() => return,
                _ = hangups.recv() => self.hang_up().await,
                _ = reads.tick(), if self.source.file.is_some() => self.look().await,
            }
        }
    }

    async fn hang_up(&mut self) {
        self.hangup.send_replace(());
        let Some(file) = &self.source.file else {
            tracing::info!("SIGHUP: reading files again; there is no configuration file");
            return;
        };
        tracing::info!("SIGHUP: reloading the configuration file");
        match text_in(&file.path).await {
            Ok(text) => self.reload(text).await,
            Err(error) => {
                tracing::error!(%error, file = %file.path.display(), "settings not reloaded; the old ones stay in force");
                report_reload(Reloaded::Settings, false);
            }
        }
    }

    async fn look(&mut self) {
        let Some(file) = &self.source.file else { return };
        let read = text_in(&file.path).await;
        let was_missing = std::mem::replace(&mut self.is_missing, read.is_err());
        match read {
            Err(error) if !was_missing => {
                let file = file.path.display();
                tracing::error!(%error, %file, "configuration file unreadable; the old settings stay in force");
                report_reload(Reloaded::Settings, false);
            }
            Err(_) => {}
            Ok(text) if text == file.text => self.unsettled = None,
            Ok(text) if self.unsettled.as_ref() == Some(&text) => self.reload(text).await,
            Ok(text) => self.unsettled = Some(text),
        }
    }

    async fn reload(&mut self, text: String) {
        self.unsettled = None;
        let Some(file) = &mut self.source.file else { return };
        // If the text is wrong, the log says so once.
        file.text.clone_from(&text);
        match self.source.config(&text) {
            // `send` fails only while the process ends.
            Ok(config) => drop(self.configs.send(config).await),
            Err(error) => {
                let error = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                tracing::error!(error, "settings not reloaded; the old ones stay in force");
                report_reload(Reloaded::Settings, false);
            }
        }
    }
}

impl Source {
    /// Returns the configuration from the same command line and another text of the file.
    fn config(&self, text: &str) -> Result<Config, CommandError> {
        crate::operate::parse(&self.args, Some(text))?.config()
    }
}
