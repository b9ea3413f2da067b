//! `UpdateDailySeries`: changes the terms of a daily series from a day on.

use super::series_request::{days, series_name};
use crate::{
    calls::{Asked, Invalid, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use puzzled_api::{v1 as pb, words};
use puzzled_store::series::{
    daily_series::Series,
    update::{SeriesChange, SeriesRefusal, SeriesUpdated},
};

impl Service {
    pub(crate) async fn update_daily_series(
        &self,
        request: &Asked<pb::UpdateDailySeriesRequest>,
    ) -> Reply<pb::UpdateDailySeriesResponse> {
        let by = actor_of(request, "UpdateDailySeries")?;
        let request = request.get_ref();
        let name = series_name(&request.name)?;
        let unknown = || ServiceError::SeriesNotFound(name.to_owned());
        let known = self.stock.store().series(name).await?.ok_or_else(unknown)?;
        let change = series_change(request, &known)?;
        let updated = match self.stock.store().update_series(name, &change, &by).await? {
            SeriesUpdated::Updated(series) => series,
            SeriesUpdated::NoSeries => return Err(unknown()),
            SeriesUpdated::Refused(SeriesRefusal::Declared(by)) => {
                return Err(ServiceError::SeriesDeclared { series: request.name.clone(), by });
            }
            SeriesUpdated::Refused(SeriesRefusal::Older(older)) => return Err(ServiceError::ProcessTooOld(older)),
            SeriesUpdated::Refused(SeriesRefusal::OtherPuzzles { was, wanted }) => {
                let fault =
                    format!("the series is of {was} and cannot become one of {wanted}; create one with another name");
                return Err(Invalid::one("criteria", fault));
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
}

/// The changes of an update of a series.
fn series_change(request: &pb::UpdateDailySeriesRequest, series: &Series) -> Result<SeriesChange, ServiceError> {
    let mut parser = Parser::default();
    let zone = if request.time_zone.is_empty() { None } else { parser.zone(&request.time_zone) };
    let effective_date = parser.optional_date("effective_date", &request.effective_date);
    parser.set_count(&request.criteria);
    let of_series = series.puzzles().map_or((0, ""), |(kind, variant)| (words::kind(kind).into(), variant));
    if request.criteria.iter().any(|set| set.kind != 0) {
        parser.kinds(0, &request.criteria);
    } else if !request.criteria.is_empty() && series.puzzles().is_none() {
        parser.refuse("criteria", "the days of the series have different kinds; set a kind in each set".to_owned());
    }
    parser.done()?;
    let days = if request.criteria.is_empty() { None } else { Some(days(of_series, &request.criteria)?) };
    Ok(SeriesChange { zone, days, effective_date })
}
