//! Parses `ImportPuzzles`. A record whose kind or text is wrong is refused alone; a fault of the call refuses the whole call.

use std::collections::HashMap;

use super::{Parser, names::remark_fault};
use crate::{
    calls::errors::{ServiceError, fields::Invalid},
    settings::Limits,
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::kind::PuzzleKind;
use puzzled_store::stock::import::{Import, RECORDS_MAX};

/// The import and the records of a request.
pub(crate) fn import(request: pb::ImportPuzzlesRequest) -> Result<(Import, Vec<pb::ImportRecord>), ServiceError> {
    let pb::ImportPuzzlesRequest { import_id, source, dry_run, records } = request;
    let mut parser = Parser::default();
    parser.import(&import_id, &source);
    if !(1..=RECORDS_MAX as usize).contains(&records.len()) {
        parser.refuse("records", format!("{} are outside 1 to {RECORDS_MAX}", records.len()));
    }
    parser.done()?;
    let mut lines = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        let fault = match lines.insert(record.line, index) {
            _ if record.line == 0 => Some(("line", "required; lines count from 1".to_owned())),
            Some(first) => Some(("line", format!("{} is also that of records[{first}]", record.line))),
            None => remark_fault(&record.note).map(|fault| ("note", fault)),
        };
        if let Some((field, fault)) = fault {
            return Err(ServiceError::Invalid(Invalid(vec![(format!("records[{index}].{field}").into(), fault)])));
        }
    }
    Ok((Import { import_id, source, dry_run }, records))
}

/// The kind of a record, or why the record cannot be read.
pub(crate) fn record_kind(record: &pb::ImportRecord, limits: &Limits) -> Result<&'static dyn PuzzleKind, String> {
    let mut parser = Parser::default();
    parser.is_short("text", &record.text, limits);
    let kind = parser.required_kind(record.kind);
    parser.done_with(kind).map_err(|error| error.to_string())
}
