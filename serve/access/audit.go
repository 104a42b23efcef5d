package access

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Entry is a line of the audit log.
type Entry struct {
	Time       time.Time `json:"time"`
	By         string    `json:"by"`
	Did        string    `json:"did"`
	Collection string    `json:"collection,omitempty"`
	What       string    `json:"what,omitempty"` // URL prefix, rule, user
	Detail     string    `json:"detail,omitempty"`
	Prev       string    `json:"prev"` // sha256 of the line before, hex; of the first: ""
}

// Audit is the audit log: <dir>/audit.jsonl, which only grows. Each line has the hash of the one
// before it, so that a line that was changed or taken out is noticed by Check.
type Audit struct {
	path string
	mu   sync.Mutex
}

// OpenAudit gives the audit log in a directory, which need not exist yet.
func OpenAudit(dir string) *Audit { return &Audit{path: filepath.Join(dir, "audit.jsonl")} }

// Append adds an entry; it is on disk when Append returns.
func (a *Audit) Append(e Entry) (err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(a.path), 0o700); err != nil {
		return writeError(a.path, err)
	}
	unlock, err := lockFile(a.path + ".lock")
	if err != nil {
		return writeError(a.path, err)
	}
	defer unlock()
	f, err := os.OpenFile(a.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return writeError(a.path, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	last, torn, err := lastLine(f)
	if err != nil {
		return writeError(a.path, err)
	}
	e.Time, e.Prev = e.Time.UTC().Truncate(time.Millisecond), ""
	if last != nil {
		e.Prev = lineHash(last)
	}
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if torn {
		b = append([]byte{'\n'}, b...) // a crash cut the last line: it stays as it is, and is told by Check
	}
	if _, err := f.Write(append(b, '\n')); err != nil {
		return writeError(a.path, err)
	}
	return f.Sync()
}

func lineHash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// lastLine reads the last line of a file, and tells whether its end is missing.
func lastLine(f *os.File) (line []byte, torn bool, err error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, false, err
	}
	size := min(info.Size(), 64<<10)
	buf := make([]byte, size)
	if _, err := f.ReadAt(buf, info.Size()-size); err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	torn = buf[len(buf)-1] != '\n'
	buf = bytes.TrimSuffix(buf, []byte{'\n'})
	return buf[bytes.LastIndexByte(buf, '\n')+1:], torn, nil
}

// ChainError says which line of the log does not fit the one before it.
type ChainError struct {
	Line int
	Why  string
}

// Error gives the line and the reason.
func (e *ChainError) Error() string { return fmt.Sprintf("audit log, line %d: %s", e.Line, e.Why) }

// Extract returns the lines of the log that are to be handed on, as they stand, and the SHA-256 (hex) of every line of the log in its order:
// with it, whoever gets the extract can see where its lines stand in the chain and that none of them was changed, without the others.
func (a *Audit) Extract(keep func(Entry) bool) (lines []byte, hashes []string, err error) {
	f, err := os.Open(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 0, 64<<10), 1<<20)
	for in.Scan() {
		hashes = append(hashes, lineHash(in.Bytes()))
		var e Entry
		if json.Unmarshal(in.Bytes(), &e) == nil && keep(e) {
			lines = append(append(lines, in.Bytes()...), '\n')
		}
	}
	return lines, hashes, in.Err()
}

// Entries gives the log, oldest first. A line that breaks the chain comes with a *ChainError, and
// reading goes on behind it.
func (a *Audit) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		f, err := os.Open(a.path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(make([]byte, 0, 64<<10), 1<<20)
		prev := ""
		for n := 1; in.Scan(); n++ {
			var e Entry
			var bad error
			if err := json.Unmarshal(in.Bytes(), &e); err != nil {
				bad = &ChainError{n, "not readable: " + err.Error()}
			} else if e.Prev != prev {
				bad = &ChainError{n, "the line before it was changed or removed"}
			}
			prev = lineHash(in.Bytes())
			if !yield(e, bad) {
				return
			}
		}
		if err := in.Err(); err != nil {
			yield(Entry{}, err)
		}
	}
}
