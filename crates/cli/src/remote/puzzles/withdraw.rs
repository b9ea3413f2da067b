//! `puzzled withdraw`: withdraws one puzzle, or all that fit some criteria, from the stock of a running server.

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use prost_types::Timestamp;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::{criteria_flags::FilterArgs, spec},
    output::{self, json, numbers},
};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};
use puzzled_base::ids::JobId;

/// Withdraw a puzzle, or all puzzles that fit, from circulation, permanently
///
/// A withdrawn puzzle, its isomorphs, and other puzzles with the same solution are never delivered again. With criteria, the
/// command repeats the call until nothing is left, and a repeat of the command resumes. Exit code: 0 withdrawn, now
/// or earlier, 1 refused or failed.
#[derive(Debug, Args)]
pub struct WithdrawArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// ID of one puzzle, such as puzzle-17, instead of criteria
    #[arg(value_name = "PUZZLE", conflicts_with_all = [
        "FilterArgs", "job", "import_id", "stored_from", "stored_before", "dry_run", "forget",
    ])]
    id: Option<String>,

    /// Only puzzles of this job, such as job-3
    #[arg(long, value_name = "JOB", value_parser = spec::job)]
    job: Option<JobId>,

    /// Only puzzles of this import
    #[arg(long = "import", value_name = "NAME", conflicts_with = "job")]
    import_id: Option<String>,

    #[command(flatten)]
    filter: FilterArgs,

    /// Only puzzles stored at this time or later, such as 2026-11-25T09:00:00Z
    #[arg(long, value_name = "TIME", value_parser = spec::time)]
    stored_from: Option<Timestamp>,

    /// Only puzzles stored before this time
    #[arg(long, value_name = "TIME", value_parser = spec::time)]
    stored_before: Option<Timestamp>,

    /// Reason for people to read, at most 500 characters
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Delete puzzles that no delivery names, so that puzzles with their solutions may be made again; puzzles of open jobs are left
    /// alone
    #[arg(long)]
    forget: bool,

    /// Count the puzzles, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Print one JSON object: a `Puzzle`, or with criteria a `WithdrawPuzzlesResponse` for each call
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &WithdrawArgs) -> Result<Ended, CliError> {
    match &args.id {
        Some(id) => one(args, id),
        None => many(args),
    }
}

fn one(args: &WithdrawArgs, id: &str) -> Result<Ended, CliError> {
    let (id, reason) = (id.to_owned(), args.reason.clone());
    let request = pb::WithdrawPuzzleRequest { id, reason, include_record: false };
    let puzzle = args.server.ask(async |server: Server| {
        let answer = PuzzleServiceClient::new(server.channel.clone()).withdraw_puzzle(request).await;
        Ok(answer.map_err(|status| server.refused(&status))?.into_inner().puzzle.unwrap_or_default())
    })?;
    output::print(&if args.json {
        json::message(puzzle)? + "\n"
    } else {
        let at = puzzle.withdraw_time.map(|at| format!(" at {at}")).unwrap_or_default();
        format!("{} withdrawn{at}: {}\n", puzzle.id, puzzle.withdraw_reason)
    })?;
    Ok(Ended::Done)
}

/// Repeats the call until no puzzle is left. Each call says how many there are, so the bar needs no count before the first.
fn many(args: &WithdrawArgs) -> Result<Ended, CliError> {
    let request = args.request()?;
    let no_criterion =
        pb::WithdrawPuzzlesRequest { reason: request.reason.clone(), ..pb::WithdrawPuzzlesRequest::default() };
    if (pb::WithdrawPuzzlesRequest { dry_run: false, forget: false, ..request.clone() }) == no_criterion {
        let fault = "nothing says which puzzles; set the ID of a puzzle, or at least one criterion, such as --job";
        return Err(CliError::Spec(fault.to_owned()));
    }
    args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}");
        let bar = ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (mut changed, mut forgotten) = (0, 0);
        loop {
            let answer = client.withdraw_puzzles(request.clone()).await;
            let done = answer.map_err(|status| server.refused(&status))?.into_inner();
            (changed, forgotten) = (changed + done.changed, forgotten + done.forgotten);
            bar.set_length(changed + done.remaining);
            bar.set_position(changed);
            if args.json {
                output::print(&(json::message(done.clone())? + "\n"))?;
            }
            // If a call changes nothing, further calls change nothing either.
            if done.remaining == 0 || done.changed == 0 {
                bar.finish_and_clear();
                if !args.json {
                    output::print(&in_words(args.dry_run, changed, forgotten, &done))?;
                }
                return Ok(Ended::Done);
            }
        }
    })
}

fn in_words(is_dry: bool, changed: u64, forgotten: u64, last: &pb::WithdrawPuzzlesResponse) -> String {
    let would = if is_dry { "would be " } else { "" };
    let [withdrawn, forgotten] = [changed - forgotten, forgotten].map(numbers::count);
    let done = format!("puzzles: {withdrawn} {would}withdrawn, {forgotten} {would}deleted");
    let [of_open_jobs, remaining] = [last.of_open_jobs, last.remaining].map(|count| (count, numbers::count(count)));
    let rest = [
        (of_open_jobs, "of open jobs left alone; repeat the command when the jobs have ended"),
        (remaining, "remain; repeat the command"),
    ];
    let rest =
        rest.into_iter().filter(|((count, _), _)| *count > 0).map(|((_, count), what)| format!(", {count} {what}"));
    done + &rest.collect::<String>() + "\n"
}

impl WithdrawArgs {
    fn request(&self) -> Result<pb::WithdrawPuzzlesRequest, CliError> {
        let request = pb::WithdrawPuzzlesRequest {
            job_id: self.job.map(|job| job.to_string()).unwrap_or_default(),
            stored_from_time: self.stored_from,
            stored_before_time: self.stored_before,
            reason: self.reason.clone(),
            dry_run: self.dry_run,
            forget: self.forget,
            import_id: self.import_id.clone().unwrap_or_default(),
            ..pb::WithdrawPuzzlesRequest::default()
        };
        Ok(request.stating(&self.filter.criteria()?))
    }
}
