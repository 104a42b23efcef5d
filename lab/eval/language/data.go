package language

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Line is a text whose language is known.
type Line struct {
	Lang string // ISO 639-1
	Kind string // sentences, word-pairs, single-words
	Text string
}

// Held tells whether a line is held out from training.
func (l Line) Held() bool {
	h := fnv.New32a()
	h.Write([]byte(l.Text))
	return h.Sum32()%5 == 0
}

// Load reads sentences-words.tsv.gz (or the same unpacked) of a folder: language, kind and text between tabs.
func Load(dir string) ([]Line, error) {
	f, err := os.Open(filepath.Join(dir, "sentences-words.tsv.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		if plain, err := os.Open(filepath.Join(dir, "sentences-words.tsv")); err == nil {
			defer plain.Close()
			return read(plain, plain.Name())
		}
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return read(z, f.Name())
}

func read(r io.Reader, name string) ([]Line, error) {
	var lines []Line
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		part := strings.SplitN(s.Text(), "\t", 3)
		if len(part) != 3 {
			return nil, fmt.Errorf("%s: line %d has %d fields, want 3", name, len(lines)+1, len(part))
		}
		lines = append(lines, Line{part[0], part[1], part[2]})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: line %d: %w", name, len(lines)+1, err)
	}
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: no lines", name)
	}
	return lines, nil
}
