// Package cdxspeed measures the index of captures: how fast it is built, what a lookup costs, how
// fast scans stream, and how memory and disk grow.
//
// The captures are made up: a few thousand hosts of unequal size, some captures per URL, in the order
// in which crawls would take them, so that building has to sort all of them. Costs are processor time
// of the process; what making the lines up costs is measured alone and told. Latencies are wall time,
// with the files in the cache of the system.
package cdxspeed
