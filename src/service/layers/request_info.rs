//! Adds the ID of a call to its error, as google.rpc.RequestInfo, so that the caller can quote it. Audit entries have
//! the same ID.

use http::HeaderMap;
use tonic::Status;
use tonic_types::{ErrorDetails, ErrorInfo, StatusExt as _};

/// Adds the ID of the call to the status of `headers`, which may be the trailers of a stream. Other details are kept.
/// Returns the reason of the error, if it has one.
pub(in crate::service) fn add(headers: &mut HeaderMap, call_id: &str) -> Option<ErrorInfo> {
    let status = Status::from_header_map(headers)?;
    let mut details: ErrorDetails = status.get_error_details();
    let info = details.error_info().cloned();
    details.set_request_info(call_id, "");
    let named = Status::with_error_details(status.code(), status.message(), details);
    // Replace only the headers of the status, and keep all others.
    let mut written = HeaderMap::new();
    if named.add_header(&mut written).is_ok() {
        for (name, value) in written {
            if let Some(name) = name {
                headers.insert(name, value);
            }
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;
    use tonic::Code;

    #[test]
    fn error_keeps_its_details_and_gets_the_id_of_its_call() {
        let mut details =
            ErrorDetails::with_error_info("BUSY", "puzzled.v1", [("bound".to_owned(), "server".to_owned())]);
        details.set_retry_info(Some(std::time::Duration::from_secs(1)));
        let mut headers = HeaderMap::new();
        Status::with_error_details(Code::ResourceExhausted, "the server is busy", details)
            .add_header(&mut headers)
            .unwrap();
        headers.insert("x-other", HeaderValue::from_static("kept"));
        assert_eq!(add(&mut headers, "night-7").unwrap().reason, "BUSY");
        let status = Status::from_header_map(&headers).unwrap();
        let details = status.get_error_details();
        assert_eq!((status.code(), status.message()), (Code::ResourceExhausted, "the server is busy"));
        assert_eq!(details.request_info().unwrap().request_id, "night-7");
        assert_eq!(details.error_info().unwrap().reason, "BUSY");
        assert!(details.retry_info().unwrap().retry_delay.is_some());
        assert_eq!(headers["x-other"], "kept");
    }
}
