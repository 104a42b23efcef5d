package triplestore_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/chance"
)

// people returns quads with a name of their own each.
func people(from, to int) (out []rdf.Quad) {
	for i := from; i < to; i++ {
		out = append(out, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewIRI(fmt.Sprintf("http://example.org/%d", i)), Predicate: rdf.NewIRI("http://example.org/name"), Object: rdf.NewString(fmt.Sprintf("Ann %d", i))}})
	}
	return out
}

// A load reads its quads a second time only where terms meet under one hash, and afterwards the store knows these terms.
func TestCollisionsAreReadTwice(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", small)
	defer s.Close()
	s.Hash(3)
	load := func(quads []rdf.Quad) (passes int) {
		t.Helper()
		loaded, err := s.Load(context.Background(), func(string) iter.Seq2[rdf.Quad, error] {
			passes++
			return func(yield func(rdf.Quad, error) bool) {
				for _, q := range quads {
					if !yield(q, nil) {
						return
					}
				}
			}
		})
		if err != nil || loaded.Quads != int64(len(quads)) {
			t.Fatalf("%+v, %v", loaded, err)
		}
		return passes
	}
	if n := load(people(0, 1)); n > 2 {
		t.Errorf("%d passes", n)
	}
	if n := load(people(0, 200)); n != 2 {
		t.Errorf("%d passes for terms that meet", n)
	}
	if n := load(people(0, 200)); n != 1 {
		t.Errorf("%d passes for terms whose numbers are known", n)
	}
	if n := load(people(150, 260)); n != 2 {
		t.Errorf("%d passes for new terms", n)
	}
	checkPatterns(t, s, set(people(0, 260)))
	view := s.View()
	defer view.Close()
	if id, err := view.Lookup(rdf.NewString("nobody")); id != 0 || err != nil {
		t.Errorf("a term that is not there has the number %x, %v", uint64(id), err)
	}
	// SPARQL sees them apart.
	q, err := sparql.Parse(`SELECT (COUNT(DISTINCT ?n) AS ?c) { ?s <http://example.org/name> ?n FILTER(?s != ?n) }`, "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := sparql.Evaluate(context.Background(), view, q, sparql.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range r.Solutions {
		if err != nil || row[0].Value != "260" {
			t.Errorf("%v, %v", row, err)
		}
	}
}

// A source that gives something else when it is read again is refused, and nothing of it stays.
func TestCollisionsOfAnotherSource(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", small)
	defer s.Close()
	s.Hash(1)
	fill(t, s, people(0, 5))
	pass := 0
	_, err := s.Load(context.Background(), func(string) iter.Seq2[rdf.Quad, error] {
		pass++
		return func(yield func(rdf.Quad, error) bool) {
			for _, q := range people(100*pass, 100*pass+9) {
				if !yield(q, nil) {
					return
				}
			}
		}
	})
	var e *varve.Error
	if !errors.As(err, &e) || e.Kind != varve.Conflict {
		t.Fatal(err)
	}
	checkPatterns(t, s, set(people(0, 5)))
}

// Terms without end that have one hash are refused before memory is full.
func TestCollisionsAreBounded(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", triplestore.Config{CacheBytes: 1 << 20, MemtableBytes: 1 << 20, SortBytes: 1 << 20})
	defer s.Close()
	s.Hash(0)
	long := strings.Repeat("x", 1<<20)
	_, err := s.Load(context.Background(), func(string) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for i := range 1 << 20 {
				q := people(0, 1)[0]
				q.Object = rdf.NewString(fmt.Sprint(i, long))
				if !yield(q, nil) {
					return
				}
			}
		}
	})
	if err == nil || !strings.Contains(err.Error(), "have the hash of another term") {
		t.Fatal(err)
	}
	checkPatterns(t, s, nil)
}

// Keep, which writes a store anew, and updates of the new one: the new store has other numbers.
func TestCollisionsAreKept(t *testing.T) {
	r := chance.Rand(t, 1)
	fs := vfs.NewMem()
	s := open(t, fs, "store", small)
	s.Hash(2)
	quads := randomQuads(r, 400)
	fill(t, s, quads)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	gone, err := triplestore.Keep(context.Background(), fs, "store", small, r, nil, func(g rdf.Term) bool { return g.Kind == rdf.None })
	if err != nil {
		t.Fatal(err)
	}
	want := set(quads)
	for q := range want {
		if q.Graph.Kind != rdf.None {
			delete(want, q)
			gone--
		}
	}
	if gone != 0 {
		t.Errorf("%d quads too many or too few went", gone)
	}
	s = open(t, fs, "store", small)
	defer s.Close()
	checkPatterns(t, s, want)
}

// A store of the version before is read as it is, and becomes one of this version with the first change.
func TestFormatBefore(t *testing.T) {
	for _, load := range []bool{true, false} {
		fs := vfs.NewMem()
		s := open(t, fs, "store", small)
		fill(t, s, people(0, 50))
		if err := s.AsBefore(); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for want := 50; want <= 70; want += 10 {
			s = open(t, fs, "store", small)
			checkPatterns(t, s, set(people(0, want)))
			more := people(want, want+10)
			if load {
				fill(t, s, more)
			} else {
				u := s.Update()
				for _, q := range more {
					if err := u.Insert(q); err != nil {
						t.Fatal(err)
					}
				}
				if err := u.Commit(); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A load is not written anew by what Pebble merges behind it.
func TestLoadIsWrittenOnce(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", triplestore.DefaultConfig())
	defer s.Close()
	fill(t, s, people(0, 4000))
	if err := s.Settle(); err != nil {
		t.Fatal(err)
	}
	if n := s.Merged(); n > 64<<10 {
		t.Errorf("%d bytes were read again to be merged", n)
	}
}
