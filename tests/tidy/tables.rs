//! Writes the tables of each kind's page from the registry, and the table of all kinds in `docs/rating.md`, and fails if a page differs.
//! `UPDATE_GOLDEN=1 cargo test --test tidy` writes the pages. A column `Argument` is written by people, and is kept.

use std::collections::BTreeMap;

use puzzled_engine::{
    registry,
    shared::{
        kind::PuzzleKind,
        level::{Level, Tenths},
        variant::VariantInfo,
    },
};

use super::{assert_none, check_page, read};

/// Rows of cells, of which the first is the head.
type Rows = Vec<Vec<String>>;

#[test]
fn tables_of_each_kind_are_those_of_the_registry() {
    for kind in registry::kinds() {
        let page = page(*kind);
        let tables =
            [("## Variants", variants(*kind)), ("### Levels", levels(*kind)), ("### Techniques", techniques(*kind))];
        let styles = styles(*kind).map(|rows| ("### Styles", rows));
        let written = tables.into_iter().chain(styles);
        let text = written.fold(read(&page), |text, (heading, rows)| with_table(&page, &text, heading, rows));
        check_page(&page, &text);
    }
}

#[test]
fn page_on_ratings_lists_every_kind() {
    let row = |kind: &&dyn PuzzleKind| {
        let raters = groups(*kind, |info| info.rater).into_iter().map(|(_, info)| code(info.rater));
        let (name, page) = (kind.name_in_words(), page(*kind));
        let link = format!("[{}{}]({})", name[..1].to_uppercase(), &name[1..], page.trim_start_matches("docs/"));
        vec![link, code(kind.name()), code(kind.default_variant()), raters.collect::<Vec<_>>().join(", ")]
    };
    let head = ["Kind", "Name", "Default variant", "Rater"].map(str::to_owned).to_vec();
    let rows = [head].into_iter().chain(registry::kinds().iter().map(row)).collect();
    check_page("docs/rating.md", &with_table("docs/rating.md", &read("docs/rating.md"), "## Kinds", rows));
}

fn page(kind: &dyn PuzzleKind) -> String {
    format!("docs/{}.md", kind.name().replace('_', "-"))
}

/// The page with the table that follows a heading.
fn with_table(page: &str, text: &str, heading: &str, mut rows: Rows) -> String {
    let (before, rest) = text.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{page} lacks {heading}"));
    let lines: Vec<_> = rest.trim_start().lines().collect();
    let (old, after) = lines.split_at(lines.iter().take_while(|line| line.starts_with('|')).count());
    let cells = |line: &&str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let old: Rows = old.iter().map(cells).collect();
    if old.first().and_then(|head| head.last()).is_some_and(|last| last == "Argument") {
        let mut arguments: BTreeMap<_, _> = old.into_iter().map(|mut row| (row.remove(0), row.pop())).collect();
        let mut argument = |row: &str| arguments.remove(row).flatten().filter(|argument| !argument.is_empty());
        for row in &mut rows {
            row.extend(argument(&row[0]));
        }
        let bare = rows.iter().filter(|row| row.len() < rows[0].len());
        assert_none(&bare.map(|row| format!("{page}: add {} with its argument", row[0])).collect::<Vec<_>>());
    }
    let mut table: Vec<_> = rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    table.insert(1, format!("|{}\n", "---|".repeat(rows[0].len())));
    let table = table.concat().replace("|  ", "| ");
    let after = after.join("\n");
    let page = format!("{before}\n{heading}\n\n{table}\n{}", after.trim_start());
    format!("{}\n", page.trim_end())
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

/// The variants that have the same value, under a common name, with one of them.
fn groups<T: PartialEq>(
    kind: &dyn PuzzleKind,
    value: impl Fn(&'static VariantInfo) -> T,
) -> Vec<(String, &'static VariantInfo)> {
    let mut groups: Vec<Vec<&VariantInfo>> = Vec::new();
    for info in kind.variants() {
        match groups.iter_mut().find(|group| value(group[0]) == value(info)) {
            Some(group) => group.push(info),
            None => groups.push(vec![info]),
        }
    }
    let is_alone = groups.len() == 1;
    let name = |group: &[&VariantInfo]| match group.len() {
        _ if is_alone => "Rating".to_owned(),
        4.. => "other variants".to_owned(),
        _ => group.iter().map(|info| code(info.name)).collect::<Vec<_>>().join(", "),
    };
    groups.into_iter().map(|group| (name(&group), group[0])).collect()
}

fn range(min: Tenths, max: Tenths) -> String {
    if min == max { min.to_string() } else { format!("{min} to {max}") }
}

fn title(level: Level) -> String {
    level.name()[..1].to_uppercase() + &level.name()[1..]
}

fn variants(kind: &dyn PuzzleKind) -> Rows {
    let of_boxes =
        |info: &VariantInfo| info.boxes.map(|boxes| format!("{} rows by {} columns", boxes.rows, boxes.columns));
    let of_givens = |info: &VariantInfo| info.givens.map(|limits| limits.made.to_string());
    let has = |cell: &dyn Fn(&VariantInfo) -> Option<String>| kind.variants().iter().any(|info| cell(info).is_some());
    let (has_boxes, has_givens) = (has(&of_boxes), has(&of_givens));
    let row = |info: &VariantInfo| {
        let default = if info.name == kind.default_variant() { ", the default" } else { "" };
        let names: Vec<_> = info.levels.iter().map(|border| border.level.name()).collect();
        let levels = match names[..] {
            [first, _, .., last] => format!("{first} to {last}"),
            _ => names.join(", "),
        };
        let boxes = has_boxes.then(|| of_boxes(info).unwrap_or_default());
        let givens = has_givens.then(|| of_givens(info).unwrap_or_default());
        [code(info.name) + default, info.rules.to_owned(), levels].into_iter().chain(boxes).chain(givens).collect()
    };
    let head = [("Variant", true), ("Rules", true), ("Levels", true), ("Boxes", has_boxes), ("Givens", has_givens)];
    let head = head.into_iter().filter(|(_, is_shown)| *is_shown).map(|(name, _)| name.to_owned()).collect();
    [head].into_iter().chain(kind.variants().iter().map(row)).collect()
}

/// What a player needs is that of the default variant, or of the first one that has the level.
fn levels(kind: &dyn PuzzleKind) -> Rows {
    let ranges = |info: &VariantInfo| info.levels.iter().map(|border| (border.level, border.max)).collect::<Vec<_>>();
    let groups = groups(kind, ranges);
    let row = |level: Level| {
        let cells = groups
            .iter()
            .map(|(_, info)| level.range(info.levels).map_or_else(String::new, |(min, max)| range(min, max)));
        let all = kind.variant(kind.default_variant()).into_iter().chain(kind.variants());
        let reason = all.flat_map(|info| info.levels).find(|border| border.level == level)?.reason.to_owned();
        Some([title(level)].into_iter().chain(cells).chain([reason]).collect())
    };
    let named = groups.iter().map(|(name, _)| name.clone());
    let head = ["Level".to_owned()].into_iter().chain(named).chain(["What a player needs".to_owned()]).collect();
    [head].into_iter().chain(Level::ALL.into_iter().filter_map(row)).collect()
}

fn techniques(kind: &dyn PuzzleKind) -> Rows {
    let scale = |info: &'static VariantInfo| {
        let rated =
            info.techniques.iter().map(|technique| (technique.name, technique.min_rating, technique.max_rating));
        rated.collect::<Vec<_>>()
    };
    let groups = groups(kind, scale);
    let mut all: Vec<_> = groups.iter().flat_map(|(_, info)| info.techniques).collect();
    all.sort_by_key(|technique| technique.min_rating);
    let mut names: Vec<_> = all.iter().map(|technique| technique.name).collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    let row = |name: &str| {
        let cells = groups.iter().map(|(_, info)| {
            info.technique(name).map_or_else(String::new, |technique| range(technique.min_rating, technique.max_rating))
        });
        [name.to_owned()].into_iter().chain(cells).collect()
    };
    let head = ["Technique".to_owned()].into_iter().chain(groups.iter().map(|(name, _)| name.clone())).collect();
    [head].into_iter().chain(names.into_iter().map(row)).collect()
}

/// The numbers of givens by variant and level: those with which puzzles are made, and those with which they are delivered.
fn styles(kind: &dyn PuzzleKind) -> Option<Rows> {
    let row = |info: &VariantInfo| {
        let symmetry = info.styles.first().filter(|style| style.made.is_some())?.symmetry;
        let cells = Level::ALL.map(|level| {
            let style = info.styles.iter().find(|style| style.level == level);
            let givens = style.and_then(|style| style.made.zip(style.delivered));
            givens.map_or_else(String::new, |(made, delivered)| format!("{made} ({delivered})"))
        });
        Some([code(info.name), code(symmetry.name())].into_iter().chain(cells).collect())
    };
    let rows: Rows = kind.variants().iter().filter_map(row).collect();
    let head = ["Variant", "Symmetry"].map(str::to_owned).into_iter().chain(Level::ALL.map(title)).collect();
    (!rows.is_empty()).then(|| [head].into_iter().chain(rows).collect())
}
