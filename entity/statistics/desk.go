package statistics

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varve"
	"varve/entity/kind"
)

// File is where the site of an archive is.
func File(archive string) string { return filepath.Join(archive, "statistics", "site.jsonl") }

// Open reads the site of an archive.
func Open(path string) (*Site, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open statistics", Msg: "no site of statistics was imported yet", Hint: "'varve statistics import FILE' imports a dump of one"}
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "open statistics", Err: err}
	}
	defer f.Close()
	s, err := Read(f)
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read " + path, Err: err, Hint: "import it again"}
	}
	return s, nil
}

// Types returns the types of names as classes.
func Types() ([]Category, error) {
	m, err := kind.Default(kind.WordNet)
	if err != nil {
		return nil, err
	}
	t := m.Taxonomy()
	label := map[string]string{}
	for _, one := range t.Types {
		label[one.Name] = one.Label
	}
	var out []Category
	for _, one := range t.Types {
		c := Category{Name: one.Label}
		for _, p := range one.Parents {
			c.Parents = append(c.Parents, label[p])
		}
		out = append(out, c)
	}
	return out, nil
}

// Alignment maps its classes, and the types of names, to its themes.
func (s *Site) Alignment() (Alignment, error) {
	types, err := Types()
	if err != nil {
		return nil, err
	}
	return Align(append(types, s.Classes...), s.Themes, Threshold), nil
}

// Desk has the site of an archive, and reads it again when it was imported anew. It is safe for concurrent use.
type Desk struct {
	path string

	mu      sync.Mutex
	built   time.Time
	size    int64
	site    *Site
	aligned Alignment
}

// NewDesk returns the desk of an archive.
func NewDesk(archive string) *Desk { return &Desk{path: File(archive)} }

// Site returns the site and its alignment.
func (d *Desk) Site() (*Site, Alignment, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	st, err := os.Stat(d.path)
	if err == nil && d.site != nil && st.ModTime().Equal(d.built) && st.Size() == d.size {
		return d.site, d.aligned, nil
	}
	s, err2 := Open(d.path)
	if err2 != nil {
		d.site = nil
		return nil, nil, err2
	}
	a, err2 := s.Alignment()
	if err2 != nil {
		return nil, nil, err2
	}
	if d.site, d.aligned = s, a; err == nil {
		d.built, d.size = st.ModTime(), st.Size()
	}
	return s, a, nil
}
