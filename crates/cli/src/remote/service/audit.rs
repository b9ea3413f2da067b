//! `puzzled audit`: lists the audit trail of a server's database.

use clap::{Args, value_parser};
use prost_types::Timestamp;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs, list},
    output::{
        self, json, numbers,
        tables::{self, Cells},
    },
};
use puzzled_api::v1::{self as pb, server_service_client::ServerServiceClient};

/// List a server's audit trail, newest first
///
/// Needs the role `admin`. TIME is in UTC. Exit code: 0 listed, 1 refused or failed.
#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Only changes by this principal; `configuration` and `cli:USER` are names too
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    principal: String,

    /// Only calls of this method, such as `CancelJob`
    #[arg(long, value_name = "METHOD", default_value = "", hide_default_value = true)]
    method: String,

    /// Only changes to this job, stock target, puzzle, or series, such as job-17 or daily
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    subject: String,

    /// Only entries from this time on: 2026-11-24 or 2026-11-24T18:00:00Z
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Timestamp>,

    /// Only entries before this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    before: Option<Timestamp>,

    /// Maximum number of entries to list, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=100_000))]
    limit: u32,

    /// Print one JSON object per line, an `AuditEntry` with its details
    #[arg(long)]
    json: bool,
}

/// Parses a time, or a date, which means its midnight in UTC.
fn time(text: &str) -> Result<Timestamp, String> {
    let read = text.parse().or_else(|_| format!("{text}T00:00:00Z").parse());
    read.map_err(|_| "use a date such as 2026-11-24, or a time such as 2026-11-24T18:00:00Z".to_owned())
}

pub(crate) fn run(args: &AuditArgs) -> Result<Ended, CliError> {
    let entries = args.server.ask(async |server: Server| read(&server, args).await)?;
    output::print_result(&if args.json { json::messages(entries)? } else { as_table(&entries) })
}

async fn read(server: &Server, args: &AuditArgs) -> Result<Vec<pb::AuditEntry>, CliError> {
    let request = pb::ListAuditEntriesRequest {
        principal: args.principal.clone(),
        method: args.method.clone(),
        subject: args.subject.clone(),
        start_time: args.since,
        end_time: args.before,
        ..pb::ListAuditEntriesRequest::default()
    };
    list!(server, ServerServiceClient.list_audit_entries(request).entries, args.limit)
}

fn as_table(entries: &[pb::AuditEntry]) -> String {
    tables::list(
        entries,
        &[
            ("TIME", Cells::Text, &|entry| entry.create_time.as_ref().map(second).unwrap_or_default()),
            ("PRINCIPAL", Cells::Wrapped, &|entry| entry.principal.clone()),
            ("METHOD", Cells::Text, &|entry| entry.method.clone()),
            ("SUBJECTS", Cells::Wrapped, &subjects),
            ("FROM", Cells::Wrapped, &|entry| entry.address.clone()),
        ],
    )
}

/// `2026-11-24 18:00:00`.
fn second(at: &Timestamp) -> String {
    Timestamp { nanos: 0, ..*at }.to_string().replace('T', " ").replace('Z', "")
}

/// The IDs of the entry, or the number of denied calls.
fn subjects(entry: &pb::AuditEntry) -> String {
    match (entry.denied, &entry.subjects[..]) {
        (true, _) => format!("denied: {}", numbers::count(entry.calls)),
        (false, [first, .., last]) => format!("{first} … {last}"),
        (false, subjects) => subjects.concat(),
    }
}
