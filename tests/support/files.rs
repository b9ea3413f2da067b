//! Helpers of the tests of database files.

use std::{fs, path::Path};

/// Adds and deletes rows, so that the database has many pages, some of them free, and its backup has other pages.
pub(crate) const COME_AND_GO: &str = "
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
    insert into audiences (name, created_at) select printf('%0100d', i), 0 from n;
    delete from audiences where name between printf('%0100d', 5000) and printf('%0100d', 15000);";

/// The names of the files in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
