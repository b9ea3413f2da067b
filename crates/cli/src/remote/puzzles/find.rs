//! `puzzled find`: asks a server for the stored puzzles that match printed texts.

use std::path::PathBuf;

use clap::Args;
use tonic::Code;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::{
        lines::puzzle_lines,
        spec::{self, Kind},
        stated::PuzzleLine,
    },
    output::{Output, json},
};
use puzzled_api::{
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
    words,
};

/// Find stored puzzles by their printed texts
///
/// A stored puzzle matches a text if it is the same puzzle, an isomorph, or another puzzle with the same solution up to
/// symmetry. If none matches, for example because of a misprint, the command compares the text with the puzzles of --series
/// or --audience, and prints those that differ in at most three cells. Exit code: 0 all found, 1 failed, 2 some not found.
#[derive(Debug, Args)]
pub struct FindArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Files to read, with one puzzle per line, or separated by empty lines; - is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the one that the text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// If no puzzle matches, compare the newest 10,000 puzzles of this daily series, cell by cell [default: all
    /// series]
    #[arg(long, value_name = "NAME", conflicts_with = "audience")]
    series: Option<String>,

    /// Compare the newest 10,000 puzzles of this audience instead
    #[arg(long, value_name = "NAME")]
    audience: Option<String>,

    /// Print one JSON object per puzzle: `line`, `text`, and the fields of `FindPuzzleResponse`
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: FindArgs) -> Result<Ended, CliError> {
    let kind = spec::or_first(args.kind)?;
    let wanted = pb::FindPuzzleRequest {
        kind: words::kind(kind.name()).into(),
        variant: args.variant.unwrap_or_default(),
        text: String::new(),
        audience: args.audience.unwrap_or_default(),
        series: args.series.unwrap_or_default(),
    };
    args.server.ask(async |server: Server| {
        let mut output = Output::new(None);
        let mut ended = Ended::Done;
        for line in puzzle_lines(args.files, kind) {
            let line = line.map_err(|error| CliError::Input(error.name, error.source))?;
            match found(&server, kind, &wanted, &line).await? {
                Ok(found) => {
                    if found.matches.is_empty() {
                        output.remark(&format!("{}: no puzzle found", line.place));
                        ended = Ended::Partly;
                    }
                    print(&mut output, args.json, &line, found)?;
                }
                Err(fault) => {
                    output.remark(&format!("{}: {fault}", line.place));
                    ended = Ended::Partly;
                }
            }
            output.advance();
        }
        output.end()?;
        Ok(ended)
    })
}

/// The matches of a puzzle, or why its text cannot be read.
async fn found(
    server: &Server,
    kind: Kind,
    wanted: &pb::FindPuzzleRequest,
    line: &PuzzleLine,
) -> Result<Result<pb::FindPuzzleResponse, String>, CliError> {
    let text = match line.checked(kind, &wanted.variant) {
        Ok(text) => text.to_owned(),
        Err(fault) => return Ok(Err(fault)),
    };
    let mut client = PuzzleServiceClient::new(server.channel.clone());
    match client.find_puzzle(pb::FindPuzzleRequest { text, ..wanted.clone() }).await {
        Ok(found) => Ok(Ok(found.into_inner())),
        Err(status) if status.code() == Code::InvalidArgument => Ok(Err(server.reason(&status))),
        Err(status) => Err(server.refused(&status)),
    }
}

fn print(output: &mut Output, as_json: bool, line: &PuzzleLine, found: pb::FindPuzzleResponse) -> Result<(), CliError> {
    if as_json {
        return output.line(&json::found(line, found)?);
    }
    found.matches.iter().try_for_each(|found| output.line(&format!("line {}: {}", line.number, found.message)))
}
