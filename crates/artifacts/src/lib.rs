//! Content-addressed artifacts over object_store: the blob is complete before anything names it.
