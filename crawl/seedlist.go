package crawl

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"varve"
	"varve/archive/whole"
	"varve/web/canon"
)

// SeedList is seeds that are too many for the definition of a crawl: they lie in a file beside it, one a line.
type SeedList struct {
	From   string `json:"from,omitempty"` // the file that was given; empty: they were given otherwise
	Count  int    `json:"count,omitempty"`
	SHA256 string `json:"sha256,omitempty"` // of the file beside the definition
}

// Limits of seeds.
const (
	seedsInline   = 10_000  // that a definition may have itself
	seedFileBytes = 1 << 20 // of a file that is read into a definition; a larger one is referred to
	tellSeeds     = 100_000 // are queued between two words about it
)

// SeedsFile is the name of the file with the seeds of a crawl that has many.
const SeedsFile = "seeds.txt"

// TakeSeedFile makes the seeds of a file seeds of the definition: the seeds themselves, or where there are very many, the
// name of the file, which is read when the crawl starts.
func (d *Definition) TakeSeedFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Size() > seedFileBytes {
		abs, err := filepath.Abs(name)
		d.SeedList = &SeedList{From: abs}
		return err
	}
	more, err := ReadSeeds(f)
	d.Seeds = append(d.Seeds, more...)
	return err
}

// SeedCount is the number of seeds, as far as it is known.
func (d *Definition) SeedCount() int {
	if d.SeedList != nil {
		return len(d.Seeds) + d.SeedList.Count
	}
	return len(d.Seeds)
}

// EachSeed passes all seeds of the run one after the other. What is read from the file of the crawl is checked.
func (r *Run) EachSeed(do func(text string, u canon.URL) error) error {
	for _, s := range r.Def.Seeds {
		u, err := ParseSeed(s)
		if err == nil {
			err = do(s, u)
		}
		if err != nil {
			return err
		}
	}
	list := r.Def.SeedList
	if list == nil {
		return nil
	}
	path, own := filepath.Join(r.place.Dir, SeedsFile), list.SHA256 != ""
	if !own {
		path = list.From
	}
	f, err := os.Open(path)
	if err != nil {
		return &varve.Error{Kind: varve.NotFound, Op: "read the seeds", Err: err, Hint: "bring the file back, or start a new crawl"}
	}
	defer f.Close()
	sum := sha256.New()
	if err := eachSeedLine(io.TeeReader(f, sum), do); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "seed list " + path, Err: err, Hint: "correct the line"}
	}
	if own && hex.EncodeToString(sum.Sum(nil)) != list.SHA256 {
		return &varve.Error{Kind: varve.Invalid, Op: "read " + path, Msg: "it is not as it was written: its SHA-256 differs from that in definition.json", Hint: "bring it back from another copy, or start a new crawl"}
	}
	return nil
}

// keepSeeds writes the seeds of a crawl that has many into a file of their own, once.
func (r *Run) keepSeeds() error {
	list := r.Def.SeedList
	if list != nil && list.SHA256 != "" || list == nil && len(r.Def.Seeds) <= seedsInline {
		return nil
	}
	kept := SeedList{}
	if list != nil {
		kept.From = list.From
	}
	sum := sha256.New()
	err := whole.File(filepath.Join(r.place.Dir, SeedsFile), 0o644, func(file io.Writer) error {
		w := bufio.NewWriterSize(io.MultiWriter(file, sum), 64<<10)
		err := r.EachSeed(func(text string, _ canon.URL) error {
			if kept.Count++; kept.Count%tellSeeds == 0 {
				r.log.Info("seeds read", "so far", kept.Count)
			}
			_, err := fmt.Fprintln(w, text)
			return err
		})
		return errors.Join(err, w.Flush())
	})
	if err != nil {
		return err
	}
	kept.SHA256 = hex.EncodeToString(sum.Sum(nil))
	r.Def.Seeds, r.Def.SeedList = nil, &kept
	return nil
}
