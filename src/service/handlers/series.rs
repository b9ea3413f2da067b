//! Handlers of `SeriesService`: create, update, end, and list daily series.

use tonic::Request;

use super::Reply;
use crate::{
    calls::{
        errors::{ServiceError, fields::Invalid},
        open::actor_of,
        service::Service,
    },
    service::{parse, render},
};
use jiff::civil::Date;
use puzzled_api::v1 as pb;
use puzzled_store::series::{
    daily_series::{SERIES_MAX, Series},
    update::{SeriesCreated, SeriesRefusal, SeriesUpdated},
};

impl Service {
    pub(crate) async fn create_daily_series(
        &self,
        request: &Request<pb::CreateDailySeriesRequest>,
    ) -> Reply<pb::CreateDailySeriesResponse> {
        let by = actor_of(request, "CreateDailySeries")?;
        let (wish, first) = parse::new_series(request.get_ref())?;
        let created = match self.stock.store().create_series(&wish, first, &by).await? {
            SeriesCreated::Created(series) => series,
            SeriesCreated::Exists => return Err(ServiceError::SeriesExists(wish.name)),
            SeriesCreated::TooMany { series } => {
                return Err(ServiceError::SeriesFull { series, max: SERIES_MAX });
            }
            SeriesCreated::TooEarly { earliest } => return Err(too_early(request.get_ref(), earliest)),
        };
        tracing::info!(series = created.name, kind = created.kind, "daily series created");
        Ok(pb::CreateDailySeriesResponse { series: Some(self.with_days(&created).await?) })
    }

    pub(crate) async fn update_daily_series(
        &self,
        request: &Request<pb::UpdateDailySeriesRequest>,
    ) -> Reply<pb::UpdateDailySeriesResponse> {
        let by = actor_of(request, "UpdateDailySeries")?;
        let request = request.get_ref();
        let name = parse::series_name(&request.name)?;
        let unknown = || ServiceError::SeriesNotFound(name.to_owned());
        let known = self.stock.store().series(name).await?.ok_or_else(unknown)?;
        let change = parse::series_change(request, &known)?;
        let updated = match self.stock.store().update_series(name, &change, &by).await? {
            SeriesUpdated::Updated(series) => series,
            SeriesUpdated::NoSeries => return Err(unknown()),
            SeriesUpdated::Refused(SeriesRefusal::Declared(by)) => {
                return Err(ServiceError::SeriesDeclared { series: request.name.clone(), by });
            }
            SeriesUpdated::Refused(SeriesRefusal::TooEarly { earliest }) => {
                let fault =
                    format!("{} is before {earliest}, the earliest day that can change", request.effective_date);
                return Err(Invalid::one("effective_date", fault));
            }
        };
        tracing::info!(series = updated.name, "daily series updated");
        Ok(pb::UpdateDailySeriesResponse { series: Some(self.with_days(&updated).await?) })
    }

    pub(crate) async fn end_daily_series(
        &self,
        request: &Request<pb::EndDailySeriesRequest>,
    ) -> Reply<pb::EndDailySeriesResponse> {
        let by = actor_of(request, "EndDailySeries")?;
        let name = parse::series_name(&request.get_ref().name)?;
        let ended = self.stock.store().end_series(name, &by).await?;
        let ended = ended.ok_or_else(|| ServiceError::SeriesNotFound(name.to_owned()))?;
        tracing::info!(series = ended.name, "daily series ended");
        Ok(pb::EndDailySeriesResponse { series: Some(self.with_days(&ended).await?) })
    }

    pub(crate) async fn list_daily_series(
        &self,
        _: &Request<pb::ListDailySeriesRequest>,
    ) -> Reply<pb::ListDailySeriesResponse> {
        let outlooks = self.stock.series_outlooks().await?;
        let series = outlooks.into_iter().map(render::daily_series::series).collect();
        Ok(pb::ListDailySeriesResponse { series })
    }
}

impl Service {
    /// A series with the states of its coming days.
    async fn with_days(&self, series: &Series) -> Result<pb::DailySeries, ServiceError> {
        let outlooks = self.stock.series_outlooks().await?;
        let outlook = outlooks.into_iter().find(|outlook| outlook.series.id == series.id);
        outlook.map(render::daily_series::series).ok_or_else(|| ServiceError::SeriesNotFound(series.name.clone()))
    }
}

fn too_early(request: &pb::CreateDailySeriesRequest, earliest: Date) -> ServiceError {
    let fault = format!("{} is before {earliest}, the current day of the series", request.effective_date);
    Invalid::one("effective_date", fault)
}
