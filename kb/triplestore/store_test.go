package triplestore_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/chance"
)

// small makes loads of a few quads spill to disk.
var small = triplestore.Config{CacheBytes: 1 << 20, MemtableBytes: 1 << 20, SortBytes: 16 << 10}

// randomQuads returns quads of few terms of all kinds, so that they share terms and some come twice.
func randomQuads(r *rand.Rand, n int) []rdf.Quad {
	terms := []rdf.Term{
		rdf.NewString(""), rdf.NewLang("x", "en"), rdf.NewLiteral("x", "http://example.org/type"), rdf.NewLiteral("1.50", rdf.Decimal),
		rdf.NewLiteral("007", rdf.Integer), rdf.NewLiteral("true", rdf.Boolean), rdf.NewLiteral("1", rdf.Boolean), rdf.NewLiteral("2026-11-16", rdf.Date),
		rdf.NewLiteral("-0044-03-15", rdf.Date), rdf.NewLiteral("2026-11-16Z", rdf.Date), rdf.NewLiteral("2026-11-16T01:02:03Z", rdf.DateTime),
		rdf.NewLiteral("2026-11-16T01:02:03.5Z", rdf.DateTime), rdf.NewLiteral("2026-11-16T01:02:03", rdf.DateTime), rdf.NewLiteral("9223372036854775807", rdf.Integer),
		rdf.NewLiteral("576460752303423487", rdf.Integer), rdf.NewLiteral("576460752303423488", rdf.Integer), rdf.NewLiteral("-576460752303423488", rdf.Integer),
		rdf.NewLiteral("-576460752303423489", rdf.Integer), rdf.NewLiteral("-0", rdf.Integer), rdf.NewLiteral("none", rdf.Boolean), rdf.NewBlank("b"),
	}
	var quads []rdf.Quad
	for range n {
		q := rdf.Quad{Triple: rdf.Triple{
			Subject:   rdf.NewIRI(fmt.Sprintf("http://example.org/s%d", r.IntN(n/4+1))),
			Predicate: rdf.NewIRI(fmt.Sprintf("http://example.org/p%d", r.IntN(5))),
			Object:    terms[r.IntN(len(terms))],
		}}
		if r.IntN(3) == 0 {
			q.Object = rdf.NewLiteral(strconv.Itoa(r.IntN(1000)-500), rdf.Integer)
		}
		if r.IntN(10) == 0 {
			q.Subject = rdf.NewBlank("s" + strconv.Itoa(r.IntN(9)))
		}
		if g := r.IntN(6); g > 1 {
			q.Graph = rdf.NewIRI(fmt.Sprintf("http://example.org/g%d", g))
		}
		quads = append(quads, q)
	}
	return quads
}

func set(quads []rdf.Quad) map[rdf.Quad]bool {
	m := map[rdf.Quad]bool{}
	for _, q := range quads {
		m[q] = true
	}
	return m
}

// Loads and updates at random against a map, with every pattern asked, and the store opened again. With few bits of hash most terms share theirs with others, with none all do.
func TestAgainstModel(t *testing.T) {
	for _, bits := range []int{62, 5, 0} {
		t.Run(strconv.Itoa(bits), func(t *testing.T) { againstModel(t, bits) })
	}
}

func againstModel(t *testing.T, bits int) {
	r := chance.Rand(t, 1)
	fs := vfs.NewMem()
	open := func() *triplestore.Store {
		s := open(t, fs, "store", small)
		s.Hash(bits)
		return s
	}
	s := open()
	model := map[rdf.Quad]bool{}
	for round := range 8 {
		quads := randomQuads(r, 300)
		if round%3 == 0 {
			fill(t, s, quads)
			for _, q := range quads {
				model[q] = true
			}
		} else {
			u := s.Update()
			keep := r.IntN(4) > 0
			changed := map[rdf.Quad]bool{}
			for _, q := range quads {
				var err error
				if changed[q] = r.IntN(2) == 0; changed[q] {
					err = u.Insert(q)
				} else {
					err = u.Delete(q)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for q := range model { // delete some that are there
				if r.IntN(4) == 0 {
					changed[q] = false
					if err := u.Delete(q); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !keep {
				if err := u.Cancel(); err != nil {
					t.Fatal(err)
				}
			} else {
				if err := u.Commit(); err != nil {
					t.Fatal(err)
				}
				for q, there := range changed {
					if there {
						model[q] = true
					} else {
						delete(model, q)
					}
				}
			}
		}
		if round == 4 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open()
		}
		if round == 6 {
			if err := s.Compact(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		checkPatterns(t, s, model)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkPatterns asks every combination of bound places for some quads, and all of them.
func checkPatterns(t *testing.T, s *triplestore.Store, model map[rdf.Quad]bool) {
	t.Helper()
	view := s.View()
	defer view.Close()
	n := 0
	graphs := map[rdf.Term]bool{}
	for q := range model {
		if q.Graph.Kind != rdf.None {
			graphs[q.Graph] = true
		}
		if n++; n > 20 {
			continue
		}
		terms := []rdf.Term{q.Subject, q.Predicate, q.Object, q.Graph}
		for bits := range 16 {
			var p sparql.Pattern
			want := map[rdf.Quad]bool{}
			for i, term := range terms {
				if bits>>i&1 == 0 {
					continue
				}
				id, err := view.Lookup(term)
				if err != nil || id == 0 {
					t.Fatalf("%s is not found: %v", term, err)
				}
				p[i] = id
			}
			for m := range model {
				of := []rdf.Term{m.Subject, m.Predicate, m.Object, m.Graph}
				matches := true
				for i := range of {
					matches = matches && (p[i] == 0 || of[i] == terms[i])
				}
				if matches {
					want[m] = true
				}
			}
			got := 0
			for m, err := range view.Quads(p) {
				if err != nil {
					t.Fatal(err)
				}
				got++
				if !want[m] {
					t.Fatalf("pattern %04b of %v: %v was not expected", bits, q, m)
				}
			}
			if got != len(want) {
				t.Fatalf("pattern %04b of %v: %d quads, want %d", bits, q, got, len(want))
			}
			if e := view.Estimate(p); len(want) < 64 && p[3] != 0 && e < float64(len(want)) {
				t.Errorf("pattern %04b: estimated %v of %d", bits, e, len(want))
			}
		}
	}
	count := 0
	for id, err := range view.Graphs() {
		term, terr := view.Term(id)
		if err != nil || terr != nil || !graphs[term] {
			t.Fatalf("graph %v: %v %v", term, err, terr)
		}
		count++
	}
	if count != len(graphs) {
		t.Errorf("%d graphs, want %d", count, len(graphs))
	}
}

// A view is what was there when it was taken.
func TestViewsDoNotChange(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", small)
	defer s.Close()
	quads := randomQuads(rand.New(rand.NewPCG(1, 1)), 100)
	fill(t, s, quads[:50])
	view := s.View()
	defer view.Close()
	fill(t, s, quads[50:])
	u := s.Update()
	for q := range set(quads[:50]) {
		if err := u.Delete(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := u.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, want := len(all(t, view)), len(set(quads[:50])); got != want {
		t.Errorf("%d quads, want %d", got, want)
	}
}

// Several ask one view at once, and none gets what another asked for.
func TestViewIsShared(t *testing.T) {
	s := open(t, vfs.NewMem(), "store", small)
	defer s.Close()
	quads := generated(0, 3000)
	fill(t, s, quads)
	view := s.View()
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := g; i < len(quads); i += 7 {
				id, err := view.Lookup(quads[i].Subject)
				if err != nil || id == 0 {
					t.Errorf("%s: %d %v", quads[i].Subject, id, err)
					return
				}
				n := 0
				for q, err := range view.Match(sparql.Pattern{id}) {
					object, terr := view.Term(q[2]) // while the other iterator is open
					if err != nil || terr != nil || q[0] != id || object.Kind != rdf.Literal {
						t.Errorf("%v: %v %v %v", q, object, err, terr)
					}
					n++
				}
				if n != 3 {
					t.Errorf("%s: %d quads", quads[i].Subject, n)
				}
			}
		})
	}
	all.Wait()
	if err := view.Close(); err != nil {
		t.Error(err)
	}
}

// A load that ends with an error leaves nothing behind, and blank nodes of loads do not meet.
func TestLoadFails(t *testing.T) {
	fs := vfs.NewMem()
	s := open(t, fs, "store", small)
	defer s.Close()
	broken := errors.New("line 7 is wrong")
	quads := randomQuads(rand.New(rand.NewPCG(1, 1)), 2000)
	var scopes []string
	load := func(fail error) error {
		_, err := s.Load(context.Background(), func(scope string) iter.Seq2[rdf.Quad, error] {
			scopes = append(scopes, scope)
			return func(yield func(rdf.Quad, error) bool) {
				for _, q := range quads {
					if !yield(q, nil) {
						return
					}
				}
				if fail != nil {
					yield(rdf.Quad{}, fail)
				}
			}
		})
		return err
	}
	if err := load(broken); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	view := s.View()
	if n := len(all(t, view)); n > 0 {
		t.Errorf("%d quads of a load that failed", n)
	}
	view.Close()
	if names, err := fs.List("store"); err != nil || strings.Contains(strings.Join(names, " "), "load") {
		t.Errorf("left behind: %v (%v)", names, err)
	}
	if err := errors.Join(load(nil), load(nil)); err != nil {
		t.Fatal(err)
	}
	if scopes[1] == scopes[2] {
		t.Errorf("two loads with the scope %s", scopes[1])
	}
}

func TestSecondProcess(t *testing.T) {
	dir := t.TempDir()
	s := open(t, vfs.Default, dir, small)
	defer s.Close()
	_, err := triplestore.Open(vfs.Default, dir, small, rand.New(rand.NewPCG(1, 1)), nil)
	if varve.KindOf(err) != varve.Conflict {
		t.Errorf("a second one opened it: %v", err)
	}
}

// A process that is killed at a stage of a load leaves the store as it was, or with all that it loaded.
func TestKilledLoad(t *testing.T) {
	const quads = 30_000
	if dir := os.Getenv("VARVE_TEST_LOAD"); dir != "" {
		s := open(t, vfs.Default, dir, small)
		s.Reached(func(stage string) {
			if stage == os.Getenv("VARVE_TEST_STAGE") {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		})
		fill(t, s, generated(1, quads))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]int{"": 100 + quads, "begun": 100, "runs": 100, "tables": 100, "ingested": 100 + quads} {
		dir := t.TempDir()
		s := open(t, vfs.Default, dir, small)
		fill(t, s, generated(0, 100))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run", "^TestKilledLoad$")
		cmd.Env = append(os.Environ(), "VARVE_TEST_LOAD="+dir, "VARVE_TEST_STAGE="+stage)
		if out, err := cmd.CombinedOutput(); (err == nil) != (stage == "") {
			t.Fatalf("%q: %v %s", stage, err, out)
		}
		if _, err := os.Stat(dir + "/load"); (err == nil) != (stage != "") {
			t.Errorf("%q: files of the load: %v", stage, err)
		}
		s = open(t, vfs.Default, dir, small)
		view := s.View()
		got := all(t, view)
		if len(got) != want {
			t.Errorf("%q: %d quads after the kill, want %d", stage, len(got), want)
		}
		// Every permutation has the same quads.
		for i := range 3 {
			var p sparql.Pattern
			p[i], err = view.Lookup([]rdf.Term{got[0].Subject, got[0].Predicate, got[0].Object}[i])
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for _, q := range got {
				if [3]rdf.Term{q.Subject, q.Predicate, q.Object}[i] == [3]rdf.Term{got[0].Subject, got[0].Predicate, got[0].Object}[i] {
					want++
				}
			}
			n := 0
			for _, err := range view.Match(p) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
			if n != want {
				t.Errorf("place %d: %d quads, want %d", i, n, want)
			}
		}
		if err := errors.Join(view.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir + "/load"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("files of the load are left: %v", err)
		}
	}
}

func generated(from, n int) []rdf.Quad {
	var quads []rdf.Quad
	for i := range n {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{
			Subject:   rdf.NewIRI(fmt.Sprintf("http://example.org/%d/%d", from, i/3)),
			Predicate: rdf.NewIRI("http://example.org/p" + strconv.Itoa(i%3)),
			Object:    rdf.NewString(strconv.Itoa(i)),
		}})
	}
	return quads
}

// Whoever comes while a load is under way is told so, and takes nothing from it.
func TestOpenDuringLoad(t *testing.T) {
	dir := t.TempDir()
	open := func() (*triplestore.Store, error) {
		return triplestore.Open(vfs.Default, dir, small, rand.New(rand.NewPCG(1, 1)), nil)
	}
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	s.Reached(func(stage string) {
		if _, err := open(); varve.KindOf(err) != varve.Conflict {
			t.Errorf("a second one, when the load has %s: %v", stage, err)
		}
	})
	_, err = s.Load(t.Context(), func(string) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for _, q := range randomQuads(rand.New(rand.NewPCG(1, 1)), 3000) {
				if !yield(q, nil) {
					return
				}
			}
		}
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Errorf("the load ended with %v", err)
	}
}

// renames calls back before each rename of a folder.
type renames struct {
	vfs.FS
	at func(from, to string)
}

func (r renames) Rename(from, to string) error {
	r.at(from, to)
	return r.FS.Rename(from, to)
}

// Whoever opens a store whose folder Keep has just renamed is told that it is in use; after a kill at this place finds all that was there, and nothing of what is
// loaded then is lost by the next Keep.
func TestKilledKeep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	disk := vfs.Default
	dir := t.TempDir() + "/kb"
	s := open(t, disk, dir, small)
	fill(t, s, generated(0, 100))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	all := func(rdf.Term) bool { return true }
	stops := 0
	_, err := triplestore.Keep(t.Context(), renames{disk, func(from, to string) {
		if filepath.Dir(from) != filepath.Dir(dir) {
			return // a file of Pebble
		}
		stops++
		if _, err := triplestore.Open(disk, dir, small, r, nil); varve.KindOf(err) != varve.Conflict {
			t.Errorf("opened before %s became %s: %v", from, to, err)
		}
	}}, dir, small, r, nil, all)
	if err != nil || stops != 2 {
		t.Fatalf("%d renames: %v", stops, err)
	}
	if err := disk.Rename(dir, dir+".old"); err != nil { // as a kill between the renames leaves it
		t.Fatal(err)
	}
	if !triplestore.Exists(disk, dir) {
		t.Error("there is no store any more")
	}
	s = open(t, disk, dir, small)
	fill(t, s, generated(100, 50))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := triplestore.Keep(t.Context(), disk, dir, small, r, nil, all); err != nil {
		t.Fatal(err)
	}
	s = open(t, disk, dir, small)
	defer s.Close()
	view := s.View()
	defer view.Close()
	n := 0
	for _, err := range view.Quads(sparql.Pattern{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 150 {
		t.Errorf("%d quads, of 100 that were there and 50 that came", n)
	}
}

// What is not kept is gone to the last byte; the rest is as it was, also after a call that was killed between its renames.
func TestKeep(t *testing.T) {
	dir := t.TempDir() + "/kb"
	r := rand.New(rand.NewPCG(1, 1))
	s, err := triplestore.Open(vfs.Default, dir, small, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	quads := randomQuads(r, 500)
	for i := range quads {
		if quads[i].Graph.Value == "http://example.org/g3" {
			quads[i].Object = rdf.NewString(fmt.Sprintf("secret-%d-%s", i, strings.Repeat("hush ", 20)))
		}
	}
	_, err = s.Load(t.Context(), func(string) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for _, q := range quads {
				if !yield(q, nil) {
					return
				}
			}
		}
	})
	if err := errors.Join(err, s.Close(), os.Rename(dir, dir+".old"), os.MkdirAll(dir+".new", 0o755)); err != nil {
		t.Fatal(err)
	}
	gone, err := triplestore.Keep(t.Context(), vfs.Default, dir, small, r, nil, func(g rdf.Term) bool { return g.Value != "http://example.org/g3" })
	if err != nil {
		t.Fatal(err)
	}
	want := set(quads)
	for q := range want {
		if q.Graph.Value == "http://example.org/g3" {
			delete(want, q)
			gone--
		}
	}
	if gone != 0 {
		t.Errorf("%d quads too many went", gone)
	}
	if s, err = triplestore.Open(vfs.Default, dir, small, r, nil); err != nil {
		t.Fatal(err)
	}
	view := s.View()
	n := 0
	for q, err := range view.Quads(sparql.Pattern{}) {
		if n++; err != nil || !want[q] {
			t.Fatalf("%s: %v", q, err)
		}
	}
	id, err := view.Lookup(rdf.NewIRI("http://example.org/g3"))
	if err := errors.Join(err, view.Close(), s.Close()); err != nil || n != len(want) || id != 0 {
		t.Errorf("%d quads of %d, the graph is %d, %v", n, len(want), id, err)
	}
	for _, name := range []string{".old", ".new"} {
		if _, err := os.Stat(dir + name); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
}
