//! Gets the puzzles of a sheet from a server, for an audience.

use clap::{ArgMatches, Args, Command, FromArgMatches, builder::Resettable};
use prost::Message as _;
use sha2::{Digest as _, Sha256};
use tonic::Status;
use tonic_types::RpcStatusExt as _;

use super::{Found, SheetArgs, Solutions};
use crate::{
    CliError,
    client::{Server, ServerArgs},
    output::Output,
};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{
        self as pb, batch_get_puzzles_result::Result as Answer, puzzle_service_client::PuzzleServiceClient,
        server_service_client::ServerServiceClient,
    },
};
use puzzled_engine::shared::{criteria::Criteria, names::quoted};

/// The server of a sheet, if the user names one. `PUZZLED_LISTEN` is ignored, because one environment serves many
/// commands.
#[derive(Debug)]
pub(super) struct SourceArgs(pub(super) Option<ServerArgs>);

impl Args for SourceArgs {
    fn augment_args(command: Command) -> Command {
        ServerArgs::augment_args(command).mut_arg("address", |address| {
            address
                .env(Resettable::Reset)
                .default_value(Resettable::Reset)
                .requires("audience")
                .help("Get the puzzles from the server at HOST:PORT, or https://HOST:PORT for TLS; needs --audience [default: none]")
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SourceArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_named = matches.contains_id("address");
        is_named.then(|| ServerArgs::from_arg_matches(matches)).transpose().map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The puzzles of all levels, in order.
///
/// # Errors
/// [`CliError::Server`] with the number of the first puzzle that the server does not deliver. Those before it are delivered; a
/// repeat with the same title gets them again.
pub(super) fn puzzles(server: &ServerArgs, args: &SheetArgs) -> Result<Vec<Found>, CliError> {
    let levels = args.curve.levels(args.spec.level, args.count)?.into_iter();
    let levels = levels.flat_map(|(level, count)| std::iter::repeat_n(level, count as usize));
    let names = sheet_name(args.title.as_deref().unwrap_or_default());
    let criteria = args.spec.criteria()?;
    let requests = (1_u32..).zip(levels).map(|(number, level)| {
        let request = pb::GetPuzzleRequest {
            include_solution: args.solutions == Solutions::End,
            include_record: true,
            audience: args.audience.clone().unwrap_or_default(),
            request_id: format!("{names}-{number}"),
            exclusive: args.exclusive,
            ..pb::GetPuzzleRequest::default()
        };
        request.stating(&Criteria { level, ..criteria.clone() })
    });
    let requests: Vec<_> = requests.collect();
    server.ask(async |server: Server| {
        let size = batch_max(&server).await?;
        let output = Output::new(Some(u64::from(args.count)));
        let mut found = Vec::new();
        for requests in requests.chunks(size) {
            let request = pb::BatchGetPuzzlesRequest { requests: requests.to_vec() };
            let mut client = PuzzleServiceClient::new(server.channel.clone());
            let answer = client.batch_get_puzzles(request).await.map_err(|status| server.refused(&status))?;
            for result in answer.into_inner().results {
                let number = found.len() + 1;
                match result.result {
                    Some(Answer::Puzzle(puzzle)) => found.push(found_of(*puzzle, number, &output)),
                    Some(Answer::Status(status)) => {
                        let fault = in_words(args, &server, number, &status);
                        return Err(server.failed(format!("puzzle {number} of {}: {fault}", args.count)));
                    }
                    None => return Err(server.failed(format!("the answer lacks puzzle {number}"))),
                }
                output.advance();
            }
        }
        output.end()?;
        Ok(found)
    })
}

/// The error of one puzzle, with what to do with this command.
fn in_words(args: &SheetArgs, server: &Server, number: usize, status: &tonic_types::Status) -> String {
    let details = status.encode_to_vec().into();
    let fault = server.reason(&Status::with_details(status.code.into(), status.message.clone(), details));
    let reason = status.get_details_error_info().map(|info| info.reason);
    match reason.as_deref() {
        Some("REQUEST_ID_REUSED") => {
            let title = quoted(args.title.as_deref().unwrap_or_default());
            format!("--title: {title} names a sheet with other criteria; repeat those, or choose another title")
        }
        Some("STOCK_EXHAUSTED") if number > 1 => {
            format!("{fault}; a repeat of this command gets the puzzles before it again")
        }
        _ => fault,
    }
}

/// The name of all sheets with a title, as the first part of their request IDs, which are ASCII.
fn sheet_name(title: &str) -> String {
    let digest = Sha256::digest(title);
    digest.iter().take(16).fold("sheet-".to_owned(), |name, byte| format!("{name}{byte:02x}"))
}

/// The maximum number of requests of a batch.
async fn batch_max(server: &Server) -> Result<usize, CliError> {
    let mut client = ServerServiceClient::new(server.channel.clone());
    let info = client.get_server_info(pb::GetServerInfoRequest::default()).await;
    let limits = info.map_err(|status| server.refused(&status))?.into_inner().limits.unwrap_or_default();
    Ok(limits.max_batch_requests.max(1) as usize)
}

fn found_of(puzzle: pb::Puzzle, number: usize, output: &Output) -> Found {
    if puzzle.withdraw_time.is_some() {
        let (id, reason) = (&puzzle.id, &puzzle.withdraw_reason);
        output.remark(&format!("puzzle {number} of the sheet, {id}, was withdrawn: {reason}"));
    }
    Found {
        level: puzzle.level(),
        variant: puzzle.variant,
        text: puzzle.text,
        solution: puzzle.solution,
        rating: puzzle.rating,
        predicted_seconds: puzzle.predicted_seconds,
        effort: puzzle.record.and_then(|record| record.effort),
        origin: puzzle.id,
    }
}
