//! Addresses of f-puzzles: the puzzle as JSON, compressed by lz-string, in Base64.

use crate::sudoku::board::Grid;

/// The beginning of an address, before the compressed puzzle.
const SITE: &str = "https://f-puzzles.com/?load=";

/// The address of a puzzle, without its solution.
#[must_use]
pub fn write(puzzle: &Grid) -> String {
    let cell = |&digit: &u8| match digit {
        0 => "{}".to_owned(),
        _ => format!("{{\"value\":{digit},\"given\":true}}"),
    };
    let row = |cells: &[u8]| format!("[{}]", cells.iter().map(cell).collect::<Vec<_>>().join(","));
    let rows: Vec<_> = puzzle.cells().chunks(9).map(row).collect();
    let json = format!("{{\"size\":9,\"grid\":[{}]}}", rows.join(","));
    // The library adds a sign `=` more than lz-string for JavaScript does.
    let compressed = lz_str::compress_to_base64(&json);
    let compressed = compressed.trim_end_matches('=');
    let padding = "=".repeat(compressed.len().wrapping_neg() % 4);
    // These signs have other meanings in the query of an address.
    let escaped = format!("{compressed}{padding}").replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    format!("{SITE}{escaped}")
}
