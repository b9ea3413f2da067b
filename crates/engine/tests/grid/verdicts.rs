//! What each kind says about texts without one solution, by `verdicts.toml` of its folder.

use puzzled_engine::shared::{
    budget::{Budget, OutOfBudget},
    text::Verdict,
};

use super::cases::{
    kinds::cases,
    verdicts::{Is, Judged, Verdicts},
};

/// The nodes of a search if a case states none.
const NODES_MAX: u64 = 10_000;

#[test]
fn verdict_on_a_text_says_why_and_names_the_rule_that_decides() {
    for (kind, verdicts) in cases::<Verdicts>("verdicts.toml") {
        for Judged { variant, text, verdict: expected, cells, reason, under_rule, nodes } in verdicts.verdict {
            let mut budget = Budget::of_nodes(nodes.unwrap_or(NODES_MAX));
            let verdict = kind.validate(&variant, &text, &mut budget).unwrap();
            let columns = kind.size(&variant, &text).unwrap().columns;
            let named = |cells: &[u16]| -> Vec<_> {
                cells.iter().map(|cell| format!("r{}c{}", cell / columns + 1, cell % columns + 1)).collect()
            };
            assert_eq!(kind.under_rule(&variant, &text, &verdict), under_rule, "{text}");
            let (is, why, at) = match verdict {
                Verdict::Unique { .. } => (Is::Unique, String::new(), Vec::new()),
                Verdict::NoSolution => (Is::None, String::new(), Vec::new()),
                Verdict::Several { differ, .. } => (Is::Several, String::new(), named(&differ)),
                Verdict::Contradiction { cells, reason } => (Is::Contradiction, reason, named(&cells)),
                Verdict::Unknown(OutOfBudget::Nodes) => (Is::Unknown, String::new(), Vec::new()),
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!((is, why), (expected, reason), "{text}");
            assert!(is != Is::Several || !at.is_empty(), "{text}");
            assert!(cells.is_empty() || at == cells, "{text}: {at:?}");
        }
    }
}
