//! Parts of English sentences that the steps, the explanations, and the errors of every kind use.

use std::fmt::Display;

/// A list with this word before its last item: `r1c1, r1c2 and r1c3`. Empty without items.
pub(crate) fn list(items: impl IntoIterator<Item = String>, last: &str) -> String {
    let items: Vec<_> = items.into_iter().collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// How often something happens: `once`, `twice`, `3 times`.
pub(crate) fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

/// A number of things, in the plural unless it is 1: `1 single`, `2 singles`.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    if count == N::from(1) { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The numbers of a range: `3 to 9`, or one number if the ends are equal.
pub(crate) fn range<N: Copy + Display + PartialEq>(min: N, max: N) -> String {
    if min == max { min.to_string() } else { format!("{min} to {max}") }
}

/// A number in words, as far as English spells numbers out: `nine`, `10`.
pub(crate) fn in_words(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    words.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// The text with its first letter in upper case.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
