//! Reads puzzles with regions of any shape from addresses of f-puzzles: the puzzle as JSON, compressed by lz-string, in Base64.

use serde_json::Value;

use super::{
    TextError, malformed,
    packed::{check_metadata, check_words, digit, is_nothing, parsed, unpack},
};
use crate::shared::names::quoted;

/// The name of the site in messages.
const NAME: &str = "f-puzzles";

/// The beginnings of an address, before the compressed puzzle.
const SITES: [&str; 3] = ["https://f-puzzles.com/?load=", "https://www.f-puzzles.com/?load=", "f-puzzles.com/?load="];

/// The fields of a puzzle that state no rule except for its regions.
const KNOWN: [&str; 7] = ["size", "grid", "title", "author", "solution", "disabledlogic", "truecandidatesoptions"];

/// The maximum number of rows of a puzzle.
const ROWS_MAX: usize = 9;

/// Reads an address as the text of its puzzle: `9x9: … regions=…`. `None` if the text is no address of the site. A cell without a
/// region belongs to the box in which the site shows it.
pub(crate) fn with_regions(text: &str) -> Option<Result<String, TextError>> {
    let packed = SITES.iter().find_map(|site| text.trim().strip_prefix(site))?;
    Some(read(&packed.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=")))
}

fn read(packed: &str) -> Result<String, TextError> {
    let puzzle = parsed(NAME, &unpack(NAME, packed)?)?;
    for (name, value) in puzzle.as_object().into_iter().flatten() {
        match name.as_str() {
            "metadata" => {
                let fields = value.as_object().into_iter().flatten();
                fields.into_iter().try_for_each(|(name, value)| check_metadata(NAME, name, value))?;
            }
            "ruleset" => check_words(NAME, value.as_str().unwrap_or_default())?,
            name if is_nothing(value) || KNOWN.contains(&name) => {}
            name => return Err(unknown(name)),
        }
    }
    let rows: Vec<_> = puzzle["grid"].as_array().into_iter().flatten().filter_map(Value::as_array).collect();
    let size = rows.len();
    if size == 0 || size > ROWS_MAX || puzzle["size"] != size || rows.iter().any(|row| row.len() != size) {
        return Err(malformed(format!("{NAME}: the grid does not match its size, or has more than {ROWS_MAX} rows")));
    }
    let (mut cells, mut letters) = (String::new(), String::new());
    for (at, value) in rows.into_iter().flatten().enumerate() {
        let (sign, region) = read_cell((at / size, at % size), size, value)?;
        cells.push(sign);
        letters.push(char::from(b'a' + region));
    }
    Ok(format!("{size}x{size}: {cells} regions={letters}"))
}

/// Refuses a field that may state a rule.
fn unknown(name: &str) -> TextError {
    malformed(format!("{NAME}: {} may state an extra rule; only givens and regions are read", quoted(name)))
}

/// The sign and the region of a cell.
fn read_cell((row, column): (usize, usize), size: usize, value: &Value) -> Result<(char, u8), TextError> {
    let place = format!("r{}c{}", row + 1, column + 1);
    for (name, value) in value.as_object().into_iter().flatten() {
        if !["value", "given", "highlight", "region"].contains(&name.as_str()) && !is_nothing(value) {
            return Err(unknown(&format!("{name} of {place}")));
        }
    }
    let height = (1..=size).filter(|height| height * height <= size && size.is_multiple_of(*height)).max().unwrap_or(1);
    let number = match value.get("region") {
        None => Some(row / height * height + column / (size / height)),
        Some(region) => region.as_u64().and_then(|region| usize::try_from(region).ok()),
    };
    let region = number.filter(|region| *region < size).and_then(|region| u8::try_from(region).ok());
    let region = region.ok_or_else(|| malformed(format!("{NAME}: {place} is in no region; use 0 to {}", size - 1)))?;
    match (&value["value"], &value["given"]) {
        (shown, _) if is_nothing(shown) => Ok(('.', region)),
        (shown, Value::Bool(true)) => match digit(shown) {
            Some(digit) => Ok((char::from(b'0' + digit), region)),
            None => Err(malformed(format!("{NAME}: {place} has {shown}; use 1 to {size}"))),
        },
        _ => Err(malformed(format!(
            "{NAME}: {place} has a digit that is no given; delete entered digits and export again"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a puzzle of 4 rows whose first cell has these fields.
    fn text(first: &str, fields: &str) -> String {
        let row = |first: &str| format!("[{first},{{}},{{\"region\":0}},{{\"value\":3,\"given\":true}}]");
        let rows = [first, "{}", "{}", "{}"].map(row).join(",");
        let json = format!("{{\"size\":4,\"grid\":[{rows}]{fields}}}");
        let address = format!("{}{}", SITES[0], lz_str::compress_to_base64(&json).replace('+', "%2B"));
        match with_regions(&address).unwrap() {
            Ok(text) => text,
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn cell_is_in_the_region_that_it_states_or_in_its_box() {
        assert_eq!(
            text("{\"value\":1,\"given\":true,\"region\":3}", ",\"title\":\"x\""),
            "4x4: 1..3...3...3...3 regions=daabaaabccadccad"
        );
        assert_eq!(with_regions("4x4: 1..3"), None);
    }

    #[test]
    fn what_is_no_given_or_region_is_refused() {
        for (first, fields, fault) in [
            (
                "{\"value\":1}",
                "",
                "f-puzzles: r1c1 has a digit that is no given; delete entered digits and export again",
            ),
            ("{\"region\":4}", "", "f-puzzles: r1c1 is in no region; use 0 to 3"),
            ("{\"region\":null}", "", "f-puzzles: r1c1 is in no region; use 0 to 3"),
            ("{}", ",\"arrow\":[1]", "f-puzzles: \"arrow\" may state an extra rule; only givens and regions are read"),
            (
                "{\"color\":1}",
                "",
                "f-puzzles: \"color of r1c1\" may state an extra rule; only givens and regions are read",
            ),
        ] {
            assert_eq!(text(first, fields), fault);
        }
    }
}
