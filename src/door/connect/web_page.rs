//! The web page of the server, for browsers: its files, which are part of the program, and the headers that keep it from
//! everything except the server's own API.

use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, header};
use tonic::body::Body;

use super::codec::whole;
use crate::access::token::{digest, hex};

/// An entry of [`FILES`]: the end of the path, the media type, and the text of a file.
macro_rules! file {
    ($path:literal, $name:literal, $media_type:literal) => {
        ($path, concat!("text/", $media_type, "; charset=utf-8"), include_str!(concat!("../page/", $name)))
    };
}

/// The path, the media type, and the text of each file. The page names its files without a folder, so a proxy may serve it below a path.
const FILES: [(&str, &str, &str); 11] = [
    file!("/", "index.html", "html"),
    file!("/page.css", "page.css", "css"),
    file!("/page.js", "page.js", "javascript"),
    file!("/api.js", "api.js", "javascript"),
    file!("/elements.js", "elements.js", "javascript"),
    file!("/now.js", "now.js", "javascript"),
    file!("/stock.js", "stock.js", "javascript"),
    file!("/gallery.js", "gallery.js", "javascript"),
    file!("/puzzle.js", "puzzle.js", "javascript"),
    file!("/jobs.js", "jobs.js", "javascript"),
    file!("/series.js", "series.js", "javascript"),
];

/// The headers of each file. If the page showed a caller's text as HTML by mistake, this text could neither run a script nor reach another
/// host.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; \
         base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (header::VARY, "accept"),
];

/// The file that a request asks for. `None` if there is none, and for `/` unless the caller reads HTML.
pub(super) fn file(request: &Request<Body>) -> Option<Response<Body>> {
    let (path, headers) = (request.uri().path(), request.headers());
    let is_read = [Method::GET, Method::HEAD].contains(request.method()) && (path != "/" || reads_html(headers));
    let (_, media_type, text) = FILES.into_iter().find(|(known, ..)| is_read && *known == path)?;
    let tag = format!("\"{}\"", &hex(&digest(text))[..32]);
    let is_known = headers.get_all(header::IF_NONE_MATCH).iter().any(|known| has_entry(known, |entry| entry == tag));
    let (status, text) = if is_known { (StatusCode::NOT_MODIFIED, "") } else { (StatusCode::OK, text) };
    let mut response = Response::new(whole(text.as_bytes().into(), Body::empty()));
    *response.status_mut() = status;
    let to_fill = response.headers_mut();
    for (name, value) in HEADERS {
        to_fill.insert(name, HeaderValue::from_static(value));
    }
    to_fill.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    to_fill.insert(header::ETAG, HeaderValue::from_str(&tag).ok()?);
    Some(response)
}

/// Whether the caller names HTML, as browsers do. `*/*`, the default of other programs, does not.
fn reads_html(headers: &HeaderMap) -> bool {
    let is_html =
        |entry: &str| entry.split(';').next().is_some_and(|range| range.trim().eq_ignore_ascii_case("text/html"));
    headers.get_all(header::ACCEPT).iter().any(|accepted| has_entry(accepted, is_html))
}

/// Whether a list in a header has such an entry. A proxy that compresses a file makes its tag a weak one.
fn has_entry(list: &HeaderValue, is_it: impl Fn(&str) -> bool) -> bool {
    let entries = list.to_str().unwrap_or_default().split(',').map(str::trim);
    entries.map(|entry| entry.strip_prefix("W/").unwrap_or(entry)).any(is_it)
}
