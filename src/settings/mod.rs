//! The settings of a process. Each setting is one field; flags, variables, and the configuration file fill it, and the process reads it. A
//! reload replaces all settings, except those that need a restart. A [`Config`] adds the database and the tables of the file.

mod changes;
mod collector;
mod config;
mod connections;
mod exposed;
mod group;
mod limits;
mod process;
mod server;
mod storage;
mod values;

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use puzzled_base::live::Live;

pub use changes::Changes;
pub use collector::{Collector, CollectorError};
pub use config::{Config, Database, DatabaseError};
pub use connections::ConnectionSettings;
pub use exposed::Exposed;
pub(crate) use group::without_environment;
pub use limits::Limits;
pub use process::{DatabaseSettings, ProcessSettings};
pub use server::{AccessSettings, ServerSettings, TlsSettings};
pub use storage::{QueueSettings, RetentionSettings, StockSettings};
pub use values::{LogFormat, LoggedCalls, entries};

/// The settings in force. A call or a slice in progress keeps those with which it began.
pub type CurrentSettings = Live<Settings>;

/// All settings. `puzzled serve` fills all groups; `puzzled work` fills the first three, and leaves the others at their defaults.
#[derive(Debug, Clone, PartialEq, Args, Serialize)]
pub struct Settings {
    /// The database, and the configuration file.
    #[command(flatten, next_help_heading = "Database")]
    #[serde(flatten)]
    pub database: DatabaseSettings,

    /// What every process does.
    #[command(flatten)]
    #[serde(flatten)]
    pub process: ProcessSettings,

    /// How long rows are kept.
    #[command(flatten, next_help_heading = "Retention")]
    #[serde(flatten)]
    pub retention: RetentionSettings,

    /// What a server is.
    #[command(flatten, next_help_heading = "Server")]
    #[serde(flatten)]
    pub server: ServerSettings,

    /// Who may call the server.
    #[command(flatten, next_help_heading = "Access")]
    #[serde(flatten)]
    pub access: AccessSettings,

    /// The files of the listener's TLS.
    #[command(flatten, next_help_heading = "TLS")]
    #[serde(flatten)]
    pub tls: TlsSettings,

    /// Limits on jobs.
    #[command(flatten, next_help_heading = "Queue")]
    #[serde(flatten)]
    pub queue: QueueSettings,

    /// Limits on the stock.
    #[command(flatten, next_help_heading = "Stock")]
    #[serde(flatten)]
    pub stock: StockSettings,

    /// Limits, age, and pings of connections.
    #[command(flatten, next_help_heading = "Connections")]
    #[serde(flatten)]
    pub connections: ConnectionSettings,

    /// Limits on calls.
    #[command(flatten, next_help_heading = "Calls")]
    #[serde(flatten)]
    pub limits: Limits,

    /// Time between two pings of the database, which set the health. Nothing but tests changes it.
    #[arg(skip = Duration::from_secs(1))]
    #[serde(skip)]
    pub health_every: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        group::defaults()
    }
}
