//! Which paths a source text names, read well enough for the wall: no macros are expanded and no scopes followed.

/// A word or a sign of a source text, outside comments and literals.
pub(crate) struct Token {
    /// Its line, from 1.
    pub(crate) line: usize,
    /// The word, the sign, or `::`.
    pub(crate) text: String,
}

/// The tokens of Rust source that paths are made of. Comments, strings and characters are left out.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let chars: Vec<_> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let until = |from: usize, end: &str| {
        let end: Vec<_> = end.chars().collect();
        (from..chars.len()).find(|&i| chars[i..].starts_with(&end)).map_or(chars.len(), |i| i + end.len())
    };
    let (mut tokens, mut i, mut line) = (Vec::new(), 0, 1);
    while i < chars.len() {
        let begin = i;
        let mut word = None;
        i = match (at(i), at(i + 1)) {
            ('/', '/') => until(i, "\n") - 1,
            ('/', '*') => until(i + 2, "*/"),
            ('r', '"') => until(i + 2, "\""),
            ('r', '#') if matches!(at(i + 2), '"' | '#') => {
                let hashes = (i + 1..chars.len()).take_while(|&i| at(i) == '#').count();
                until(i + hashes + 2, &format!("\"{}", "#".repeat(hashes)))
            }
            ('"', _) => {
                let mut end = i + 1;
                while end < chars.len() && at(end) != '"' {
                    end += if at(end) == '\\' { 2 } else { 1 };
                }
                end + 1
            }
            ('\'', '\\') => until(i + 3, "'"),
            ('\'', _) if at(i + 2) == '\'' => i + 3,
            (':', ':') => {
                word = Some("::".to_owned());
                i + 2
            }
            (c, _) if c.is_alphabetic() || c == '_' => {
                let end = (i..chars.len()).find(|&i| !at(i).is_alphanumeric() && at(i) != '_').unwrap_or(chars.len());
                word = Some(chars[i..end].iter().collect());
                end
            }
            (c, _) => {
                word = (!c.is_whitespace()).then(|| c.to_string());
                i + 1
            }
        };
        tokens.extend(word.map(|text| Token { line, text }));
        line += chars[begin..i.min(chars.len())].iter().filter(|&&c| c == '\n').count();
    }
    tokens
}

/// All paths of a source text with their lines: imports with their braces undone, and those in the code. `self`, `super`
/// and the library's own name are turned into paths from `crate`.
pub(crate) fn paths(source: &str, modules: &[String]) -> Vec<(usize, Vec<String>)> {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let (mut found, mut inline, mut depth, mut i) = (Vec::new(), Vec::new(), 0, 0);
    while i < tokens.len() {
        match text(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|(_, outside)| *outside < depth);
            }
            "mod" if text(i + 2) == "{" => inline.push((text(i + 1).to_owned(), depth)),
            _ => {}
        }
        if is_name(text(i)) && (text(i + 1) == "::" || (i > 0 && text(i - 1) == "use")) {
            let mut here = modules.to_vec();
            here.extend(inline.iter().map(|(name, _)| name.clone()));
            let mut tree = Vec::new();
            i = path_tree(&tokens, i, &[], &mut tree);
            found.extend(tree.into_iter().map(|(line, path)| (line, from_crate(&path, &here))));
        } else {
            i += 1;
        }
    }
    found
}

/// Reads the path at `i` with all that its braces hold, and returns where it ends.
fn path_tree(tokens: &[Token], mut i: usize, prefix: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let line = tokens[i].line;
    let mut path = prefix.to_vec();
    while is_name(text(i)) || text(i) == "*" {
        path.push(text(i).to_owned());
        i += 1;
        if text(i) != "::" || !(is_name(text(i + 1)) || matches!(text(i + 1), "*" | "{")) {
            found.push((line, path));
            return i;
        }
        i += 1;
    }
    while i < tokens.len() && text(i) != "}" {
        i = if is_name(text(i + 1)) && text(i + 1) != "as" { path_tree(tokens, i + 1, &path, found) } else { i + 1 };
    }
    i + 1
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn from_crate(path: &[String], here: &[String]) -> Vec<String> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let (base, rest) = match path[0].as_str() {
        "puzzled" => (&here[..0], &path[1..]),
        "self" => (here, &path[1..]),
        "super" => (&here[..here.len().saturating_sub(supers)], &path[supers..]),
        _ => return path.to_vec(),
    };
    [&["crate".to_owned()], base, rest].concat()
}

/// The module that a file of `src/` is: `engine`, `sudoku` for `src/engine/sudoku/mod.rs`; none for the crate's roots.
pub(crate) fn modules_of(file: &str) -> Vec<String> {
    let inner = file.trim_start_matches("src/").trim_end_matches(".rs");
    let parts = inner.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
    parts.map(str::to_owned).collect()
}
