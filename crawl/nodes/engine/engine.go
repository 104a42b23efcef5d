// Package engine declares what a crawl on many nodes needs of the outside, and has the embedded implementation of it.
//
// Terms. A *table* holds small values under keys, each with a revision; a write names the revision that it replaces, so of two writers
// one learns that it was late. A *log* keeps messages by subject in one order; what Append has acknowledged stays until it is trimmed. A
// *shelf* holds objects.
//
// Keys and subjects are words of letters, digits, "-" and "_" joined by dots. A prefix ends with a dot, or is empty.
//
// Memory is the implementation within a process: what tests, simulations and several nodes of one process use. cluster/nats has the
// same on NATS JetStream; enginetest is what both must do.
package engine

import (
	"context"
	"errors"
	"io"
)

// The errors that callers tell apart. Others mean that the engine could not be asked, and nothing is known.
var (
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("another was first") // the key is not at the revision that was to be replaced
)

// Entry is a key of a table. Value is nil where the key was deleted.
type Entry struct {
	Key      string
	Value    []byte
	Revision uint64
}

// Table holds values under keys. Revisions grow with each write to the table. What Get and List return may be a little behind, also that a key is not
// there: only a write knows. (Copies of a NATS bucket answer reads.)
type Table interface {
	Get(ctx context.Context, key string) (Entry, error)
	// Put writes a value over the revision last, 0 for a key that is not there, and returns the new revision.
	Put(ctx context.Context, key string, value []byte, last uint64) (uint64, error)
	// Delete removes a key that is at the revision last.
	Delete(ctx context.Context, key string, last uint64) error
	// List returns the keys with a prefix, in their order.
	List(ctx context.Context, prefix string) ([]Entry, error)
	// Watch passes the keys with a prefix that are there, and then each change, the changes of a key in their order, until ctx ends. An
	// observer who is slow may miss values that were replaced meanwhile, never the last one.
	Watch(ctx context.Context, prefix string, each func(Entry)) error
}

// Message is a message of a log.
type Message struct {
	Subject string
	Data    []byte
	Left    int64  // given by Follow: how many of its subjects were behind it when it was passed
	Seq     uint64 // its place in the order of the log, from 1; given by Append
}

// Log keeps messages in one order.
type Log interface {
	// Append adds messages, and returns when all of them are durable, with the place of the last one. After an error some may be there.
	Append(ctx context.Context, messages ...Message) (uint64, error)
	// Last returns the place of the last message of the log; 0: there was none.
	Last(ctx context.Context) (uint64, error)
	// Follow passes the messages of subjects behind a place, in their order, until ctx ends or each returns an error, which is returned.
	// An empty subject list has no messages.
	Follow(ctx context.Context, subjects []string, after uint64, each func(Message) error) error
	// Read passes the messages of subjects behind a place up to another, and returns.
	Read(ctx context.Context, subjects []string, after, upTo uint64, each func(Message) error) error
	// Trim removes the messages of a subject up to a place.
	Trim(ctx context.Context, subject string, upTo uint64) error
}

// Shelf holds objects. An object is there whole or not at all.
type Shelf interface {
	Store(ctx context.Context, name string, r io.Reader) error
	Fetch(ctx context.Context, name string) (io.ReadCloser, error)
	Remove(ctx context.Context, name string) error // one that is not there is no error
}

// Engine is all three, of one crawl.
type Engine interface {
	Table
	Log
	Shelf
}
