//! Checks of the fields that requests share. All of a request's fields are looked at before it is refused, so that a
//! caller learns of every fault at once.

mod delivery;
mod lists;
mod shelves;

use super::{
    errors::{Invalid, ServiceError},
    render,
    settings::Limits,
};
use crate::{proto::v1 as pb, stock::targets::draft::PRIORITY_MAX};
use puzzled_engine::{
    kind::PuzzleKind,
    level::Level,
    spec::{Spec, SpecError, Target},
    symmetry::Symmetry,
    text::TextError,
};
pub(super) use shelves::Criteria;

/// Most faults of one request that are told: a status travels in headers, which have to stay small.
pub(super) const FAULTS_MAX: usize = 20;

/// Most bytes of a variant's name: a layout of 30x30 cells, said sign by sign, has 936.
const VARIANT_LEN_MAX: usize = 1_024;

/// Most bytes of a technique's name; the longest that any kind knows has 68.
const TECHNIQUE_LEN_MAX: usize = 100;

/// Most characters of a wrong value that are repeated to its sender.
const QUOTED_MAX: usize = 40;

/// The faults of one request.
#[derive(Debug, Default)]
pub(super) struct Checks {
    invalid: Vec<(&'static str, String)>,
    /// A fault that is not the request's, and is told only if the request has none.
    unsupported: Option<ServiceError>,
}

impl Checks {
    /// Notes a fault: the field, and a sentence with value and limit.
    pub(super) fn refuse(&mut self, field: &'static str, description: String) {
        if self.invalid.len() < FAULTS_MAX {
            self.invalid.push((field, description));
        }
    }

    /// Notes that this server cannot do what is asked.
    pub(super) fn unsupported(&mut self, error: ServiceError) {
        self.unsupported.get_or_insert(error);
    }

    /// Ends the checks.
    pub(super) fn done(self) -> Result<(), ServiceError> {
        if !self.invalid.is_empty() {
            let invalid = self.invalid.into_iter().map(|(field, description)| (field.into(), description));
            return Err(ServiceError::Invalid(Invalid(invalid.collect())));
        }
        self.unsupported.map_or(Ok(()), Err)
    }

    /// Ends the checks with a value that is there if there was no fault.
    pub(super) fn done_with<T>(self, value: Option<T>) -> Result<T, ServiceError> {
        self.done()?;
        value.ok_or_else(|| ServiceError::Internal("a request without a fault came to nothing".to_owned()))
    }

    /// The kind; none if it is not said or not to be had.
    pub(super) fn kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        match pb::Kind::try_from(value) {
            Ok(pb::Kind::Unspecified) => None,
            Ok(kind) => {
                let found = render::kind_of(kind);
                if found.is_none() {
                    self.unsupported(ServiceError::KindUnsupported(kind.as_str_name()));
                }
                found
            }
            Err(_) => {
                self.refuse("kind", format!("{value} is not a kind: see GetServerInfo"));
                None
            }
        }
    }

    /// The kind, which must be said.
    pub(super) fn required_kind(&mut self, value: i32) -> Option<&'static dyn PuzzleKind> {
        if value == i32::from(pb::Kind::Unspecified) {
            self.refuse("kind", "KIND_UNSPECIFIED where a kind is required".to_owned());
        }
        self.kind(value)
    }

    /// The variant of a kind of which puzzles are to be made: its default one if none is said, none if it makes no such.
    pub(super) fn variant(&mut self, kind: &dyn PuzzleKind, name: &str) -> Option<String> {
        if name.is_empty() {
            return Some(kind.default_variant().to_owned());
        }
        let fault = variant_fault(kind, name);
        let known = fault.is_none().then(|| kind.variant_name(name));
        if let Some(fault) = fault {
            self.refuse("variant", fault);
        }
        known
    }

    /// The variant of a text that a caller brings. Whether there is such a one, the text's own check says.
    pub(super) fn text_variant(&mut self, kind: &dyn PuzzleKind, name: &str) -> String {
        if name.is_empty() {
            return kind.text_variant().to_owned();
        }
        if let Some(fault) = variant_len_fault(name) {
            self.refuse("variant", fault);
        }
        name.to_owned()
    }

    /// The level; none if it is not said.
    pub(super) fn level(&mut self, value: i32) -> Option<Level> {
        let level = pb::Level::try_from(value);
        if level.is_err() {
            self.refuse("level", format!("{value} is not a level: 1 (LEVEL_EASY) to 5 (LEVEL_EVIL)"));
        }
        level.ok().and_then(render::level_of)
    }

    /// The symmetry; none if it is not said.
    pub(super) fn symmetry(&mut self, value: i32) -> Option<Symmetry> {
        let symmetry = pb::Symmetry::try_from(value);
        if symmetry.is_err() {
            self.refuse("symmetry", format!("{value} is not a symmetry: 1 (SYMMETRY_NONE) to 8 (SYMMETRY_FULL)"));
        }
        symmetry.ok().and_then(render::symmetry_of)
    }

    /// The priority of a job.
    pub(super) fn priority(&mut self, priority: i32) -> i32 {
        if !(-PRIORITY_MAX..=PRIORITY_MAX).contains(&priority) {
            self.refuse("priority", format!("{priority} is outside -{PRIORITY_MAX} to {PRIORITY_MAX}"));
        }
        priority
    }

    /// Whether a text is short enough to be looked at.
    pub(super) fn text_len(&mut self, field: &'static str, text: &str, limits: &Limits) {
        if text.len() > limits.text_len_max as usize {
            self.refuse(field, format!("{} bytes are above {}", text.len(), limits.text_len_max));
        }
    }

    /// The text of a puzzle in its stored form; none if it is not one of this kind.
    pub(super) fn text(&mut self, kind: &dyn PuzzleKind, variant: &str, text: &str) -> Option<String> {
        let read = kind.normalise(variant, text);
        if let Err(error) = &read {
            self.refuse_text("text", error);
        }
        read.ok()
    }

    /// Notes what is wrong with the text in a field, or with the variant that it is said to be of.
    pub(super) fn refuse_text(&mut self, field: &'static str, error: &TextError) {
        let field = if matches!(error, TextError::Variant { .. }) { "variant" } else { field };
        self.refuse(field, text_fault(error));
    }
}

/// The name of a technique as the kind writes it; what is too long for any is cut, for the kind to refuse.
pub(super) fn technique_named(kind: &dyn PuzzleKind, name: &str) -> String {
    if name.len() > TECHNIQUE_LEN_MAX { cut(name).to_owned() } else { Spec::technique_named(&kind.techniques(), name) }
}

/// A wrong value as it is repeated to its sender: in quotes, and cut if it is long.
pub(super) fn quoted(value: &str) -> String {
    let head = cut(value);
    let more = if head.len() < value.len() { format!("… ({} bytes)", value.len()) } else { String::new() };
    format!("{head:?}{more}")
}

/// The beginning of a value that may be long.
pub(super) fn cut(value: &str) -> &str {
    value.char_indices().nth(QUOTED_MAX).map_or(value, |(end, _)| &value[..end])
}

/// What is wrong with a variant's name, if anything: the kind's own check of an otherwise empty spec says so.
fn variant_fault(kind: &dyn PuzzleKind, name: &str) -> Option<String> {
    if let Some(fault) = variant_len_fault(name) {
        return Some(fault);
    }
    let spec = Spec {
        kind: kind.name().to_owned(),
        variant: name.to_owned(),
        symmetry: Symmetry::None,
        target: Target::Any,
        clues: None,
        technique: None,
    };
    match kind.check_spec(&spec) {
        Err(SpecError::Invalid { field: "variant", reason }) => Some(reason),
        _ => None,
    }
}

fn variant_len_fault(name: &str) -> Option<String> {
    (name.len() > VARIANT_LEN_MAX).then(|| format!("{} bytes are above {VARIANT_LEN_MAX}", name.len()))
}

fn text_fault(error: &TextError) -> String {
    match error {
        TextError::Length { len, wanted } => format!("{len} cells where {wanted} are wanted"),
        TextError::Character { found, at } => format!("{found:?} at place {at}, from 0, means nothing here"),
        TextError::Variant { reason } | TextError::Malformed { reason } => reason.clone(),
    }
}
