//! Writes a picture as SVG. The text has no script, no style sheet, and no reference to another file.

use super::{Area, DIGIT_HEIGHT, Mark, Picture, Point, Stroke, star};

/// Units of the SVG for each cell, also its width in pixels at the usual size. With 40, all lines have whole widths.
const CELL: f32 = 40.0;

/// The picture as an SVG document, in black and gray on white. Equal pictures give equal bytes.
#[must_use]
pub fn write(picture: &Picture) -> String {
    let [width, height] = picture.size();
    let [left, width, height] = [-picture.margin(), width, height + picture.footer].map(number);
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
        Mark::Star(center, diameter) => {
            let corners = star(*center, *diameter).map(place).join("L");
            (Group { start: "<path d=\"".to_owned(), end: "\"/>\n" }, format!("M{corners}z"))
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Area, Shade, TextStyle};

    #[test]
    fn marks_of_one_look_share_an_element_and_texts_are_escaped() {
        let point = |x, y| Point { x, y };
        let cell = |x, y| Area { at: point(x, y), width: 1.0, height: 1.0 };
        let text = |text: &str, style| Mark::Text { center: point(0.5, 0.5), size: 0.5, text: text.to_owned(), style };
        let picture = Picture {
            columns: 2,
            rows: 1,
            beside: 0.0,
            footer: 0.5,
            title: "1 < 2".to_owned(),
            description: "A & B.".to_owned(),
            marks: vec![
                Mark::Fill(cell(0.0, 0.0), Shade::Block),
                Mark::Line(point(0.0, 0.0), point(2.0, 0.0), Stroke::Thin),
                Mark::Border(cell(1.0, 0.0), Stroke::Thin),
                text("<", TextStyle::Clue),
                text("8", TextStyle::Given),
            ],
        };
        let expected = "\
<title id=\"p531e596d-title\">1 &lt; 2</title>
<desc id=\"p531e596d-description\">A &amp; B.</desc>
<rect x=\"-6\" y=\"-6\" width=\"92\" height=\"72\" fill=\"#fff\"/>
<path fill=\"rgb(75%,75%,75%)\" d=\"M0 0h40v40h-40z\"/>
<path fill=\"none\" stroke=\"#000\" stroke-width=\"1\" d=\"M0 0L80 0M40 0h40v40h-40z\"/>
<g font-size=\"20\">
<text x=\"20\" y=\"27\">&lt;</text>
</g>
<g font-size=\"20\" font-weight=\"bold\">
<text x=\"20\" y=\"27\">8</text>
</g>
</svg>
";
        let written = write(&picture);
        assert_eq!(written.split_once('\n').unwrap().1, expected);
    }

    #[test]
    fn names_in_two_pictures_of_a_page_differ() {
        let picture = |description: &str| Picture {
            columns: 1,
            rows: 1,
            beside: 0.0,
            footer: 0.0,
            title: String::new(),
            description: description.to_owned(),
            marks: Vec::new(),
        };
        assert_ne!(id(&picture("Row 1: 1.")), id(&picture("Row 1: 2.")));
    }
}
