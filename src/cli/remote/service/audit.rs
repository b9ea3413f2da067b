//! `puzzled audit`: lists the audit trail of a server's database.

use clap::{Args, value_parser};
use prost_types::Timestamp;

use crate::{
    cli::{
        CliError, Ended,
        client::{PAGE_SIZE, Server, ServerArgs},
        output::{
            self, json, numbers,
            tables::{self, Cells},
        },
    },
    proto::v1::{self as pb, server_service_client::ServerServiceClient},
};

/// List a server's audit trail, newest first
///
/// Needs the role `admin`. TIME is in UTC. Exit code: 0 listed, 1 refused or failed.
#[derive(Debug, Args)]
pub(in crate::cli) struct AuditArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Only changes by this principal; `configuration` and `cli:USER` are names too
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    principal: String,

    /// Only calls of this method, such as `CancelJob`
    #[arg(long, value_name = "METHOD", default_value = "", hide_default_value = true)]
    method: String,

    /// Only changes to this job, stock target, or puzzle, such as job-17
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

pub(in crate::cli) fn run(args: &AuditArgs) -> Result<Ended, CliError> {
    let entries = args.server.ask(async |server: Server| read(&server, args).await)?;
    output::print_result(&if args.json { json::messages(entries)? } else { as_table(&entries) })
}

async fn read(server: &Server, args: &AuditArgs) -> Result<Vec<pb::AuditEntry>, CliError> {
    let mut client = ServerServiceClient::new(server.channel.clone());
    let request = pb::ListAuditEntriesRequest {
        principal: args.principal.clone(),
        method: args.method.clone(),
        subject: args.subject.clone(),
        start_time: args.since,
        end_time: args.before,
        page_size: args.limit.min(PAGE_SIZE).cast_signed(),
        ..pb::ListAuditEntriesRequest::default()
    };
    server
        .pages(args.limit as usize, async |page_token| {
            let page = client
                .list_audit_entries(pb::ListAuditEntriesRequest { page_token, ..request.clone() })
                .await?
                .into_inner();
            Ok((page.entries, page.next_page_token))
        })
        .await
}

fn as_table(entries: &[pb::AuditEntry]) -> String {
    let columns = [
        ("TIME", Cells::Text),
        ("PRINCIPAL", Cells::Wrapped),
        ("METHOD", Cells::Text),
        ("SUBJECTS", Cells::Wrapped),
        ("FROM", Cells::Wrapped),
    ];
    let rows = entries.iter().map(|entry| {
        let time = entry.create_time.as_ref().map(second).unwrap_or_default();
        vec![time, entry.principal.clone(), entry.method.clone(), subjects(entry), entry.address.clone()]
    });
    tables::table(&columns, rows)
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
