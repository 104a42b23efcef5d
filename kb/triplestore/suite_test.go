package triplestore_test

import (
	"context"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/w3c"
)

func open(t testing.TB, fs vfs.FS, dir string, cfg triplestore.Config) *triplestore.Store {
	t.Helper()
	s, err := triplestore.Open(fs, dir, cfg, rand.New(rand.NewPCG(1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fill(t testing.TB, s *triplestore.Store, quads []rdf.Quad) {
	t.Helper()
	_, err := s.Load(context.Background(), func(string) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for _, q := range quads {
				if !yield(q, nil) {
					return
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func all(t testing.TB, data interface {
	Quads(sparql.Pattern) iter.Seq2[rdf.Quad, error]
},
) []rdf.Quad {
	t.Helper()
	var quads []rdf.Quad
	for q, err := range data.Quads(sparql.Pattern{}) {
		if err != nil {
			t.Fatal(err)
		}
		quads = append(quads, q)
	}
	return quads
}

// The query suites of kb/sparql, and the update suites, on a store; again on one where nearly all terms have the hash of another.
func TestSuites(t *testing.T) {
	t.Run("hashed", func(t *testing.T) { suites(t, 62) })
	t.Run("collided", func(t *testing.T) { suites(t, 2) })
}

func suites(t *testing.T, bits int) {
	var table w3c.Table
	cfg := triplestore.Config{CacheBytes: 1 << 20, MemtableBytes: 1 << 20, SortBytes: 4096}
	for name, manifests := range map[string][]string{
		"sparql11": {"manifest-sparql11-query.ttl", "manifest-sparql11-update.ttl"},
		"sparql10": {"manifest-evaluation.ttl"},
	} {
		suite := w3c.Open(t, name)
		for _, m := range manifests {
			for _, c := range suite.Tests(t, w3c.Base+"sparql/"+name+"/"+m) {
				why := ""
				s := open(t, vfs.NewMem(), "store", cfg)
				s.Hash(bits)
				switch c.Type {
				case "QueryEvaluationTest":
					var view *triplestore.View
					why = w3c.RunQuery(t, suite, c, func(quads []rdf.Quad) sparql.Dataset {
						fill(t, s, quads)
						view = s.View()
						return view
					})
					if view != nil {
						if err := view.Close(); err != nil {
							t.Fatal(err)
						}
					}
				case "UpdateEvaluationTest":
					var u *triplestore.Update
					why = w3c.RunUpdate(t, suite, c, func(quads []rdf.Quad) (sparql.Transaction, func() []rdf.Quad) {
						fill(t, s, quads)
						u = s.Update()
						return u, func() []rdf.Quad {
							before := all(t, u)
							if err := u.Commit(); err != nil {
								t.Fatal(err)
							}
							view := s.View()
							defer view.Close()
							after := all(t, view)
							if !rdf.Isomorphic(before, after) {
								t.Errorf("%s: the update saw other quads than were committed", c.Name)
							}
							return after
						}
					})
					if u != nil {
						if err := u.Cancel(); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				switch {
				case why != "":
					table.Failed(c.Group, c.Name, why)
				case c.Type == "QueryEvaluationTest" || c.Type == "UpdateEvaluationTest":
					table.Passed(c.Group)
				}
			}
		}
	}
	table.Report(t, nil)
}
