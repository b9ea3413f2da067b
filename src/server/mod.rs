//! The methods of `ServerService`, one in each file.

mod get_server_info;
mod list_audit_entries;
mod list_processes;
