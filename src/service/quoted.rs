//! Quotes wrong values in errors. A status travels in headers, which must stay small, so long values are cut.

/// Most characters of a wrong value that are repeated.
const QUOTED_MAX: usize = 40;

/// The value in quotes, and cut if it is long.
pub(super) fn quoted(value: &str) -> String {
    let head = cut(value);
    let more = if head.len() < value.len() { format!("… ({} bytes)", value.len()) } else { String::new() };
    format!("{head:?}{more}")
}

/// The beginning of a value that may be long.
pub(super) fn cut(value: &str) -> &str {
    value.char_indices().nth(QUOTED_MAX).map_or(value, |(end, _)| &value[..end])
}
