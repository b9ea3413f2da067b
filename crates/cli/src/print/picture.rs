//! `puzzled picture`: draws a stored puzzle with the help of a server, or a text without one.

use std::sync::atomic::AtomicBool;

use clap::{Args, value_parser};

use super::OutputArgs;
use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::{
        puzzle_text,
        spec::{self, Kind},
    },
    offline::rate,
};
use puzzled_api::v1::{self as pb, puzzle_service_client::PuzzleServiceClient};
use puzzled_api::words;
use puzzled_engine::{
    picture::Shown,
    shared::{budget::Budget, step::Step},
};
use puzzled_render::PictureFormat;

/// Draw a puzzle as SVG or PDF
///
/// A server draws a stored puzzle. A text needs no server. Exit code: 0 drawn, 1 refused or failed.
#[derive(Debug, Args)]
pub struct PictureArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Puzzle as text, or the ID of a stored puzzle, such as puzzle-17; - is standard input [default: standard input]
    #[arg(value_name = "PUZZLE")]
    puzzle: Option<String>,

    /// Kind of the text [default: sudoku]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Variant of the text, such as 9x9 [default: the one that the text shows]
    #[arg(long, visible_alias = "size", value_name = "VARIANT")]
    variant: Option<String>,

    /// Seed of the scrambled view of a stored puzzle [default: the stored puzzle]
    #[arg(long, value_name = "SEED")]
    scramble_seed: Option<u64>,

    /// Format [default: the ending of --output, or svg]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<PictureFormat>,

    /// Fill in the solution
    #[arg(long)]
    solution: bool,

    /// Write the pencil marks into each empty cell
    #[arg(long)]
    candidates: bool,

    /// Show step N of the human solution, on the board before it; the first step is 1
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    step: Option<u32>,

    /// Write the rules below the board
    #[arg(long)]
    rules: bool,

    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &PictureArgs) -> Result<Ended, CliError> {
    let format = args.format();
    args.output.check(format)?;
    let text = puzzle_text::text(args.puzzle.as_deref())?;
    let picture = match puzzle_text::id_in(&text) {
        Some(id) => args.stored(id, format)?,
        None => args.drawn(&text, format)?,
    };
    args.output.write(&picture)
}

impl PictureArgs {
    fn format(&self) -> PictureFormat {
        let extension = || self.output.output.as_ref()?.extension()?.to_str().map(str::to_ascii_lowercase);
        let named = || PictureFormat::of_extension(&extension()?);
        self.format.or_else(named).unwrap_or(PictureFormat::Svg)
    }

    /// The picture of a stored puzzle.
    fn stored(&self, id: &str, format: PictureFormat) -> Result<Vec<u8>, CliError> {
        if self.kind.is_some() || self.variant.is_some() {
            let fault = format!("--kind, --variant: these are for a text, and {id} is a stored puzzle; leave them out");
            return Err(CliError::Spec(fault));
        }
        let request = pb::RenderPuzzleRequest {
            id: id.to_owned(),
            scramble_seed: self.scramble_seed,
            format: words::picture_format(format.extension()).into(),
            solution: self.solution,
            candidates: self.candidates,
            step: self.step,
            rules: self.rules,
            ..pb::RenderPuzzleRequest::default()
        };
        self.server.ask(async |server: Server| {
            let mut client = PuzzleServiceClient::new(server.channel.clone());
            let drawn = client.render_puzzle(request).await.map_err(|status| server.refused(&status))?;
            Ok(drawn.into_inner().picture)
        })
    }

    /// The picture of a text.
    fn drawn(&self, text: &str, format: PictureFormat) -> Result<Vec<u8>, CliError> {
        if let Some(seed) = self.scramble_seed {
            let fault = format!("--scramble-seed: {seed} is set for a text; only stored puzzles have views");
            return Err(CliError::Spec(fault));
        }
        let kind = spec::or_first(self.kind)?;
        let variant = self.variant.clone().unwrap_or_else(|| kind.text_variant().to_owned());
        let fault = |fault: String| CliError::Spec(format!("text: {fault}"));
        let text = kind.normalize(&variant, text).map_err(|error| fault(error.to_string()))?;
        let variant = kind.variant_of(&variant, &text).map_err(|error| fault(error.to_string()))?;
        let solved = (self.solution || self.step.is_some()).then(|| rate::solution(kind, &variant, &text));
        let solved = solved.transpose().map_err(fault)?;
        let steps = self.step.map(|step| steps_to(kind, &variant, &text, step)).transpose()?.unwrap_or_default();
        let solution = solved.as_deref().filter(|_| self.solution);
        let shown = Shown { text: &text, solution, candidates: self.candidates, steps: &steps, rules: self.rules };
        let picture = kind.picture(&variant, shown).map_err(|error| fault(error.to_string()))?;
        Ok(format.write(&picture))
    }
}

/// The steps of the human solution up to the one with this number.
fn steps_to(kind: Kind, variant: &str, text: &str, step: u32) -> Result<Vec<Step>, CliError> {
    let never = AtomicBool::new(false);
    let reasoned = kind.reason(variant, text, &mut Budget::new(u64::MAX, &never));
    let mut steps = reasoned.map_err(|error| CliError::Spec(format!("text: {error}")))?.steps;
    if step as usize > steps.len() {
        let found = steps.len();
        let fault = format!("--step: {step} is beyond the last step; the techniques find {found} steps");
        return Err(CliError::Spec(fault));
    }
    steps.truncate(step as usize);
    Ok(steps)
}
