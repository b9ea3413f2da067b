//! The import graphs:
//! - In the engine, no kind imports another kind, and the modules that all kinds share import no kind. A cycle of imports stays inside the
//!   folder of a kind, `csp`, or `grid`.
//! - In the server, the store, and the API, there is no cycle.
//! - A file of the store that begins with `//! Rule:` imports only such files.
//!
//! With `--nocapture`, one test prints the graph by folder.
//!
//! Edges are `use` items and paths that begin with `crate::`, `super::`, or `self::`, outside of tests and comments. A
//! path leads to the module of its longest prefix that is a file.

use std::collections::{BTreeMap, BTreeSet};

use puzzled_engine::registry;

use super::{assert_none, imports::statements, read, rust_files};

/// The engine's sources.
const ENGINE: &str = "crates/engine/src";

/// Whether a module of the engine is shared by all kinds.
fn is_shared(module: &str) -> bool {
    ["shared", "csp", "picture", "grid"].contains(&module.split("::").next().unwrap_or_default())
}

/// Whether a module is in a folder that no kind owns, and whose modules may import each other in a cycle.
fn is_closed(module: &str) -> bool {
    ["csp", "grid"].contains(&module.split("::").next().unwrap_or_default())
}

/// The kind in whose folder a module of the engine is.
fn kind_of(module: &str) -> Option<&'static str> {
    let top = module.split("::").next()?;
    registry::kinds().iter().map(|kind| kind.name()).find(|name| *name == top)
}

/// The modules that each module imports, by their paths in the crate. The path of the root is the empty string.
type Graph = BTreeMap<String, BTreeSet<String>>;

fn graph(folder: &str) -> Graph {
    let files = rust_files(folder);
    let modules: BTreeMap<_, _> = files.iter().map(|file| (module_of(folder, file), file)).collect();
    let known: BTreeSet<_> = modules.keys().map(String::as_str).collect();
    let exports = modules.get("").map(|root| exports(&read(root), &known)).unwrap_or_default();
    let imported =
        |(module, file): (&String, &&String)| (module.clone(), imports(module, &read(file), &known, &exports));
    modules.iter().map(imported).collect()
}

/// The names that the root of a crate re-exports, each with its module.
type Exports = BTreeMap<String, String>;

fn exports(root: &str, known: &BTreeSet<&str>) -> Exports {
    let exported =
        statements(root).into_iter().filter_map(|found| Some(found.code.strip_prefix("pub use ")?.to_owned()));
    let names = exported.flat_map(|code| written_out("", &code).0).filter_map(|path| {
        let (module, name) = path.rsplit_once("::")?;
        known.contains(module).then(|| (name.to_owned(), module.to_owned()))
    });
    names.collect()
}

/// `csp::search` for `crates/engine/src/csp/search.rs`. The path of a `mod.rs` is that of its folder.
pub(crate) fn module_of(folder: &str, file: &str) -> String {
    let path = file[folder.len()..].trim_matches('/').trim_end_matches(".rs");
    let path = if ["lib", "main"].contains(&path) { "" } else { path.strip_suffix("/mod").unwrap_or(path) };
    path.replace('/', "::")
}

fn imports(module: &str, source: &str, known: &BTreeSet<&str>, exports: &Exports) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in statements(without_tests(source)) {
        let within = "inner::".repeat(statement.modules);
        for path in paths(&statement.code) {
            let from = if within.is_empty() { module.to_owned() } else { format!("{module}::{within}inner") };
            let Some(path) = absolute(&from, &path) else { continue };
            if let Some(exported) = path.first().and_then(|name| exports.get(name)) {
                found.insert(exported.clone());
                continue;
            }
            let prefixes = (0..=path.len()).rev().map(|length| path[..length].join("::"));
            found.extend(prefixes.into_iter().find(|prefix| known.contains(prefix.as_str())));
        }
    }
    found.remove(module);
    found
}

/// The source before its tests, which stand last.
pub(crate) fn without_tests(source: &str) -> &str {
    let begin = ["mod ", "pub(crate) mod "].map(|module| source.find(&format!("\n#[cfg(test)]\n{module}")));
    &source[..begin.into_iter().flatten().min().unwrap_or(source.len())]
}

/// Each path in a statement, with braces expanded.
pub(crate) fn paths(code: &str) -> Vec<String> {
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:\"".contains(c));
    let starts = ["crate::", "super::", "self::"].into_iter().flat_map(|root| code.match_indices(root));
    starts.filter(|(at, _)| begins(*at)).flat_map(|(at, _)| written_out("", &code[at..]).0).collect()
}

/// The paths of a tree of imports after a prefix, and the code after the tree.
fn written_out<'a>(prefix: &str, code: &'a str) -> (Vec<String>, &'a str) {
    let end = code.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(code.len());
    let path = format!("{prefix}{}", &code[..end]);
    let Some(mut rest) = code[end..].strip_prefix('{').filter(|_| path.ends_with("::")) else {
        return (vec![path], &code[end..]);
    };
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        // After a comma at the end of the list.
        if let Some(after) = rest.strip_prefix('}') {
            return (found, after);
        }
        let (inner, after) = written_out(&path, rest);
        found.extend(inner);
        // After a name: `as other`, then a comma or the end of the list.
        let Some(next) = after.find([',', '}']) else { return (found, "") };
        rest = &after[next + 1..];
        if after[next..].starts_with('}') {
            return (found, rest);
        }
    }
}

/// A path from the root of the crate.
pub(crate) fn absolute(module: &str, path: &str) -> Option<Vec<String>> {
    let mut at: Vec<_> = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    for (place, name) in path.split("::").enumerate() {
        match name {
            "crate" if place == 0 => at.clear(),
            "super" => drop(at.pop()?),
            "self" | "" => {}
            name => at.push(name.to_owned()),
        }
    }
    Some(at)
}

/// The import cycles: sets of modules, each of which imports all others, directly or indirectly.
fn circles(graph: &Graph) -> BTreeSet<BTreeSet<&str>> {
    let reached: BTreeMap<_, _> = graph.keys().map(|module| (module.as_str(), reached_from(graph, module))).collect();
    let circle = |module: &&str| {
        let back = reached[module].iter().filter(|other| reached.get(**other).is_some_and(|to| to.contains(module)));
        back.copied().collect::<BTreeSet<_>>()
    };
    reached.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// The modules that a module imports, directly or indirectly.
fn reached_from<'a>(graph: &'a Graph, from: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(graph.get(module).into_iter().flatten().map(String::as_str).filter(|to| seen.insert(*to)));
    }
    seen
}

/// Prints a line for each folder: its number of modules, and the folders that these import.
fn print(folder: &str, graph: &Graph) {
    let top = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
    let mut tops: BTreeMap<String, (usize, BTreeSet<String>)> = BTreeMap::new();
    for (module, imports) in graph {
        let (count, used) = tops.entry(top(module)).or_default();
        *count += 1;
        used.extend(imports.iter().map(|import| top(import)).filter(|import| *import != top(module)));
    }
    println!("{folder}");
    for (name, (count, used)) in tops {
        println!("  {name} ({count}) -> {}", used.into_iter().collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn no_kind_is_known_outside_its_folder_and_no_circle_leaves_one() {
    print("src", &graph("src"));
    let engine = graph(ENGINE);
    print(ENGINE, &engine);
    let mut faults = Vec::new();
    for (module, imports) in &engine {
        for import in imports {
            let (from, to) = (kind_of(module), kind_of(import));
            if from.is_some() && to.is_some() && from != to {
                faults.push(format!("{module} imports {import} of another kind"));
            }
            // The root of the crate has the engine version.
            if is_shared(module) && !is_shared(import) && !import.is_empty() {
                faults.push(format!("{module} is shared by all kinds, but imports {import}"));
            }
            if from.is_none() && to.is_some() && module != "registry" {
                faults.push(format!("{module} imports {import}; only the registry knows the kinds"));
            }
        }
    }
    for circle in circles(&engine) {
        let folders: BTreeSet<_> = circle.iter().map(|module| module.split("::").next()).collect();
        if folders.len() > 1 || circle.iter().any(|module| kind_of(module).is_none() && !is_closed(module)) {
            faults.push(format!("an import cycle leaves a folder: {circle:?}"));
        }
    }
    assert_none(&faults);
}

#[test]
fn no_files_of_the_server_the_store_and_the_api_import_in_a_circle() {
    for folder in ["src", "crates/store/src", "crates/api/src"] {
        let mut graph = graph(folder);
        // A `mod.rs` may import the files of its folder, so the root, which has all files, is left out.
        graph.remove("");
        // Commands are not layers of the server, and may import each other in a cycle.
        graph.retain(|module, _| !(folder == "src" && module.starts_with("cli")));
        for (module, imports) in &mut graph {
            imports.retain(|import| !import.starts_with(&format!("{module}::")));
        }
        assert_none(&circles(&graph).iter().map(|circle| format!("{folder}: {circle:?}")).collect::<Vec<_>>());
    }
}

#[test]
fn rules_of_the_store_use_only_rules_and_wait_for_nothing() {
    let folder = "crates/store/src";
    let files = rust_files(folder).into_iter().map(|file| (module_of(folder, &file), read(&file)));
    let rules: BTreeMap<_, _> = files.filter(|(_, source)| source.starts_with("//! Rule: ")).collect();
    assert!(rules.len() > 30, "{rules:?}");
    let graph = graph(folder);
    let faults = rules.iter().flat_map(|(rule, source)| {
        let used = graph[rule].iter().filter(|used| !rules.contains_key(*used)).map(String::as_str);
        let words = ["async ", ".await", "sqlx", "Instant", "SystemTime"];
        let words = words.into_iter().filter(|word| source.contains(word));
        used.chain(words).map(|used| format!("{rule} uses {used}")).collect::<Vec<_>>()
    });
    assert_none(&faults.collect::<Vec<_>>());
}

#[test]
fn names_of_the_root_lead_to_their_modules() {
    let known = BTreeSet::from(["", "store", "jobs::claims"]);
    let exports = exports("pub use jobs::claims::{Claim, Claimed};\npub use store::Store;", &known);
    let found = imports("check", "use crate::{Claim, Store,};", &known, &exports);
    assert_eq!(found, ["jobs::claims", "store"].map(str::to_owned).into());
}

#[test]
fn paths_of_a_statement_are_written_out_and_resolved() {
    let code = "use super::{self as up, board::{Cell, Grid as G}, *}; let x = crate::rng::Rng::new(my::crate_name);";
    let found = paths(code);
    assert_eq!(found, ["crate::rng::Rng::new", "super::self", "super::board::Cell", "super::board::Grid", "super::"]);
    assert_eq!(absolute("sudoku::goal", "super::board::Cell").unwrap().join("::"), "sudoku::board::Cell");
    assert_eq!(absolute("rng", "super::super::x"), None);
    let known = BTreeSet::from(["", "sudoku", "sudoku::board", "rng"]);
    let source = format!("{code}\n#[cfg(test)]\nmod tests {{\n    use crate::csp;\n}}");
    assert_eq!(
        imports("sudoku::goal", &source, &known, &Exports::new()),
        ["rng", "sudoku", "sudoku::board"].map(str::to_owned).into()
    );
}

#[test]
fn circle_is_found_with_all_its_modules() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")];
    let mut graph = Graph::new();
    for (from, to) in edges {
        graph.entry(from.to_owned()).or_default().insert(to.to_owned());
    }
    assert_eq!(circles(&graph), BTreeSet::from([BTreeSet::from(["a", "b", "c"])]));
}
