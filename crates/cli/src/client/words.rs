//! The sentences of commands for refused calls. They are made from the reason, its metadata, and the faults of fields, with flags in
//! place of fields, and commands in place of methods. For all other refusals, a command prints the sentence of the server.

use std::{collections::BTreeSet, sync::LazyLock};

use clap::Subcommand as _;
use tonic::Status;
use tonic_types::StatusExt as _;

use crate::Command;
use puzzled_api::{reasons, v1::ErrorReason};
use puzzled_engine::shared::names::quoted;

/// Fields whose flags have other names.
const FLAGS: [(&str, &str); 6] = [
    ("min_givens", "--givens"),
    ("max_givens", "--givens"),
    ("enqueue_if_short", "--make"),
    ("include_solutions", "--solutions"),
    ("job_id", "--job"),
    ("import_id", "--import"),
];

/// The flags of all commands.
static LONG: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| flags_of(&Command::augment_subcommands(clap::Command::new("all"))).collect());

/// The sentence for a call that the server refused.
pub(super) fn message(status: &Status) -> String {
    let faults = status.get_details_bad_request().map(|faults| faults.field_violations).unwrap_or_default();
    if !faults.is_empty() {
        let mut faults: Vec<_> =
            faults.iter().map(|fault| format!("{}: {}", flag(&fault.field), fault.description)).collect();
        // If one flag sets two fields, and both have the same fault, the sentence says it once.
        faults.dedup();
        return faults.join("; ");
    }
    unknown(status).or_else(|| forbidden(status)).unwrap_or_else(|| status.message().to_owned())
}

/// The sentence for a name that the server does not know.
fn unknown(status: &Status) -> Option<String> {
    let (what, command) = match reason(status)? {
        ErrorReason::PuzzleNotFound => ("puzzle", "list"),
        ErrorReason::JobNotFound => ("job", "jobs"),
        ErrorReason::TargetNotFound => ("stock target", "target list"),
        ErrorReason::SeriesNotFound => ("daily series", "series"),
        _ => return None,
    };
    let name = status.get_details_resource_info()?.resource_name;
    let create = "; to create one, declare it in the configuration file: [[series]] with name, kind, and time_zone";
    let create = if what == "daily series" { create } else { "" };
    Some(format!("there is no {what} {}; `puzzled {command}` lists all{create}", quoted(&name)))
}

/// The sentence for a caller that lacks a role or a right.
fn forbidden(status: &Status) -> Option<String> {
    let metadata = status.get_details_error_info()?.metadata;
    let get = |key: &str| metadata.get(key).map(String::as_str);
    // If the subject is a method, it has no flag.
    let flag = get("subject").map(flag).filter(|flag| flag.starts_with("--")).map(|flag| format!("{flag}: "));
    let principal = quoted(get("principal")?);
    let lacks = match (get("right"), get("role")) {
        (Some("solutions"), _) => "may not see solutions; this needs `solutions = true` in the access file".to_owned(),
        (_, Some(role)) => format!("needs the role {role} for this; the access file sets the role of a principal"),
        _ => return None,
    };
    Some(format!("{}{principal} {lacks}", flag.unwrap_or_default()))
}

fn reason(status: &Status) -> Option<ErrorReason> {
    reasons::known(&status.get_details_error_info()?.reason)
}

/// The flag that sets a field; the field itself if no command has one.
fn flag(field: &str) -> String {
    let other = FLAGS.iter().find(|(of, _)| *of == field).map(|(_, flag)| (*flag).to_owned());
    let same = || Some(field.replace('_', "-")).filter(|name| LONG.contains(name)).map(|name| format!("--{name}"));
    other.or_else(same).unwrap_or_else(|| field.to_owned())
}

fn flags_of(command: &clap::Command) -> Box<dyn Iterator<Item = String> + '_> {
    let own = command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned);
    Box::new(own.chain(command.get_subcommands().flat_map(flags_of)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use tonic::Code;
    use tonic_types::{ErrorDetails, FieldViolation};

    #[test]
    fn a_flag_that_sets_two_fields_is_named_once() {
        let faults = ["kind", "min_givens", "max_givens", "text"].map(|field| FieldViolation::new(field, "wrong"));
        let details = ErrorDetails::with_bad_request(faults.to_vec());
        let status = Status::with_error_details(Code::InvalidArgument, "kind: wrong", details);
        assert_eq!(message(&status), "--kind: wrong; --givens: wrong; text: wrong");
    }

    #[test]
    fn every_flag_that_stands_for_a_field_exists() {
        for (_, flag) in FLAGS {
            assert!(LONG.contains(flag.trim_start_matches("--")), "{flag}");
        }
    }

    #[test]
    fn missing_right_and_missing_role_are_said_with_the_flag_that_asked() {
        let said = |metadata: &[(&str, &str)]| {
            let metadata = metadata.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            let metadata: HashMap<_, _> = metadata.collect();
            let details = ErrorDetails::with_error_info("PERMISSION_DENIED", "puzzled.v1", metadata);
            message(&Status::with_error_details(Code::PermissionDenied, "the server's words", details))
        };
        let solutions = [("right", "solutions"), ("subject", "include_solutions"), ("principal", "night")];
        assert_eq!(
            said(&solutions),
            "--solutions: \"night\" may not see solutions; this needs `solutions = true` in the access file"
        );
        assert_eq!(
            said(&[("role", "ops"), ("subject", "Generate"), ("principal", "night")]),
            "\"night\" needs the role ops for this; the access file sets the role of a principal"
        );
        assert_eq!(said(&[("role", "ops")]), "the server's words");
    }
}
