package derive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"varve/archive/whole"
	"varve/language/variant"
)

// Variants is which words a collection wrote otherwise at another time.
type Variants struct {
	Texts  int            `json:"texts"`            // that were read
	Others int            `json:"others,omitempty"` // texts of other languages
	Left   int            `json:"left,omitempty"`   // texts of too many different years
	Pairs  []variant.Pair `json:"pairs"`
}

// datedText is what is read of a version.
type datedText struct {
	From      time.Time `parquet:"from,timestamp(microsecond)"`
	Published string    `parquet:"published"` // a day, or nothing
	Language  string    `parquet:"language"`
	Text      string    `parquet:"text"`
}

// FindVariants reads the texts of a language in the table of versions below a folder, twice. A text is of the year in which it was published, or else
// first captured.
func FindVariants(ctx context.Context, dir, language string) (*Variants, error) {
	out := &Variants{}
	each := func(add func(year int, text string), other func()) error {
		return Rows(filepath.Join(dir, "versions.parquet"), func(v *datedText) (bool, error) {
			switch {
			case v.Text == "":
			case v.Language != language:
				other()
			default:
				day, err := time.Parse(time.DateOnly, v.Published[:min(len(v.Published), len(time.DateOnly))])
				if err != nil {
					day = v.From
				}
				add(day.Year(), v.Text)
			}
			return true, ctx.Err()
		})
	}
	var c variant.Counter
	if err := each(func(year int, text string) { out.Texts++; c.Add(year, text) }, func() { out.Others++ }); err != nil {
		return nil, err
	}
	p := c.Compare()
	if err := each(p.Add, func() {}); err != nil {
		return nil, err
	}
	out.Left, out.Pairs = c.Left(), p.Pairs()
	return out, nil
}

// variantsFile has a pair on each line, below the folder of derivatives.
const variantsFile = "variants.jsonl"

// WriteVariants writes pairs below a folder, for searches.
func WriteVariants(dir string, pairs []variant.Pair) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, p := range pairs {
		if err := enc.Encode(p); err != nil {
			return err
		}
	}
	return whole.Bytes(filepath.Join(dir, variantsFile), 0o644, b.Bytes())
}

// ReadVariants reads what WriteVariants wrote; nothing if nobody did.
func ReadVariants(dir string) (out []variant.Pair, err error) {
	path := filepath.Join(dir, variantsFile)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		var p variant.Pair
		if err := json.Unmarshal(s.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w; 'varve text variants' makes it anew", path, n, err)
		}
		out = append(out, p)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}
