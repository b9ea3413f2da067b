//! `puzzled validate`: asks a server how many solutions a puzzle has.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::{
        puzzle_text,
        spec::{self, Kind},
    },
    output::{self, json},
};
use puzzled_api::{
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
    words,
};

/// Check whether a puzzle has exactly one solution
///
/// The command prints the verdict. If there are several solutions, it names the cells in which two of them differ, and prints
/// these two. If givens contradict each other, it names them. Exit code: 0 exactly one solution, 1 refused or failed, 2 none or
/// several, or no verdict within the server's limit.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Puzzle as text; - is standard input [default: standard input]
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// Kind of puzzle [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant, such as 9x9 [default: the one that the text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Print one JSON object, a `ValidateResponse`
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ValidateArgs) -> Result<Ended, CliError> {
    let text = puzzle_text::text(args.text.as_deref())?;
    if let Some(id) = puzzle_text::id_in(&text) {
        let fault = format!("text: {id} is the ID of a stored puzzle, which has exactly one solution; give a text");
        return Err(CliError::Spec(fault));
    }
    let request = pb::ValidateRequest {
        kind: words::kind(spec::or_first(args.kind)?.name()).into(),
        variant: args.variant.clone().unwrap_or_default(),
        text,
        include_drawing: false,
        include_links: false,
    };
    let found = args.server.ask(async |server: Server| {
        let mut client = PuzzleServiceClient::new(server.channel.clone());
        Ok(client.validate(request).await.map_err(|status| server.refused(&status))?.into_inner())
    })?;
    let ended = if found.verdict() == pb::Verdict::Unique { Ended::Done } else { Ended::Partly };
    output::print(&if args.json { json::message(found)? + "\n" } else { in_words(&found) })?;
    Ok(ended)
}

/// The verdict, and the two solutions if there are several. An empty line separates solutions of several lines.
fn in_words(found: &pb::ValidateResponse) -> String {
    let several: &[String] = if found.verdict() == pb::Verdict::Several { &found.solutions } else { &[] };
    let solutions = several.iter().map(|solution| {
        let before = if solution.contains('\n') { "\n" } else { "" };
        format!("{before}{solution}\n")
    });
    format!("{}\n{}", found.message, solutions.collect::<String>())
}
