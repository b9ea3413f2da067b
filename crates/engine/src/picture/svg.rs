//! Writes a picture as SVG. The text has no script, no style sheet, and no reference to another file.

use super::{Area, DIGIT_HEIGHT, MARGIN, Mark, Picture, Point, Stroke};

/// Units of the SVG for each cell, also its width in pixels at the usual size. With 40, all lines have whole widths.
const CELL: f32 = 40.0;

/// The picture as an SVG document, in black and gray on white. Equal pictures give equal bytes.
#[must_use]
pub fn write(picture: &Picture) -> String {
    let [left, width] = [-MARGIN, f32::from(picture.columns) + 2.0 * MARGIN].map(number);
    let height = number(f32::from(picture.rows) + picture.footer + 2.0 * MARGIN);
    let id = id(picture);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"{id}-title {id}-description\" \
         viewBox=\"{left} {left} {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" text-anchor=\"middle\" stroke-linecap=\"square\">\n\
         <title id=\"{id}-title\">{}</title>\n\
         <desc id=\"{id}-description\">{}</desc>\n\
         <rect x=\"{left}\" y=\"{left}\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escaped(&picture.title),
        escaped(&picture.description),
    );
    let mut open = Group::default();
    for mark in &picture.marks {
        let (group, item) = element(mark);
        if group != open {
            svg += open.end;
            svg += &group.start;
            open = group;
        }
        svg += &item;
    }
    svg + open.end + "</svg>\n"
}

/// What encloses the items of consecutive marks with the same look.
#[derive(Default, PartialEq)]
struct Group {
    start: String,
    end: &'static str,
}

/// A mark as an item of its group.
fn element(mark: &Mark) -> (Group, String) {
    match mark {
        Mark::Fill(area, shade) => {
            let gray = format!("{:.0}%", shade.white() * 100.0);
            let start = format!("<path fill=\"rgb({gray},{gray},{gray})\" d=\"");
            (Group { start, end: "\"/>\n" }, outline(area))
        }
        Mark::Border(area, stroke) => (stroked(*stroke), outline(area)),
        Mark::Line(from, to, stroke) => (stroked(*stroke), format!("M{}L{}", place(*from), place(*to))),
        Mark::Text { center, size, text, style } => {
            let weight = if style.is_bold() { " font-weight=\"bold\"" } else { "" };
            let group = Group { start: format!("<g font-size=\"{}\"{weight}>\n", number(*size)), end: "</g>\n" };
            let (x, y) = (number(center.x), number(center.y + size * DIGIT_HEIGHT / 2.0));
            (group, format!("<text x=\"{x}\" y=\"{y}\">{}</text>\n", escaped(text)))
        }
    }
}

fn stroked(stroke: Stroke) -> Group {
    let start = format!("<path fill=\"none\" stroke=\"#000\" stroke-width=\"{}\" d=\"", number(stroke.width()));
    Group { start, end: "\"/>\n" }
}

fn outline(area: &Area) -> String {
    let [width, height] = [area.width, area.height].map(number);
    format!("M{}h{width}v{height}h-{width}z", place(area.at))
}

fn place(point: Point) -> String {
    format!("{} {}", number(point.x), number(point.y))
}

/// A length in units of the SVG, with at most two decimals.
fn number(cells: f32) -> String {
    let number = format!("{:.2}", cells * CELL);
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A prefix of the names of title and description. A page can contain several pictures, and its names must differ. The prefix is
/// a checksum (FNV-1a) of what the picture shows.
fn id(picture: &Picture) -> String {
    let bytes = picture.title.bytes().chain(picture.description.bytes());
    let sum = bytes.fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("p{sum:08x}")
}
