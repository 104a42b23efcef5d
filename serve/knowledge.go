package serve

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/entity/base"
	"varve/entity/inquiry"
	"varve/kb/endpoint"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/serve/access"
)

// Limits of what is asked of the knowledge base from the screens' host: many may ask at once.
const (
	queryTime       = 30 * time.Second
	queryRows       = 1_000_000
	queryMemory     = 128 << 20
	queriesAtOnce   = 8
	queriesOfOne    = 3
	keepKnowledge   = 2 * time.Second // that nobody asks, before the store is closed and commands can write to it
	maxChangeOfBase = 64 << 20        // bytes of a graph that is sent
)

// knowledge is the knowledge base of the archive, as each visitor may see it.
//
// One process has a store open at a time. So it is opened when it is asked and closed when nobody asks: 'varve kb load' finds it free a moment later.
type knowledge struct {
	dir     string
	rules   *access.Decisions
	linkers *linkers
	now     func() time.Time
	log     *slog.Logger

	mu    sync.Mutex
	store *triplestore.Store // nil: closed
	users int
	shut  *time.Timer
}

// lend opens the store, if it is not open, until done is called.
func (k *knowledge) lend() (store *triplestore.Store, done func(), err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.store == nil {
		if !triplestore.Exists(vfs.Default, k.dir) {
			return nil, nil, &varve.Error{Kind: varve.NotFound, Op: "ask the knowledge base", Msg: "there is none yet", Hint: "'varve kb export COLLECTION --output FILE' and 'varve kb load FILE' make one"}
		}
		if k.store, err = triplestore.Open(vfs.Default, k.dir, triplestore.DefaultConfig(), rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), k.log); err != nil {
			k.store = nil
			if varve.KindOf(err) == varve.Conflict {
				err = &varve.Error{Kind: varve.Unavailable, Op: "ask the knowledge base", Msg: "a command is at work on it", Hint: "try again when it has ended"}
			}
			return nil, nil, err
		}
	}
	k.users++
	if k.shut != nil {
		k.shut.Stop()
		k.shut = nil
	}
	return k.store, sync.OnceFunc(k.giveBack), nil
}

func (k *knowledge) giveBack() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.users--; k.users == 0 {
		k.shut = time.AfterFunc(keepKnowledge, func() {
			if err := k.close(); err != nil {
				k.log.Error("close the knowledge base", "error", err)
			}
		})
	}
}

// close closes the store unless somebody uses it.
func (k *knowledge) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.store == nil || k.users > 0 {
		return nil
	}
	err := k.store.Close()
	k.store = nil
	return err
}

// forget takes what was told of a collection out of the base, if there is one.
func (k *knowledge) forget(ctx context.Context, collection string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !triplestore.Exists(vfs.Default, k.dir) {
		return nil
	}
	if k.users > 0 {
		return &varve.Error{Kind: varve.Conflict, Op: "change the knowledge base", Msg: "somebody asks it just now", Hint: "try again in a moment"}
	}
	if k.store != nil {
		err := k.store.Close()
		if k.store = nil; err != nil {
			return err
		}
	}
	_, err := triplestore.Keep(ctx, vfs.Default, k.dir, triplestore.DefaultConfig(), rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), k.log, func(graph rdf.Term) bool {
		name, ok := model.ParseName(graph.Value)
		return !ok || name.Collection != collection
	})
	return err
}

// lendEntities lends the base of entities of the archive, which all readers may know.
func (k *knowledge) lendEntities() (*base.Base, func(), error) {
	l, done, err := k.linkers.Linker("")
	if err != nil {
		return nil, nil, err
	}
	return l.Base(), done, nil
}

// handler answers the SPARQL protocol and the graph store protocol; administrators may change what they like.
func (k *knowledge) handler() *endpoint.Handler {
	return endpoint.NewLent(k.lend, endpoint.Config{
		Updates: true, Timeout: queryTime, MaxBody: maxChangeOfBase, Spill: true, AtOnce: queriesAtOnce, PerClient: queriesOfOne, Now: k.now,
		Limits: sparql.Options{MaxRows: queryRows, MaxMemory: queryMemory, UnionDefault: true, Functions: inquiry.Lent(k.lendEntities)},
		Sees:   k.sees,
		Changes: func(r *http.Request) error {
			if !access.From(r.Context()).Can(access.Admin) {
				return &varve.Error{Kind: varve.Forbidden, Op: "change the knowledge base", Msg: "only administrators may"}
			}
			return nil
		},
		Client: func(r *http.Request) string {
			who := access.From(r.Context())
			return who.Label() + " " + who.Network
		},
	})
}

// sees tells which graphs a visitor may know of now. A graph is named after what its statements were taken from (kb/model):
//
//	a capture                  the rules in force decide on it
//	captures of an address     at every instant of that time it must be open
//	a collection, a crawl      nothing of the collection may be withheld: it knows no rules (withheld.go)
//	anything else              what people loaded: for curators, and for readers from whom nothing at all is withheld
func (k *knowledge) sees(r *http.Request) (func(graph rdf.Term) bool, error) {
	who := access.From(r.Context())
	if !who.Can(access.Viewer) {
		return nil, &varve.Error{Kind: varve.Forbidden, Op: "ask the knowledge base", Msg: "this needs a login", Hint: "programs use a token: varve user token NAME makes one"}
	}
	set, err := k.rules.InForce()
	if err != nil {
		return nil, err
	}
	now := k.now()
	others := who.Can(access.Curator) && who.Only == nil || !set.Withholds(who, "")
	return func(graph rdf.Term) bool {
		name, ok := model.ParseName(graph.Value)
		switch {
		case !ok || graph.Kind != rdf.IRI:
			return others
		case name.Kind == model.OfCapture:
			return set.Check(who, name.Collection, name.IndexKey(), name.Time, now).Allowed
		case name.Kind == model.OfCaptures:
			return set.Always(who, name.Collection, name.IndexKey(), name.Time, name.Until, now)
		}
		return !set.Withholds(who, name.Collection)
	}, nil
}

// ontology answers with the vocabulary.
func ontology(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", rdf.Turtle.MediaType())
	_, _ = w.Write(model.Source)
}

// kbDir is where the knowledge base of an archive lies.
func kbDir(archive string) string { return filepath.Join(archive, "kb") }
