package content

import (
	"slices"
	"strings"
	"time"

	"varve/spam/feature"
	"varve/spam/terms"
	"varve/web/robots"
)

// HostFeature is the place of a feature in the part of a host's vector that is of the host as a whole.
type HostFeature int

// The features of a host as a whole, in the order of the vector. HostDefinitions has their formulas.
const (
	Pages HostFeature = iota
	Formats
	Others
	SameTexts
	SameTitles
	TargetHosts
	TargetsPerPage
	TopTarget
	RobotsFile
	RobotsRules
	RobotsClosed
	ModifiedKnown
	ModifiedAge
	ModifiedDeviation
	ModifiedNow
	Redirects
	Failures
	hostCount
)

var hostDefinitions = [hostCount]feature.Definition{
	Pages:             feature.Define("pages", feature.Content, feature.Host, "pages with text that were looked at"),
	Formats:           feature.Define("formats", feature.Server, feature.Host, "formats of its documents, told by media type"),
	Others:            feature.Define("other_documents", feature.Server, feature.Host, "documents that are no pages"),
	SameTexts:         feature.Define("same_texts", feature.Content, feature.Host, "share of pages whose words, in any order, an earlier page had"),
	SameTitles:        feature.Define("same_titles", feature.Content, feature.Host, "share of pages whose title an earlier page had"),
	TargetHosts:       feature.Define("target_hosts", feature.Links, feature.Host, "other hosts that its pages link to (at most 20,000 counted)"),
	TargetsPerPage:    feature.Define("targets_per_page", feature.Links, feature.Host, "those hosts / pages"),
	TopTarget:         feature.Define("top_target", feature.Links, feature.Host, "share of pages that link the other host that most of them link"),
	RobotsFile:        feature.Define("robots_file", feature.Server, feature.Host, "1 if it has a robots.txt; unknown if nobody asked"),
	RobotsRules:       feature.Define("robots_rules", feature.Server, feature.Host, "rules in it"),
	RobotsClosed:      feature.Define("robots_closed", feature.Server, feature.Host, "1 if it closes the whole host to all"),
	ModifiedKnown:     feature.Define("modified_known", feature.Server, feature.Host, "share of pages with a Last-Modified"),
	ModifiedAge:       feature.Define("modified_age", feature.Server, feature.Host, "mean of ln(1 + age in days)"),
	ModifiedDeviation: feature.Define("modified_deviation", feature.Server, feature.Host, "standard deviation of ln(1 + age in days)"),
	ModifiedNow:       feature.Define("modified_now", feature.Server, feature.Host, "share of these dates less than a minute before the answer: made for it"),
	Redirects:         feature.Define("redirects", feature.Server, feature.Host, "share of answers that send on"),
	Failures:          feature.Define("failures", feature.Server, feature.Host, "share of answers with status 4xx and 5xx"),
}

// HostDefinitions tell the features of a host as a whole.
func HostDefinitions() []feature.Definition { return hostDefinitions[:] }

// Aggregates are the prefixes of a page feature that became a host feature, in the order of the vector.
var aggregates = [3]string{"home.", "mean.", "std."}

// Limits of what a host keeps to tell what it had before.
const (
	maxSeen    = 2000   // texts and titles
	maxTargets = 20_000 // hosts
)

// Host takes pages in and gives the vector of a host. The zero value is ready. It is not for concurrent use.
type Host struct {
	home    Features
	homeURL string
	moments [count]feature.Moments

	formats   map[string]bool
	others    int
	texts     seen
	titles    seen
	targets   map[string]int // pages that link each
	robots    *RobotsSum
	pages     int
	dated     int
	now       int
	age       feature.Moments
	answers   int
	redirects int
	failures  int
}

// seen tells what came before, within a limit.
type seen struct {
	hashes map[uint64]bool
	again  int
	all    int
}

func (s *seen) add(h uint64) {
	if s.hashes == nil {
		s.hashes = map[uint64]bool{}
	}
	s.all++
	if s.hashes[h] {
		s.again++
	} else if len(s.hashes) < maxSeen {
		s.hashes[h] = true
	}
}

func (s *seen) fraction() float64 { return feature.Ratio(float64(s.again), float64(s.all)) }

// Add takes a page in, and gives its features.
func (h *Host) Add(p *Document) Features {
	f, bag := Measure(p)
	h.Take(TraceOf(p, bag), f)
	return f
}

// Trace is what a host needs of a page beside its features.
type Trace struct {
	URL         string
	Text, Title uint64 // hashes; a Title of 0 is none
	Hosts       []string
	Modified    time.Time
	Fetched     time.Time
}

// TraceOf gives the trace of a page whose words Measure returned. The hash of its text does not depend on their order: generated pages often
// only shuffle.
func TraceOf(p *Document, words *terms.Bag) Trace {
	t := Trace{URL: p.URL, Text: words.Sum(), Hosts: p.Hosts, Modified: p.Modified, Fetched: p.Fetched}
	if p.Title != "" {
		t.Title = terms.Hash(p.Title)
	}
	return t
}

// Take takes in the trace and the features of a page.
func (h *Host) Take(t Trace, f Features) {
	h.pages++
	h.Format("text/html")
	if h.homeURL == "" || nearerHome(t.URL, h.homeURL) {
		h.home, h.homeURL = f, strings.Clone(t.URL)
	}
	for i, v := range f {
		h.moments[i].Add(v)
	}
	h.texts.add(t.Text)
	if t.Title != 0 {
		h.titles.add(t.Title)
	}
	if h.targets == nil {
		h.targets = map[string]int{}
	}
	for _, host := range t.Hosts {
		if _, known := h.targets[host]; known || len(h.targets) < maxTargets {
			h.targets[host]++
		}
	}
	if !t.Modified.IsZero() && !t.Fetched.IsZero() {
		h.modified(t.Fetched.Sub(t.Modified))
	}
}

func (h *Host) modified(age time.Duration) {
	h.dated++
	if age < time.Minute {
		h.now++
	}
	h.age.Add(feature.Log(max(0, age.Hours()/24)))
}

// nearerHome tells whether an address is nearer the root of the host than another: fewer parts, then shorter, then first.
func nearerHome(a, b string) bool {
	x, y := distance(a), distance(b)
	return slices.Compare(x[:], y[:]) < 0 || x == y && a < b
}

func distance(url string) [3]int {
	_, rest, _ := strings.Cut(url, "://")
	path := ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = rest[i:]
	}
	path, query, _ := strings.Cut(path, "?")
	parts := len(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }))
	return [3]int{parts, min(1, len(query)), len(path) + len(query)}
}

// Format takes in a document of the host that is not a page, or the media type of one that is.
func (h *Host) Format(mime string) {
	if h.formats == nil {
		h.formats = map[string]bool{}
	}
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	if mime = strings.TrimSpace(mime); mime != "text/html" {
		h.others++
	}
	const most = 200
	if mime != "" && len(h.formats) < most {
		h.formats[strings.Clone(mime)] = true
	}
}

// Answer takes in the status of an answer, page or not.
func (h *Host) Answer(status int) {
	h.answers++
	switch {
	case status >= 400:
		h.failures++
	case status >= 300 && status != 304:
		h.redirects++
	}
}

// RobotsSum is what counts of a robots.txt; the zero value is that of a host without one.
type RobotsSum struct {
	File   bool
	Rules  int
	Closed bool // the whole host is closed to all
}

// SumOf sums up a robots.txt; nil says that the host has none.
func SumOf(f *robots.File) (s RobotsSum) {
	if f == nil {
		return s
	}
	s.File = true
	for _, g := range f.Groups {
		s.Rules += len(g.Rules)
		all := slices.ContainsFunc(g.Agents, func(a robots.Agent) bool { return a.Token == "*" })
		if all && slices.ContainsFunc(g.Rules, func(r robots.Rule) bool { return !r.Allow && (r.Path == "/" || r.Path == "/*") }) {
			s.Closed = true
		}
	}
	return s
}

// Robots takes in the robots.txt of the host; nil says that it has none.
func (h *Host) Robots(f *robots.File) { h.RobotsKnown(SumOf(f)) }

// RobotsKnown takes in what counts of the robots.txt of the host.
func (h *Host) RobotsKnown(s RobotsSum) { h.robots = &s }

// Names are the names of the vector.
func (h *Host) Names() []string { return Names() }

// Names are the names of a host's vector: each page feature of the home page, its mean and its standard deviation, then the
// features of the host as a whole.
func Names() []string {
	var out []string
	for _, prefix := range aggregates {
		out = append(out, feature.Names(prefix, definitions[:])...)
	}
	return append(out, feature.Names("host.", hostDefinitions[:])...)
}

// Vector gives the features of the host as far as it is known, in the order of Names.
func (h *Host) Vector() []float64 {
	out := make([]float64, 0, len(aggregates)*int(count)+int(hostCount))
	for i := range h.home {
		v := h.home[i]
		if h.pages == 0 {
			v = feature.Unknown()
		}
		out = append(out, v)
	}
	for i := range h.moments {
		out = append(out, h.moments[i].Average())
	}
	for i := range h.moments {
		out = append(out, h.moments[i].Deviation())
	}
	return h.whole(out)
}

// whole appends the features of the host as a whole.
func (h *Host) whole(out []float64) []float64 {
	n, u := float64(h.pages), feature.Unknown()
	rules, closed, file := u, u, u
	if r := h.robots; r != nil {
		rules, closed, file = float64(r.Rules), truth(r.Closed), truth(r.File)
	}
	return append(out,
		n, float64(len(h.formats)), float64(h.others), h.texts.fraction(), h.titles.fraction(),
		float64(len(h.targets)), feature.Ratio(float64(len(h.targets)), n), feature.Ratio(float64(h.topTarget()), n),
		file, rules, closed,
		feature.Ratio(float64(h.dated), n), h.age.Average(), h.age.Deviation(), feature.Ratio(float64(h.now), float64(h.dated)),
		feature.Ratio(float64(h.redirects), float64(h.answers)), feature.Ratio(float64(h.failures), float64(h.answers)))
}

// topTarget is how many pages link the other host that most of them link.
func (h *Host) topTarget() (most int) {
	for _, n := range h.targets {
		most = max(most, n)
	}
	return most
}

// Home is the address of the page taken for the home page, "" if there is none yet.
func (h *Host) Home() string { return h.homeURL }

// Count is how many pages were taken in.
func (h *Host) Count() int { return h.pages }
