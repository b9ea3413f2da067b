//! What the pages of the documentation promise: links that lead somewhere, and a README that is short.

use super::{assert_none, files, read, root};

/// Most lines of the README; the rest stands in `docs`.
const README_LINES_MAX: usize = 150;

#[test]
fn links_between_pages_lead_to_files() {
    let mut broken = Vec::new();
    for page in files("docs", "md").into_iter().chain(["README.md".to_owned(), "ARCHITECTURE.md".to_owned()]) {
        let folder = root().join(&page).parent().unwrap().to_owned();
        let text = read(&page);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        let local = links.filter(|link| !link.starts_with("http"));
        let lost = local.filter(|link| !folder.join(link.split('#').next().unwrap_or_default()).exists());
        broken.extend(lost.map(|link| format!("{page}: {link}")));
    }
    assert_none(&broken);
}

#[test]
fn readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES_MAX, "README.md has {lines} lines; at most {README_LINES_MAX}");
}
