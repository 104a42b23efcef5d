package review

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unique"

	"varve/serve/holdings"
)

// kept is the alerts of a collection, and what they hold for: one state of its row in the holdings, one state of its
// files, and the instants between two.
type kept struct {
	state       uint64
	files       []seen
	from, until time.Time // until zero: no alert comes or goes by itself
	alerts      []Alert
}

// maxKept is how many alerts are kept in all, of about half a kilobyte each. Collections that have more are read each
// time. A collection without alerts takes some 40 bytes for each of its files and 150 besides.
const maxKept = 20_000

// restless is how long the machine's clock must have left a file or folder behind before its date is believed: what is
// written in the same tick as a look does not change it.
const restless = 2 * time.Second

func (k *kept) hold(h *holdings.Collection, now time.Time, dir string) bool {
	return k != nil && k.state == h.State && !now.Before(k.from) && (k.until.IsZero() || now.Before(k.until)) &&
		!slices.ContainsFunc(k.files, func(s seen) bool { return s != look(dir, s.name) })
}

// keep keeps the alerts of a collection for the next request.
func (d *Desk) keep(name string, k *kept) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if old := d.kept[name]; old != nil {
		d.alerts -= len(old.alerts)
		delete(d.kept, name)
	}
	if k == nil || d.alerts+len(k.alerts) > maxKept {
		return
	}
	if d.kept == nil {
		d.kept = map[string]*kept{}
	}
	d.kept[name] = k
	d.alerts += len(k.alerts)
}

// forget drops what is kept of collections that are gone.
func (d *Desk) forget(list []*holdings.Collection) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) <= len(list) {
		return
	}
	there := make(map[string]bool, len(list))
	for _, h := range list {
		there[h.Name] = true
	}
	for name, k := range d.kept {
		if !there[name] {
			d.alerts -= len(k.alerts)
			delete(d.kept, name)
		}
	}
}

// seen is the state of a file or folder.
type seen struct {
	name  string // below the folder of the collection, or absolute
	size  int64
	mtime int64 // 0: it cannot be looked at
	mode  fs.FileMode
}

func look(dir, name string) seen {
	path := name
	if !filepath.IsAbs(name) {
		path = dir + string(filepath.Separator) + name
	}
	info, err := os.Stat(path)
	if err != nil {
		return seen{name: name}
	}
	return seen{name, info.Size(), info.ModTime().UnixNano(), info.Mode()}
}

// watch notes the states of files before they are read.
type watch struct {
	dir   string
	files []seen
}

// add notes the state of files. One that is not there is told of by the date of the folder that it would be in.
func (w *watch) add(paths ...string) {
	for _, path := range paths {
		for path != w.dir && strings.HasPrefix(path, w.dir) {
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			path = filepath.Dir(path)
		}
		name := path
		if rel, err := filepath.Rel(w.dir, path); err == nil && filepath.IsLocal(rel) {
			name = unique.Make(rel).Value() // most collections have the same
		}
		if !slices.ContainsFunc(w.files, func(s seen) bool { return s.name == name }) {
			w.files = append(w.files, look(w.dir, name))
		}
	}
}

// settled reports whether the dates of all files can be believed. They are told by the clock of the machine.
func (w *watch) settled() bool {
	last := time.Now().Add(-restless).UnixNano()
	return !slices.ContainsFunc(w.files, func(s seen) bool { return s.mtime > last })
}

// moment is an instant that notes until when what it was asked stays as it is.
type moment struct {
	now   time.Time
	until time.Time // zero: for ever
}

// passed reports whether an instant is over.
func (m *moment) passed(at time.Time) bool {
	if !m.now.Before(at) {
		return true
	}
	if m.until.IsZero() || at.Before(m.until) {
		m.until = at
	}
	return false
}

// day is the beginning of the day.
func (m *moment) day() time.Time {
	day := m.now.UTC().Truncate(24 * time.Hour)
	m.passed(day.Add(24 * time.Hour))
	return day
}
