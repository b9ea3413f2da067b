//! `puzzled protos`: writes the files of the API definition, which the program contains, to a folder.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

use clap::Args;

use crate::{CliError, Ended, offline::openapi, output};
use puzzled_api::FILES;

/// Write the API definition to a folder, for clients to compile
///
/// The files belong to this version of the program: the API and its imports, except for those that come with protoc; `buf.yaml`;
/// and `service_config.json`, which tells gRPC clients when to retry. If a file exists with another content, the command writes
/// nothing. Prints the path of each file. Exit code: 0 written, 1 refused or failed.
#[derive(Debug, Args)]
pub struct ProtosArgs {
    /// Folder to write to; it is created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Also write openapi.json, which describes JSON over HTTP in the form of OpenAPI 3.1, without streams
    #[arg(long)]
    openapi: bool,

    /// Overwrite files that have another content
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &ProtosArgs) -> Result<Ended, CliError> {
    let mut files: Vec<_> = FILES.iter().map(|(path, text)| (args.folder.join(path), Cow::Borrowed(*text))).collect();
    if args.openapi {
        files.push((args.folder.join(openapi::FILE), Cow::Owned(openapi::document()?)));
    }
    let mut missing = Vec::new();
    for (path, text) in &files {
        match fs::read(path) {
            Ok(found) if found == text.as_bytes() => {}
            Ok(_) if !args.force => {
                let remedy = "its content differs; name another folder, or overwrite it with --force";
                return Err(CliError::Exists(path.display().to_string(), remedy));
            }
            Ok(_) => missing.push((path, text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push((path, text)),
            Err(error) => return Err(failed(path, error)),
        }
    }
    for (path, text) in missing {
        let folder = path.parent().unwrap_or(path);
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        fs::write(path, text.as_bytes()).map_err(|error| failed(path, error))?;
    }
    let lines: Vec<_> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    output::print_result(&(lines.join("\n") + "\n"))
}

fn failed(path: &Path, source: io::Error) -> CliError {
    CliError::Input(path.display().to_string(), source)
}
