package cdx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"varve/archive/store"
)

// Kind says how the lines of a file are got.
type Kind string

// The kinds of files.
const (
	KindWARC Kind = "warc" // WARC or ARC: scanned
	KindCDX  Kind = "cdx"  // CDX, CDXJ, or either gzipped: lines of other tools, taken over
)

// File is a file of the collection, to be indexed.
type File struct {
	Name string // what its lines are called: unique in the collection
	Path string // where it lies
	Kind Kind
	From store.Source // opens it where it may not lie on the disk; nil: it does
}

// Source is a file whose lines are in the index.
type Source struct {
	Name    string    `json:"name"`
	Kind    Kind      `json:"kind"`
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"` // time of its last change, as the file system tells
	Digest  string    `json:"digest"`  // of its head and tail
	Lines   int64     `json:"lines"`
	Skipped int64     `json:"skipped,omitempty"` // lines that could not be read
	Covered int64     `json:"covered,omitempty"` // KindCDX: lines of WARC files that are in the collection
	Damaged int64     `json:"damaged,omitempty"` // findings of damage during the scan
	Files   []string  `json:"files,omitempty"`   // KindCDX: the WARC files that its lines name; nil if too many
	Many    bool      `json:"many,omitempty"`    // Files was too long to be kept
}

// ends is how much of the head and of the tail of a file is digested.
const ends = 64 << 10

// look takes size, time and digest of a file.
func look(f File) (Source, error) {
	s := Source{Name: f.Name, Kind: f.Kind}
	info, err := store.Stat(f.Path, f.From)
	if err != nil {
		return s, err
	}
	file, err := store.Open(f.Path, f.From)
	if err != nil {
		return s, err
	}
	defer file.Close()
	s.Size, s.Changed = file.Size(), info.Changed
	s.Digest, err = digestEnds(file, s.Size)
	return s, err
}

// digestEnds gives the SHA-256, cut to 16 bytes, of the size, the head and the tail of a file.
func digestEnds(r io.ReaderAt, size int64) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n", size)
	for _, s := range []*io.SectionReader{
		io.NewSectionReader(r, 0, min(size, ends)),
		io.NewSectionReader(r, max(0, size-ends), min(size, ends)),
	} {
		if _, err := io.Copy(h, s); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// unchanged tells by size and time that a file is what it was.
func (s *Source) unchanged(f File) bool {
	info, err := store.Stat(f.Path, f.From)
	return err == nil && s.Kind == f.Kind && info.Size == s.Size && info.Changed.Equal(s.Changed)
}

// encodeSources writes a line of JSON for each.
func encodeSources(list []Source) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(&list[i]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// decodeSources reads what encodeSources wrote.
func decodeSources(text []byte) (out []Source, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for {
		var s Source
		err := dec.Decode(&s)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: sources, entry %d: %w", ErrDamaged, len(out)+1, err)
		}
		out = append(out, s)
	}
}
