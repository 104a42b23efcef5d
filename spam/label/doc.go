// Package label keeps what people decided about hosts: spam or normal, and what kind of site it is. Labels are
// originals: nothing can compute them again, so the file only grows, and every line says who, when and why.
//
//	collections/<name>/labels/spam.jsonl
//	{"format":"varve-spam-labels","version":1}
//	{"host":"pills.example","label":"spam","genre":["commercial"],"note":"ring with a.example","who":"eva","when":"2026-11-15T09:00:00Z"}
//
// Terms. An [Entry] is one decision. The *latest* entry of a host is in force: own entries before those that came
// from another institution (From is set), among them the one of the latest time, among those the later line.
// A host that is *undecided* is in no training set, and no list of the crawler has it.
//
// [Log.Append] locks the file against other processes, cuts a line that a kill left half written (it was never
// acknowledged), writes all entries in one write, and returns when they are on the disk. [Log.Import] takes in a file
// of others: their entries are marked with where they came from, and those known already are passed over.
//
// Cost: reading is linear in the file, about a microsecond a line; memory is one entry per host. docs/formats/labels.md.
package label
