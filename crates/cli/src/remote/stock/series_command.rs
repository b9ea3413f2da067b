//! `puzzled series`: shows the daily series of a server with the states of their coming days.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    output::{
        self, json,
        tables::{self, Cells},
    },
};
use puzzled_api::v1::{self as pb, series_service_client::SeriesServiceClient};

/// The number of days that a series should have ready: today and tomorrow.
const READY_MIN: u32 = 2;

/// Show a server's daily series and the states of their coming days
///
/// BEGINS is in UTC. A day is ready if it has its puzzle, and making if a job makes puzzles for it. From 24 hours before it
/// begins, a missing day gets a puzzle from the stock if one fits. Exit code: 0 today and tomorrow of every series are ready,
/// 1 refused or failed, 2 some are not.
#[derive(Debug, Args)]
pub struct SeriesArgs {
    /// Name of a series [default: all]
    name: Option<String>,

    #[command(flatten)]
    server: ServerArgs,

    /// Print one JSON object per line, a `DailySeries`
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &SeriesArgs) -> Result<Ended, CliError> {
    let all = args.server.ask(async |server: Server| {
        let mut all = read(&server).await?;
        if let Some(name) = &args.name {
            all.retain(|series| series.name == *name);
            if all.is_empty() {
                return Err(server.failed(format!("there is no daily series `{name}`; list all without a name")));
            }
        }
        Ok(all)
    })?;
    let is_short = all.iter().any(|series| series.end_time.is_none() && series.days_ready < READY_MIN);
    output::print(&if args.json {
        json::messages(all)?
    } else if all.is_empty() {
        "No daily series are declared; declare one in the configuration with [[series]].\n".to_owned()
    } else {
        all.iter().map(as_text).collect::<Vec<_>>().join("\n")
    })?;
    Ok(if is_short { Ended::Partly } else { Ended::Done })
}

async fn read(server: &Server) -> Result<Vec<pb::DailySeries>, CliError> {
    let mut client = SeriesServiceClient::new(server.channel.clone());
    let all = client.list_daily_series(pb::ListDailySeriesRequest::default()).await;
    Ok(all.map_err(|status| server.refused(&status))?.into_inner().series)
}

/// A line about a series, and the table of its coming days.
fn as_text(series: &pb::DailySeries) -> String {
    let zone = series.terms.first().map_or("", |terms| &terms.time_zone);
    let has_kinds = series.kind() == pb::Kind::Unspecified;
    let puzzles = |kind, variant: &str| format!("{} {variant}", tables::word(kind));
    let of_series = if has_kinds { "several kinds".to_owned() } else { puzzles(series.kind(), &series.variant) };
    let state =
        if series.end_time.is_some() { "ended".to_owned() } else { format!("{} days ready", series.days_ready) };
    let head = format!("{}: {of_series}, {zone}, {state}\n", series.name);
    if series.coming_days.is_empty() {
        return head;
    }
    let mut columns =
        vec![("DAY", Cells::Text), ("BEGINS", Cells::Text), ("LEVEL", Cells::Text), ("STATE", Cells::Text)];
    if has_kinds {
        columns.insert(2, ("PUZZLES", Cells::Text));
    }
    let rows = series.coming_days.iter().map(|day| {
        let begins = day.begin_time.as_ref().map(ToString::to_string).unwrap_or_default();
        let of_day = has_kinds.then(|| puzzles(day.kind(), &day.variant));
        let end = [level(series, &day.date), tables::word(day.state())];
        [day.date.clone(), begins].into_iter().chain(of_day).chain(end).collect()
    });
    head + &tables::table(&columns, rows)
}

/// The level of a day, or its ratings.
fn level(series: &pb::DailySeries, date: &str) -> String {
    let terms = series.terms.iter().rev().find(|terms| *terms.effective_date <= *date);
    let weekday = date.parse::<jiff::civil::Date>().map_or(0, |date| date.weekday().to_monday_zero_offset());
    let criteria = terms.map_or(&[][..], |terms| &terms.criteria);
    let Some(of) = criteria.get(usize::from(weekday.unsigned_abs())).or(criteria.first()) else { return String::new() };
    match (of.level(), of.min_rating, of.max_rating) {
        (pb::Level::Unspecified, None, None) => "any".to_owned(),
        (pb::Level::Unspecified, min, max) => format!("{:.1}-{:.1}", min.unwrap_or_default(), max.unwrap_or_default()),
        (level, _, _) => tables::word(level),
    }
}
