//! Converts daily series and their coming days to messages of the API.

use crate::calls::{Service, ServiceError};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1 as pb,
    words::{kind, timestamp},
};
use puzzled_store::series::{
    daily_series::{Series, Terms},
    plan::{ComingDay, DayState, SeriesOutlook},
};

impl Service {
    /// A series with the states of its coming days.
    pub(super) async fn with_days(&self, series: &Series) -> Result<pb::DailySeries, ServiceError> {
        let outlooks = self.stock.series_outlooks().await?;
        let outlook = outlooks.into_iter().find(|outlook| outlook.series.id == series.id);
        outlook.map(series_message).ok_or_else(|| ServiceError::SeriesNotFound(series.name.clone()))
    }
}

/// A series with its coming days. A series that has ended has none.
pub(super) fn series_message(outlook: SeriesOutlook) -> pb::DailySeries {
    let ready = outlook.ready();
    let SeriesOutlook { series, current, next_day_at, coming } = outlook;
    let (days_ready, coming_days) = if series.ended_at.is_some() {
        (0, Vec::new())
    } else {
        (u32::try_from(ready).unwrap_or(u32::MAX), coming.iter().map(day).collect())
    };
    let first_date = series.terms.first().map(|terms| terms.effective_date.to_string()).unwrap_or_default();
    // Of the terms that have begun, only the last ones still hold.
    let past = current.map_or(0, |today| series.terms.iter().filter(|terms| terms.effective_date <= today).count());
    let puzzles = series.puzzles();
    pb::DailySeries {
        kind: puzzles.map_or(pb::Kind::Unspecified, |(name, _)| kind(name)).into(),
        variant: puzzles.map(|(_, variant)| variant.to_owned()).unwrap_or_default(),
        terms: series.terms.iter().skip(past.saturating_sub(1)).map(|of| terms(of, puzzles.is_none())).collect(),
        name: series.name,
        first_date,
        current_date: current.map(|date| date.to_string()).unwrap_or_default(),
        next_day_time: next_day_at.map(timestamp),
        coming_days,
        days_ready,
        declared_by: series.declared_by.unwrap_or_default(),
        end_time: series.ended_at.map(timestamp),
        create_time: Some(timestamp(series.created_at)),
        update_time: Some(timestamp(series.updated_at)),
    }
}

/// The criteria have kinds if the days of the series have different ones.
fn terms(terms: &Terms, has_kinds: bool) -> pb::SeriesTerms {
    let criteria = terms.days.iter().map(|day| {
        let stated = pb::DayCriteria::default().stating(day);
        if has_kinds { stated } else { pb::DayCriteria { kind: 0, variant: String::new(), ..stated } }
    });
    pb::SeriesTerms {
        effective_date: terms.effective_date.to_string(),
        time_zone: terms.zone.name().to_owned(),
        criteria: criteria.collect(),
    }
}

fn day(day: &ComingDay) -> pb::ComingDay {
    let state = match day.state {
        DayState::Ready => pb::DayState::Ready,
        DayState::Making => pb::DayState::Making,
        DayState::Missing => pb::DayState::Missing,
    };
    let pb::DayCriteria { kind, variant, .. } = pb::DayCriteria::default().stating(&day.criteria);
    let (date, begin_time) = (day.date.to_string(), Some(timestamp(day.begins_at)));
    pb::ComingDay { date, begin_time, state: state.into(), kind, variant }
}
