// Package notes keeps what people say about a collection: notes, decisions, questions and matters of rights, about the
// collection itself, one of its crawls, a page, or a single capture.
//
// Terms. A *subject* is what a note is about. A *thread* is a note with all that was said and done about it later:
// answers, that it was closed or opened again, that readers may see it. A note is *internal* unless it was made
// *public*. A question, like any note that was not closed, is *open*.
//
// Notes are originals of an archive like labels: lines of collections/NAME/labels/notes.jsonl (docs/formats/notes.md),
// which only grow. A later line about a note refers to it by its id; nothing is changed or taken out.
//
//	add:   check sizes, characters, references -> id = SHA-256(time, who, subject, text) -> journal.Append
//	read:  line by line: a note begins a thread; an act changes the thread of its id; what cannot be read, or refers
//	       to nothing, is told and hides nothing else
//
// Cost: a Book reads its file when its date or size changed, linear in lines; listing is linear in threads. A file
// holds at most 100,000 lines; a text 8,000 bytes.
package notes
