//! The commands that write files to look at or to print: pictures and sheets.

pub(super) mod picture;
pub(super) mod sheet;

use std::{
    fs,
    io::{IsTerminal as _, Write as _, stdout},
    path::PathBuf,
};

use clap::Args;

use super::{CliError, Ended};
use puzzled_engine::shared::names::quoted;
use puzzled_render::PictureFormat;

/// Where a command writes its file.
#[derive(Debug, Args)]
struct OutputArgs {
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArgs {
    /// Checks the place before any work: the folder must exist, the name must fit the format, and a PDF file does not belong on a
    /// terminal.
    ///
    /// # Errors
    /// [`CliError::Spec`].
    fn check(&self, format: PictureFormat) -> Result<(), CliError> {
        let fault = |fault: String| Err(CliError::Spec(format!("--output: {fault}")));
        let Some(path) = &self.output else {
            return if format == PictureFormat::Pdf && stdout().is_terminal() {
                fault("a PDF file is not written to a terminal; name a file, or redirect standard output".to_owned())
            } else {
                Ok(())
            };
        };
        let name = quoted(&path.display().to_string());
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        if ending.is_some_and(|ending| ending != format.extension()) {
            let ending = format.extension();
            return fault(format!("{name} is not the name of a file in the format {ending}; end it in .{ending}"));
        }
        match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            Some(folder) => {
                let folder = quoted(&folder.display().to_string());
                fault(format!("the folder {folder} does not exist; create it, or name another"))
            }
            None => Ok(()),
        }
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
