package websim

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	"varve/lab/websim/prose"
	"varve/lab/websim/truth"
)

// PageID is the number of a page in a Web. The pages of a site have numbers in a row, the first is
// its home page.
type PageID int32

// NoPage stands for what is no page: robots.txt, sitemaps, errors, traps.
const NoPage PageID = -1

// Web is a simulated web. It is safe for concurrent use and, but for caches, does not change.
type Web struct {
	spec  *Spec
	seed  uint64
	sites []*site
	hosts map[string]*site
	pages int
	cache *cache
	mount map[string]Handler
}

// Handler answers requests in place of the pages of a host: the way to add applications, media or
// anything else to a web. It returns nil to leave a request to the pages. It must depend on
// nothing but the request and the instant.
type Handler interface {
	Answer(r *Request, at time.Time) *Answer
}

// Option sets something about a Web.
type Option func(*Web)

// WithCache bounds the memory for bodies that were made, in bytes. The default is 128 MiB.
func WithCache(bytes int64) Option { return func(w *Web) { w.cache = newCache(bytes) } }

// WithHandler puts a handler before the pages of a host.
func WithHandler(host string, h Handler) Option {
	return func(w *Web) { w.mount[strings.ToLower(host)] = h }
}

// New makes the web that a description and a seed stand for. The Spec must come from Load or
// Preset and must not be changed afterwards.
func New(spec *Spec, seed uint64, opts ...Option) (*Web, error) {
	if spec == nil || len(spec.Sites) == 0 || spec.Span <= 0 {
		return nil, errors.New("websim: the description is not from Load or Preset")
	}
	w := &Web{spec: spec, seed: seed, hosts: make(map[string]*site, len(spec.Sites)), mount: map[string]Handler{}}
	for _, o := range opts {
		o(w)
	}
	if w.cache == nil {
		w.cache = newCache(128 << 20)
	}
	lexica := map[string]*prose.Lexicon{}
	for i := range spec.Sites {
		t := &spec.Sites[i]
		if lexica[t.Lang] == nil {
			lex, err := prose.NewLexicon(seed, t.Lang)
			if err != nil {
				return nil, fmt.Errorf("site %s: %w", t.Host, err)
			}
			lexica[t.Lang] = lex
		}
		s := newSite(w, t, lexica[t.Lang], PageID(w.pages))
		w.sites = append(w.sites, s)
		w.hosts[s.host] = s
		w.pages += len(s.paths)
	}
	return w, nil
}

// Epoch is the instant at which the history begins.
func (w *Web) Epoch() time.Time { return w.spec.Epoch }

// End is the instant after which nothing changes any more.
func (w *Web) End() time.Time { return w.spec.Epoch.Add(time.Duration(w.spec.Span)) }

// Len is the number of pages; their numbers are 0 to Len()-1.
func (w *Web) Len() int { return w.pages }

// ms is the instant in milliseconds since the epoch.
func (w *Web) ms(t time.Time) int64 { return t.Sub(w.spec.Epoch).Milliseconds() }

// time is the inverse of ms.
func (w *Web) time(ms int64) time.Time { return w.spec.Epoch.Add(time.Duration(ms) * time.Millisecond) }

// find gives the site of a page and its number there. The id must be one of the web's: like an index
// beyond a slice, another one is a mistake of the caller and panics.
func (w *Web) find(id PageID) (*site, int) {
	k := sort.Search(len(w.sites), func(k int) bool { return w.sites[k].first > id }) - 1
	return w.sites[k], int(id - w.sites[k].first)
}

// Page is what does not change about a page.
type Page struct {
	ID     PageID
	Host   string
	Path   string // at the epoch; a page may move
	Type   Type
	Depth  int
	Parent PageID // the page that lists or embeds it; NoPage for home pages and pages of fixed path
	Topic  int
}

// Page describes a page.
func (w *Web) Page(id PageID) Page {
	s, i := w.find(id)
	p := Page{ID: id, Host: s.host, Path: s.paths[i], Type: s.types[i], Depth: s.depth(i), Parent: NoPage, Topic: s.topic(i)}
	if i > 0 && i < s.html+s.assets {
		p.Parent = s.first + PageID(s.parent(i))
	}
	return p
}

// URL is the address of a page at an instant.
func (w *Web) URL(id PageID, at time.Time) string {
	s, i := w.find(id)
	return s.url(moved(s.paths[i], s.history(i).At(w.ms(at)).Moves))
}

// Lookup finds the page of a host and a path with query, whether the page is there or not.
func (w *Web) Lookup(host, target string) (PageID, bool) {
	s := w.hosts[strings.ToLower(host)]
	if s == nil {
		return NoPage, false
	}
	i, _, ok := s.lookup(target)
	if !ok {
		return NoPage, false
	}
	return s.first + PageID(i), true
}

// Host is one host of the web.
type Host struct {
	Name  string
	Addr  string // loopback address of the real server
	Seed  string // URL of its home page
	WWW   bool   // www.Name is there too
	First PageID // its pages are First to First+Pages-1
	Pages int
}

// Hosts lists the hosts in the order of the description.
func (w *Web) Hosts() []Host {
	out := make([]Host, 0, len(w.sites))
	for _, s := range w.sites {
		out = append(out, Host{s.host, s.spec.Addr, s.url("/"), s.spec.WWW, s.first, len(s.paths)})
	}
	return out
}

// url is the full address of a path.
func (s *site) url(path string) string { return s.scheme() + "://" + s.host + path }

func (s *site) scheme() string {
	if oneOf(s.spec.Scheme, "https", "upgrade") {
		return "https"
	}
	return "http"
}

// History lists all changes of a page in order of time.
func (w *Web) History(id PageID) []Event {
	s, i := w.find(id)
	changes := s.history(i).Changes()
	out := make([]Event, len(changes))
	for k, c := range changes {
		out[k] = Event{w.time(c.At), c.Kind}
	}
	return out
}

// Event is one change of a page.
type Event struct {
	Time time.Time  `json:"time"`
	Kind truth.Kind `json:"kind"`
}
