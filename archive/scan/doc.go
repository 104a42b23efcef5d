// Package scan reads a WARC or ARC file once and hands its records to all who want something of them.
//
// Terms:
//
//	item     one record: its header, its HTTP head, and as much of its payload as somebody asked for
//	mapper   one analysis: a function of an item, with a name, a version, what it needs and its limits
//	sink     where a mapper's results go, in the order of the file: a table, an index, a list
//	task     a mapper at work on one file, with its sink
//	worker   a process of the same program that maps items and can be killed with what it does
//
// Algorithm, for one file:
//
//	on all cores:  record -> note (archive/capture) and item; each mapper says by the head which part it wants
//	               payload: read once, if any of them wants it; decoded once (Item.Content), shared readings once (Share)
//	               each mapper in the order of needs: its function, here or in a worker, within its limits
//	in order:      item -> window: requests and metadata find their answers -> sinks
//
// If nobody wants a payload, it is passed over: an index costs its heads, whoever else could be asked.
//
// Limits. A mapper that fails, panics, takes longer than its time or holds more than its memory loses that item: the
// task is told, the sink gets the error in place of a result, and all others go on. Go cannot kill a goroutine; so,
// where Options.Workers is set, mappers run in worker processes, one item at a time. A worker that is over a limit is killed and
// another takes its place; mappers that were not to blame get the item again. Without workers an item is run
// in this process and is only asked to stop, through its context: for tests, and for readers of heads.
//
// Cost: a worker costs the way of an item and of its results through two pipes, and some 20 ms when it is started (docs/decisions/20261115_one_scan.md
// has figures). Memory: the items under way, one for each core, and the results of the last 256 records.
package scan
