//! `RenderPuzzle`: draws a picture of a puzzle.

use super::caller_puzzle::CallerPuzzle;
use crate::{
    calls::{Asked, Cancel, Class, Invalid, Reply, Service, ServiceError},
    puzzles::views::unread,
    wire::Parser,
};
use puzzled_api::{v1 as pb, words};
use puzzled_engine::{picture::Shown, shared::step::Step};
use puzzled_render::PictureFormat;

impl Service {
    pub(crate) async fn render_puzzle(
        &self,
        request: &Asked<pb::RenderPuzzleRequest>,
    ) -> Reply<pb::RenderPuzzleResponse> {
        let wanted = request.get_ref().clone();
        let mut parser = Parser::default();
        let format = parser.picture_format(wanted.format);
        // The number of steps is known only after the puzzle is solved.
        if wanted.step == Some(0) {
            parser.refuse("step", "0 is not a step; steps count from 1".to_owned());
        }
        let puzzle = self.asked(parser, request).await?;
        let format = Parser::default().done_with(format)?;
        let class = if wanted.step.is_some() { Class::Long } else { Class::Short };
        self.compute(class, request, move |cancel: &Cancel| picture(&puzzle, format, &wanted, cancel)).await?
    }
}

impl Parser {
    fn picture_format(&mut self, value: i32) -> Option<PictureFormat> {
        let format =
            PictureFormat::ALL.into_iter().find(|format| value == i32::from(words::picture_format(format.extension())));
        if format.is_none() {
            let fault = if value == 0 { "required".to_owned() } else { format!("{value} is unknown") };
            self.refuse("format", format!("{fault}; use PICTURE_FORMAT_SVG or PICTURE_FORMAT_PDF"));
        }
        format
    }
}

/// The picture of the puzzle. Takes no search unless it shows the solution of a text, or a step.
fn picture(
    puzzle: &CallerPuzzle,
    format: PictureFormat,
    wanted: &pb::RenderPuzzleRequest,
    cancel: &Cancel,
) -> Result<pb::RenderPuzzleResponse, ServiceError> {
    let &pb::RenderPuzzleRequest { solution, candidates, step, rules, .. } = wanted;
    // Steps lead to the solution only if there is one.
    let solved = (solution || step.is_some()).then(|| puzzle.solution(cancel)).transpose()?;
    let steps = step.map(|step| steps_to(puzzle, step as usize, cancel)).transpose()?.unwrap_or_default();
    let solution = solved.as_deref().filter(|_| solution);
    let shown = Shown { text: &puzzle.text, solution, candidates, steps: &steps, rules };
    let picture = puzzle.kind.picture(&puzzle.variant, shown).map_err(|error| unread(&error))?;
    Ok(pb::RenderPuzzleResponse { picture: format.write(&picture), media_type: format.media_type().to_owned() })
}

/// The steps up to the one with this number, from 1.
fn steps_to(puzzle: &CallerPuzzle, number: usize, cancel: &Cancel) -> Result<Vec<Step>, ServiceError> {
    let mut steps = puzzle.reasoned(cancel)?.steps;
    if number > steps.len() {
        let fault = format!("{number} is beyond the last step; the techniques find {} steps", steps.len());
        return Err(Invalid::one("step", fault));
    }
    steps.truncate(number);
    Ok(steps)
}
