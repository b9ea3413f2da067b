//! Applies a new configuration to a running process, except settings that need a restart. If the stock targets
//! and daily series cannot be declared, nothing is applied.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, watch},
    time::timeout,
};

use super::{
    AppError,
    declare::{declare, declare_targets, log_target},
};
use crate::{
    settings::{Changes, Config, CurrentSettings},
    system::{this_process, watched_files::Rereads},
    telemetry::{self, Reloaded, report_reload},
};
use puzzled_store::{jobs::process::RENEW_EVERY, stock::draws::Stock, targets::declaration::Act};

/// The sources of the changes that a running process applies.
#[derive(Debug)]
pub struct Reloads {
    /// Configurations to apply.
    pub configs: mpsc::Receiver<Config>,
    /// When files that the configuration names are read again.
    pub rereads: Rereads,
}

impl Reloads {
    /// Never reloads anything.
    #[must_use]
    pub fn none() -> Self {
        let rereads = Rereads { every: Duration::from_secs(1), hangups: watch::channel(()).1 };
        Self { configs: mpsc::channel(1).1, rereads }
    }
}

/// Applies each configuration that arrives. Between them, restyles stock targets. `config` is the one in force, `settings` are those that all
/// parts of the process read, and `stock` is the one whose targets this process refills; none in a process of workers.
pub(super) async fn follow(
    config: Config,
    settings: Arc<CurrentSettings>,
    stock: Option<Arc<Stock>>,
    mut configs: mpsc::Receiver<Config>,
) {
    let mut running = Running { config, settings, stock };
    loop {
        match timeout(RENEW_EVERY, configs.recv()).await {
            Ok(Some(config)) => {
                this_process::reloading();
                running.take(config).await;
                this_process::ready();
            }
            Ok(None) => return,
            Err(_) => running.restyle().await,
        }
    }
}

/// The parts of a process whose settings can change.
struct Running {
    config: Config,
    settings: Arc<CurrentSettings>,
    stock: Option<Arc<Stock>>,
}

impl Running {
    /// Changes the targets that a process of an older version did not let change, or changed back.
    async fn restyle(&self) {
        let Some(stock) = &self.stock else { return };
        let restyled = async {
            let known = stock.store().targets().await.map_err(AppError::Declare)?;
            if self.config.declaration.has_former(&known) {
                declare_targets(stock, &self.config).await
            } else {
                Ok(Vec::new())
            }
        };
        match restyled.await {
            Ok(declared) => {
                let changed = declared.iter().filter(|declared| declared.act != Act::Kept);
                changed.for_each(|declared| log_target(declared, &self.config));
            }
            // The next round tries again. Other parts of the process meet a failing database sooner, and log it.
            Err(error) => tracing::debug!(%error, "stock targets not declared"),
        }
    }

    async fn take(&mut self, new: Config) {
        let mut config = self.config.clone();
        let Changes { taken, need_restart } = config.take(new);
        // First, because nothing else can fail.
        if let Some(stock) = &self.stock
            && let Err(error) = declare(stock, &config).await
        {
            tracing::error!(%error, "settings not reloaded; the old ones stay in force");
            report_reload(Reloaded::Settings, false);
            return;
        }
        for setting in need_restart {
            tracing::warn!(setting, "setting not reloaded; it needs a restart");
        }
        self.settings.set(config.settings.clone());
        self.config = config;
        if taken.is_empty() {
            tracing::info!("settings reloaded; none changed");
        } else {
            tracing::info!(changed = taken.join(" "), "settings reloaded");
        }
        report_reload(Reloaded::Settings, true);
        // The filter comes last, so that the old one applies to the lines above.
        telemetry::set_filter(&self.config.settings.process.log);
    }
}
