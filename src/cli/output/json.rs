//! The JSON that commands print: messages of the API, and other objects in the same form, such as the findings of
//! `check`. The form is protobuf's JSON mapping: names in camel case, enums by name, 64-bit numbers as strings.

use std::collections::BTreeMap;

use prost::Name;
use prost_reflect::{DynamicMessage, SerializeOptions};
use serde::{Serialize, Serializer, ser::Error as _};

use crate::{
    cli::{
        CliError,
        input::{spec::Kind, stated::PuzzleLine},
        offline::{
            bench::measure::{Measured, PerHour},
            generate::{Batch, Numbered},
            rate::Rated,
        },
    },
    puzzles::{Include, later_rating, puzzle_message, rated_message},
    wire::timestamp,
};
use puzzled_api::{CONTRACT, v1 as pb, words};
use puzzled_base::clock::Millis;
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{level::Level, variant::VariantInfo},
};
use puzzled_store::{
    deliveries::history::PastDelivery,
    ids::{JobId, PuzzleId},
    stock::{
        puzzle::{JobOrigin, Origin, Puzzle, ShelfKey},
        rating::{Outcome, Rating},
    },
};

/// A message of the API. A field without presence is always written, so that scripts can compare it with 0.
#[derive(Debug)]
struct Api<M>(M);

impl<M: Name> Serialize for Api<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize_with(serializer, &SerializeOptions::new())
    }
}

impl<M: Name> Api<M> {
    fn serialize_with<S: Serializer>(&self, serializer: S, options: &SerializeOptions) -> Result<S::Ok, S::Error> {
        let descriptor = CONTRACT.get_message_by_name(&M::full_name());
        let mut message = DynamicMessage::new(descriptor.ok_or_else(|| S::Error::custom("not of the contract"))?);
        message.transcode_from(&self.0).map_err(S::Error::custom)?;
        message.serialize_with_options(serializer, &options.clone().skip_default_fields(false))
    }
}

/// A line of `stock`.
#[derive(Debug, Serialize)]
struct StockLine {
    #[serde(flatten)]
    stock: Api<pb::GetStockResponse>,
    queue: Api<pb::Queue>,
}

/// A line of `refill`.
#[derive(Debug, Serialize)]
struct RefillLine {
    targets: Vec<Api<pb::TargetOutlook>>,
}

/// A line of `rate`: a rating, or the reason why there is no rating.
#[derive(Debug, Serialize)]
struct RatedLine<'a> {
    line: String,
    text: &'a str,
    #[serde(flatten)]
    rated: Option<Api<pb::RateResponse>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A line of `rerate`: a stored puzzle, and its rating by the newer rater.
#[derive(Debug, Serialize)]
struct ReratedLine {
    puzzle: Api<pb::Puzzle>,
    rating: Api<pb::Rating>,
}

/// A line of `find`: a printed puzzle, and the stored puzzles that match it.
#[derive(Debug, Serialize)]
struct FoundLine<'a> {
    line: String,
    text: &'a str,
    #[serde(flatten)]
    found: Api<pb::FindPuzzleResponse>,
}

/// A line of `export --deliveries`, which `import --deliveries` reads.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryLine<'a> {
    audience: &'a str,
    repeat_hash: String,
    deliver_time: String,
}

/// A line of `bench`: the tries at a level with their rate or its bound, or the reason why its puzzles are not made.
#[derive(Debug, Serialize)]
struct BenchLine<'a> {
    kind: &'static str,
    variant: &'a str,
    level: &'static str,
    #[serde(flatten)]
    measured: Option<Measured>,
    #[serde(flatten)]
    per_hour: Option<PerHour>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'a str>,
}

/// The last line of `check`: the numbers of rows checked. Numbers are strings, as in the API.
#[derive(Debug, Serialize)]
struct CheckedLine {
    puzzles: String,
    shelves: String,
    /// The number of puzzles rated by another version, whose ratings are not checked.
    unrated: String,
    /// The number of puzzles of a kind or variant that only a newer version knows, which are not checked.
    newer: String,
    findings: String,
}

/// A line with a message of the API.
pub(in crate::cli) fn message(message: impl Name) -> Result<String, CliError> {
    line(&Api(message))
}

/// A line for each of these messages of the API.
pub(in crate::cli) fn messages(messages: Vec<impl Name>) -> Result<String, CliError> {
    messages.into_iter().map(|one| Ok(message(one)? + "\n")).collect()
}

/// The names of the fields of a message, as the API definition has them, with their values, ordered by name.
pub(in crate::cli) fn fields(message: impl Name) -> Result<Vec<(String, String)>, CliError> {
    let options = SerializeOptions::new().use_proto_field_name(true);
    let object = Api(message).serialize_with(serde_json::value::Serializer, &options).map_err(CliError::Json)?;
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_value(object).map_err(CliError::Json)?;
    let written = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(fields.into_iter().map(|(name, value)| (name, written(value))).collect())
}

/// One line about the stock and the queue of a server.
pub(in crate::cli) fn stock(stock: pb::GetStockResponse, queue: pb::Queue) -> Result<String, CliError> {
    line(&StockLine { stock: Api(stock), queue: Api(queue) })
}

/// One line about stock targets.
pub(in crate::cli) fn refilled(targets: Vec<pb::TargetOutlook>) -> Result<String, CliError> {
    line(&RefillLine { targets: targets.into_iter().map(Api).collect() })
}

/// The API's message for a generated puzzle, without the fields of a stored puzzle.
pub(in crate::cli) fn made(
    batch: &Batch,
    Numbered { index, attempt, made }: Numbered,
    include: Include,
) -> Result<pb::Puzzle, CliError> {
    let spec = &batch.spec;
    let puzzle = Puzzle {
        id: PuzzleId(0),
        shelf: ShelfKey::of(spec, made.record.rating, made.record.technique, made.givens),
        position: Some(0),
        holder: None,
        text: made.text,
        solution: made.solution,
        canonical: made.canonical,
        givens: made.givens,
        technique: made.record.technique.to_owned(),
        predicted_seconds: made.record.predicted_seconds,
        record: Some(made.record.into()),
        origin: Origin::Job(JobOrigin { seed: batch.seed, job_id: JobId(0), index, attempt }),
        engine_version: ENGINE_VERSION,
        created_at: Millis(0),
        withdrawn: None,
    };
    let shown = puzzle_message(puzzle, include)?;
    Ok(pb::Puzzle { id: String::new(), job_id: String::new(), create_time: None, ..shown })
}

/// The API's message for a puzzle of a database, with its ratings by newer raters.
pub(in crate::cli) fn stored(puzzle: Puzzle, ratings: Vec<Rating>, include: Include) -> Result<pb::Puzzle, CliError> {
    let ratings = ratings.into_iter().map(|rating| later_rating(&puzzle.shelf, rating)).collect();
    Ok(pb::Puzzle { ratings, ..puzzle_message(puzzle, include)? })
}

/// One line about a puzzle of a database and its new rating, which has no time yet.
pub(in crate::cli) fn rerated(variant: &VariantInfo, puzzle: &Puzzle, outcome: &Outcome) -> Result<String, CliError> {
    let rating = Rating {
        puzzle_id: puzzle.id,
        rater: variant.rater.to_owned(),
        rater_version: variant.rater_version,
        outcome: outcome.clone(),
        created_at: Millis(0),
    };
    let rating = pb::Rating { create_time: None, ..later_rating(&puzzle.shelf, rating) };
    line(&ReratedLine {
        puzzle: Api(puzzle_message(puzzle.clone(), Include { record: true, ..Include::default() })?),
        rating: Api(rating),
    })
}

/// One line about a rated puzzle of the input. Levels are on the scale of its variant.
pub(in crate::cli) fn rated(at: &PuzzleLine, outcome: Result<&Rated, &str>) -> Result<String, CliError> {
    line(&RatedLine {
        line: at.number.to_string(),
        text: at.text.as_deref().unwrap_or_default(),
        rated: outcome.ok().map(|Rated { info, record }| Api(rated_message(info, record.clone()))),
        error: outcome.err(),
    })
}

/// One line about a puzzle of the input and the stored puzzles that match it.
pub(in crate::cli) fn found(at: &PuzzleLine, found: pb::FindPuzzleResponse) -> Result<String, CliError> {
    line(&FoundLine { line: at.number.to_string(), text: at.text.as_deref().unwrap_or_default(), found: Api(found) })
}

/// One line about a level that `bench` measured, or whose puzzles are not made for this reason.
pub(in crate::cli) fn benched(
    (kind, variant, level): (Kind, &str, Level),
    result: Result<Measured, &str>,
) -> Result<String, CliError> {
    let measured = result.ok();
    line(&BenchLine {
        kind: words::kind(kind.name()).as_str_name(),
        variant,
        level: words::level(level).as_str_name(),
        measured,
        per_hour: measured.map(Measured::per_hour),
        refusal: result.err(),
    })
}

/// One line about a delivery to any audience.
pub(in crate::cli) fn delivered(delivery: &PastDelivery) -> Result<String, CliError> {
    let PastDelivery { audience, repeat_hash, at, .. } = delivery;
    let (repeat_hash, deliver_time) = (repeat_hash.to_string(), timestamp(*at).to_string());
    line(&DeliveryLine { audience, repeat_hash, deliver_time })
}

/// One line about a finding of `check`.
pub(in crate::cli) fn finding(finding: &str) -> Result<String, CliError> {
    line(&serde_json::json!({ "finding": finding }))
}

/// One line with the counts of a whole check: puzzles, shelves, unrated puzzles, puzzles of a newer version, and findings.
pub(in crate::cli) fn checked(counts: [u64; 5]) -> Result<String, CliError> {
    let [puzzles, shelves, unrated, newer, findings] = counts.map(|count| count.to_string());
    line(&CheckedLine { puzzles, shelves, unrated, newer, findings })
}

fn line(object: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string(object).map_err(CliError::Json)
}
