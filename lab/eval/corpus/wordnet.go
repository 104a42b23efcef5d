package corpus

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"varve/lab/eval"
)

// WordNet is what we take of WordNet's files.
type WordNet struct {
	Parts     map[string]string    // base form, lower case, one word: its parts of speech, of "nvar"
	Irregular map[[2]string]string // form and part of speech: base form
	Instances map[string]string    // name of one thing, as written: lexicographer's file (noun.person, noun.location ...)
}

// nounFiles are the lexicographer's files of nouns that instances are in, by number.
var nounFiles = map[int]string{
	4: "noun.act", 6: "noun.artifact", 10: "noun.communication", 11: "noun.event", 14: "noun.group", 15: "noun.location",
	17: "noun.object", 18: "noun.person", 28: "noun.time",
}

// ReadWordNet reads the archive wordnet-3.0.tar.gz.
func ReadWordNet(file string) (*WordNet, error) {
	w := &WordNet{Parts: map[string]string{}, Irregular: map[[2]string]string{}, Instances: map[string]string{}}
	letters := map[string]string{"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
	return w, wordNetLines(file, func(kind, part, line string) error {
		if part == "exc" {
			kind, part = part, kind
		}
		if letter, ok := letters[part]; ok {
			w.line(kind, letter, line)
		}
		return nil
	})
}

// wordNetLines goes through the lines of the files of the archive; a file is called KIND.PART.
func wordNetLines(file string, take func(kind, part, line string) error) error {
	f, err := eval.Open(file, "")
	if err != nil {
		return err
	}
	defer f.Close()
	t := tar.NewReader(f)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		kind, part, _ := strings.Cut(path.Base(h.Name), ".")
		s := bufio.NewScanner(t)
		s.Buffer(nil, 1<<20)
		for n := 1; s.Scan(); n++ {
			if err := take(kind, part, s.Text()); err != nil {
				return fmt.Errorf("%s: %s: line %d: %w", file, h.Name, n, err)
			}
		}
		if err := s.Err(); err != nil {
			return fmt.Errorf("%s: %s: %w", file, h.Name, err)
		}
	}
}

func (w *WordNet) line(kind, part, line string) {
	c := strings.Fields(line)
	if strings.HasPrefix(line, " ") || len(c) < 2 {
		return
	}
	switch kind {
	case "index":
		if !strings.Contains(c[0], "_") && !strings.Contains(w.Parts[c[0]], part) {
			w.Parts[c[0]] += part
		}
	case "exc":
		if key := [2]string{c[0], part}; w.Irregular[key] == "" && !strings.Contains(c[0]+c[1], "_") {
			w.Irregular[key] = c[1]
		}
	case "data":
		number, err := strconv.Atoi(c[1])
		class := nounFiles[number]
		if err != nil || part != "n" || class == "" || !strings.Contains(line, " @i ") || len(c) < 5 {
			return
		}
		n, err := strconv.ParseInt(c[3], 16, 32)
		for i := 0; err == nil && i < int(n) && 4+2*i < len(c); i++ {
			name := strings.ReplaceAll(c[4+2*i], "_", " ")
			if _, twice := w.Instances[name]; !twice {
				w.Instances[name] = class
			}
		}
	}
}
