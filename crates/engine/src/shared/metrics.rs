//! The metrics of a rated puzzle: the name of their kind and a JSON object, whose fields only the kind knows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::{RawValue, to_raw_value};

/// The metrics of a rated puzzle: the JSON text `{"sudoku": {…}}`. The text is kept byte for byte and parsed only where it is
/// read, so that metrics which this version does not know are stored and copied unchanged.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Metrics(Box<RawValue>);

impl Metrics {
    /// Writes metrics under a name, which is that of their kind.
    ///
    /// # Panics
    /// If the metrics have no JSON form. A struct of numbers and words has one.
    #[must_use]
    pub fn of(name: &str, metrics: &impl Serialize) -> Self {
        let named = BTreeMap::from([(name, metrics)]);
        Self(to_raw_value(&named).expect("metrics are numbers and words"))
    }

    /// The name under which they were written; empty if the text is not an object with one member.
    #[must_use]
    pub fn name(&self) -> &str {
        self.named().map_or("", |(name, _)| name)
    }

    /// Reads the object. The caller knows from the kind or from [`Self::name`] which struct it is. `None` if the object does not
    /// have the form of the struct.
    #[must_use]
    pub fn read<T: DeserializeOwned>(&self) -> Option<T> {
        self.named().and_then(|(_, object)| serde_json::from_str(object.get()).ok())
    }

    fn named(&self) -> Option<(&str, &RawValue)> {
        let mut named: BTreeMap<&str, &RawValue> = serde_json::from_str(self.0.get()).ok()?;
        named.pop_first().filter(|_| named.is_empty())
    }
}

impl PartialEq for Metrics {
    /// Compares the texts. Equal numbers have equal texts.
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Known {
        steps: u32,
        load: f64,
    }

    fn stored(text: &str) -> Metrics {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn metrics_are_read_as_they_were_written() {
        let known = Known { steps: 3, load: 0.1 + 0.2 };
        let metrics = Metrics::of("toy", &known);
        assert_eq!(serde_json::to_string(&metrics).unwrap(), r#"{"toy":{"steps":3,"load":0.30000000000000004}}"#);
        assert_eq!((metrics.name(), metrics.read()), ("toy", Some(known)));
    }

    #[test]
    fn unknown_metrics_keep_their_text_and_are_not_read() {
        for (text, name, read) in [
            (r#"{"toy": {"more": 7, "steps": 3}}"#, "toy", Some(Known { steps: 3, load: 0.0 })),
            (r#"{"toy":{"steps":1.5}}"#, "toy", None),
            (r#"{"later":[1.50,{"b":1,"a":2}]}"#, "later", None),
            (r#"{"one":{},"other":{}}"#, "", None),
            ("[1e3]", "", None),
        ] {
            let metrics = stored(text);
            assert_eq!((metrics.name(), metrics.read::<Known>()), (name, read), "{text}");
            assert_eq!(serde_json::to_string(&metrics).unwrap(), text);
            assert_ne!(metrics, Metrics::of("toy", &Known::default()));
        }
    }
}
