//! Compares names that a person typed with the known ones, and suggests the nearest if a name is unknown.

/// The number of characters of a typed name that are compared. The longest name of a technique has 68.
const CHARS_MAX: usize = 100;

/// The maximum number of characters of a wrong value that an error repeats.
pub const SHOWN_MAX: usize = 40;

/// A name that differs from a known one in at most this many characters counts as a typing error; a name of at most five, only in one.
const SLIP_MAX: usize = 2;

/// The maximum number of names that a message lists completely.
const LISTED_MAX: usize = 16;

/// The number of names that a message lists if there are more.
const NEAREST_SHOWN: usize = 3;

/// What to write instead of an unknown name: the known name that differs from it by a typing error, or else all known names
/// if there are at most 16, or else the three nearest.
#[must_use]
pub fn hint(name: &str, known: &[&str]) -> String {
    let typed: Vec<_> = plain(name).chars().take(CHARS_MAX).collect();
    let mut near: Vec<_> = known.iter().map(|known| (distance(&typed, &plain(known)), *known)).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let slip_max = (typed.len() / 3).clamp(1, SLIP_MAX);
    match near[..] {
        [(first, only)] if first <= slip_max => format!("did you mean {only}?"),
        [(first, nearest), (second, _), ..] if first <= slip_max && first < second => {
            format!("did you mean {nearest}?")
        }
        _ if known.len() <= LISTED_MAX => format!("use {}", known.join(", ")),
        _ => {
            let nearest: Vec<_> = near.iter().take(NEAREST_SHOWN).map(|(_, name)| *name).collect();
            format!("the nearest are {}", nearest.join(", "))
        }
    }
}

/// A wrong value in quotes. If it has more than 40 characters, it is cut, and its number of bytes follows.
#[must_use]
pub fn quoted(value: &str) -> String {
    let head = head(value, SHOWN_MAX);
    let more = if head.len() < value.len() { format!("… ({} bytes)", value.len()) } else { String::new() };
    format!("{head:?}{more}")
}

/// The name of a kind within a sentence: `star battle` for `star_battle`.
#[must_use]
pub fn kind_in_words(name: &str) -> String {
    name.replace('_', " ")
}

/// The first `chars_max` characters of a text, or the whole text if it is shorter.
#[must_use]
pub fn head(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(end, _)| &text[..end])
}

/// The form in which names are compared: in lower case, without spaces, hyphens, and underscores.
pub(crate) fn plain(name: &str) -> String {
    let is_separator = |character: char| character.is_whitespace() || "-_".contains(character);
    name.chars().filter(|character| !is_separator(*character)).map(|character| character.to_ascii_lowercase()).collect()
}

/// The number of characters that must be added, removed, replaced, or swapped with the next one to turn one name into the
/// other (optimal string alignment).
fn distance(one: &[char], other: &str) -> usize {
    let other: Vec<_> = other.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=one.len()).collect()];
    for at in 1..=other.len() {
        let mut row = vec![at];
        for column in 1..=one.len() {
            let replaced = rows[at - 1][column - 1] + usize::from(one[column - 1] != other[at - 1]);
            let mut least = replaced.min(rows[at - 1][column] + 1).min(row[column - 1] + 1);
            let is_swap = at > 1 && column > 1 && one[column - 1] == other[at - 2] && one[column - 2] == other[at - 1];
            if is_swap {
                least = least.min(rows[at - 2][column - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[other.len()][one.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hint_is_the_one_near_name_or_the_names_that_are_allowed() {
        let levels = ["easy", "medium", "hard", "expert", "evil"];
        for (written, known, expected) in [
            ("medum", &levels[..], "did you mean medium?"),
            ("hrad", &levels, "did you mean hard?"),
            ("EASY", &levels, "did you mean easy?"),
            ("gentle", &levels, "use easy, medium, hard, expert, evil"),
            ("", &levels, "use easy, medium, hard, expert, evil"),
            ("9x", &["9x9"], "did you mean 9x9?"),
            ("6x6", &["9x9"], "use 9x9"),
        ] {
            assert_eq!(hint(written, known), expected, "{written:?}");
        }
    }

    #[test]
    fn distance_counts_single_changes() {
        for (one, other, expected) in [("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)] {
            assert_eq!(distance(&one.chars().collect::<Vec<_>>(), other), expected, "{one} {other}");
            assert_eq!(distance(&other.chars().collect::<Vec<_>>(), one), expected, "{other} {one}");
        }
    }
}
