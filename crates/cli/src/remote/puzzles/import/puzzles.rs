//! Sends the puzzles of a file to a server, which stores those that are new.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use prost::Message as _;

use super::ImportArgs;
use crate::{
    CliError, Ended,
    client::Server,
    input::{
        lines::ReadError,
        records::{Defaults, Read, records},
        spec,
    },
    output::{self, Output, json, numbers, tables},
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};

/// The maximum number of records in one call, as the server limits it.
const RECORDS_MAX: usize = 500;

/// A call gets no further record once its records have this many bytes: half of the server's default limit of a message.
const BYTES_MAX: usize = 512 << 10;

pub(super) fn import(args: &ImportArgs) -> Result<Ended, CliError> {
    let defaults = Defaults { kind: spec::or_first(args.kind)?, variant: args.variant.clone().unwrap_or_default() };
    let request = pb::ImportPuzzlesRequest {
        import_id: args.import_id()?,
        source: args.source.clone().unwrap_or_default(),
        dry_run: args.dry_run,
        records: Vec::new(),
    };
    let input = records(&args.file, defaults).map_err(unread)?;
    let mut results = Results { place: args.file.clone(), prints_json: args.json, ..Results::default() };
    let output = Output::new(None);
    let sent = args.server.ask(async |server: Server| send(&server, request, input, &mut results, &output).await);
    output.end()?;
    // The table also counts the records that were stored before an error.
    if !args.json && (sent.is_ok() || results.records() > 0) {
        output::print(&results.table(args.dry_run))?;
    }
    sent?;
    Ok(if results.refused.is_empty() { Ended::Done } else { Ended::Partly })
}

impl ImportArgs {
    /// Returns the name of the import: `--import-id`, or by default the name of the file.
    fn import_id(&self) -> Result<String, CliError> {
        let of_file =
            || (self.file != Path::new("-")).then(|| self.file.file_name()?.to_str().map(str::to_owned)).flatten();
        let fault = "--import-id: required, because the file has no name; set the name of the import";
        self.import_id.clone().or_else(of_file).ok_or_else(|| CliError::Spec(fault.to_owned()))
    }
}

fn unread(error: ReadError) -> CliError {
    CliError::Input(error.name, error.source)
}

/// Sends the records in calls of bounded size. A record that the server did not begin is in the next call again.
async fn send(
    server: &Server,
    request: pb::ImportPuzzlesRequest,
    mut input: impl Iterator<Item = Result<Read, ReadError>>,
    results: &mut Results,
    output: &Output,
) -> Result<(), CliError> {
    let mut client = PuzzleServiceClient::new(server.channel.clone());
    let (mut batch, mut bytes) = (Vec::new(), 0);
    loop {
        while batch.len() < RECORDS_MAX && bytes < BYTES_MAX {
            match input.next().transpose().map_err(unread)? {
                None => break,
                Some(Read::Record(record)) => {
                    bytes += record.encoded_len();
                    batch.push(record);
                }
                Some(Read::Unreadable(line, detail)) => {
                    let refusal = pb::ImportRefusal::Unreadable.into();
                    results.add(&pb::ImportResult { line, refusal, detail, ..pb::ImportResult::default() }, output);
                }
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let call = pb::ImportPuzzlesRequest { records: batch.clone(), ..request.clone() };
        let answer = client.import_puzzles(call).await.map_err(|status| server.refused(&status))?.into_inner();
        let begun = answer.results.len().min(batch.len());
        if begun == 0 {
            return Err(server.failed("the server began no record; repeat the command".to_owned()));
        }
        bytes -= batch.drain(..begun).map(|record| record.encoded_len()).sum::<usize>();
        answer.results.iter().for_each(|result| results.add(result, output));
        answer.outside_style.iter().for_each(|outside| results.add_outside(outside));
        if results.prints_json {
            output::print(&(json::message(answer)? + "\n"))?;
        }
    }
}

/// The results of all calls.
#[derive(Debug, Default)]
struct Results {
    place: PathBuf,
    prints_json: bool,
    stored: u64,
    /// Stored by an earlier call of the same import.
    stored_before: u64,
    /// The refused records, by the name of the reason.
    refused: BTreeMap<&'static str, u64>,
    /// By kind, variant, and level: the number of puzzles, and the smallest and the largest number of their givens.
    outside_style: BTreeMap<(i32, String, i32), (u64, u32, u32)>,
}

impl Results {
    fn records(&self) -> u64 {
        self.stored + self.stored_before + self.refused.values().sum::<u64>()
    }

    fn add(&mut self, result: &pb::ImportResult, output: &Output) {
        output.advance();
        match result.refusal() {
            pb::ImportRefusal::Unspecified => self.stored += 1,
            pb::ImportRefusal::Known if result.other_line == result.line => self.stored_before += 1,
            refusal => {
                let name = name(refusal);
                *self.refused.entry(name).or_default() += 1;
                let (place, line) = (self.place.display(), result.line);
                output.remark(&format!("line {line} of {place}: {}", why(name, result)));
            }
        }
    }

    fn add_outside(&mut self, outside: &pb::ImportedOutsideStyle) {
        let key = (outside.kind, outside.variant.clone(), outside.level);
        let (count, min, max) = self.outside_style.entry(key).or_insert((0, u32::MAX, 0));
        *count += u64::from(outside.count);
        (*min, *max) = ((*min).min(outside.min_givens), (*max).max(outside.max_givens));
    }

    fn table(&self, is_dry: bool) -> String {
        use tables::Cells::{Numbers, Text};
        let stored = if is_dry { "would be stored" } else { "stored" };
        let own = [(stored, self.stored), ("stored before", self.stored_before)];
        let all = own.into_iter().chain(self.refused.iter().map(|(name, count)| (*name, *count)));
        let rows = all.map(|(name, count)| vec![name.to_owned(), numbers::count(count)]);
        let mut shown = tables::table(&[("RESULT", Text), ("RECORDS", Numbers)], rows);
        if !self.outside_style.is_empty() {
            let columns = [("OUTSIDE THE STYLE", Text), ("PUZZLES", Numbers), ("FOUND BY", Text)];
            shown.push('\n');
            shown += &tables::table(&columns, self.outside_style.iter().map(outside_row));
        }
        shown
    }
}

fn outside_row((key, counted): (&(i32, String, i32), &(u64, u32, u32))) -> Vec<String> {
    let ((kind, variant, level), (count, min, max)) = (key, counted);
    let kind = tables::word(pb::Kind::try_from(*kind).unwrap_or_default());
    let level = tables::word(pb::Level::try_from(*level).unwrap_or_default());
    let givens = if min == max { min.to_string() } else { format!("{min}-{max}") };
    vec![format!("{kind} {variant} {level}"), numbers::count(*count), format!("--givens {givens}")]
}

/// The name of a reason, without the prefix of its enum.
fn name(refusal: pb::ImportRefusal) -> &'static str {
    let name = refusal.as_str_name();
    name.strip_prefix("IMPORT_REFUSAL_").unwrap_or(name)
}

/// The reason of a refusal in words: its name, what is wrong, and the puzzle that stands in the way.
fn why(name: &str, result: &pb::ImportResult) -> String {
    let at = if result.other_line == 0 { String::new() } else { format!("line {}", result.other_line) };
    let joined =
        |parts: &[&str], by| parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(by);
    let other = joined(&[&result.other_id, &at], ", ");
    joined(&[name, &result.detail, &other], ": ")
}
