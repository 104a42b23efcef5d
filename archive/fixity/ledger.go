package fixity

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"varve"
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
	Disputed   Outcome = "disputed"   // ledger and manifest do not agree on what it has to be, or a damaged ledger has lost that
	Unreadable Outcome = "unreadable" // the disk or the rights do not let us
)

// Bad tells outcomes that somebody must look at.
func (o Outcome) Bad() bool {
	return o == Changed || o == Missing || o == Unreadable || o == Disputed
}

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

// known is what is recorded of a file.
type known struct {
	size     int64 // that the digest is of
	digest   string
	checked  time.Time // when it was last looked at
	last     Outcome
	manifest string // the digest that the manifest has
	other    string // another digest that a line of the ledger found right
}

// ledger is the state that the lines of a ledger and the manifest beside it add up to. The manifest counts where the ledger
// has lost a line: that keeps a hole in it from being filled by whatever the file is now.
type ledger struct {
	files   map[string]known
	removed map[string]bool   // taken out by a person
	listed  map[string]string // the manifest as it was
	bad     []string          // what could not be read
	hole    bool              // lines are lost, and nobody has closed the matter: unknown files may be old ones
	spoilt  bool              // lines of the manifest cannot be read
}

// readLedger reads the ledger of a collection, and its manifest.
func readLedger(col *catalog.Collection) (*ledger, error) {
	l := &ledger{files: map[string]known{}, removed: map[string]bool{}}
	if err := l.readManifest(ManifestFile(col)); err != nil {
		return nil, err
	}
	for look, err := range journal.Read[Look](LedgerFile(col)) {
		if err == nil {
			err = look.check(col)
		}
		if err != nil && !errors.Is(err, journal.ErrTorn) {
			l.hole = true
		}
		if err != nil {
			l.bad = append(l.bad, err.Error())
			if len(l.bad) > maxBad {
				return nil, &varve.Error{
					Kind: varve.Unavailable, Msg: "the ledger is damaged: " + l.bad[0],
					Hint: "bring fixity.jsonl back from a copy; manifest-sha256.txt beside it still says what the files have to be",
				}
			}
			continue
		}
		l.add(look)
	}
	l.askManifest(col)
	return l, nil
}

// check tells whether a line of the ledger can be one that we wrote.
func (look *Look) check(col *catalog.Collection) error {
	_, err := pathOf(col, look.File)
	switch look.Outcome {
	case Recorded, OK, Grown, Accepted:
		if err == nil && look.File != ledgerName && len(look.SHA256) != hex.EncodedLen(sha256.Size) {
			err = errors.New("no digest")
		}
	case Removed, Changed, Missing, Unreadable, Disputed:
	default:
		err = errors.New("no outcome")
	}
	if err != nil {
		return fmt.Errorf("%s: the line of %s about %q: %w", LedgerFile(col), look.Time.Format(time.RFC3339), look.File, err)
	}
	return nil
}

// maxBad is how many lines of a ledger may be unreadable before it is not believed.
const maxBad = 100

func (l *ledger) add(look Look) {
	if look.File == ledgerName { // a person closed the matter of the lines lost until here
		l.bad, l.hole = nil, false
		return
	}
	k := l.files[look.File]
	k.checked, k.last = look.Time, look.Outcome
	switch look.Outcome {
	case Recorded, Accepted, Grown:
		k.size, k.digest, k.other = look.Size, look.SHA256, ""
	case OK:
		if k.digest == "" { // the line that recorded it is lost, and this one found the same
			k.size, k.digest = look.Size, look.SHA256
		} else if look.SHA256 != k.digest {
			k.other = look.SHA256
		}
	}
	delete(l.removed, look.File)
	switch {
	case look.Outcome == Removed:
		delete(l.files, look.File)
		l.removed[look.File] = true
	case k.digest != "" || l.hole:
		l.files[look.File] = k
	}
}

// readManifest reads the manifest. A damaged one is told, and what can be read of it counts.
func (l *ledger) readManifest(path string) error {
	l.listed = map[string]string{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		lines, err := ReadManifest(strings.NewReader(s.Text()), path)
		if err != nil || len(lines) == 1 && len(lines[0].Digest) != hex.EncodedLen(sha256.Size) {
			l.bad = append(l.bad, fmt.Sprintf("%s: a line that cannot be read: %.120q", path, s.Text()))
			l.spoilt = true
			continue
		}
		for _, line := range lines {
			l.listed[line.Path] = line.Digest
		}
	}
	return s.Err()
}

// askManifest puts the digests of the manifest beside those of the ledger. A file that only the manifest knows was lost from the
// ledger, for every file is recorded there first.
func (l *ledger) askManifest(col *catalog.Collection) {
	for file, digest := range l.listed {
		if l.removed[file] {
			continue
		}
		k, ok := l.files[file]
		if _, err := pathOf(col, file); err != nil || !ok && k.digest == "" && strings.HasSuffix(file, ".jsonl") {
			continue
		}
		if k.digest == "" {
			l.bad = append(l.bad, fmt.Sprintf("%s has lost what it knew of %s; manifest-sha256.txt still lists it", LedgerFile(col), file))
			l.hole = true
		}
		k.manifest = digest
		l.files[file] = k
	}
	slices.Sort(l.bad)
}

// Known gives the SHA-256 that each file of a collection has to have, in hex, by its name in the ledger.
func Known(col *catalog.Collection) (map[string]string, error) {
	l, err := readLedger(col)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(l.files))
	for file, k := range l.files {
		out[file] = cmp.Or(k.digest, k.manifest)
	}
	return out, nil
}
