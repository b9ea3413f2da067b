//! `puzzled list`: lists the stored puzzles of a running server, in the order of their IDs.

use std::io::{Write as _, stderr};

use clap::{Args, value_parser};

use crate::{
    CliError, Ended,
    client::{PAGE_SIZE, Server, ServerArgs},
    input::{criteria_flags::FilterArgs, spec},
    output::{
        self, json, numbers,
        tables::{self, Cells, ListColumn},
    },
};
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};
use puzzled_base::ids::JobId;

/// List a server's stored puzzles, in the order of their IDs
///
/// TEXT shows the puzzles that are one line, if the table fits the terminal. For others, use `puzzled get ID` or --json.
/// Held and withdrawn puzzles are not listed. If more than --limit puzzles fit, standard error says so. Exit code: 0 listed,
/// 1 refused or failed.
#[derive(Debug, Args)]
pub struct ListArgs {
    #[command(flatten)]
    server: ServerArgs,

    #[command(flatten)]
    filter: FilterArgs,

    /// Only puzzles of this job, such as job-3
    #[arg(long, value_name = "JOB", value_parser = spec::job)]
    job: Option<JobId>,

    /// Only puzzles of this import
    #[arg(long = "import", value_name = "NAME", conflicts_with = "job")]
    import_id: Option<String>,

    /// Maximum number of puzzles to list, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    limit: u32,

    /// Print one JSON object per line, a `Puzzle`, instead of a table
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ListArgs) -> Result<Ended, CliError> {
    let request = args.request()?;
    let limit = args.limit as usize;
    let mut puzzles = args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        // One more than the limit shows whether there are more.
        let read = async |page_token| {
            let page =
                client.list_puzzles(pb::ListPuzzlesRequest { page_token, ..request.clone() }).await?.into_inner();
            Ok((page.puzzles, page.next_page_token))
        };
        server.pages(limit + 1, read).await
    })?;
    let has_more = puzzles.len() > limit;
    puzzles.truncate(limit);
    output::print(&match () {
        () if args.json => json::messages(puzzles)?,
        () if puzzles.is_empty() => "No puzzle in stock fits.\n".to_owned(),
        () => as_table(&puzzles),
    })?;
    if has_more {
        // If standard error cannot be written, the list is still right.
        let _ = writeln!(stderr(), "more puzzles fit; raise --limit, or write all of them with `puzzled export`");
    }
    Ok(Ended::Done)
}

impl ListArgs {
    fn request(&self) -> Result<pb::ListPuzzlesRequest, CliError> {
        let request = pb::ListPuzzlesRequest {
            job_id: self.job.map(|job| job.to_string()).unwrap_or_default(),
            import_id: self.import_id.clone().unwrap_or_default(),
            // The table shows the effort, which is in the record.
            include_record: !self.json,
            page_size: (self.limit + 1).min(PAGE_SIZE).cast_signed(),
            ..pb::ListPuzzlesRequest::default()
        };
        Ok(request.stating(&self.filter.criteria()?))
    }
}

/// The column that stands in a table if one of its puzzles has an effort.
const EFFORT: &str = "EFFORT";

/// The table of puzzles. It has the texts of one line, if there are any and the table then fits the terminal.
fn as_table(puzzles: &[pb::Puzzle]) -> String {
    let line = |puzzle: &pb::Puzzle| if puzzle.text.contains('\n') { String::new() } else { puzzle.text.clone() };
    let columns: Vec<ListColumn<'_, pb::Puzzle>> = vec![
        ("PUZZLE", Cells::Text, &|puzzle| puzzle.id.clone()),
        ("KIND", Cells::Text, &|puzzle| tables::word(puzzle.kind())),
        ("VARIANT", Cells::Wrapped, &|puzzle| puzzle.variant.clone()),
        ("LEVEL", Cells::Text, &|puzzle| tables::word(puzzle.level())),
        ("RATING", Cells::Numbers, &|puzzle| format!("{:.1}", puzzle.rating)),
        (EFFORT, Cells::Numbers, &tables::effort),
        ("TECHNIQUE", Cells::Wrapped, &|puzzle| puzzle.technique.clone()),
        ("GIVENS", Cells::Numbers, &|puzzle| numbers::count(puzzle.givens)),
        ("TEXT", Cells::Text, &line),
    ];
    let has_efforts = puzzles.iter().any(|puzzle| !tables::effort(puzzle).is_empty());
    let columns: Vec<_> = columns.into_iter().filter(|(name, ..)| has_efforts || *name != EFFORT).collect();
    let without = tables::list(puzzles, &columns[..columns.len() - 1]);
    if puzzles.iter().all(|puzzle| line(puzzle).is_empty()) {
        return without;
    }
    let table = tables::list(puzzles, &columns);
    let is_wider = |width: u16| table.lines().any(|line| line.chars().count() > width.into());
    if tables::width().is_some_and(is_wider) { without } else { table }
}
