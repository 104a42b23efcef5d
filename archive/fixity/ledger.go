package fixity

import (
	"fmt"
	"time"

	"varve/archive/catalog"
	"varve/archive/journal"
)

// Outcome is what a look at a file found.
type Outcome string

// The outcomes.
const (
	Recorded   Outcome = "recorded"   // seen for the first time
	OK         Outcome = "ok"         // as it was
	Grown      Outcome = "grown"      // a journal that has new lines; the old ones are as they were
	Accepted   Outcome = "accepted"   // a person said that the change is right
	Removed    Outcome = "removed"    // a person said that it was taken out on purpose
	Changed    Outcome = "changed"    // other bytes than recorded
	Missing    Outcome = "missing"    // recorded, but not there
	Unreadable Outcome = "unreadable" // the disk or the rights do not let us
)

// Bad tells outcomes that somebody must look at.
func (o Outcome) Bad() bool { return o == Changed || o == Missing || o == Unreadable }

// Look is one line of the ledger. Size and SHA256 are what was found.
type Look struct {
	Time    time.Time `json:"time"`
	File    string    `json:"file"` // path in the collection, with slashes; absolute for files that lie elsewhere
	Size    int64     `json:"size"`
	SHA256  string    `json:"sha256,omitempty"` // in hex
	Outcome Outcome   `json:"outcome"`
	Expect  string    `json:"expect,omitempty"` // what it should have been, where it is not
	Why     string    `json:"why,omitempty"`
	By      string    `json:"by,omitempty"`
}

// known is what the ledger says of a file.
type known struct {
	size    int64 // that the digest is of
	digest  string
	checked time.Time // when it was last looked at
	last    Outcome
}

// ledger is the state that the lines of a ledger add up to.
type ledger struct {
	files map[string]known
	bad   []string // lines that could not be read
}

func readLedger(path string) (*ledger, error) {
	l := &ledger{files: map[string]known{}}
	for look, err := range journal.Read[Look](path) {
		if err != nil {
			l.bad = append(l.bad, err.Error())
			if len(l.bad) > maxBad {
				return nil, fmt.Errorf("the ledger is damaged: %s", l.bad[0])
			}
			continue
		}
		l.add(look)
	}
	return l, nil
}

// maxBad is how many lines of a ledger may be unreadable before it is not believed.
const maxBad = 100

func (l *ledger) add(look Look) {
	k := l.files[look.File]
	k.checked, k.last = look.Time, look.Outcome
	switch look.Outcome {
	case Recorded, Accepted, Grown:
		k.size, k.digest = look.Size, look.SHA256
	}
	switch {
	case look.Outcome == Removed:
		delete(l.files, look.File)
	case k.digest != "":
		l.files[look.File] = k
	}
}

// Known gives the SHA-256 that each file of a collection has to have, in hex, by its name in the ledger.
func Known(col *catalog.Collection) (map[string]string, error) {
	l, err := readLedger(LedgerFile(col))
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(l.files))
	for file, k := range l.files {
		out[file] = k.digest
	}
	return out, nil
}
