//! Declares the daily series and the stock targets of the configuration, and logs each one that changes.

use super::AppError;
use crate::settings::Config;
use puzzled_store::{
    access::actor::Actor,
    stock::draws::Stock,
    targets::declaration::{Act, Declared},
};

/// Declares both.
pub(super) async fn declare(stock: &Stock, config: &Config) -> Result<(), AppError> {
    declare_series(stock, config).await?;
    declare_targets(stock, config).await?.iter().for_each(|declared| log_target(declared, config));
    Ok(())
}

/// Declares the targets, without a log line.
pub(super) async fn declare_targets(stock: &Stock, config: &Config) -> Result<Vec<Declared>, AppError> {
    let (store, by) = (stock.store(), Actor::configuration(&config.host));
    let declared = store.declare_targets(&config.declaration, config.settings.limits.max_targets, &by).await;
    declared.map_err(AppError::Declare)?.map_err(AppError::Clash)
}

pub(super) fn log_target(Declared { act, of: target }: &Declared, config: &Config) {
    let (stock_target, spec, configuration) = (target.id, target.wish.spec.words(), config.declaration.name());
    match act {
        Act::Added => tracing::info!(%stock_target, spec, configuration, "stock target added"),
        Act::Changed => tracing::info!(%stock_target, spec, configuration, "stock target changed"),
        Act::Declared => tracing::info!(%stock_target, spec, configuration, "stock target declared"),
        Act::Removed => tracing::info!(%stock_target, spec, configuration, "stock target removed"),
        Act::Kept => {
            tracing::info!(%stock_target, spec, configuration, "stock target kept until older processes have stopped");
        }
    }
}

async fn declare_series(stock: &Stock, config: &Config) -> Result<(), AppError> {
    let by = Actor::configuration(&config.host);
    let declared = stock.store().declare_series(&config.series, &by).await.map_err(AppError::Declare)?;
    for Declared { act, of } in declared.map_err(AppError::Clash)? {
        let (series, configuration) = (of.name, config.series.name());
        match act {
            Act::Added => tracing::info!(series, configuration, "daily series added"),
            Act::Changed | Act::Kept => tracing::info!(series, configuration, "daily series changed"),
            Act::Declared => tracing::info!(series, configuration, "daily series declared"),
            Act::Removed => tracing::info!(series, configuration, "daily series ended"),
        }
    }
    Ok(())
}
