//! `EndDailySeries`: ends a daily series, so that its coming days get no puzzles.

use super::series_request::series_name;
use crate::calls::{Asked, Reply, Service, ServiceError, actor_of};
use puzzled_api::v1 as pb;

impl Service {
    pub(crate) async fn end_daily_series(
        &self,
        request: &Asked<pb::EndDailySeriesRequest>,
    ) -> Reply<pb::EndDailySeriesResponse> {
        let by = actor_of(request, "EndDailySeries")?;
        let name = series_name(&request.get_ref().name)?;
        let ended = self.stock.store().end_series(name, &by).await?;
        let ended = ended.ok_or_else(|| ServiceError::SeriesNotFound(name.to_owned()))?;
        tracing::info!(series = ended.name, "daily series ended");
        Ok(pb::EndDailySeriesResponse { series: Some(self.with_days(&ended).await?) })
    }
}
