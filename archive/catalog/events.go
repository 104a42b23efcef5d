package catalog

import (
	"path/filepath"
	"time"

	"varve/archive/journal"
)

// Event is something that was done to a collection as a whole: the words are those of PREMIS where it has one.
type Event struct {
	Time    time.Time `json:"time"`
	Type    string    `json:"type"`    // ingestion, capture, fixity check, replication, ...
	Outcome string    `json:"outcome"` // success, or what was wrong, in a word
	Agent   string    `json:"agent"`   // the program and its version
	By      string    `json:"by,omitempty"`
	Detail  string    `json:"detail,omitempty"`
	Objects []string  `json:"objects,omitempty"` // files, crawls, packages
}

// EventsFile is the journal of what was done to the collection.
func (c *Collection) EventsFile() string { return filepath.Join(c.dir, "events.jsonl") }

// Note adds an event to the collection's journal.
func (c *Collection) Note(e Event) error { return journal.Append(c.EventsFile(), e) }

// Events gives what was done to the collection, oldest first; lines that cannot be read are passed over and counted.
func (c *Collection) Events() (events []Event, unreadable int) {
	for e, err := range journal.Read[Event](c.EventsFile()) {
		if err != nil {
			unreadable++
			continue
		}
		events = append(events, e)
	}
	return events, unreadable
}
