//! Reads and checks the configuration file, and names the line of an error. Its values replace the defaults, so flags
//! and variables override them.

use std::path::Path;

use clap::{Args as _, Command};
use serde::Deserialize;
use toml::{Table, Value};

use super::{series_table::SeriesTable, target_table::TargetTable};
use crate::{
    operate::{CommandError, read, tables::removed, usage},
    settings::{Settings, without_environment},
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::names::hint;
use puzzled_store::targets::declaration::Declaration;

/// The maximum number of characters of a wrong key or value that a message repeats.
const SHOWN_MAX: usize = 40;

/// A parsed file. Each key is the name of a setting, with a value that the setting's flag would accept.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct SettingsFile {
    /// Stock targets.
    #[serde(default)]
    pub(crate) target: Vec<TargetTable>,
    /// Daily series.
    #[serde(default)]
    pub(crate) series: Vec<SeriesTable>,
    #[serde(flatten)]
    values: Table,
}

impl SettingsFile {
    /// Parses the text of a file and checks every setting, stock target, and series.
    ///
    /// # Errors
    /// [`CommandError::ConfigFile`] names the line, the key, what is wrong with its value, and what is allowed.
    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, CommandError> {
        let fault = |reason: String| CommandError::ConfigFile(path.to_owned(), reason);
        let file: Self = toml::from_str(text).map_err(|error| fault(unread(text, &error)))?;
        let checked = |(key, value): (&String, &Value)| {
            check(key, value).map_err(|reason| fault(format!("line {}: {key}: {reason}", line_of(text, key))))
        };
        file.values.iter().try_for_each(checked)?;
        let in_table = |header, number, reason: String| {
            fault(format!("line {}: {reason}", line_in_table(text, header, number, &reason)))
        };
        for (table, number) in file.target.iter().zip(1..) {
            table.wish(number).map_err(|error| match error {
                CommandError::Target(_, reason) => in_table("[[target]]", number, reason),
                error => error,
            })?;
        }
        for (table, number) in file.series.iter().zip(1..) {
            table.wish(number).map_err(|error| match error {
                CommandError::Series(_, reason) => in_table("[[series]]", number, reason),
                error => error,
            })?;
        }
        Ok(file)
    }

    /// The command with the values of the file as the defaults of its flags.
    pub(crate) fn as_defaults(&self, command: Command) -> Command {
        command.mut_args(|arg| match self.values.get(arg.get_id().as_str()) {
            Some(value) => arg.default_value(text(value)),
            None => arg,
        })
    }
}

/// Reads the stock targets of a file, as requests that create them.
///
/// # Errors
/// [`CommandError`] if the file or one of its tables is not allowed, or two tables are for the same puzzles.
pub(in crate::operate) fn targets_of(path: &Path) -> Result<Vec<pb::CreateStockTargetRequest>, CommandError> {
    let tables = SettingsFile::parse(path, &read(path)?)?.target;
    let wishes = tables.iter().zip(1..).map(|(table, number)| table.wish(number)).collect::<Result<Vec<_>, _>>()?;
    // The second would overwrite the first.
    Declaration::new(String::new(), wishes)
        .map_err(|clash| CommandError::ConfigFile(path.to_owned(), clash.to_string()))?;
    tables.iter().zip(1..).map(|(table, number)| table.request(number)).collect()
}

fn check(key: &str, value: &Value) -> Result<(), String> {
    if removed::has_key(key) {
        return Ok(());
    }
    let settings = settings();
    if !is_setting(key) {
        let known = settings.get_arguments().map(|arg| arg.get_id().as_str()).filter(|id| *id != "config");
        return Err(unknown(key, &known.collect::<Vec<_>>()));
    }
    let arg = settings.get_arguments().find(|arg| arg.get_id().as_str() == key).cloned().unwrap_or_default();
    let flag = format!("--{}={}", key.replace('_', "-"), text(value));
    let read = settings.try_get_matches_from([flag]);
    let shown: String = value.to_string().chars().take(SHOWN_MAX).collect();
    read.map(drop).map_err(|error| format!("{shown} is not allowed; {}", usage::allowed(&arg, &error)))
}

/// The settings that a file can have, as flags without environment variables, because only the file is checked here.
fn settings() -> Command {
    without_environment(Settings::augment_args(Command::new("file").no_binary_name(true)))
}

fn is_setting(key: &str) -> bool {
    key != "config" && settings().get_arguments().any(|arg| arg.get_id().as_str() == key)
}

fn unknown(key: &str, known: &[&str]) -> String {
    let hint = hint(key, known);
    let end = if hint.ends_with('?') { "" } else { ";" };
    format!("unknown field; {hint}{end} `puzzled serve --show-config` lists all fields")
}

/// Why a file is not a configuration, in one line, with the number of the line in the file.
fn unread(text: &str, error: &toml::de::Error) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let key = text.lines().nth(line - 1).and_then(|line| line.split_once('=')).map_or("", |(key, _)| key.trim());
    let key =
        if key.is_empty() { String::new() } else { format!("{}: ", key.chars().take(SHOWN_MAX).collect::<String>()) };
    let reason = error.message().lines().next().unwrap_or_default();
    let mut names = reason.split('`').skip(1).step_by(2);
    match names.next().filter(|_| reason.starts_with("unknown field")) {
        // In TOML, a key after the header of a table belongs to the table.
        Some(name) if is_setting(name) => {
            let header = if header_before(text, line) == Some("[[series]]") { "[[series]]" } else { "[[target]]" };
            format!(
                "line {line}: {name}: unknown field of {header}; settings of the server stand before the first {header}"
            )
        }
        Some(name) => format!("line {line}: {name}: unknown field; {}", hint(name, &names.collect::<Vec<_>>())),
        None => format!("line {line}: {key}{reason}"),
    }
}

/// The line of a key outside of tables, from 1.
fn line_of(text: &str, key: &str) -> usize {
    text.lines().position(|line| has_key(line, key)).map_or(1, |at| at + 1)
}

fn has_key(line: &str, key: &str) -> bool {
    line.split_once('=').is_some_and(|(name, _)| name.trim().trim_matches(['"', '\'']) == key)
}

/// The last header of a table before a line.
fn header_before(text: &str, line: usize) -> Option<&str> {
    text.lines().take(line).map(str::trim).filter(|line| line.starts_with("[[")).last()
}

/// The line of a table with this header, from 1, or the line of the key that a fault begins with.
fn line_in_table(text: &str, header: &str, number: usize, fault: &str) -> usize {
    let key = fault.split([':', '[']).next().unwrap_or_default();
    let is_head = |line: &str| line.replace(' ', "").starts_with(header);
    let mut heads = (1..).zip(text.lines()).filter(|(_, line)| is_head(line)).map(|(at, _)| at);
    let head = heads.nth(number - 1).unwrap_or(1);
    let mut table = (head..).zip(text.lines().skip(head - 1)).skip(1).take_while(|(_, line)| !line.starts_with("[["));
    table.find(|(_, line)| has_key(line, key)).map_or(head, |(at, _)| at)
}

/// A value as a flag takes it.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operate::tables::ServeSettings;
    use clap::FromArgMatches as _;

    /// The settings of a file after the merge with the defaults, as a file.
    fn merged(file: &str) -> String {
        let file: SettingsFile = toml::from_str(file).unwrap();
        let command = without_environment(ServeSettings::augment_args(Command::new("serve")));
        let matches = file.as_defaults(command).get_matches_from(["serve"]);
        let mut settings = ServeSettings::from_arg_matches(&matches).unwrap();
        settings.target = file.target;
        let config = settings.config().unwrap();
        settings.into_toml(&config).unwrap()
    }

    #[test]
    fn what_is_shown_as_toml_sets_the_same_again() {
        let targets = "[[target]]\ntarget = 9\nsymmetry = 'full'\n
            [[target]]\ntarget = 9\nlow_water = 3\nlevel = 'hard'\ngivens = '22-28'\n
            cron = '0 1 * * *'\ntime_zone = 'Europe/Berlin'\nwindow_minutes = 5\n
            [[target]]\ntarget = 9\npriority = 1\nmin_rating = 2.1\nmax_rating = 2.6\n";
        let shown = merged(&format!("workers = 7\ndatabase = 'sqlite:my \"stock\".db'\n{targets}"));
        let read: Table = toml::from_str(&shown).unwrap();
        assert_eq!(read["workers"].as_integer(), Some(7));
        assert_eq!(read["database"].as_str(), Some("sqlite:my \"stock\".db"));
        assert_eq!(read["target"].as_array().unwrap().len(), 3);
        assert_eq!(merged(&shown), shown);
    }

    #[test]
    fn the_help_of_each_number_names_its_bounds_and_a_file_keeps_to_them() {
        let command = ServeSettings::augment_args(Command::new("serve"));
        let mut unbounded = Vec::new();
        for arg in command.get_arguments() {
            let (key, help) = (arg.get_id().as_str(), arg.get_help().unwrap().to_string());
            let words: Vec<_> = help.split([' ', ';', ',']).collect();
            let number = |at: usize| words[at].parse::<i64>().ok();
            let mut bounds = (1..words.len() - 1).filter(|&at| words[at] == "to");
            let Some((min, max)) = bounds.find_map(|at| number(at - 1).zip(number(at + 1))) else {
                unbounded.push(key.to_owned());
                continue;
            };
            for (value, is_allowed) in [(min - 1, false), (min, true), (max, true), (max + 1, false)] {
                assert_eq!(check(key, &value.into()).is_ok(), is_allowed, "{key} = {value}");
            }
        }
        assert_eq!(
            unbounded,
            [
                "config",
                "database",
                "database_password_file",
                "log",
                "log_format",
                "ops_listen",
                "otlp_endpoint",
                "log_calls",
                "listen",
                "config_name",
                "reflection",
                "page",
                "cors_origins",
                "hosts",
                "access",
                "insecure",
                "tls_cert",
                "tls_key",
                "tls_client_ca",
                "tls_crl"
            ]
        );
    }
}
