//! The stage runner and the worker loop: claim, heartbeat, stages, the paid door, recovery, drain.
