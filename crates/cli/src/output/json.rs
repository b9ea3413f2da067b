//! The JSON that commands print: messages of the API, and other objects in the same form, such as the findings of
//! `check`. The form is protobuf's JSON mapping: names in camel case, enums by name, 64-bit numbers as strings.

use std::{collections::BTreeMap, mem};

use prost::Name;
use prost_reflect::{DynamicMessage, SerializeOptions};
use serde::{Serialize, Serializer, ser::Error as _};

use crate::{
    CliError,
    input::{spec::Kind, stated::PuzzleLine},
    offline::{
        batch::{Batch, Numbered},
        bench::measure::{Measured, PerHour},
        rate::Rated,
        verify::{Solutions, Verified},
    },
};
use puzzled_api::{
    CONTRACT,
    board::{Board, KindAndVariant},
    puzzle::{self, Include},
    v1 as pb, words,
};
use puzzled_base::repeat_hash::RepeatHash;
use puzzled_engine::{
    ENGINE_VERSION,
    shared::{
        level::{Level, level_of},
        step::{Cell, Step},
    },
};

/// A message of the API. A field without presence is always written, so that scripts can compare it with 0.
#[derive(Debug)]
pub struct Api<M>(pub M);

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

/// A line of `generate --steps`: a puzzle, and the steps of its solution.
#[derive(Debug, Serialize)]
struct MadeLine {
    #[serde(flatten)]
    puzzle: Api<pb::Puzzle>,
    steps: Vec<Api<pb::Step>>,
}

/// A line of `rate`: a rating, or the reason why there is no rating.
#[derive(Debug, Serialize)]
struct RatedLine<'a> {
    line: String,
    text: &'a str,
    #[serde(flatten)]
    rated: Option<Api<pb::RateResponse>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Api<pb::Step>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A line of `verify`: whether a board is right and what is wrong, or the reason why it cannot be read.
#[derive(Debug, Serialize)]
struct VerifiedLine<'a> {
    line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    right: Option<bool>,
    /// The cells without a digit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    empty: Vec<Api<pb::Cell>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken: Vec<Api<pb::BrokenRule>>,
    /// The cells with other digits than the solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    differing: Option<Vec<Api<pb::Cell>>>,
    /// `none`, `one`, `several`, or `unknown`.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// A line of `find`: a printed puzzle, and the stored puzzles that match it.
#[derive(Debug, Serialize)]
struct FoundLine<'a> {
    line: String,
    text: &'a str,
    #[serde(flatten)]
    found: Api<pb::FindPuzzleResponse>,
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

/// A line with a message of the API.
pub(crate) fn message(message: impl Name) -> Result<String, CliError> {
    line(&Api(message))
}

/// A line for each of these messages of the API.
pub(crate) fn messages(messages: Vec<impl Name>) -> Result<String, CliError> {
    messages.into_iter().map(|one| Ok(message(one)? + "\n")).collect()
}

/// The names of the fields of a message, as the API definition has them, with their values, ordered by name.
pub(crate) fn fields(message: impl Name) -> Result<Vec<(String, String)>, CliError> {
    let options = SerializeOptions::new().use_proto_field_name(true);
    let object = Api(message).serialize_with(serde_json::value::Serializer, &options).map_err(CliError::Json)?;
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_value(object).map_err(CliError::Json)?;
    let written = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(fields.into_iter().map(|(name, value)| (name, written(value))).collect())
}

/// One line about the stock and the queue of a server.
pub(crate) fn stock(stock: pb::GetStockResponse, queue: pb::Queue) -> Result<String, CliError> {
    line(&StockLine { stock: Api(stock), queue: Api(queue) })
}

/// One line about stock targets.
pub(crate) fn refilled(targets: Vec<pb::TargetOutlook>) -> Result<String, CliError> {
    line(&RefillLine { targets: targets.into_iter().map(Api).collect() })
}

/// The API's message for a generated puzzle, without the fields of a stored puzzle.
pub(crate) fn made(
    batch: &Batch,
    Numbered { index, try_number, made, .. }: Numbered,
    include: Include,
) -> Result<pb::Puzzle, CliError> {
    let (spec, record) = (&batch.spec, made.record);
    let texts = [&*made.text, &*made.solution];
    let drawn =
        puzzle::drawn(batch.kind, &spec.variant, texts, include).map_err(|error| CliError::Spec(error.to_string()))?;
    let levels = batch.kind.variant(&spec.variant).map(|info| info.levels);
    let level = levels.map_or(pb::Level::Unspecified, |levels| words::level(level_of(levels, record.rating)));
    Ok(pb::Puzzle {
        kind: words::kind(&spec.kind).into(),
        variant: spec.variant.clone(),
        symmetry: words::symmetry(spec.symmetry).into(),
        givens: made.givens.into(),
        level: level.into(),
        rating: words::rating(record.rating),
        class: RepeatHash::of(&spec.kind, &spec.variant, &made.solved).class(),
        technique: record.technique.to_owned(),
        predicted_seconds: record.predicted_seconds,
        text: made.text,
        solution: if include.solutions { made.solution } else { String::new() },
        seed: if include.record { batch.seed } else { 0 },
        job_index: if include.record { index } else { 0 },
        job_try: if include.record { try_number } else { 0 },
        engine_version: if include.record { ENGINE_VERSION } else { 0 },
        record: include.record.then(|| puzzle::record(record.into())),
        ..drawn
    })
}

/// One line with a generated puzzle and the steps of its solution.
pub(crate) fn made_with_steps(batch: &Batch, mut at: Numbered, include: Include) -> Result<String, CliError> {
    let of = (batch.kind, batch.spec.variant.as_str());
    let steps = steps(of, &at.made.text, mem::take(&mut at.steps))?;
    line(&MadeLine { puzzle: Api(made(batch, at, include)?), steps })
}

/// The API's messages for the steps of a puzzle.
fn steps(of: KindAndVariant<'_>, text: &str, steps: Vec<Step>) -> Result<Vec<Api<pb::Step>>, CliError> {
    let size = of.0.size(of.1, text).map_err(|error| CliError::Spec(error.to_string()))?;
    let board = Board::of(size.columns);
    Ok(steps.into_iter().map(|step| Api(board.step(of, step, &[]))).collect())
}

/// One line about a rated puzzle of the input. Levels are on the scale of its variant.
pub(crate) fn rated(
    kind: Kind,
    at: &PuzzleLine,
    outcome: Result<&Rated, &str>,
    with_steps: bool,
) -> Result<String, CliError> {
    let of_rated = |rated: &Rated| steps((kind, rated.variant.as_str()), &rated.text, rated.steps.clone());
    line(&RatedLine {
        steps: outcome.ok().filter(|_| with_steps).map(of_rated).transpose()?,
        line: at.number.to_string(),
        text: at.text.as_deref().unwrap_or_default(),
        rated: outcome.ok().map(|Rated { info, record, .. }| Api(puzzle::rated(info, record.clone()))),
        error: outcome.err(),
    })
}

/// One line about a board of the input.
pub(crate) fn verified(number: u64, outcome: Result<&Verified, &str>) -> Result<String, CliError> {
    let known = outcome.ok();
    let cells = |of: &Verified, cells: &[(Cell, u8)]| {
        cells.iter().map(|(cell, digit)| Api(of.board.cell(*cell, *digit))).collect::<Vec<_>>()
    };
    let empty = known.iter().flat_map(|of| of.judgment.empty.iter().map(|cell| Api(of.board.cell(*cell, 0))));
    let broken = known.iter().flat_map(|of| of.board.broken(&of.judgment)).map(Api);
    line(&VerifiedLine {
        line: number.to_string(),
        right: known.map(Verified::is_right),
        empty: empty.collect(),
        broken: broken.collect(),
        differing: known.and_then(|of| of.differing.as_ref().map(|differing| cells(of, differing))),
        solutions: known.and_then(|of| of.solutions).map(Solutions::name),
        error: outcome.err(),
    })
}

/// One line about a puzzle of the input and the stored puzzles that match it.
pub(crate) fn found(at: &PuzzleLine, found: pb::FindPuzzleResponse) -> Result<String, CliError> {
    line(&FoundLine { line: at.number.to_string(), text: at.text.as_deref().unwrap_or_default(), found: Api(found) })
}

/// One line about a level that `bench` measured, or whose puzzles are not made for this reason.
pub(crate) fn benched(
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

/// Writes an object as one line.
///
/// # Errors
/// [`CliError::Json`].
pub fn line(object: &impl Serialize) -> Result<String, CliError> {
    serde_json::to_string(object).map_err(CliError::Json)
}
