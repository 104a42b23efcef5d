package cdx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/cdxj"
	"varve/index/renew"
)

// FormatVersion is the version of new files. Those of the version before are read and, as long as they are there, brought up to
// date in their own version; Builder.Renew replaces them.
//
//	1  the first
//	2  lines have the time within the second (cdxj.Record.Within), and are sorted by it
const FormatVersion = 2

const (
	manifestName = "MANIFEST"
	besideName   = "MANIFEST.next" // of the version of today, while an older one answers
	formatName   = "varve-cdx"
	maxManifest  = 256 << 20
)

// ErrDamaged is the cause of all errors that tell of a broken index. `varve index` mends it.
var ErrDamaged = cdxj.ErrDamaged

// ErrVersion is the cause of the error for an index of a format version that is not read.
var ErrVersion = renew.ErrFormat

// manifest is the list of runs.
type manifest struct {
	Format     string    `json:"format"`
	Version    int       `json:"version"`
	Generation uint64    `json:"generation"`
	Content    uint64    `json:"content"` // the generation that last changed what a query finds
	Next       uint64    `json:"next"`    // the number of the next run
	Runs       []runInfo `json:"runs"`
}

// runInfo is what the manifest says of a run.
type runInfo struct {
	ID      uint64   `json:"id"`
	Lines   int64    `json:"lines"`
	First   string   `json:"first"` // key of the first line
	Last    string   `json:"last"`  // key of the last line
	Data    int64    `json:"data"`  // bytes of the files
	Idx     int64    `json:"idx"`
	Filter  int64    `json:"filter"`            // 0: no filter
	Fences  string   `json:"fences"`            // SHA-256 of the file
	Sources string   `json:"sources"`           // SHA-256 of the file
	Dropped []string `json:"dropped,omitempty"` // sources whose lines count no more
}

// encode writes a manifest: a line of JSON and a line with its SHA-256.
func (m *manifest) encode() ([]byte, error) {
	m.Format = formatName
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s\n%s\n", text, sum(text)), nil
}

// decodeManifest reads what encode wrote.
func decodeManifest(text []byte) (*manifest, error) {
	body, rest, ok := bytes.Cut(text, []byte("\n"))
	if !ok || string(rest) != sum(body)+"\n" {
		return nil, fmt.Errorf("%w: manifest: its checksum does not fit", ErrDamaged)
	}
	m := &manifest{}
	if err := json.Unmarshal(body, m); err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrDamaged, err)
	}
	if m.Format != formatName {
		return nil, fmt.Errorf("manifest: it is of %q, want %s: %w", m.Format, formatName, ErrVersion)
	}
	if err := renew.Reads(m.Version, FormatVersion); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	for _, r := range m.Runs {
		if r.Lines < 0 || r.Data < 0 || r.Idx < 0 || r.Filter < 0 || r.ID >= m.Next {
			return nil, fmt.Errorf("%w: manifest: run %d", ErrDamaged, r.ID)
		}
	}
	return m, nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(s[:])
}

// newManifest is that of an index that was not built yet.
func newManifest() *manifest { return &manifest{Version: FormatVersion, Next: 1} }

// readManifest reads a manifest of a directory; an empty one if there is none.
func readManifest(fsys vfs.FS, dir, name string) (*manifest, error) {
	text, err := readFile(fsys, fsys.PathJoin(dir, name), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return newManifest(), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	return decodeManifest(text)
}

// writeManifest makes m the truth: after it returns, also after a power cut.
func writeManifest(fsys vfs.FS, dir, base string, m *manifest) error {
	text, err := m.encode()
	if err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	name := fsys.PathJoin(dir, base)
	if err := writeFile(fsys, name+".new", text); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if err := fsys.Rename(name+".new", name); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	return syncDir(fsys, dir)
}

// writeFile writes and syncs a file.
func writeFile(fsys vfs.FS, name string, text []byte) error {
	f, err := fsys.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}

// readFile reads a whole file of at most limit bytes.
func readFile(fsys vfs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: larger than %d bytes", name, limit)
	}
	return text, err
}

// syncDir makes names in a directory durable.
func syncDir(fsys vfs.FS, dir string) error {
	d, err := fsys.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return errors.Join(d.Sync(), d.Close())
}
