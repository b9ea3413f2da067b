//! `CreateDailySeries`: creates a daily series. A configuration declares series with the same rules.

use super::series_request::days;
use crate::{
    calls::{Asked, Invalid, Reply, Service, ServiceError, actor_of},
    wire::Parser,
};
use jiff::civil::Date;
use puzzled_api::v1 as pb;
use puzzled_store::{
    series::{
        daily_series::{SERIES_MAX, SeriesWish},
        update::SeriesCreated,
    },
    stock::stated::ANY_VARIANT,
};

/// The zone of a series that names none.
const ZONE_DEFAULT: &str = "UTC";

impl Service {
    pub(crate) async fn create_daily_series(
        &self,
        request: &Asked<pb::CreateDailySeriesRequest>,
    ) -> Reply<pb::CreateDailySeriesResponse> {
        let by = actor_of(request, "CreateDailySeries")?;
        let (wish, first) = new_series(request.get_ref())?;
        let created = match self.stock.store().create_series(&wish, first, &by).await? {
            SeriesCreated::Created(series) => series,
            SeriesCreated::Exists => return Err(ServiceError::SeriesExists(wish.name)),
            SeriesCreated::TooMany { series } => {
                return Err(ServiceError::SeriesFull { series, max: SERIES_MAX });
            }
            SeriesCreated::Older(older) => return Err(ServiceError::ProcessTooOld(older)),
            SeriesCreated::TooEarly { earliest } => return Err(too_early(request.get_ref(), earliest)),
        };
        tracing::info!(series = created.name, kind = created.kind, "daily series created");
        Ok(pb::CreateDailySeriesResponse { series: Some(self.with_days(&created).await?) })
    }
}

/// The daily series of a request, or its faults in words.
///
/// # Errors
/// The faults, each with its field.
pub(crate) fn series_wish(request: &pb::CreateDailySeriesRequest) -> Result<SeriesWish, String> {
    new_series(request).map(|(wish, _)| wish).map_err(|error| error.to_string())
}

/// A series to create, and its first day if the request names it.
fn new_series(request: &pb::CreateDailySeriesRequest) -> Result<(SeriesWish, Option<Date>), ServiceError> {
    let mut parser = Parser::default();
    parser.series_name(&request.name);
    let zone = parser.zone(if request.time_zone.is_empty() { ZONE_DEFAULT } else { &request.time_zone });
    let first = parser.optional_date("effective_date", &request.effective_date);
    parser.kinds(request.kind, &request.criteria);
    let variant = Some(&request.variant).filter(|name| *name != ANY_VARIANT).cloned().unwrap_or_default();
    parser.shelves(&pb::JobSpec { kind: request.kind, variant, ..pb::JobSpec::default() });
    parser.set_count(&request.criteria);
    let zone = parser.done_with(zone)?;
    let open = [pb::DayCriteria::default()];
    let sets = if request.criteria.is_empty() { &open[..] } else { &request.criteria };
    let days = days((request.kind, &request.variant), sets)?;
    Ok((SeriesWish { name: request.name.clone(), zone, days }, first))
}

fn too_early(request: &pb::CreateDailySeriesRequest, earliest: Date) -> ServiceError {
    let fault = format!("{} is before {earliest}, the current day of the series", request.effective_date);
    Invalid::one("effective_date", fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_engine::shared::criteria::Criteria;

    fn request() -> pb::CreateDailySeriesRequest {
        pb::CreateDailySeriesRequest {
            name: "daily".to_owned(),
            kind: pb::Kind::Sudoku.into(),
            ..pb::CreateDailySeriesRequest::default()
        }
    }

    #[test]
    fn series_has_defaults_for_all_but_its_name_and_kind() {
        let (wish, first) = new_series(&request()).unwrap();
        assert_eq!((wish.puzzles(), wish.zone.name(), first), (Some(("sudoku", "9x9")), "UTC", None));
        let [kind, variant] = ["sudoku", "9x9"].map(|word| Some(word.to_owned()));
        assert_eq!(wish.days, [Criteria { kind, variant, ..Criteria::default() }]);
    }

    #[test]
    fn fault_of_a_weekday_names_its_set() {
        let easy = pb::DayCriteria { level: pb::Level::Easy.into(), ..pb::DayCriteria::default() };
        let broken = pb::DayCriteria { level: 9, ..easy.clone() };
        let criteria = [vec![easy; 5], vec![broken.clone(), broken]].concat();
        let refused = new_series(&pb::CreateDailySeriesRequest { criteria, ..request() }).unwrap_err().to_string();
        assert!(refused.starts_with("criteria[5].level: 9 is not a level;"), "{refused}");
        assert!(refused.contains("; criteria[6].level: "), "{refused}");
    }
}
