//! Writes the metrics of a scrape, one family after the other: counters, gauges, histograms, and facts as labels.

use std::fmt;

use prometheus_client::{
    encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet},
    metrics::{MetricType, exemplar::Exemplar},
};

use puzzled_base::counters::{Counter, DurationsNow};

/// The labels of a series. Their values come from closed lists, so that the number of series is bounded.
pub(super) type Labels<'a> = Vec<(&'static str, &'a str)>;

/// A page of metrics that is being written.
pub(super) struct Page<'a>(DescriptorEncoder<'a>);

impl<'a> Page<'a> {
    pub(super) fn new(encoder: DescriptorEncoder<'a>) -> Self {
        Self(encoder)
    }

    /// Writes a family of counters. The formats add `_total` to its name.
    pub(super) fn counters<'l>(
        &mut self,
        name: &str,
        help: &str,
        series: impl IntoIterator<Item = (Labels<'l>, &'l Counter)>,
    ) -> fmt::Result {
        self.family(name, help, MetricType::Counter, series, |encoder, counter| {
            encoder.encode_counter(&counter.get(), None::<&Exemplar<NoLabelSet, f64>>)
        })
    }

    /// Writes a counter without labels.
    pub(super) fn counter(&mut self, name: &str, help: &str, value: f64) -> fmt::Result {
        self.family(name, help, MetricType::Counter, [(Vec::new(), value)], |encoder, value| {
            encoder.encode_counter(&value, None::<&Exemplar<NoLabelSet, f64>>)
        })
    }

    /// Writes a family of gauges; nothing if there is no series.
    pub(super) fn gauges<'l>(
        &mut self,
        name: &str,
        help: &str,
        series: impl IntoIterator<Item = (Labels<'l>, f64)>,
    ) -> fmt::Result {
        self.family(name, help, MetricType::Gauge, series, |encoder, value| encoder.encode_gauge(&value))
    }

    /// Writes a gauge without labels; nothing if there is no value.
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: impl Into<Option<f64>>) -> fmt::Result {
        self.gauges(name, help, value.into().map(|value| (Vec::new(), value)))
    }

    pub(super) fn histograms<'l>(
        &mut self,
        name: &str,
        help: &str,
        series: impl IntoIterator<Item = (Labels<'l>, DurationsNow)>,
    ) -> fmt::Result {
        self.family(name, help, MetricType::Histogram, series, |encoder, now| {
            encoder.encode_histogram::<NoLabelSet>(now.sum, now.count, &now.buckets, None)
        })
    }

    /// Writes facts as the labels of a series that is always 1. The formats add `_info` to its name.
    pub(super) fn infos(&mut self, name: &str, help: &str, facts: &[(&'static str, &str)]) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Info)?.encode_info(&facts.to_vec())
    }

    fn family<'l, T>(
        &mut self,
        name: &str,
        help: &str,
        metric_type: MetricType,
        series: impl IntoIterator<Item = (Labels<'l>, T)>,
        mut write: impl FnMut(&mut MetricEncoder<'_>, T) -> fmt::Result,
    ) -> fmt::Result {
        let mut series = series.into_iter().peekable();
        if series.peek().is_none() {
            return Ok(());
        }
        let mut encoder = self.0.encode_descriptor(name, help, None, metric_type)?;
        for (labels, value) in series {
            if labels.is_empty() {
                write(&mut encoder, value)?;
            } else {
                write(&mut encoder.encode_family(&labels)?, value)?;
            }
        }
        Ok(())
    }
}
