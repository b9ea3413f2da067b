//! What the services share between messages and the store. `parser` collects the faults of a request; `criteria`, `page`, `roles`, and `times`
//! read and write what the messages of several services contain.

mod parser;

mod criteria;
mod page;
mod roles;
mod times;

pub(crate) use criteria::{compared, level_at};
pub(crate) use page::Page;
pub(crate) use parser::{FAULTS_MAX, Parser, each, remark_fault, required_id};
pub(crate) use roles::{caller, role};
pub(crate) use times::{duration_of, instant};
