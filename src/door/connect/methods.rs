//! Finds the methods of the API and their messages by path, in the descriptors that are built into the program.

use std::{collections::HashMap, fmt};

use http::HeaderMap;
use prost::bytes::Bytes;
use prost_reflect::{DescriptorError, DescriptorPool, MethodDescriptor};
use tonic::Status;

use super::incoming::Incoming;

/// The methods that plain HTTP reaches, and all messages that they or their errors contain.
#[derive(Clone)]
pub struct Methods {
    pool: DescriptorPool,
    /// The unary methods and the server streams. The path is `/package.Service/Method`.
    by_path: HashMap<String, MethodDescriptor>,
}

impl Methods {
    /// The methods of the API and of the health service.
    ///
    /// # Errors
    /// [`DescriptorError`] if a dependency was built with descriptors that contradict those of the API.
    pub fn load() -> Result<Self, DescriptorError> {
        let pool = puzzled_api::whole_contract()?;
        let services: Vec<_> = pool.services().collect();
        let methods = services.iter().flat_map(|service| service.methods().collect::<Vec<_>>());
        let by_path = methods
            .filter(|method| !method.is_client_streaming())
            .map(|method| (format!("/{}/{}", method.parent_service().full_name(), method.name()), method));
        Ok(Self { by_path: by_path.collect(), pool })
    }

    pub(super) fn get(&self, path: &str) -> Option<&MethodDescriptor> {
        self.by_path.get(path)
    }

    /// The paths of all methods, in no particular order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.by_path.keys().map(String::as_str)
    }

    /// Reads the body of a request to the method at `path` as a server does. Returns the message as gRPC sends it: its head,
    /// and then the message in protocol buffers. `None` if there is no such method, or if the content type is wrong.
    ///
    /// # Errors
    /// The status with which the call fails.
    #[must_use]
    pub fn read_body(
        &self,
        path: &str,
        headers: &HeaderMap,
        body: Bytes,
        bytes_max: usize,
    ) -> Option<Result<Bytes, Status>> {
        Some(Incoming::read(headers, Some(self.get(path)?), bytes_max)?.message(body))
    }

    /// All messages.
    pub(super) fn pool(&self) -> &DescriptorPool {
        &self.pool
    }
}

impl fmt::Debug for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Methods").field("count", &self.by_path.len()).finish_non_exhaustive()
    }
}
