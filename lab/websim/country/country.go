package country

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/dice"
)

// The hosts of the country.
const (
	News     = "news.sim.test"
	Forum    = "forum.sim.test"
	Ministry = "ministry.sim.test"
	Uni      = "uni.sim.test"
	Shop     = "shop.sim.test"
	Blog     = "blog.sim.test"
	Islands  = "islands.sim.test"
	Wiki     = "wiki.sim.test"
)

// Config says how large the country is. Zero values mean the default named at the field.
type Config struct {
	Scale float64 // of the number of everyday articles, threads, products; the hand-written ones are always there; 1
}

// The years that are told. After the end nothing changes any more.
var (
	begin = time.Date(2023, 1, 2, 0, 0, 0, 0, time.UTC)
	end   = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
)

// What a stream of draws is for.
const (
	forArticle uint64 = iota + 1
	forNote
	forThread
	forPost
	forUser
	forProduct
	forPrice
	forBlog
	forPress
	forPicture
	forVisit
	forSale
)

// Country is Vestria. It does not change once it is made.
type Country struct {
	seed     uint64
	scale    float64
	say      phrases
	events   []Event
	articles []*article
	users    []*user
	threads  []*thread
}

// New makes the country.
func New(cfg Config, seed uint64) (*Country, error) {
	c := &Country{seed: seed, scale: cmp.Or(cfg.Scale, 1)}
	if c.scale < 0.05 || c.scale > 20 {
		return nil, fmt.Errorf("country: scale %g: want 0.05 to 20", cfg.Scale)
	}
	var err error
	if c.say, err = readPhrases(phrasesText); err != nil {
		return nil, err
	}
	if c.events, err = readChronicle(chronicleText); err != nil {
		return nil, err
	}
	c.report()
	c.settle()
	c.discuss()
	return c, nil
}

// few is a number of everyday things at the scale of the country.
func (c *Country) few(n int) int { return max(2, int(float64(n)*c.scale)) }

// fill gives places to fill, drawn from the stream named by the parts.
func (c *Country) fill(parts ...uint64) *slots {
	return &slots{s: dice.New(append([]uint64{c.seed}, parts...)...)}
}

// description is what websim knows of the hosts beside their pages: how they serve, and where they fail.
const description = `epoch = %s
span = "%ds"

[[site]]
host = "news.sim.test"
www = true
robots = { disallow = ["/private/"] }
[[site.serve]]
type = ["html"]
etag = "weak"
last_modified = "off"
encoding = "gzip"
cache = "max-age=60"

[[site]]
host = "forum.sim.test"
[[site.serve]]
last_modified = "off"
encoding = "gzip"

[[site]]
host = "ministry.sim.test"
www = true
[[site.serve]]
etag = "off"
[[site.fault]]
kind = "status"
status = 503
path = "/forms/*.pdf"
every = "120d"
lasts = "25d"

[[site]]
host = "uni.sim.test"
[[site.serve]]
path = "/courses/**"
last_modified = "now"
etag = "off"

[[site]]
host = "shop.sim.test"
scheme = "upgrade"
[[site.serve]]
type = ["html"]
etag = "off"
last_modified = "off"
encoding = "br"
chunked = true

[[site]]
host = "blog.sim.test"

[[site]]
host = "islands.sim.test"
[[site.fault]]
kind = "status"
status = 503
path = "/**"
every = "300d"
lasts = "100d"

[[site]]
host = "wiki.sim.test"
`

// Spec describes the country to websim.
func (c *Country) Spec() (*websim.Spec, error) {
	spec, err := websim.Load("country", fmt.Appendf(nil, description, begin.Format(time.RFC3339), int(end.Sub(begin).Seconds())))
	if err != nil {
		return nil, err
	}
	for host, pages := range map[string][]websim.Written{
		News: c.news(), Forum: c.forum(), Ministry: c.ministry(), Uni: c.university(), Shop: c.shop(), Blog: c.blog(), Islands: c.islands(), Wiki: c.wiki(),
	} {
		if err := spec.Write(host, pages...); err != nil {
			return nil, err
		}
	}
	return spec, nil
}

// Web makes a web of the country alone.
func (c *Country) Web() (*websim.Web, error) {
	spec, err := c.Spec()
	if err != nil {
		return nil, err
	}
	return websim.New(spec, c.seed)
}

// written makes a page of the instants at which it changes and of what it is from such an instant on.
func written(path string, changes []time.Time, body func(at time.Time) []byte) websim.Written {
	changes = slices.SortedFunc(slices.Values(changes), time.Time.Compare)
	w := websim.Written{Path: path}
	for _, t := range changes {
		if d := max(0, t.Sub(begin)); len(w.From) == 0 || d > w.From[len(w.From)-1] {
			w.From = append(w.From, d)
		}
	}
	from := w.From
	w.Body = func(n int) []byte { return body(begin.Add(from[n])) }
	return w
}

// always is a page that never changes.
func always(path string, body []byte) websim.Written {
	return written(path, []time.Time{begin}, func(time.Time) []byte { return body })
}

// every lists the instants at a regular pace within the years that are told.
func every(step time.Duration) []time.Time {
	var out []time.Time
	for t := begin; t.Before(end); t = t.Add(step) {
		out = append(out, t)
	}
	return out
}

// nowAndThen lists instants that come by chance, so far apart in the mean.
func nowAndThen(f *slots, mean time.Duration) []time.Time {
	var out []time.Time
	for t := begin; ; {
		if t = t.Add(time.Duration(f.s.Exp() * float64(mean))).Truncate(time.Minute); !t.Before(end) {
			return out
		}
		out = append(out, t)
	}
}

// dates reads dates of our own tables.
func dates(list string) []time.Time {
	var out []time.Time
	for _, s := range strings.Fields(list) {
		out = append(out, day(s))
	}
	return out
}
