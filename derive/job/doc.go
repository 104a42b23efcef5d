// Package job runs batch work over the files of a collection: map over parts, combine and reduce by
// key, with dependencies between jobs. It is the seam behind which one machine, or an engine for
// many, does the work; here is the embedded runner.
//
// Terms:
//
//	part     a file of the input (a WARC file); what is done, or done again, as a whole
//	item     one record of a part; what has limits and may fail alone
//	table    a kind of output; each part has a file of it, DIR/<table>/<part>.parquet
//	run      the sorted pairs (key, value) that a part emitted for the reducer
//	receipt  what a part was made from, and what came out; it stands for "done"
//
// Algorithm:
//
//	jobs in the order of their needs; of each job, parts side by side:
//	  receipt fits the part, the version of the job and the files -> nothing to do
//	  else  Map writes tables and pairs into temporary files
//	        sync, rename each into its place, write the receipt: the part is done
//	if a part was done or is gone, and there is a Reduce:
//	  merge all runs by key -> Combine -> Reduce -> files under their final names -> receipt
//
// A kill at any moment leaves temporary files, which the next run removes, and parts without a
// receipt, which it does again. What comes out depends on the input alone: resumed or not, it is the
// same to the byte.
//
// Items run under a limit of time. One that fails, panics or takes too long is written to
// failures.jsonl and skipped from then on by that version of the job; the rest goes on. An item that
// was under way for some seconds when the process died is suspected; after two deaths it is skipped too.
//
// Cost: memory is the buffer of pairs (Config.Memory, spilled to disk in sorted pieces) for each
// part under way, and one block per run while merging; pairs are written and read once, or twice
// where they did not fit.
package job
