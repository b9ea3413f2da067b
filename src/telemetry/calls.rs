//! Counts the calls of each method by status code, and their durations, and writes these metrics under the names that
//! gRPC servers of many languages use. All series exist from the start.

use std::{collections::HashMap, fmt, time::Duration};

use prost::Message as _;
use prost_types::{FileDescriptorSet, MethodDescriptorProto};
use tonic::Code;

use super::scrape::{Labels, Page};
use puzzled_api::DESCRIPTORS;
use puzzled_base::counters::{Counter, Durations, SHORT_US};

/// The value of the label `grpc_code` for each status code.
const CODES: [&str; 17] = [
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
];

/// The labels of calls of unknown methods.
const UNKNOWN: &str = "unknown";

/// The word of the label `grpc_code` for a status code.
#[must_use]
pub fn code_name(code: Code) -> &'static str {
    CODES[code as usize]
}

/// The calls of all methods.
#[derive(Debug)]
pub struct CallCounters {
    /// The last one counts calls of unknown methods.
    methods: Vec<Method>,
    /// The index in `methods` for each path of a request.
    places: HashMap<String, usize>,
}

/// The index of a method in its [`CallCounters`].
#[derive(Debug, Clone, Copy)]
pub struct MethodPlace(usize);

#[derive(Debug)]
struct Method {
    service: String,
    name: String,
    /// `unary`, or which side streams.
    kind: &'static str,
    started: Counter,
    handled: [Counter; CODES.len()],
    seconds: Durations,
}

impl CallCounters {
    /// Counters for the methods of the API, of health, and of reflection.
    pub(super) fn new() -> Self {
        let sets = [
            DESCRIPTORS,
            tonic_health::pb::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1::FILE_DESCRIPTOR_SET,
            tonic_reflection::pb::v1alpha::FILE_DESCRIPTOR_SET,
        ];
        let mut methods: Vec<_> = sets.into_iter().flat_map(methods).collect();
        methods.push(Method::new(UNKNOWN.to_owned(), UNKNOWN.to_owned(), kind(false, false)));
        let paths = methods.iter().map(|method| format!("/{}/{}", method.service, method.name));
        Self { places: paths.zip(0..).collect(), methods }
    }

    /// The method with this path; the unknown method if there is none.
    #[must_use]
    pub fn place(&self, path: &str) -> MethodPlace {
        MethodPlace(self.places.get(path).copied().unwrap_or(self.methods.len() - 1))
    }

    /// The service and the method, or `unknown` twice. Neither contains text of a caller.
    #[must_use]
    pub fn names(&self, MethodPlace(place): MethodPlace) -> (&str, &str) {
        let Method { service, name, .. } = &self.methods[place];
        (service, name)
    }

    /// Counts a call that starts.
    pub fn started(&self, MethodPlace(place): MethodPlace) {
        self.methods[place].started.one();
    }

    /// Counts a call that ended with `code` after `took`. A stream ends with its last message.
    pub fn ended(&self, MethodPlace(place): MethodPlace, code: Code, took: Duration) {
        let method = &self.methods[place];
        method.handled[code as usize].one();
        method.seconds.add(took);
    }

    pub(super) fn write(&self, page: &mut Page<'_>) -> fmt::Result {
        let each = || self.methods.iter();
        let started = each().map(|method| (method.labels(), &method.started));
        page.counters("grpc_server_started", "Calls that started.", started)?;
        let handled = each().flat_map(|method| {
            let codes = CODES.into_iter().zip(&method.handled);
            codes.map(|(code, handled)| ([method.labels(), vec![("grpc_code", code)]].concat(), handled))
        });
        page.counters("grpc_server_handled", "Calls that ended, by their status code.", handled)?;
        let seconds = each().map(|method| (method.labels(), method.seconds.now()));
        page.histograms("grpc_server_handling_seconds", "Time from the start to the end of a call.", seconds)
    }
}

impl Method {
    fn new(service: String, name: String, kind: &'static str) -> Self {
        let handled = std::array::from_fn(|_| Counter::default());
        Self { service, name, kind, started: Counter::default(), handled, seconds: Durations::new(SHORT_US) }
    }

    fn labels(&self) -> Labels<'_> {
        vec![("grpc_service", &self.service), ("grpc_method", &self.name), ("grpc_type", self.kind)]
    }
}

/// The methods of a set of descriptors. A set that cannot be decoded has none.
fn methods(descriptors: &[u8]) -> Vec<Method> {
    let files = FileDescriptorSet::decode(descriptors).unwrap_or_default().file;
    let services = files.into_iter().flat_map(|file| {
        let package = file.package().to_owned();
        file.service.into_iter().map(move |service| (format!("{package}.{}", service.name()), service.method))
    });
    let methods = services.flat_map(|(service, methods)| methods.into_iter().map(move |at| (service.clone(), at)));
    methods.map(|(service, at)| Method::new(service, at.name().to_owned(), kind_of(&at))).collect()
}

fn kind_of(method: &MethodDescriptorProto) -> &'static str {
    kind(method.client_streaming(), method.server_streaming())
}

fn kind(client_streams: bool, server_streams: bool) -> &'static str {
    match (client_streams, server_streams) {
        (false, false) => "unary",
        (false, true) => "server_stream",
        (true, false) => "client_stream",
        (true, true) => "bidi_stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_all_services_are_known_and_others_are_one() {
        let calls = CallCounters::new();
        for (path, service, name) in [
            ("/puzzled.v1.PuzzleService/GetPuzzle", "puzzled.v1.PuzzleService", "GetPuzzle"),
            ("/grpc.health.v1.Health/Watch", "grpc.health.v1.Health", "Watch"),
            ("/puzzled.v1.PuzzleService/Get", UNKNOWN, UNKNOWN),
            ("/secret", UNKNOWN, UNKNOWN),
        ] {
            assert_eq!(calls.names(calls.place(path)), (service, name), "{path}");
        }
    }

    #[test]
    fn codes_have_the_words_of_other_languages() {
        assert_eq!(code_name(Code::Ok), "OK");
        assert_eq!(code_name(Code::Cancelled), "Canceled");
        assert_eq!(code_name(Code::Unauthenticated), "Unauthenticated");
        assert_eq!(Code::Unauthenticated as usize + 1, CODES.len());
    }
}
