//! Short text pages for people who open an address of the server by curl, or without the web page: what the server is, its version, and a
//! command to try.

use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use tonic::body::Body;

use super::{codec::whole, pictures};

/// The address in the sample if the request does not name one.
const ADDRESS: &str = "localhost:50051";

/// The call that a page suggests. It gets a puzzle even if the stock is empty.
const BODY: &str = r#"{"kind":"KIND_SUDOKU","wait":true,"enqueueIfShort":true}"#;
const PATH: &str = "/puzzled.v1.PuzzleService/GetPuzzle";

/// The page of a path: what this is, the version, and a command to try.
pub(super) fn page(request: &Request<Body>, is_method: bool, is_encrypted: bool) -> Response<Body> {
    let (status, reason) = match request.uri().path() {
        "/" if [Method::GET, Method::HEAD].contains(request.method()) => (StatusCode::OK, ""),
        _ if is_method => (StatusCode::METHOD_NOT_ALLOWED, "Methods of the API take POST only.\n\n"),
        path if path.starts_with(pictures::FOLDER) => {
            (StatusCode::NOT_FOUND, "Pictures are at /puzzles/ID.svg and /puzzles/ID.pdf, for GET and HEAD.\n\n")
        }
        _ => (StatusCode::NOT_FOUND, "There is no such method or page.\n\n"),
    };
    let text = format!(
        "{reason}puzzled {version} generates and delivers logic puzzles, by gRPC and by JSON over HTTP. Try:\n\n\
         curl -d '{BODY}' -H 'content-type: application/json' {scheme}{address}{PATH}\n",
        version = env!("CARGO_PKG_VERSION"),
        // curl does not use TLS if the address has no scheme.
        scheme = if is_encrypted { "https://" } else { "" },
        address = address(request),
    );
    let mut response = answer(status, text);
    if status == StatusCode::OK {
        // A browser gets the web page from this address.
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    }
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    }
    response
}

/// The answer to a request with HTTP/1.0 or older, which has no persistent connections.
pub(super) fn version_unsupported() -> Response<Body> {
    answer(StatusCode::HTTP_VERSION_NOT_SUPPORTED, "Use HTTP/1.1 or HTTP/2.\n".to_owned())
}

/// The host and the port by which the client reached the server, if they contain nothing else.
fn address(request: &Request<Body>) -> &str {
    let authority = request.uri().authority().map(http::uri::Authority::as_str);
    let host = || request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_plain = |host: &&str| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".:-[]".contains(&byte))
    };
    authority.or_else(host).filter(is_plain).unwrap_or(ADDRESS)
}

/// A page of plain text.
pub(super) fn answer(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(whole(text.into(), Body::empty()));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
