package annotate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"varve/archive/journal"
	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
	"varve/learn"
	"varve/picture/kind"
	"varve/web/canon"
)

const shows = "shows" // mapper and table

// PictureLabel is what somebody says that a picture shows: a line of labels/pictures.jsonl in the folder of a collection. The last one of a picture counts.
type PictureLabel struct {
	When       time.Time `json:"when"`
	Who        string    `json:"who,omitempty"`
	Program    string    `json:"program,omitempty"` // that said it, for whoever started it
	URL        string    `json:"url"`
	State      string    `json:"state"` // of the picture: its bytes
	Label      string    `json:"label"` // empty: what was said before is taken back
	Confidence float64   `json:"confidence,omitempty"`
}

// PictureLabelsFile returns where the labels of a collection are.
func PictureLabelsFile(collection string) string {
	return filepath.Join(collection, "labels", "pictures.jsonl")
}

// PictureModelFile returns where the model is that learned from them.
func PictureModelFile(collection string) string {
	return filepath.Join(collection, "derived", "pictures.model")
}

// Shows is what is known of what the pictures of a collection show.
type Shows struct {
	Labels map[string]PictureLabel // by state
	Model  *learn.Model            // nil if nothing was trained
	found  map[string]shown        // by the index key of the address of a picture
}

// shown is what a picture shows.
type shown struct {
	label string
	sure  float32
	by    string
	at    time.Time
}

// ReadShows reads labels and model from the folder of a collection; nil if there are no labels.
func ReadShows(collection string) (*Shows, error) {
	s, lines := &Shows{Labels: map[string]PictureLabel{}}, 0
	err := journal.Each(PictureLabelsFile(collection), func(l PictureLabel) error {
		if s.Labels[l.State] = l; l.Label == "" {
			delete(s.Labels, l.State)
		}
		lines++
		return nil
	})
	if err != nil || lines == 0 {
		return nil, err
	}
	f, err := os.Open(PictureModelFile(collection))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s.Model, err = learn.ReadModel(f)
	if err == nil {
		err = kind.Check(s.Model)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; 'varve pictures train' makes it anew", f.Name(), err)
	}
	return s, nil
}

// ShownRow is a row of shows: a picture on a page.
type ShownRow struct {
	Version
	Picture    string  `parquet:"picture,zstd,dict"`
	Label      string  `parquet:"label,zstd,dict"`
	Confidence float32 `parquet:"confidence"`
	By         string  `parquet:"by,dict"` // curator, program or model
}

// Job returns the job of what the pictures of pages show: for derive.Options. It makes no facet: a page may be open where rules withhold its picture, and
// searches would tell of it. It needs PictureJobs beside it. What a picture shows is read from the tables of
// pictures that are there: of pictures that are new, pages say it after the next run. An address that had several pictures shows what the last of them does.
func (s *Shows) Job(ctx context.Context, dir string, files []job.Part) (j job.Job, err error) {
	s.found = map[string]shown{}
	_, err = EachPicture(ctx, dir, files, func(_ job.Part, r *PictureRow) error {
		if old, ok := s.found[r.SURT]; ok && !r.Time.After(old.at) {
			return nil
		}
		if what, ok := s.judge(r); ok {
			s.found[r.SURT] = what
		} else {
			delete(s.found, r.SURT)
		}
		return nil
	})
	sum := sha256.New()
	for _, key := range slices.Sorted(maps.Keys(s.found)) {
		fmt.Fprintln(sum, key, s.found[key])
	}
	mark := fmt.Sprintf("shown=%x", sum.Sum(nil)[:8])
	return job.Job{Name: shows, Version: 1, Mark: mark, Scan: &job.Scan{Mapper: showsMapper(), Open: open(shows, s.rows, nil)}}, err
}

// leastSure is the probability from which on what the model says counts.
const leastSure = 0.5

// judge says what a picture shows: as people or programs labelled it, or else by the model.
func (s *Shows) judge(r *PictureRow) (out shown, ok bool) {
	if l, ok := s.Labels[r.State]; ok {
		by := "curator"
		if l.Program != "" {
			by = "program"
		}
		return shown{l.Label, float32(cmp.Or(l.Confidence, 1)), by, r.Time}, true
	}
	if s.Model == nil || r.Error != "" {
		return out, false
	}
	label, sure := kind.Classify(s.Model, r.Look())
	return shown{label, float32(sure), "model", r.Time}, sure >= leastSure
}

func (s *Shows) rows(v Version, c Captions) (rows []ShownRow, _ []derive.FacetValue) {
	for _, p := range c.List {
		if what, ok := s.found[canon.SURT(p.URL)]; ok {
			rows = append(rows, ShownRow{v, p.URL, what.label, what.sure, what.by})
		}
	}
	return rows, nil
}

// showsMapper hands on what the mapper of captions found: it is judged where labels and model are.
func showsMapper() *scan.Mapper {
	m := scan.Mapper{Name: shows, Needs: []string{"pages", captions}, Limits: limits, Wants: wantsCaptions, Trusted: scan.Plain}
	return scan.New(m, func() func(context.Context, *scan.Item) (*Found[Captions], error) {
		return func(_ context.Context, it *scan.Item) (*Found[Captions], error) {
			found, _ := it.Result(captions).(*Found[Captions])
			return found, nil
		}
	})
}

// Look returns what a classifier sees of a picture.
func (p *Picture) Look() kind.Look {
	l := kind.Look{Format: p.Format, Width: int(p.Width), Height: int(p.Height), Size: p.Size, Thumb: p.Thumb, Camera: p.Camera != ""}
	for i, name := range p.Colours {
		var c color.RGBA
		if n, _ := fmt.Sscanf(name, "#%02x%02x%02x", &c.R, &c.G, &c.B); n == 3 && i < len(p.Shares) {
			l.Colours, l.Shares = append(l.Colours, c), append(l.Shares, float64(p.Shares[i]))
		}
	}
	return l
}

// EachPicture calls fn with the rows of all tables of pictures; absent counts files that have none.
func EachPicture(ctx context.Context, dir string, files []job.Part, fn func(p job.Part, r *PictureRow) error) (absent int, err error) {
	j := PictureJobs()[0]
	for _, p := range files {
		path, ok := job.Table(dir, j, p, pictures)
		if !ok {
			absent++
			continue
		}
		err := derive.Rows(path, func(r *PictureRow) (bool, error) {
			if err := fn(p, r); err != nil {
				return false, err
			}
			return true, ctx.Err()
		})
		if err != nil {
			return absent, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return absent, nil
}
