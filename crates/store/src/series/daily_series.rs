//! Rule: the data of a daily series, as the store keeps it and as a caller or a configuration wants it.

use std::fmt;

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{
    deliveries::holder::Holder,
    series::day_criteria::common,
    stock::{filter::ShelfFilter, stated::ANY_VARIANT},
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

/// The kind of a series whose days have different kinds or variants. The registry has no such kind.
pub const SEVERAL: &str = "several";

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
    /// The criteria, each with a kind and a variant: one set for all days, or seven, Monday first.
    pub days: Vec<Criteria>,
}

/// A daily series.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its row.
    pub id: SeriesId,
    /// Its name, which never changes.
    pub name: String,
    /// The kind of its puzzles; [`SEVERAL`] while days from the current one on have different kinds or variants.
    pub kind: String,
    /// The variant of its puzzles; [`ANY_VARIANT`] for any, and for [`SEVERAL`].
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
        days.get(weekday).or(days.first()).cloned()
    }

    /// The kind and the variant of its puzzles; `None` while its days have different ones.
    #[must_use]
    pub fn puzzles(&self) -> Option<(&str, &str)> {
        (self.kind != SEVERAL).then_some((&self.kind, &self.variant))
    }

    /// The kind and the variant that it should have at an instant.
    pub(crate) fn settled(&self, now: Millis) -> (String, String) {
        let past = self.current_date(now).map_or(0, |today| {
            let begun = self.terms.iter().filter(|terms| terms.effective_date <= today).count();
            begun.saturating_sub(1)
        });
        let (kind, variant) = stored_puzzles(self.terms.iter().skip(past).flat_map(|terms| &terms.days));
        (kind.to_owned(), variant.to_owned())
    }

    /// Whether it has the kind and the variant that it should have at an instant.
    #[must_use]
    pub fn is_settled(&self, now: Millis) -> bool {
        let (kind, variant) = self.settled(now);
        (kind, variant) == (self.kind.clone(), self.variant.clone())
    }

    /// Whether a change of its days makes their kinds differ for the first time.
    pub(crate) fn becomes_several(&self, days: &[Criteria]) -> bool {
        self.kind != SEVERAL && common(days).is_none()
    }

    /// Its puzzles, and those of these days, if the days replace the one kind or variant of the series by another one.
    pub(crate) fn other_puzzles(&self, days: &[Criteria]) -> Option<(String, String)> {
        let ((was, of), (wanted, to)) = self.puzzles().zip(common(days))?;
        ((was, of) != (wanted, to)).then(|| (format!("{was} {of}"), format!("{wanted} {to}")))
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
        Some(SeriesWish { name: self.name.clone(), zone, days })
    }
}

/// A series as a caller or a configuration wants it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesWish {
    /// Its name: up to [`NAME_LEN_MAX`] characters of a–z, 0–9, `.`, `_`, and `-`.
    pub name: String,
    /// The zone in which its days begin.
    pub zone: Zone,
    /// The criteria, each with a kind and a variant: one set for all days, or seven, Monday first.
    pub days: Vec<Criteria>,
}

impl SeriesWish {
    /// The current day in its zone.
    #[must_use]
    pub fn current_date(&self, now: Millis) -> Date {
        date_at(now, self.zone.rules())
    }

    /// The kind and the variant of its puzzles; `None` if its days have different ones.
    #[must_use]
    pub fn puzzles(&self) -> Option<(&str, &str)> {
        common(&self.days)
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
    const REMEDY_IF_TOO_MANY: &'static str = "ended ones count, too; give a new table the name of an ended series";
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

    fn remedy_if_unused(_: &Series) -> String {
        "end the series".to_owned()
    }

    fn is_met_by(&self, series: &Series) -> bool {
        series.ended_at.is_none() && series.wish().as_ref() == Some(self)
    }

    /// A series of one kind and variant does not become one of another kind or variant.
    fn clash(&self, table: usize, series: &Series) -> Option<Clash> {
        let (was, wanted) = series.other_puzzles(&self.days)?;
        Some(Clash::OtherPuzzles { table, series: self.name.clone(), was, wanted })
    }
}

/// The kind and the variant of a series with these days, as they are stored.
pub(crate) fn stored_puzzles<'a>(days: impl IntoIterator<Item = &'a Criteria>) -> (&'a str, &'a str) {
    common(days).unwrap_or((SEVERAL, ANY_VARIANT))
}

/// The date of an instant in a zone.
pub(crate) fn date_at(now: Millis, zone: &TimeZone) -> Date {
    let now = Timestamp::from_millisecond(now.0).unwrap_or(Timestamp::UNIX_EPOCH);
    zone.to_datetime(now).date()
}
