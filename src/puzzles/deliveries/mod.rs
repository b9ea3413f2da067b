//! The methods that read, add to, and delete the deliveries of an audience.

mod forget_audience;
mod list_deliveries;
mod record_deliveries;

use crate::wire::Parser;

impl Parser {
    /// The name of an audience, which is required.
    fn required_audience(&mut self, audience: &str) {
        if audience.is_empty() {
            self.refuse("audience", "required; set the name of an audience".to_owned());
        }
        self.name("audience", audience);
    }
}
