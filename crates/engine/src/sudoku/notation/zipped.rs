//! The abbreviated JSON in SudokuPad's long addresses: no quotes around names, `'` for `"`, nothing for `{}`, `t` and `f` for true
//! and false, and colors without quotes.

/// Returns the JSON of an abbreviated text. What is not abbreviated JSON gives a text that is no JSON.
pub(super) fn unzip(zipped: &str) -> String {
    let mut json = String::with_capacity(zipped.len() * 2);
    let mut rest = zipped;
    // The last character outside of texts and names. `:` stands before a value, `[`, `{`, and `,` before an item or a name.
    let mut before = ' ';
    while let Some(character) = rest.chars().next() {
        match character {
            '\'' | '"' => rest = push_text(&mut json, rest),
            character if is_of_word(character) => {
                let (word, after) = rest.split_at(rest.find(|character| !is_of_word(character)).unwrap_or(rest.len()));
                push_word(&mut json, word, before, after.starts_with(':'));
                rest = after;
                before = 'w';
                continue;
            }
            _ => {
                if "[,".contains(before) && ",]".contains(character) {
                    json += "{}";
                }
                json.push(character);
                rest = &rest[character.len_utf8()..];
            }
        }
        before = character;
    }
    json
}

/// Copies a text in quotes of either kind, and returns what follows it.
fn push_text<'a>(json: &mut String, text: &'a str) -> &'a str {
    let mut characters = text.char_indices();
    let quote = characters.next().map_or('"', |(_, quote)| quote);
    json.push('"');
    while let Some((at, character)) = characters.next() {
        match character {
            character if character == quote => {
                json.push('"');
                return &text[at + 1..];
            }
            '\\' => match characters.next() {
                Some((_, '\'')) => json.push('\''),
                Some((_, escaped)) => json.extend(['\\', escaped]),
                None => {}
            },
            '"' => *json += "\\\"",
            character => json.push(character),
        }
    }
    ""
}

fn is_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || "#.-+".contains(character)
}

/// Copies a name, a number, or an abbreviated value.
fn push_word(json: &mut String, word: &str, before: char, is_name: bool) {
    let is_number = word.parse::<f64>().is_ok() && !word.contains(char::is_alphabetic);
    match word {
        "t" if before == ':' => *json += "true",
        "f" if before == ':' => *json += "false",
        "true" | "false" | "null" if !is_name => *json += word,
        word if !is_name && is_number => *json += word,
        word => json.extend(["\"", word, "\""]),
    }
}

#[cfg(test)]
mod tests {
    use super::unzip;

    #[test]
    fn abbreviations_become_json() {
        for (zipped, json) in [
            ("{ce:[[,{v:8},],[,,]],cs:50}", r#"{"ce":[[{},{"v":8},{}],[{},{},{}]],"cs":50}"#),
            ("{t:'it\\'s \"x\"',r:t,q:f,n:null}", r#"{"t":"it's \"x\"","r":true,"q":false,"n":null}"#),
            ("{c:FF00A1,d:#0,w:-1.5}", r##"{"c":"FF00A1","d":"#0","w":-1.5}"##),
            ("{ce:[{v:'a\\n'}", "{\"ce\":[{\"v\":\"a\\n\"}"),
            ("'open", "\"open"),
        ] {
            assert_eq!(unzip(zipped), json, "{zipped}");
        }
    }
}
