//! The names of Kakuro variants: the size, followed by options for the layout or by the layout itself.
//!
//! `8x10` · `8x10-runs9` · `8x10-white70` · `20x20-runs9-white70` · `4x4:####,#..#,#...,##..`

use super::{
    digits::RUN_MAX,
    layout::{Layout, SIZE_MAX, SIZE_MIN},
};
use crate::{
    FIRST_VERSION,
    shared::{
        names::quoted,
        phrases::counted,
        text::{TextError, malformed},
    },
};

/// The minimum side of a board that can be generated. Smaller boards can only be read.
pub const MADE_MIN: usize = 4;

/// The minimum value of the option that limits the length of runs.
const RUN_CAP_MIN: usize = 4;

/// The limits of the option for the minimum share of white cells, in percent.
const WHITE_LIMITS: (usize, usize) = (40, 75);

/// The maximum length of runs and the minimum share of white cells if the name has no option.
const RUN_CAP_DEFAULT: usize = 7;
const WHITE_DEFAULT: usize = 62;

/// The engine version that introduced each option.
const RUNS_SINCE: u32 = FIRST_VERSION;
const WHITE_SINCE: u32 = FIRST_VERSION;
const LAYOUT_SINCE: u32 = FIRST_VERSION;

/// Describes the names and their limits for people.
pub const MEANING: &str = "width x height with the outer row and column, 4 to 30 each (texts from 3): 8x10; then optionally \
    -runsN for runs of at most N cells, 4 to 9 (default 7), and -whiteP for at least P percent of the inner cells white, \
    40 to 75 (without it, or with 62, a share that suits the size): 20x20-runs9-white70; or a layout of your own, rows of # and . separated by commas: \
    4x4:####,#..#,#...,##..; texts may leave it empty";

/// A parsed variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Columns, including the outer one.
    pub width: usize,
    /// Rows, including the outer one.
    pub height: usize,
    /// The maximum length of runs.
    pub run_max: usize,
    /// The minimum share of white cells among the inner cells, in percent. What is made without a stated share has more.
    pub white_min: usize,
    /// The layout, if the name contains one.
    pub layout: Option<Layout>,
}

impl Variant {
    /// Parses a name.
    ///
    /// # Errors
    /// The fault in words, with the value and the limit.
    pub fn parse(name: &str) -> Result<Self, String> {
        let (name, rows) = name.split_once(':').map_or((name, None), |(size, rows)| (size, Some(rows)));
        let mut parts = name.split('-');
        let size = parts.next().unwrap_or_default();
        let (width, height) = size.split_once('x').ok_or_else(|| unknown(name))?;
        let length = |digits: &str| number(digits).ok_or_else(|| unknown(name));
        let (width, height) = (length(width)?, length(height)?);
        for (side, len) in [("width", width), ("height", height)] {
            if !(SIZE_MIN..=SIZE_MAX).contains(&len) {
                return Err(format!("{side} {len} of {} is not allowed; use {SIZE_MIN} to {SIZE_MAX}", quoted(size)));
            }
        }
        let mut variant = Self { width, height, run_max: RUN_CAP_DEFAULT, white_min: WHITE_DEFAULT, layout: None };
        for part in parts {
            variant.read_part(part, name, rows.is_some())?;
        }
        variant.layout = rows.map(|rows| own_layout(rows, width, height)).transpose()?;
        Ok(variant)
    }

    /// The canonical name, which omits defaults.
    #[must_use]
    pub fn name(&self) -> String {
        let size = self.base();
        if let Some(layout) = &self.layout {
            let signs: Vec<_> = layout.signs().iter().map(|&white| if white { '.' } else { '#' }).collect();
            let rows: Vec<String> = signs.chunks(self.width).map(|row| row.iter().collect()).collect();
            return format!("{size}:{}", rows.join(","));
        }
        let runs = (self.run_max != RUN_CAP_DEFAULT).then(|| format!("-runs{}", self.run_max));
        let white = self.white_stated().map(|white| format!("-white{white}"));
        [Some(size), runs, white].into_iter().flatten().collect()
    }

    /// The minimum share of white cells if the name states one. The default share counts as not stated, because the canonical name
    /// omits it.
    pub(super) fn white_stated(&self) -> Option<usize> {
        (self.white_min != WHITE_DEFAULT).then_some(self.white_min)
    }

    /// The name of the size alone.
    #[must_use]
    pub fn base(&self) -> String {
        format!("{}x{}", self.width, self.height)
    }

    /// The [`ENGINE_VERSION`](crate::ENGINE_VERSION) that can generate this variant: that of its newest option.
    #[must_use]
    pub fn since(&self) -> u32 {
        // The fields are named one by one, so that a new option must state its version here.
        let Self { width: _, height: _, run_max, white_min, layout } = self;
        let runs = (*run_max != RUN_CAP_DEFAULT).then_some(RUNS_SINCE);
        let white = (*white_min != WHITE_DEFAULT).then_some(WHITE_SINCE);
        let layout = layout.as_ref().map(|_| LAYOUT_SINCE);
        [runs, white, layout].into_iter().flatten().fold(FIRST_VERSION, u32::max)
    }

    /// The name of the variant of a layout: `name` if it is set, the size otherwise.
    ///
    /// # Errors
    /// [`TextError::Malformed`] if `name` has options that the layout does not meet, [`TextError::Variant`] if it is unknown.
    pub(super) fn of_layout(name: &str, layout: &Layout) -> Result<String, TextError> {
        if name.is_empty() {
            return Ok(format!("{}x{}", layout.width(), layout.height()));
        }
        let variant = Self::parse(name).map_err(|reason| TextError::Variant { reason })?;
        let name = variant.name();
        if name == variant.base() || variant.layout.is_some() {
            return Ok(name);
        }
        let longest = layout.runs().iter().map(|run| run.whites().len()).max().unwrap_or(0);
        let white = 100 * layout.cells().len() / ((layout.width() - 1) * (layout.height() - 1));
        if longest > variant.run_max || white < variant.white_min {
            let found = format!("runs of up to {longest} cells and {white} % white cells");
            return Err(malformed(format!("{found} do not fit the variant {name}; use {}", variant.base())));
        }
        Ok(name)
    }

    fn read_part(&mut self, part: &str, name: &str, has_layout: bool) -> Result<(), String> {
        let (value, digits, (min, max)) = if let Some(digits) = part.strip_prefix("runs") {
            (&mut self.run_max, digits, (RUN_CAP_MIN, RUN_MAX))
        } else if let Some(digits) = part.strip_prefix("white") {
            (&mut self.white_min, digits, WHITE_LIMITS)
        } else {
            return Err(unknown(name));
        };
        if has_layout {
            return Err(format!("{} cannot be combined with a layout; omit it", quoted(part)));
        }
        *value = number(digits)
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| format!("{} of {} is not allowed; use {min} to {max}", quoted(part), quoted(name)))?;
        Ok(())
    }
}

/// Whether a name contains a layout. Does not check the name.
pub(super) fn has_layout(name: &str) -> bool {
    name.contains(':')
}

fn own_layout(rows: &str, width: usize, height: usize) -> Result<Layout, String> {
    let rows: Vec<&str> = rows.split(',').collect();
    if rows.len() != height {
        return Err(format!("the layout has {}, but the size says {height}", counted(rows.len(), "row")));
    }
    let mut signs = Vec::with_capacity(width * height);
    for (row, number) in rows.iter().zip(1..) {
        let count = row.chars().count();
        if count != width {
            let count = counted(count, "cell");
            return Err(format!("row {number} of the layout has {count}, but the size says {width}"));
        }
        for (sign, column) in row.chars().zip(1..) {
            signs.push(match sign {
                '.' => true,
                '#' => false,
                _ => return Err(format!("r{number}c{column} of the layout: {sign:?} is not allowed; use # or .")),
            });
        }
    }
    Layout::new(width, height, &signs).map_err(|fault| fault.to_string())
}

/// Parses a number of one to three digits.
fn number(digits: &str) -> Option<usize> {
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

fn unknown(name: &str) -> String {
    format!("unknown variant {} of kakuro; use one such as 8x10 or 20x20-runs9-white70", quoted(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_contains_size_options_or_layout() {
        let read = |name: &str| Variant::parse(name).map(|of| (of.width, of.height, of.run_max, of.white_min));
        assert_eq!(read("8x10"), Ok((8, 10, 7, 62)));
        assert_eq!(read("3x30-runs9"), Ok((3, 30, 9, 62)));
        assert_eq!(read("20x20-runs9-white70"), Ok((20, 20, 9, 70)));
        let own = Variant::parse("4x4:####,#..#,#...,##..").unwrap().layout.unwrap();
        assert_eq!(own.cells(), [5, 6, 9, 10, 11, 14, 15]);
    }

    #[test]
    fn canonical_name_parses_to_the_same_variant() {
        let cases = [
            ("8x10", "8x10"),
            ("08x10-white62-runs7", "8x10"),
            ("20x20-white70-runs9", "20x20-runs9-white70"),
            ("8x10-runs5-runs9", "8x10-runs9"),
            ("4x4:####,#..#,#...,##..", "4x4:####,#..#,#...,##.."),
        ];
        for (written, name) in cases {
            let variant = Variant::parse(written).unwrap();
            assert_eq!(variant.name(), name);
            assert_eq!(Variant::parse(&variant.base()).unwrap().name(), variant.base());
            assert_eq!(Variant::parse(name), Ok(variant));
        }
    }

    #[test]
    fn each_fault_names_the_value_and_the_limit() {
        let cases = [
            ("", "unknown variant \"\" of kakuro; use one such as 8x10 or 20x20-runs9-white70"),
            ("8", "unknown variant \"8\" of kakuro; use one such as 8x10 or 20x20-runs9-white70"),
            ("8x+9", "unknown variant \"8x+9\" of kakuro; use one such as 8x10 or 20x20-runs9-white70"),
            ("8x10-dense", "unknown variant \"8x10-dense\" of kakuro; use one such as 8x10 or 20x20-runs9-white70"),
            ("2x10", "width 2 of \"2x10\" is not allowed; use 3 to 30"),
            ("8x31", "height 31 of \"8x31\" is not allowed; use 3 to 30"),
            ("8x10-runs3", "\"runs3\" of \"8x10-runs3\" is not allowed; use 4 to 9"),
            ("8x10-white99", "\"white99\" of \"8x10-white99\" is not allowed; use 40 to 75"),
            ("4x4-runs9:####,#..#,#...,##..", "\"runs9\" cannot be combined with a layout; omit it"),
            ("4x4:####,#..#,#...", "the layout has 3 rows, but the size says 4"),
            ("4x4:####,#..#,#..,##..", "row 3 of the layout has 3 cells, but the size says 4"),
            ("4x4:####,#..#,#..?,##..", "r3c4 of the layout: '?' is not allowed; use # or ."),
            ("4x4:####,#..#,#...,###.", "r4c4: the run across has 1 cell; the minimum is 2"),
        ];
        for (name, fault) in cases {
            assert_eq!(Variant::parse(name), Err(fault.to_owned()), "{name}");
        }
    }
}
