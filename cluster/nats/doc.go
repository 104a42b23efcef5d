// Package nats is the engine of a crawl on many nodes (crawl/nodes/engine) on NATS JetStream: the table is a key-value bucket, the log
// a stream, the shelf an object store, all three of one crawl and named after it.
//
// NATS does the replication: three copies where the cluster has three servers, one otherwise. What Append and Put have acknowledged is
// on the disks of a majority only if the servers run with "sync_interval: always" in their JetStream block, which a client can neither
// set nor ask for (docs/scale.md).
//
// Costs: a write is one round trip to the leader of its stream; Append pipelines its messages, so that many cost one. When a leader
// dies, writes fail for five to six seconds: callers repeat them, all of them can be repeated.
package nats
