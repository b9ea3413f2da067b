//! `ListDailySeries`: lists the daily series, with the states of their coming days.

use super::series_message::series_message;
use crate::calls::{Asked, Reply, Service};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn list_daily_series(
        &self,
        _: &Asked<pb::ListDailySeriesRequest>,
    ) -> Reply<pb::ListDailySeriesResponse> {
        let outlooks = self.stock.series_outlooks().await?;
        let series = outlooks.into_iter().map(series_message).collect();
        Ok(pb::ListDailySeriesResponse { series })
    }
}
