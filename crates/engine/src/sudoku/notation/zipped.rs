//! The abbreviated JSON in SudokuPad's long addresses: no quotes around names, `'` for `"`, nothing for `{}`, `t` and `f` for true
//! and false, and colors without quotes.

/// Returns the JSON of an abbreviated text. What is not abbreviated JSON gives a text that is no JSON.
pub(super) fn unzip(zipped: &str) -> String {
    let mut json = String::with_capacity(zipped.len() * 2);
    let mut rest = zipped;
    // The last sign outside of texts and names. `:` stands before a value, `[`, `{`, and `,` before an item or a name.
    let mut before = ' ';
    while let Some(sign) = rest.chars().next() {
        match sign {
            '\'' | '"' => rest = push_text(&mut json, rest),
            sign if is_of_word(sign) => {
                let (word, after) = rest.split_at(rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len()));
                push_word(&mut json, word, before, after.starts_with(':'));
                rest = after;
                before = 'w';
                continue;
            }
            _ => {
                if "[,".contains(before) && ",]".contains(sign) {
                    json += "{}";
                }
                json.push(sign);
                rest = &rest[sign.len_utf8()..];
            }
        }
        before = sign;
    }
    json
}

/// Copies a text in quotes of either kind, and returns what follows it.
fn push_text<'a>(json: &mut String, text: &'a str) -> &'a str {
    let mut signs = text.char_indices();
    let quote = signs.next().map_or('"', |(_, quote)| quote);
    json.push('"');
    while let Some((at, sign)) = signs.next() {
        match sign {
            sign if sign == quote => {
                json.push('"');
                return &text[at + 1..];
            }
            '\\' => match signs.next() {
                Some((_, '\'')) => json.push('\''),
                Some((_, escaped)) => json.extend(['\\', escaped]),
                None => {}
            },
            '"' => *json += "\\\"",
            sign => json.push(sign),
        }
    }
    ""
}

fn is_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "#.-+".contains(sign)
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
