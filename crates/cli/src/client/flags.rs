//! Names the flags of a command in errors of the server, which name the fields of the API.

use tonic::Status;
use tonic_types::StatusExt as _;

/// Fields whose flags are written in another way than the field.
const FLAGS: [(&str, &str); 6] = [
    ("min_givens", "--givens"),
    ("max_givens", "--givens"),
    ("min_rating", "--min-rating"),
    ("max_rating", "--max-rating"),
    ("enqueue_if_short", "--make"),
    ("include_solutions", "--solutions"),
];

/// The message of an error. If one flag sets two fields, and both have the same fault, the message says it once.
pub(super) fn message(status: &Status) -> String {
    let faults = status.get_details_bad_request().map(|faults| faults.field_violations).unwrap_or_default();
    if !faults.iter().any(|fault| flag(&fault.field).is_some()) {
        let message = status.message();
        let named = message.split_once(": ").and_then(|(field, fault)| Some(format!("{}: {fault}", flag(field)?)));
        return named.unwrap_or_else(|| message.to_owned());
    }
    let mut faults: Vec<_> = faults
        .iter()
        .map(|fault| format!("{}: {}", flag(&fault.field).unwrap_or(&fault.field), fault.description))
        .collect();
    faults.dedup();
    faults.join("; ")
}

fn flag(field: &str) -> Option<&'static str> {
    FLAGS.iter().find(|(of, _)| *of == field).map(|(_, flag)| *flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Code;
    use tonic_types::{ErrorDetails, FieldViolation};

    #[test]
    fn a_flag_that_sets_two_fields_is_named_once() {
        let faults = ["kind", "min_givens", "max_givens"].map(|field| FieldViolation::new(field, "not allowed"));
        let message_of = |faults: &[FieldViolation], text: &str| {
            let details = ErrorDetails::with_bad_request(faults.to_vec());
            message(&Status::with_error_details(Code::InvalidArgument, text, details))
        };
        assert_eq!(message_of(&faults, ""), "kind: not allowed; --givens: not allowed");
        assert_eq!(message_of(&faults[..1], "kind: not allowed"), "kind: not allowed");
        let right = Status::permission_denied("include_solutions: \"night\" may not see solutions");
        assert_eq!(message(&right), "--solutions: \"night\" may not see solutions");
        assert_eq!(message(&Status::unavailable("the server stops: wait")), "the server stops: wait");
    }
}
