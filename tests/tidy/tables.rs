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
        let tables = [
            ("## Variants", variants(*kind)),
            ("### Levels", levels(*kind)),
            ("### Techniques", techniques(*kind)),
            ("### Styles", styles(*kind)),
        ];
        let written = tables.into_iter().filter(|(_, rows)| !rows[0].is_empty());
        let text = written.fold(read(&page), |text, (heading, rows)| with_table(&page, &text, heading, rows));
        check_page(&page, &text);
    }
}

#[test]
fn page_on_ratings_lists_every_kind() {
    let row = |kind: &&dyn PuzzleKind| {
        let mut raters: Vec<_> = kind.variants().iter().map(|info| code(info.rater)).collect();
        raters.dedup();
        let (name, page) = (kind.name_in_words(), page(*kind));
        let link = format!("[{}{}]({})", name[..1].to_uppercase(), &name[1..], page.trim_start_matches("docs/"));
        [link, code(kind.name()), code(kind.default_variant()), raters.join(", ")]
    };
    let rows = filled(["Kind", "Name", "Default variant", "Rater"], registry::kinds().iter().map(row));
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

fn title(level: Level) -> String {
    level.name()[..1].to_uppercase() + &level.name()[1..]
}

/// The rows of a table without the columns that are empty.
fn filled<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Rows {
    let rows: Vec<_> = [head.map(str::to_owned)].into_iter().chain(rows).collect();
    let is_filled = |at: &usize| rows[1..].iter().any(|row| !row[*at].is_empty());
    rows.iter().map(|row| (0..N).filter(is_filled).map(|at| row[at].clone()).collect()).collect()
}

fn variants(kind: &dyn PuzzleKind) -> Rows {
    let row = |info: &VariantInfo| {
        let default = if info.name == kind.default_variant() { ", the default" } else { "" };
        let names: Vec<_> = info.levels.iter().map(|border| border.level.name()).collect();
        let levels = match names[..] {
            [first, _, .., last] => format!("{first} to {last}"),
            _ => names.join(", "),
        };
        let boxes = info.boxes.map(|boxes| format!("{} rows by {} columns", boxes.rows, boxes.columns));
        let givens = info.givens.map(|limits| limits.made.to_string());
        let name = code(info.name) + default;
        [name, info.rules.to_owned(), levels, boxes.unwrap_or_default(), givens.unwrap_or_default()]
    };
    filled(["Variant", "Rules", "Levels", "Boxes", "Givens"], kind.variants().iter().map(row))
}

/// The number of names up to which a group of variants is named in full.
const NAMED_MAX: usize = 3;

/// A row for each name that `rated` gives, and a column for the variants with the same ratings.
fn ratings(kind: &dyn PuzzleKind, head: &str, rated: impl Fn(&VariantInfo) -> Vec<(String, [Tenths; 2])>) -> Rows {
    let mut groups: Vec<(Vec<String>, _)> = Vec::new();
    for info in kind.variants() {
        match groups.iter_mut().find(|(_, same)| *same == rated(info)) {
            Some((names, _)) => names.push(code(info.name)),
            None => groups.push((vec![code(info.name)], rated(info))),
        }
    }
    let titles = titles(&groups.iter().map(|(names, _)| &names[..]).collect::<Vec<_>>());
    let mut rows: Rows = vec![[head.to_owned()].into_iter().chain(titles).collect()];
    let mut all: Vec<_> = groups.iter().flat_map(|(_, rated)| rated).collect();
    all.sort_by_key(|(_, [min, _])| *min);
    for (name, _) in all {
        let cell = |rated: &[(String, [Tenths; 2])]| match rated.iter().find(|(rated, _)| rated == name) {
            Some((_, [min, max])) if min == max => min.to_string(),
            Some((_, [min, max])) => format!("{min} to {max}"),
            None => String::new(),
        };
        if rows.iter().all(|row| row[0] != *name) {
            rows.push([name.clone()].into_iter().chain(groups.iter().map(|(_, rated)| cell(rated))).collect());
        }
    }
    rows
}

/// The titles of groups of variants. Only one group can be the other variants; each further group is named in full.
fn titles(groups: &[&[String]]) -> Vec<String> {
    let largest = groups.iter().map(|names| names.len()).max().filter(|len| *len > NAMED_MAX);
    let others = groups.iter().position(|names| Some(names.len()) == largest);
    let title = |(at, names): (usize, &&[String])| match groups {
        [_] => "Rating".to_owned(),
        _ if others == Some(at) => "other variants".to_owned(),
        _ => names.join(", "),
    };
    groups.iter().enumerate().map(title).collect()
}

/// What a player needs for a level: first the reason of the default variant, or of the first variant that has the level, and then
/// each other reason with its variants.
fn reasons(kind: &dyn PuzzleKind, name: &str) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for info in kind.variant(kind.default_variant()).into_iter().chain(kind.variants()) {
        let Some(border) = info.levels.iter().find(|border| title(border.level) == name) else { continue };
        match reasons.iter_mut().find(|(reason, _)| *reason == border.reason) {
            Some((_, names)) => names.push(code(info.name)),
            None => reasons.push((border.reason, vec![code(info.name)])),
        }
    }
    let is_of_all_others = |names: &[String]| reasons.len() == 2 && names.len() > NAMED_MAX;
    let of_others = reasons.iter().skip(1).map(|(reason, names)| {
        let variants = if is_of_all_others(names) { "the other variants".to_owned() } else { names.join(", ") };
        format!("; in {variants}: {reason}")
    });
    reasons.first().map(|(reason, _)| (*reason).to_owned()).into_iter().chain(of_others).collect()
}

fn levels(kind: &dyn PuzzleKind) -> Rows {
    let rated = |info: &VariantInfo| info.levels.iter().map(|it| (title(it.level), [it.min, it.max])).collect();
    let mut rows = ratings(kind, "Level", rated);
    rows[0].push("What a player needs".to_owned());
    for row in &mut rows[1..] {
        row.push(reasons(kind, &row[0]));
    }
    rows
}

fn techniques(kind: &dyn PuzzleKind) -> Rows {
    let rated = |info: &VariantInfo| {
        let rated = info.techniques.iter().map(|it| (it.name.to_owned(), [it.min_rating, it.max_rating]));
        rated.collect()
    };
    ratings(kind, "Technique", rated)
}

/// The numbers of givens with which puzzles are made, and those with which they are delivered. Empty without them.
fn styles(kind: &dyn PuzzleKind) -> Rows {
    let row = |info: &VariantInfo| {
        let symmetry = info.styles.first().filter(|style| style.made.is_some())?.symmetry;
        let [easy, medium, hard, expert, evil] = Level::ALL.map(|level| {
            let style = info.styles.iter().find(|style| style.level == level);
            let givens = style.and_then(|style| style.made.zip(style.delivered));
            givens.map(|(made, delivered)| format!("{made} ({delivered})")).unwrap_or_default()
        });
        Some([code(info.name), code(symmetry.name()), easy, medium, hard, expert, evil])
    };
    let head = ["Variant", "Symmetry", "Easy", "Medium", "Hard", "Expert", "Evil"];
    filled(head, kind.variants().iter().filter_map(row))
}

#[test]
fn only_the_largest_group_is_titled_other_variants() {
    let [two, four, five] = [2, 4, 5].map(|len| vec!["a".to_owned(); len]);
    assert_eq!(titles(&[&two]), ["Rating"]);
    assert_eq!(titles(&[&two, &five, &four, &five]), ["a, a", "other variants", "a, a, a, a", "a, a, a, a, a"]);
}
