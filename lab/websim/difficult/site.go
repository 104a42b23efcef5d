package difficult

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"varve/lab/websim"
)

//go:embed sites/*.txtar
var sources embed.FS

// Kind says what stands between a key element and a reader of source.
type Kind string

// The kinds of links, as in the evaluation of LiWA.
const (
	Explicit Kind = "explicit" // the URL is written out
	Variable Kind = "variable" // put together from parts in the source
	Opaque   Kind = "opaque"   // depends on data, or on what a visitor does
)

// Element is a request whose answer must be captured.
type Element struct {
	Kind   Kind   `json:"kind"`
	Method string `json:"method"`
	URL    string `json:"url"`            // with * at the end: anything that begins so
	Body   string `json:"body,omitempty"` // of the request
}

// Matches tells whether a request is the one of the element.
func (e Element) Matches(method, url, body string) bool {
	if e.Method != method || e.Body != body {
		return false
	}
	if prefix, ok := strings.CutSuffix(e.URL, "*"); ok {
		return strings.HasPrefix(url, prefix)
	}
	return e.URL == url
}

// View is what a visitor does on a page and sees then.
type View struct {
	URL   string   `json:"url" toml:"url"`
	Do    string   `json:"do,omitempty" toml:"do"`   // body of an async function; Helpers are at hand
	Shows []string `json:"shows" toml:"shows"`       // all of these words are seen
	Any   []string `json:"any,omitempty" toml:"any"` // and one of these
}

// Unseen gives the words that are missing from what is seen.
func (v View) Unseen(seen string) (missing []string) {
	for _, word := range v.Shows {
		if !strings.Contains(seen, word) {
			missing = append(missing, word)
		}
	}
	for _, word := range v.Any {
		if strings.Contains(seen, word) {
			return missing
		}
	}
	if len(v.Any) > 0 {
		missing = append(missing, strings.Join(v.Any, " or "))
	}
	return missing
}

// Helpers are the functions that a view's code may use.
const Helpers = `
const wait = ms => new Promise(done => setTimeout(done, ms));
const until = async (what, root = document) => {
  for (let i = 0; i < 200; i++) {
    const found = typeof what === 'function' ? what() : root.querySelector(what);
    if (found) return found;
    await wait(50);
  }
  throw new Error('never there: ' + what);
};
const click = async (what, root = document) => (await until(what, root)).click();
const down = async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
    scrollTo(0, y);
    await wait(30);
  }
  scrollTo(0, document.documentElement.scrollHeight);
  await wait(100);
};
`

// Site is one difficult site and what is known about it.
type Site struct {
	Name     string
	About    string
	Host     string
	Others   []string // further hosts of its parts
	Seed     string
	Entries  []string // pages of the difficult part that the home page links to
	Elements []Element
	Decoys   []string // URLs
	Views    []View

	all     []Element
	plain   int
	order   int
	answers map[string]*answer
	open    []*answer // those whose target ends with *
}

// Names lists the sites in order.
func Names() []string {
	entries, err := sources.ReadDir("sites")
	if err != nil {
		return nil
	}
	out := make([]string, 0, len(entries))
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".txtar"); name != "common" {
			out = append(out, name)
		}
	}
	return out
}

// Load makes sites from a seed, each with a number of plain siblings. Without names it makes all.
func Load(seed uint64, plain int, names ...string) ([]*Site, error) {
	known := Names()
	if len(names) == 0 {
		names = known
	}
	var out []*Site
	for _, name := range names {
		order := slices.Index(known, name)
		if order < 0 {
			return nil, fmt.Errorf("no difficult site %q: there are %s", name, strings.Join(known, ", "))
		}
		s := &Site{Name: name, Host: name + "." + Domain, plain: plain, order: order, answers: map[string]*answer{}}
		s.Seed = "http://" + s.Host + "/"
		for _, file := range []string{"common", name} {
			data, err := sources.ReadFile(path.Join("sites", file+".txtar"))
			if err != nil {
				return nil, err
			}
			if err := s.read(seed, data); err != nil {
				return nil, fmt.Errorf("difficult site %s: %s.txtar: %w", name, file, err)
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// Domain is that of all hosts.
const Domain = "hard.test"

// All lists every request that the difficult part answers, key elements or not (those have no kind), in order: what a
// perfect capture holds beside the plain siblings. Of answers for anything that begins so, one is listed, with digits.
func (s *Site) All() []Element {
	out := slices.Clone(s.all)
	for i := range out {
		out[i].URL = strings.Replace(out[i].URL, "*", "1700000000001", 1)
	}
	return out
}

// Web makes the simulated web of some sites.
func Web(seed uint64, sites ...*Site) (*websim.Web, error) {
	spec, err := websim.Load("difficult", []byte(Spec(sites)))
	if err != nil {
		return nil, err
	}
	return websim.New(spec, seed, Options(sites)...)
}

// Options puts the handlers of sites in place.
func Options(sites []*Site) (out []websim.Option) {
	for _, s := range sites {
		for _, host := range append([]string{s.Host}, s.Others...) {
			out = append(out, websim.WithHandler(host, s))
		}
	}
	return out
}
