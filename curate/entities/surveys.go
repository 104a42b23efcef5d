package entities

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/archive/catalog"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/entity/emerging"
)

// Surveys looks at names that no base knows, and keeps what the last look put together: as long as tables, base and what may be seen are the same, looking again reads nothing and compares nothing. Decisions are read each time.
// The zero value is ready; it is safe for concurrent use. It holds the texts' names of one collection without the words around them: some 30 MB for the most that are looked at.
type Surveys struct {
	mu   sync.Mutex
	last *looked
}

// looked is what a look put together.
type looked struct {
	collection string // its folder
	state      [sha256.Size]byte
	texts      []seen // in which unknown names stand, whoever may see them
	view       [sha256.Size]byte
	clusters   []emerging.Cluster
	absent     int
	beyond     int
	files      int

	mu    sync.Mutex
	types map[string][]emerging.Counted // of clusters
}

// seen is a text.
type seen struct {
	surt string
	time time.Time
}

// get returns the last look, if it was at the same, with the same eyes.
func (k *Surveys) get(collection string, state [sha256.Size]byte, may May) *looked {
	k.mu.Lock()
	last := k.last
	k.mu.Unlock()
	if last == nil || last.collection != collection || last.state != state || last.view != viewOf(last.texts, may) {
		return nil
	}
	return last
}

func (k *Surveys) put(l *looked) {
	k.mu.Lock()
	k.last = l
	k.mu.Unlock()
}

// newLooked puts together the names of texts that may be seen.
func newLooked(ctx context.Context, found []emerging.Occurrence, may May) (*looked, error) {
	l := &looked{types: map[string][]emerging.Counted{}}
	met := map[seen]bool{}
	for _, o := range found {
		t := seen{surtOf(o.Document), o.Time}
		if !met[t] {
			met[t] = true
			l.texts = append(l.texts, t)
		}
	}
	l.view = viewOf(l.texts, may)
	if may != nil {
		found = slices.DeleteFunc(found, func(o emerging.Occurrence) bool { return !may(surtOf(o.Document), o.Time) })
	}
	var err error
	if l.clusters, err = emerging.Clusters(ctx, found, emerging.Default()); err != nil {
		return nil, err
	}
	for i := range l.clusters { // what clusters are made of is not needed any more, but for the texts that say of what types they are
		for j := range l.clusters[i].Occurrences {
			o := &l.clusters[i].Occurrences[j]
			if o.Words, o.With = nil, nil; j >= annotate.MostTyped {
				o.Excerpt = ""
			}
		}
	}
	return l, nil
}

func surtOf(document string) string { return document[:strings.LastIndexByte(document, ' ')] }

// viewOf sums up which of some texts may be seen.
func viewOf(texts []seen, may May) (sum [sha256.Size]byte) {
	h := sha256.New()
	bits := make([]byte, 0, len(texts))
	for _, t := range texts {
		bit := byte(1)
		if may != nil && !may(t.surt, t.time) {
			bit = 0
		}
		bits = append(bits, bit)
	}
	h.Write(bits)
	h.Sum(sum[:0])
	return sum
}

// stateOf sums up what a look reads: which files the collection has, their tables and texts, and the base.
func stateOf(files []catalog.File, derived, base string) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s\n", f.Name)
	}
	for _, unit := range []string{"mentions", "entities", "pages", job.State("mentions"), job.State("entities")} {
		list, err := os.ReadDir(filepath.Join(derived, unit))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return sum, err
		}
		for _, e := range list {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // it was just written anew: the next look sees it
			}
			if err != nil {
				return sum, err
			}
			writeFile(h, unit+"/"+e.Name(), info)
		}
	}
	info, err := os.Stat(base)
	switch {
	case err == nil:
		writeFile(h, "base", info)
	case !errors.Is(err, fs.ErrNotExist):
		return sum, err
	}
	h.Sum(sum[:0])
	return sum, nil
}

func writeFile(h hash.Hash, name string, info fs.FileInfo) {
	fmt.Fprintf(h, "%s %d %d\n", name, info.Size(), info.ModTime().UnixNano())
}

// Type fills in what kinds of things entries of a survey seem to be. What is asked again is known.
func (s *Survey) Type(ctx context.Context, entries []Entry) error {
	key := func(e *Entry) string {
		var b strings.Builder
		for _, o := range e.Occurrences[:min(annotate.MostTyped, len(e.Occurrences))] {
			fmt.Fprintf(&b, "%s\x00%s\x00", o.Name, o.Document)
		}
		return b.String()
	}
	l := s.looked
	l.mu.Lock()
	types := maps.Clone(l.types)
	l.mu.Unlock()
	var open []*emerging.Cluster
	for i := range entries {
		if known, ok := types[key(&entries[i])]; ok {
			entries[i].Types = slices.Clone(known)
		} else {
			open = append(open, &entries[i].Cluster)
		}
	}
	if err := annotate.TypeClusters(ctx, open); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range entries {
		l.types[key(&entries[i])] = slices.Clone(entries[i].Types)
	}
	return nil
}
