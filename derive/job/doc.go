// Package job runs batch work over the files of a collection: map over parts, combine and reduce by
// key, with dependencies between jobs. A run plans steps and keeps the books; an Engine does the steps: goroutines of this process, or
// machines elsewhere (cluster/beam).
//
// Terms:
//
//	part     a file of the input (a WARC file); what is done, or done again, as a whole
//	item     one record of a part; what has limits and may fail alone
//	table    a kind of output; each part has a file of it, DIR/<table>/<part>.parquet
//	run      the sorted pairs (key, value) that a part emitted for the reducer
//	receipt  what a part was made from, and what came out; it stands for "done"
//	step     the scan of a part for all jobs, the map of a part by one, or a reduction
//	stage    steps that do not depend on each other
//	outcome  a folder with the files that a step made, and their receipts to be
//
// Algorithm:
//
//	stages: scan of files; maps, in the order of needs; reductions. Of each stage:
//	  receipt fits the part, the version of the job and the files -> nothing to do
//	  else a step, which the engine does: tables and pairs into a folder of its own, synced
//	       -> the run renames each file into its place and writes the receipt: it is done
//	reduction, if a part was done or is gone: merge all runs by key -> Combine -> Reduce
//
//	elsewhere: Worker does a step and gives the folder the name of its digest; Await finds it, and hands it to the run
//
// A kill at any moment leaves temporary files, which the next run removes, and parts without a
// receipt, which it does again. What comes out depends on the input alone: resumed or not, here or elsewhere, it is the
// same to the byte.
//
// Items run under a limit of time. One that fails, panics or takes too long is written to
// failures.jsonl and skipped from then on by that version of the job; the rest goes on. An item that
// was under way for some seconds when the process died is suspected; after two deaths it is skipped too. A part that fails as a whole (its file is
// gone, a table cannot be written) keeps no other from being done; the error comes at the end of the stage.
//
// Cost: memory is the buffer of pairs (Config.Memory, spilled to disk in sorted pieces) for each
// part under way, and one block per run while merging; pairs are written and read once, or twice
// where they did not fit.
package job
