//! The frame of a PDF file: its pages, its fonts, and what readers show about it.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, TextStr};

use super::pen::{self, BOLD, REGULAR};

/// What readers show about a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Info<'a> {
    /// The title, also that of the window.
    pub(super) title: &'a str,
    /// What the file shows.
    pub(super) subject: &'a str,
}

/// A page, in points.
#[derive(Debug)]
pub(super) struct Page {
    /// The width of the paper.
    pub(super) width: f32,
    /// The height of the paper.
    pub(super) height: f32,
    /// The marks of the page.
    pub(super) content: Vec<u8>,
}

const CATALOG: Ref = Ref::new(1);
const TREE: Ref = Ref::new(2);
const INFO: Ref = Ref::new(3);
const FONTS: [(Name<'_>, Name<'_>, Ref); 2] =
    [(REGULAR, Name(b"Helvetica"), Ref::new(4)), (BOLD, Name(b"Helvetica-Bold"), Ref::new(5))];

/// The number of the first page object. The content of a page has the next number.
const FIRST_PAGE: i32 = 6;

/// The file with these pages.
pub(super) fn written(info: Info<'_>, pages: &[Page]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let refs: Vec<_> =
        (FIRST_PAGE..).step_by(2).map(|number| (Ref::new(number), Ref::new(number + 1))).take(pages.len()).collect();
    let mut catalog = pdf.catalog(CATALOG);
    catalog.pages(TREE).lang(TextStr("en"));
    catalog.viewer_preferences().display_doc_title(true);
    catalog.finish();
    let mut about = pdf.document_info(INFO);
    about.title(TextStr(info.title)).creator(TextStr("puzzled"));
    if !info.subject.is_empty() {
        about.subject(TextStr(info.subject));
    }
    about.finish();
    for (_, base, id) in FONTS {
        pdf.type1_font(id).base_font(base).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    let count = i32::try_from(pages.len()).unwrap_or(i32::MAX);
    pdf.pages(TREE).kids(refs.iter().map(|(page, _)| *page)).count(count);
    for (page, (id, content)) in pages.iter().zip(refs) {
        let mut object = pdf.page(id);
        let (width, height) = (pen::rounded(page.width), pen::rounded(page.height));
        object.parent(TREE).media_box(Rect::new(0.0, 0.0, width, height)).contents(content);
        let mut resources = object.resources();
        let mut fonts = resources.fonts();
        for (name, _, font) in FONTS {
            fonts.pair(name, font);
        }
        fonts.finish();
        resources.finish();
        object.finish();
        match compressed(&page.content) {
            Some(bytes) => drop(pdf.stream(content, &bytes).filter(Filter::FlateDecode)),
            None => drop(pdf.stream(content, &page.content)),
        }
    }
    pdf.finish()
}

/// The content compressed; `None` if that fails, which memory cannot.
fn compressed(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()
}
