//! Writes the output of commands: results to standard output in whole lines, and remarks and a progress bar to standard
//! error.

pub mod json;
pub(super) mod numbers;
pub mod puzzle_file;
pub mod tables;

use std::{
    fmt,
    io::{self, BufWriter, IsTerminal as _, Stdout, Write as _, stderr, stdout},
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{CliError, Ended};
use puzzled_engine::shared::text::TextForm;

/// The number of bytes per write. POSIX writes that many to a pipe whole or not at all, so an interrupt leaves no partial line.
const PIECE_BYTES: usize = 4_096;

/// How a command prints puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[expect(missing_docs, reason = "a comment would be the help of the value")]
pub enum Format {
    Text,
    Json,
}

/// The two outputs of a command.
#[derive(Debug)]
pub struct Output {
    results: BufWriter<Stdout>,
    bar: ProgressBar,
    /// Whether a text of several lines was written. An empty line separates it from the next text.
    has_paragraph: bool,
    /// Whether results and bar share a terminal, so that the bar must make room for each line.
    shared: bool,
}

/// Writes a whole text to standard output.
///
/// # Errors
/// [`CliError::Output`].
pub fn print(text: &str) -> Result<(), CliError> {
    stdout().write_all(text.as_bytes()).map_err(CliError::Output)
}

/// Writes a whole text to standard output from another thread. If the reader stalls, neither the connection nor a time limit waits for
/// it, and the end of the command does not wait for an unfinished write.
///
/// # Errors
/// [`CliError::Output`].
pub(super) async fn print_aside(text: String) -> Result<(), CliError> {
    let printed = tokio::task::spawn_blocking(move || print(&text)).await;
    printed.unwrap_or_else(|error| Err(CliError::Output(error.into())))
}

/// Prints the result of a command, which is then done.
///
/// # Errors
/// [`CliError::Output`].
pub fn print_result(text: &str) -> Result<Ended, CliError> {
    print(text).map(|()| Ended::Done)
}

/// A row of CSV, without the line feed at its end.
///
/// # Errors
/// [`CliError::Output`].
pub(super) fn csv_row(fields: impl Iterator<Item: AsRef<[u8]>>) -> Result<String, CliError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).map_err(|error| CliError::Output(error.into()))?;
    let row = writer.into_inner().map_err(|error| CliError::Output(error.into_error()))?;
    let row = String::from_utf8_lossy(&row);
    Ok(row.strip_suffix('\n').unwrap_or(&row).to_owned())
}

impl Output {
    /// Creates the outputs, with a progress bar up to `len`, or with a counter if `len` is unknown. Only a terminal
    /// shows the bar or counter.
    #[must_use]
    pub fn new(len: Option<u64>) -> Self {
        let template = match len {
            Some(_) => "{wide_bar} {human_pos}/{human_len} puzzles, {rate}/s, {eta} left",
            None => "{spinner} {human_pos} puzzles, {rate}/s",
        };
        Self::with_bar(len, template)
    }

    /// Creates the outputs, with a progress bar of the seconds that a command takes. Only a terminal shows the bar.
    pub(super) fn timed(seconds: u64) -> Self {
        Self::with_bar(Some(seconds), "{wide_bar} {pos}/{len} s, {msg}")
    }

    fn with_bar(len: Option<u64>, template: &str) -> Self {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            // The bar cannot report a failure to write to its own buffer.
            let _ = text.write_str(&numbers::short(state.per_sec()));
        });
        let bar = ProgressBar::with_draw_target(len, ProgressDrawTarget::stderr()).with_style(style);
        let shared = stdout().is_terminal() && !bar.is_hidden();
        Self { results: BufWriter::with_capacity(PIECE_BYTES, stdout()), bar, has_paragraph: false, shared }
    }

    /// Writes a line of results. The next [`Self::flush`] shows it at the latest. A line below `PIECE_BYTES` is never
    /// shown in part.
    ///
    /// # Errors
    /// [`CliError::Output`].
    pub fn line(&mut self, line: &str) -> Result<(), CliError> {
        let whole = format!("{line}\n");
        self.results(|results| results.write_all(whole.as_bytes()))
    }

    /// Writes the drawing of a puzzle, with an empty line before each drawing except the first.
    pub(super) fn drawing(&mut self, drawing: &str) -> Result<(), CliError> {
        let before = if std::mem::replace(&mut self.has_paragraph, true) { "\n" } else { "" };
        let whole = format!("{before}{drawing}");
        self.results(|results| results.write_all(whole.as_bytes()))
    }

    /// Writes the text of a puzzle like [`Self::line`]. An empty line separates paragraphs.
    pub(super) fn text(&mut self, text: &str, form: TextForm) -> Result<(), CliError> {
        if std::mem::replace(&mut self.has_paragraph, form == TextForm::Paragraph) {
            return self.line(&format!("\n{text}"));
        }
        self.line(text)
    }

    /// Shows all lines written so far.
    ///
    /// # Errors
    /// [`CliError::Output`].
    pub fn flush(&mut self) -> Result<(), CliError> {
        self.results(BufWriter::flush)
    }

    fn results(&mut self, act: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) -> Result<(), CliError> {
        let results = &mut self.results;
        let done = if self.shared { self.bar.suspend(|| act(results)) } else { act(results) };
        done.map_err(CliError::Output)
    }

    /// Counts one more puzzle as done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// Moves the bar to a second.
    pub(super) fn reach(&self, second: u64) {
        self.bar.set_position(second);
    }

    /// Shows beside the bar what the command does now.
    pub(super) fn begin(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Writes a remark for people.
    pub fn remark(&self, remark: &str) {
        // If standard error cannot be written, the results are still valid.
        self.bar.suspend(|| {
            let _ = writeln!(stderr(), "{remark}");
        });
    }

    /// Removes the bar, and writes the remaining results.
    ///
    /// # Errors
    /// [`CliError::Output`].
    pub fn end(mut self) -> Result<(), CliError> {
        self.bar.finish_and_clear();
        self.flush()
    }
}
