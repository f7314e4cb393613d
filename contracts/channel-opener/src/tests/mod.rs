//! The opener, with the committed module of the channel in the host's own virtual machine.

mod addresses;
mod claiming;
mod committed;
mod market;
mod opening;
