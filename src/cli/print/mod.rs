//! The commands that write files to look at or to print: pictures and sheets.

pub(super) mod picture;
pub(super) mod sheet;

use std::{
    fs,
    io::{IsTerminal as _, Write as _, stdout},
    path::PathBuf,
};

use clap::{Args, ValueEnum, builder::PossibleValue};

use super::{CliError, Ended};
use crate::render::PictureFormat;

/// Where a command writes its file.
#[derive(Debug, Args)]
struct OutputArgs {
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Refuses to write a PDF file to a terminal.
    ///
    /// # Errors
    /// [`CliError::Spec`].
    fn check(&self, format: PictureFormat) -> Result<(), CliError> {
        if self.output.is_none() && format == PictureFormat::Pdf && stdout().is_terminal() {
            let fault = "--output: a PDF file is not written to a terminal; name a file, or redirect standard output";
            return Err(CliError::Spec(fault.to_owned()));
        }
        Ok(())
    }

    /// Writes the file. An existing file is replaced.
    fn write(&self, file: &[u8]) -> Result<Ended, CliError> {
        match &self.output {
            Some(path) => {
                fs::write(path, file).map_err(|error| CliError::Input(path.display().to_string(), error))?;
            }
            None => stdout().write_all(file).map_err(CliError::Output)?,
        }
        Ok(Ended::Done)
    }
}

impl ValueEnum for PictureFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.extension()))
    }
}
