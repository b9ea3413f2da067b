//! Checks imports: a layer of `src` uses only the layers below, and the engine uses no clock, files, threads, or
//! network. Sources are read line by line, as rustfmt writes them; macros are not expanded.

/// The layers of `src`, highest first. A layer may use only layers on lower lines.
const LAYERS: [&[&str]; 16] = [
    &["main"],
    &["operate"],
    &["app"],
    &["ops"],
    &["door", "work"],
    &["puzzles"],
    &["stock", "series", "server"],
    &["jobs"],
    &["wire"],
    &["calls"],
    &["tls"],
    &["telemetry"],
    &["settings"],
    &["access"],
    &["system"],
    &["lib"],
];

/// The layers that answer calls. They and `work` use nothing of each other.
const ANSWERING: [&str; 8] = ["door", "puzzles", "stock", "series", "server", "jobs", "wire", "calls"];

/// The modules of `std` that block, or depend on the machine.
const IMPURE: [&str; 6] = ["time", "env", "fs", "thread", "net", "process"];

/// The uses of layers that are not below the file's own, with file and line.
pub(crate) fn layer_faults(file: &str, source: &str) -> Vec<String> {
    let inner = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let layer = inner.split('/').next().unwrap_or(inner);
    let rank = |layer: &str| LAYERS.iter().position(|line| line.contains(&layer));
    let Some(own) = rank(layer) else { return vec![format!("{file}: {layer} is no layer of tests/tidy/imports.rs")] };
    let depth = if ["main", "lib"].contains(&layer) { 0 } else { inner.split('/').count() };
    let is_apart = |one: &str, other: &str| one == "work" && ANSWERING.contains(&other);
    let mut faults = Vec::new();
    for Statement { line, modules, code } in statements(source) {
        let supers = "super::".repeat(depth + modules);
        let roots = ["crate::", "puzzled::", &supers];
        for used in roots.iter().filter(|root| !root.is_empty()).flat_map(|root| names_behind(root, &code)) {
            let is_above = used != layer && rank(used).is_some_and(|rank| rank <= own);
            if is_above || is_apart(layer, used) || is_apart(used, layer) {
                faults.push(format!("{file}:{line}: {layer} may not use {used}"));
            }
        }
    }
    faults.dedup();
    faults
}

/// The uses of forbidden parts of the standard library in a file of the engine.
pub(crate) fn engine_faults(file: &str, source: &str) -> Vec<String> {
    let statements = statements(source);
    let used = statements.iter().flat_map(|at| names_behind("std::", &at.code).into_iter().map(|name| (at.line, name)));
    let impure = used.filter(|(_, module)| IMPURE.contains(module));
    impure.map(|(line, module)| format!("{file}:{line}: the engine may not use std::{module}")).collect()
}

/// A line of code, or a whole import, which may span lines.
pub(crate) struct Statement {
    pub(crate) line: usize,
    /// The number of inline modules that enclose the line.
    pub(crate) modules: usize,
    pub(crate) code: String,
}

pub(crate) fn statements(source: &str) -> Vec<Statement> {
    let (mut found, mut modules) = (Vec::<Statement>::new(), Vec::new());
    let mut is_open = false;
    for (line, text) in (1..).zip(source.lines()) {
        let (code, indent) = (text.trim_start(), text.len() - text.trim_start().len());
        if code.starts_with("//") {
            continue;
        }
        if code == "}" && modules.last() == Some(&indent) {
            modules.pop();
        }
        match found.last_mut() {
            Some(import) if is_open => import.code += code,
            _ => found.push(Statement { line, modules: modules.len(), code: code.to_owned() }),
        }
        is_open = (is_open || code.starts_with("use ") || code.starts_with("pub") && code.contains(" use "))
            && !code.ends_with(';');
        if code.starts_with("mod ") && code.ends_with('{') {
            modules.push(indent);
        }
    }
    found
}

/// The names that follow `root` anywhere in `code`: a single name, or each name in braces.
pub(crate) fn names_behind<'a>(root: &str, code: &'a str) -> Vec<&'a str> {
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || "_:\"".contains(c));
    let behind = code.match_indices(root).filter(|(at, _)| begins(*at)).map(|(at, _)| &code[at + root.len()..]);
    behind.flat_map(listed).collect()
}

fn listed(code: &str) -> Vec<&str> {
    let word = |code: &'_ str| code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let Some(list) = code.strip_prefix('{') else { return vec![&code[..word(code)]] };
    let (mut names, mut depth) = (Vec::new(), 0);
    for part in list.split_inclusive(['{', '}', ',']) {
        if depth == 0 {
            let name = part.trim_start();
            names.push(&name[..word(name)]);
        }
        depth += i32::from(part.ends_with('{')) - i32::from(part.ends_with('}'));
        if depth < 0 {
            break;
        }
    }
    names
}

#[test]
fn a_layer_that_reaches_up_is_found() {
    let cases = [
        ("src/access/mod.rs", "use crate::settings::Settings;", "1: access may not use settings"),
        ("src/tls/mod.rs", "\nfn f() { crate::calls::call(); }", "2: tls may not use calls"),
        ("src/calls/edge.rs", "use crate::door::Peer;", "1: calls may not use door"),
        ("src/stock/refill.rs", "use crate::series::days;", "1: stock may not use series"),
        ("src/work/slice.rs", "use crate::wire::Page;", "1: work may not use wire"),
        ("src/door/serve.rs", "use crate::work::Workers;", "1: door may not use work"),
        (
            "src/tls/mod.rs",
            "use crate::{\n    clock::{Clock, stock},\n    work::{self, cpu},\n};",
            "1: tls may not use work",
        ),
        ("src/access/mod.rs", "pub(crate) use crate::tls;", "1: access may not use tls"),
        ("src/settings/sqlite/mod.rs", "use super::super::telemetry;", "1: settings may not use telemetry"),
        ("src/system/clock.rs", "mod tests {\n    use super::super::super::app;\n}", "2: system may not use app"),
        ("src/lib.rs", "use puzzled::app;", "1: lib may not use app"),
    ];
    for (file, source, expected) in cases {
        assert_eq!(layer_faults(file, source), [format!("{file}:{expected}")], "{source}");
    }
    assert_eq!(layer_faults("src/util.rs", "").len(), 1);
}

#[test]
fn an_engine_that_is_not_pure_is_found() {
    for source in
        ["use std::time::Instant;", "use std::{\n    fmt,\n    thread,\n};", "fn f() { std::env::var(\"X\"); }"]
    {
        assert_eq!(engine_faults("crates/engine/src/shared/rng.rs", source).len(), 1, "{source}");
    }
}

#[test]
fn imports_within_the_rules_are_accepted() {
    let cases = [
        ("src/system/clock.rs", "// use crate::tls;\n/// crate::tls\nconst A: &str = \"crate::tls\";"),
        (
            "src/tls/job.rs",
            "use super::super::clock;\nuse crate::{clock::Millis, tls::rows};\nmod tests {\n    use super::*;\n}",
        ),
        ("src/tls/files/mod.rs", "use super::stock;"),
        ("src/main.rs", "fn main() { puzzled::operate::main(); }"),
    ];
    for (file, source) in cases {
        assert_eq!(layer_faults(file, source), [""; 0], "{source}");
    }
}
