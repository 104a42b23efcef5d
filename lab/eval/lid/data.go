package lid

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"varve/lab/eval"
)

// Line is a text whose language is known.
type Line struct {
	Lang string // ISO 639-1
	Kind string // sentences, word-pairs, single-words
	Text string
}

// Held reports whether a line is held out from training.
func (l Line) Held() bool {
	h := fnv.New32a()
	h.Write([]byte(l.Text))
	return h.Sum32()%5 == 0
}

// HeldOut returns the lines that the model was not trained on.
func HeldOut(lines []Line) (held []Line) {
	for _, l := range lines {
		if l.Held() {
			held = append(held, l)
		}
	}
	return held
}

// Load reads labelled lines: language, kind and text between tabs. path is the file, packed or not, or a folder with sentences-words.tsv.gz (or
// the same unpacked).
func Load(path string) ([]Line, error) {
	r, err := eval.Open(path, "sentences-words.tsv")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return read(r, path)
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
