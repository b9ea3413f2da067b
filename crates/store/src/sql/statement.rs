//! Statements in the dialects of both databases, and their values. No statement reads all columns of a table (`*`): a
//! newer program may add a column while this one runs, and a statement prepared earlier would then return different columns.

use puzzled_base::clock::Millis;

/// A statement in the dialect of each database.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sql {
    /// For SQLite, which takes a list as JSON.
    pub(crate) sqlite: &'static str,
    /// For `PostgreSQL`, which takes a list as an array.
    pub(crate) postgres: &'static str,
}

impl From<&'static str> for Sql {
    /// Uses one statement for both databases.
    fn from(sql: &'static str) -> Self {
        Self { sqlite: sql, postgres: sql }
    }
}

/// A parameter of a statement.
#[derive(Debug, Clone)]
pub(crate) enum Value<'a> {
    /// An integer, or a time in milliseconds since 1970.
    Integer(Option<i64>),
    Text(Option<&'a str>),
    Flag(bool),
    /// A list of integers.
    Integers(Vec<i64>),
    /// A list of texts, or null.
    Texts(Option<Vec<&'a str>>),
}

/// Builds the parameters of a statement, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        &[$($crate::sql::statement::Value::from($value)),*]
    };
}
pub(crate) use values;

/// Converts a type to a [`Value`].
macro_rules! from {
    ($($type:ty, $value:ident => $into:expr;)*) => {
        $(impl<'a> From<$type> for Value<'a> {
            fn from($value: $type) -> Self {
                $into
            }
        })*
    };
}

from! {
    i64, value => Value::Integer(Some(value));
    u32, value => Value::Integer(Some(value.into()));
    i32, value => Value::Integer(Some(value.into()));
    Millis, value => Value::Integer(Some(value.0));
    Option<i64>, value => Value::Integer(value);
    Option<u32>, value => Value::Integer(value.map(i64::from));
    Option<i16>, value => Value::Integer(value.map(i64::from));
    bool, value => Value::Flag(value);
    &'a str, value => Value::Text(Some(value));
    &'a String, value => Value::Text(Some(value));
    Option<&'a str>, value => Value::Text(value);
    Option<&'a String>, value => Value::Text(value.map(String::as_str));
    Vec<i64>, value => Value::Integers(value);
    Vec<&'a str>, value => Value::Texts(Some(value));
    Option<Vec<&'a str>>, value => Value::Texts(value);
}
