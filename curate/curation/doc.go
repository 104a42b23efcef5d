// Package curation is the list of the films and sounds of a collection, by which curators decide: what pages
// show, what of it is archived, what is asked for, and what people noted about it.
//
// It joins three things by the address of the object:
//
//	derived/media.parquet    what was found and what is archived (varve derive; can be made again)
//	media/queue.jsonl        what is to be got by external programs (crawl/media/queue)
//	labels/media.jsonl       what people noted, append-only: an original of the archive
//
// Terms. An *entry* is one object; its *state* is
//
//	archived   there is something to play: the file, the stream, or what an external program got
//	queued     somebody asked for it
//	failed     as often as it may
//	found      a page shows it, and that is all
//
// Objects that were asked for or noted but are on no page yet are listed, too.
//
// Cost: a list reads the table once, from the beginning to the page that is asked for; memory is the queue, the
// notes and one page.
package curation
