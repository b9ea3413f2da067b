//! Sends a file of deliveries to a server, in calls of up to 500 lines. A call that fails records nothing; what earlier
//! calls recorded stays.

use std::{io::BufRead, path::Path};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::lines::{next_line, open},
    output::{self, numbers},
};
use puzzled_api::{
    RECORDED_MAX,
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};
use puzzled_engine::shared::names::quoted;

/// When the texts of a call reach this number of bytes, the call is sent. It is half of a server's default limit.
const BATCH_BYTES_MAX: usize = 1 << 19;

/// A line of the file. Other fields, such as the time of the delivery, are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Line {
    audience: String,
    id: String,
    kind: String,
    variant: String,
    text: String,
    repeat_hash: String,
}

pub(super) fn import(server: &ServerArgs, file: &Path) -> Result<Ended, CliError> {
    let name = if file == Path::new("-") { "standard input".to_owned() } else { file.display().to_string() };
    let reader = open(file).map_err(|source| CliError::Input(name.clone(), source))?;
    let mut lines = Lines { reader, name, number: 0, next: None };
    server.ask(async |server: Server| {
        let style = ProgressStyle::with_template("{spinner} {human_pos} deliveries");
        let bar = ProgressBar::no_length().with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (mut recorded, mut known) = (0, 0);
        while let Some(batch) = lines.batch()? {
            let sent = send(&server, &lines.name, batch).await?;
            (recorded, known) = (recorded + u64::from(sent.recorded), known + u64::from(sent.known));
            bar.set_position(recorded + known);
        }
        bar.finish_and_clear();
        let [recorded, known] = [recorded, known].map(numbers::count);
        output::print_result(&format!("deliveries: {recorded} recorded, {known} known before\n"))
    })
}

async fn send(server: &Server, name: &str, batch: Batch) -> Result<pb::RecordDeliveriesResponse, CliError> {
    let first_line = batch.first_line;
    let mut client = PuzzleServiceClient::new(server.channel.clone());
    let refused = |status| {
        let reason = server.reason(&status);
        server.failed(format!("{name}, in the call with line {first_line} as puzzles[0]: {reason}"))
    };
    Ok(client.record_deliveries(batch.request).await.map_err(refused)?.into_inner())
}

/// The lines of one call.
struct Batch {
    /// The number of the first line, from 1.
    first_line: u64,
    request: pb::RecordDeliveriesRequest,
}

/// Reads a file line by line.
struct Lines<R> {
    reader: R,
    /// The name of the file in messages.
    name: String,
    /// The number of lines read so far.
    number: u64,
    /// The first line of the next batch with its number, if it has been read.
    next: Option<(u64, Line)>,
}

impl<R: BufRead> Lines<R> {
    /// Returns the next lines of one audience; `None` at the end.
    fn batch(&mut self) -> Result<Option<Batch>, CliError> {
        let Some((first_line, first)) = self.line()? else { return Ok(None) };
        let audience = first.audience.clone();
        let mut bytes = first.text.len();
        let mut puzzles = vec![self.puzzle(first_line, first)?];
        while puzzles.len() < RECORDED_MAX && bytes < BATCH_BYTES_MAX {
            match self.line()? {
                Some((number, line)) if line.audience == audience => {
                    bytes += line.text.len();
                    puzzles.push(self.puzzle(number, line)?);
                }
                other => {
                    self.next = other;
                    break;
                }
            }
        }
        Ok(Some(Batch { first_line, request: pb::RecordDeliveriesRequest { audience, puzzles } }))
    }

    /// Returns the next line that is not empty, with its number.
    fn line(&mut self) -> Result<Option<(u64, Line)>, CliError> {
        if let Some(next) = self.next.take() {
            return Ok(Some(next));
        }
        loop {
            let read = next_line(&mut self.reader).map_err(|source| CliError::Input(self.name.clone(), source))?;
            let Some(read) = read else { return Ok(None) };
            self.number += 1;
            let text = read.map_err(|fault| self.fault(self.number, &fault))?;
            if !text.trim().is_empty() {
                let line = serde_json::from_str(&text).map_err(|fault| self.fault(self.number, &fault.to_string()))?;
                return Ok(Some((self.number, line)));
            }
        }
    }

    fn puzzle(&self, number: u64, line: Line) -> Result<pb::RecordedPuzzle, CliError> {
        let Line { audience: _, id, kind, variant, text, repeat_hash } = line;
        let named = if kind.is_empty() { Some(pb::Kind::Unspecified) } else { pb::Kind::from_str_name(&kind) };
        let unknown =
            || self.fault(number, &format!("kind: {} is not known; use one such as KIND_SUDOKU", quoted(&kind)));
        let kind = named.ok_or_else(unknown)?.into();
        Ok(pb::RecordedPuzzle { id, kind, variant, text, repeat_hash })
    }

    fn fault(&self, number: u64, reason: &str) -> CliError {
        CliError::Spec(format!("line {number} of {}: {reason}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines<&[u8]> {
        Lines { reader: text.as_bytes(), name: "test".to_owned(), number: 0, next: None }
    }

    #[test]
    fn a_call_has_up_to_500_lines_of_one_audience() {
        let line = |audience: &str| {
            format!("{{\"audience\": {audience:?}, \"repeatHash\": \"00\", \"deliverTime\": \"x\"}}\n")
        };
        let text = line("anna").repeat(501) + "\n" + &line("bert") + &line("anna").repeat(2);
        let mut lines = lines(&text);
        let mut calls = Vec::new();
        while let Some(Batch { first_line, request }) = lines.batch().unwrap() {
            calls.push((first_line, request.audience, request.puzzles.len()));
        }
        let expected = [(1, "anna", 500), (501, "anna", 1), (503, "bert", 1), (504, "anna", 2)];
        assert_eq!(calls, expected.map(|(line, audience, puzzles)| (line, audience.to_owned(), puzzles)));
    }

    #[test]
    fn large_texts_are_sent_in_several_calls() {
        let text = "x".repeat(8_192);
        let line = format!("{{\"audience\": \"anna\", \"kind\": \"KIND_KAKURO\", \"text\": {text:?}}}\n");
        let all = line.repeat(100);
        let mut lines = lines(&all);
        let first = lines.batch().unwrap().unwrap().request;
        assert_eq!((first.puzzles.len(), first.puzzles[0].kind()), (64, pb::Kind::Kakuro));
        assert_eq!(lines.batch().unwrap().unwrap().request.puzzles.len(), 36);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (text, expected) in [
            (
                "\n{\"audience\": 3}\n",
                "line 2 of test: invalid type: integer `3`, expected a string at line 1 column 14",
            ),
            ("{\"kind\": \"sudoku\"}", "line 1 of test: kind: \"sudoku\" is not known; use one such as KIND_SUDOKU"),
        ] {
            assert_eq!(lines(text).batch().err().unwrap().to_string(), expected);
        }
    }
}
