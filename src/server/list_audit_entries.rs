//! `ListAuditEntries`: lists what actors changed, and the calls that were denied to them.

use crate::{
    calls::{Asked, Reply, Service, ServiceError},
    settings::Limits,
    wire::{self, Page, Parser},
};
use prost_types::{ListValue, NullValue, Struct, Value, value::Kind};
use puzzled_api::{v1 as pb, words::timestamp};
use puzzled_engine::shared::names::quoted;
use puzzled_store::{
    access::audit_entry::{AuditEntry, AuditFilter},
    series::daily_series::is_series_name,
};
use serde_json::{Map, Value as Json};

impl Service {
    pub(crate) async fn list_audit_entries(
        &self,
        request: &Asked<pb::ListAuditEntriesRequest>,
    ) -> Reply<pb::ListAuditEntriesResponse> {
        let (filter, page) = parse(request.get_ref(), &self.settings().limits)?;
        let read = self.queue.store().audit_entries(&filter, page.after, page.reads()).await;
        let (entries, next_page_token) = page.cut(read?, |entry| entry.id);
        let entries = entries.into_iter().map(audit_entry).collect();
        Ok(pb::ListAuditEntriesResponse { entries, next_page_token })
    }
}

/// The audit entries and the page of a request.
fn parse(
    request: &pb::ListAuditEntriesRequest,
    limits: &Limits,
) -> Result<(AuditFilter, Page<pb::ListAuditEntriesRequest>), ServiceError> {
    let mut parser = Parser::default();
    parser.name("principal", &request.principal);
    parser.name("method", &request.method);
    parser.subject(&request.subject);
    let filled = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let filter = AuditFilter {
        principal: filled(&request.principal),
        method: filled(&request.method),
        subject: filled(&request.subject),
        since: parser.time("start_time", request.start_time),
        before: parser.time("end_time", request.end_time),
    };
    if let (Some(start), Some(end)) = (request.start_time, request.end_time)
        && filter.since >= filter.before
    {
        parser.refuse("end_time", format!("{end} is not after start_time, which is {start}"));
    }
    let criteria = pb::ListAuditEntriesRequest { page_size: 0, page_token: String::new(), ..request.clone() };
    let page = parser.page("audit entries", criteria, (request.page_size, &request.page_token), limits);
    parser.done()?;
    Ok((filter, page))
}

impl Parser {
    /// The subject of audit entries; empty for any. Each ID has the form of a series' name, too.
    fn subject(&mut self, subject: &str) {
        if !subject.is_empty() && !is_series_name(subject) {
            let known = "neither the ID of a job, a stock target, or a puzzle, nor the name of a series";
            self.refuse("subject", format!("{} is {known}", quoted(subject)));
        }
    }
}

fn audit_entry(entry: AuditEntry) -> pb::AuditEntry {
    pb::AuditEntry {
        id: entry.id,
        create_time: Some(timestamp(entry.at)),
        principal: entry.principal,
        role: entry.role.map_or(pb::Role::Unspecified, wire::role).into(),
        address: entry.address,
        method: entry.method,
        call_id: entry.call_id,
        subjects: entry.subjects,
        details: Some(object(entry.details)),
        denied: entry.is_denied,
        calls: entry.calls,
    }
}

/// A field without a value is left out.
fn object(fields: Map<String, Json>) -> Struct {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    Struct { fields: fields.map(|(name, json)| (name, value(json))).collect() }
}

fn value(json: Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(NullValue::NullValue.into()),
        Json::Bool(is) => Kind::BoolValue(is),
        // The numbers in entries are 32-bit counts and limits.
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Json::String(text) => Kind::StringValue(text),
        Json::Array(values) => Kind::ListValue(ListValue { values: values.into_iter().map(value).collect() }),
        Json::Object(fields) => Kind::StructValue(object(fields)),
    };
    Value { kind: Some(kind) }
}
