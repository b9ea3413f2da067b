//! Parses a page of metrics in the format OpenMetrics, so that tests can read its families and series.

use std::collections::{BTreeMap, BTreeSet};

/// A page in the format OpenMetrics.
#[derive(Debug, Clone)]
pub(crate) struct MetricsPage {
    /// Type and help of each family.
    pub(crate) families: BTreeMap<String, (String, String)>,
    /// The value of each series, by its name and labels as they are written.
    pub(crate) series: BTreeMap<String, f64>,
}

impl MetricsPage {
    /// Reads a page, and asserts that it has the form of OpenMetrics.
    pub(crate) fn read(text: &str) -> Self {
        let mut page = Self { families: BTreeMap::new(), series: BTreeMap::new() };
        assert!(text.ends_with("# EOF\n"), "{text}");
        for line in text.lines().filter(|line| *line != "# EOF") {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').unwrap();
                page.families.entry(name.to_owned()).or_default().1 = help.to_owned();
            } else if let Some(of) = line.strip_prefix("# TYPE ") {
                let (name, of) = of.split_once(' ').unwrap();
                page.families.entry(name.to_owned()).or_default().0 = of.to_owned();
            } else {
                let (series, value) = line.rsplit_once(' ').unwrap();
                let twice = page.series.insert(series.to_owned(), value.parse().unwrap());
                assert!(twice.is_none(), "{series} occurs twice");
            }
        }
        page
    }

    /// The value of a series.
    pub(crate) fn value(&self, series: &str) -> f64 {
        *self.series.get(series).unwrap_or_else(|| panic!("no series {series}"))
    }

    /// The value of a series that counts.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of tests are small")]
    pub(crate) fn count(&self, series: &str) -> u64 {
        self.value(series).round() as u64
    }

    /// The names of the labels of a family, without the bound of a bucket; `None` if the family has no series.
    pub(crate) fn labels(&self, family: &str) -> Option<BTreeSet<&str>> {
        let is_of = |name: &str| {
            let end = name.strip_prefix(family);
            end.is_some_and(|end| ["", "_total", "_info", "_bucket", "_count", "_sum"].contains(&end))
        };
        let split = self.series.keys().map(|series| series.split_once('{').unwrap_or((series, "")));
        let (_, labels) = split.into_iter().find(|(name, _)| is_of(name))?;
        let names = labels.split("\",").filter_map(|label| label.split_once('=')).map(|(name, _)| name);
        Some(names.filter(|name| *name != "le").collect())
    }

    /// The values of a label, over all series.
    pub(crate) fn values_of(&self, label: &str) -> BTreeSet<&str> {
        let start = format!("{label}=\"");
        self.series.keys().filter_map(|series| Some(series.split_once(&start)?.1.split_once('"')?.0)).collect()
    }
}
