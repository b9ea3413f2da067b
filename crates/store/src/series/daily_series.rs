//! Rule: the data of a daily series, as the store keeps it and as a caller or a configuration wants it.

use std::fmt;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    deliveries::holder::Holder,
    stock::filter::ShelfFilter,
    targets::declaration::{Clash, Declarable},
};
use puzzled_base::clock::Millis;
use puzzled_engine::shared::criteria::Criteria;

/// The maximum number of series, because every server plans the days of all of them each second.
pub const SERIES_MAX: u32 = 100;

/// The maximum number of characters of a series' name.
pub const NAME_LEN_MAX: usize = 64;

/// Whether a series may have this name: 1 to [`NAME_LEN_MAX`] characters of a–z, 0–9, `.`, `_`, and `-`.
#[must_use]
pub fn is_series_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    (1..=NAME_LEN_MAX).contains(&name.len()) && name.bytes().all(is_allowed)
}

/// The name of the series for requests that name none.
pub const DEFAULT_NAME: &str = "daily";

/// Row of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesId(pub i64);

/// A time zone with the rules of the IANA database that is compiled in.
#[derive(Debug, Clone)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone with an IANA name; `None` if there is no such zone.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some()).map(Self)
    }

    /// The IANA name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or_default()
    }

    /// The rules of the zone.
    pub(crate) fn rules(&self) -> &TimeZone {
        &self.0
    }
}

impl PartialEq for Zone {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The time zone and the criteria of a series from a day on.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// The first day on which they hold.
    pub effective_date: Date,
    /// The zone in which days begin.
    pub zone: Zone,
    /// The criteria: one set for all days, or seven, Monday first.
    pub days: Vec<Criteria>,
}

/// A daily series.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its row.
    pub id: SeriesId,
    /// Its name, which never changes.
    pub name: String,
    /// The kind of its puzzles, which never changes.
    pub kind: String,
    /// The variant of its puzzles, which never changes; [`ANY_VARIANT`](crate::stock::stated::ANY_VARIANT) for any.
    pub variant: String,
    /// Its terms, earliest first. Never empty. The first ones begin with its first day.
    pub terms: Vec<Terms>,
    /// The name of the configuration that declares it; `None` if none does.
    pub declared_by: Option<String>,
    /// When it ended; `None` while its days get puzzles.
    pub ended_at: Option<Millis>,
    /// When it was created.
    pub created_at: Millis,
    /// When it last changed.
    pub updated_at: Millis,
}

impl Series {
    /// The terms that hold on a day; `None` before the first day.
    #[must_use]
    pub(crate) fn terms_on(&self, date: Date) -> Option<&Terms> {
        self.terms.iter().rev().find(|terms| terms.effective_date <= date)
    }

    /// The criteria of a day, with the kind and the variant; `None` before the first day.
    #[must_use]
    pub fn criteria_on(&self, date: Date) -> Option<Criteria> {
        let days = &self.terms_on(date)?.days;
        let weekday = usize::from(date.weekday().to_monday_zero_offset().unsigned_abs());
        let day = days.get(weekday).or(days.first())?.clone();
        Some(Criteria { kind: Some(self.kind.clone()), variant: Some(self.variant.clone()), ..day })
    }

    /// The shelves whose puzzles fit a day; `None` before the first day.
    #[must_use]
    pub fn filter_on(&self, date: Date) -> Option<ShelfFilter> {
        Some(ShelfFilter::of_stored(&self.criteria_on(date)?))
    }

    /// The holder of its puzzles.
    #[must_use]
    pub fn holder(&self) -> Holder {
        Holder::Series(self.name.clone())
    }

    /// The series as a wish, with its last terms.
    #[must_use]
    pub fn wish(&self) -> Option<SeriesWish> {
        let Terms { zone, days, .. } = self.terms.last()?.clone();
        let (name, kind, variant) = (self.name.clone(), self.kind.clone(), self.variant.clone());
        Some(SeriesWish { name, kind, variant, zone, days })
    }
}

/// A series as a caller or a configuration wants it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesWish {
    /// Its name: up to [`NAME_LEN_MAX`] characters of a–z, 0–9, `.`, `_`, and `-`.
    pub name: String,
    /// The kind of its puzzles.
    pub kind: String,
    /// The variant of its puzzles.
    pub variant: String,
    /// The zone in which its days begin.
    pub zone: Zone,
    /// The criteria: one set for all days, or seven, Monday first.
    pub days: Vec<Criteria>,
}

impl SeriesWish {
    /// The current day in its zone.
    #[must_use]
    pub fn current_date(&self, now: Millis) -> Date {
        date_at(now, self.zone.rules())
    }

    /// Its terms from a day on.
    #[must_use]
    pub fn terms(&self, effective_date: Date) -> Terms {
        Terms { effective_date, zone: self.zone.clone(), days: self.days.clone() }
    }
}

impl fmt::Display for SeriesWish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the series `{}`", self.name)
    }
}

impl Declarable for SeriesWish {
    type Known = Series;
    type Key = String;
    const TABLE: &'static str = "[[series]]";
    const PLURAL: &'static str = "series";
    const REMOVED_COUNTS: bool = true;

    fn key(&self) -> &String {
        &self.name
    }

    fn key_of(series: &Series) -> &String {
        &series.name
    }

    fn declared_by(series: &Series) -> Option<&str> {
        series.declared_by.as_deref()
    }

    fn id(series: &Series) -> String {
        series.name.clone()
    }

    fn is_met_by(&self, series: &Series) -> bool {
        series.ended_at.is_none() && series.wish().as_ref() == Some(self)
    }

    /// A series keeps its kind and its variant.
    fn clash(&self, table: usize, series: &Series) -> Option<Clash> {
        let puzzles = |kind: &str, variant: &str| format!("{kind} {variant}");
        let (was, wanted) = (puzzles(&series.kind, &series.variant), puzzles(&self.kind, &self.variant));
        (was != wanted).then(|| Clash::OtherPuzzles { table, series: self.name.clone(), was, wanted })
    }
}

/// The date of an instant in a zone.
pub(crate) fn date_at(now: Millis, zone: &TimeZone) -> Date {
    let now = Timestamp::from_millisecond(now.0).unwrap_or(Timestamp::UNIX_EPOCH);
    zone.to_datetime(now).date()
}
