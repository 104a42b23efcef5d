package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/crawl/frontier"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/web/canon"
)

// Definition says what a crawl is to do. Zero values mean the default named at the field.
type Definition struct {
	Name  string   `json:"name,omitempty" toml:"-"` // in the plan of its collection
	Seeds []string `json:"seeds" toml:"seeds"`

	SeedList *SeedList `json:"seedList,omitempty" toml:"-"` // seeds that are too many to stand here

	Scope scope.Definition `json:"scope" toml:"-"`

	Workers  int             `json:"workers,omitempty" toml:"workers"`    // fetches at a time; 16
	Delay    *scope.Duration `json:"delay,omitempty" toml:"delay"`        // fixed rest of a host; nil: adaptive
	MaxPages int64           `json:"maxPages,omitempty" toml:"max-pages"` // HTML answers with status 2xx; 0: no limit
	MaxURLs  int64           `json:"maxUrls,omitempty" toml:"max-urls"`   // answers of any kind; 0: no limit
	MaxBytes int64           `json:"maxBytes,omitempty" toml:"max-bytes"` // of answers; 0: no limit
	MaxTime  scope.Duration  `json:"maxTime,omitempty" toml:"max-time"`   // of the run; 0: no limit
	MaxBody  int64           `json:"maxBody,omitempty" toml:"max-body"`   // of one answer; 1 GiB
	MaxGuess int64           `json:"maxGuess,omitempty" toml:"max-guess"` // speculative URLs tried; 10,000, negative: none

	MaxSitemap int64 `json:"maxSitemap,omitempty" toml:"max-sitemap"` // URLs that may wait at a host when sitemaps add to them; 1,000,000, negative: no limit

	Retries    int            `json:"retries,omitempty" toml:"retries"`       // attempts after the first; 3, negative: none
	RetryAfter scope.Duration `json:"retryAfter,omitempty" toml:"retry-wait"` // before the second attempt, doubled each time; 30 s
	Timeout    scope.Duration `json:"timeout,omitempty" toml:"timeout"`       // of one answer; 20 min

	IgnoreRobots bool   `json:"ignoreRobots,omitempty" toml:"ignore-robots"`
	AllowPrivate bool   `json:"allowPrivate,omitempty" toml:"allow-private"`
	OnlyPublic   bool   `json:"onlyPublic,omitempty" toml:"only-public"` // seeds do not open this machine to the crawl, though they lie there
	UserAgent    string `json:"userAgent,omitempty" toml:"user-agent"`   // product part; "varve/<version>"
	Contact      string `json:"contact,omitempty" toml:"contact"`        // URL or mail address; needed outside loopback
	Operator     string `json:"operator,omitempty" toml:"operator"`      // who runs the crawl, for warcinfo

	Topic []string `json:"topic,omitempty" toml:"topic"` // texts about what is wanted: links near them come first
	// About is what the crawl is about: pages and links near it come first.
	About relevance.About `json:"about,omitzero" toml:"about"`
	// Revision counts the versions of a definition that was planned on a screen or by a command; 0: it was not.
	Revision int `json:"revision,omitempty" toml:"-"`
	// Priorities are set while a crawl runs, and kept for its resume.
	Priorities []Priority `json:"priorities,omitempty" toml:"-"`

	Order   frontier.Order   `json:"order,omitempty" toml:"order"`          // best-first
	Combine frontier.Combine `json:"combine,omitempty" toml:"combine"`      // MAX
	MaxWARC int64            `json:"maxWarc,omitempty" toml:"max-warc"`     // size of a WARC file; 1 GiB
	Level   int              `json:"gzipLevel,omitempty" toml:"gzip-level"` // of WARC files, 1 to 9; 6
	MinDisk int64            `json:"minDisk,omitempty" toml:"min-disk"`     // pause under so much free space; 1 GiB, negative: never

	NoHistory bool    `json:"noHistory,omitempty" toml:"-"` // every answer is stored in full
	Network   Network `json:"network,omitzero" toml:"-"`

	Coherence // order of visits, revisits, groups
	Capturing // who goes further with answers
	SpamRules // which hosts are not worth keeping
}

// WithDefaults fills the fields that are not set.
func (d Definition) WithDefaults() Definition {
	set(&d.Workers, max(4, 8*runtime.GOMAXPROCS(0)))
	set(&d.MaxBody, 1<<30)
	set(&d.MaxGuess, 10_000)
	set(&d.MaxSitemap, 1_000_000)
	set(&d.Retries, 3)
	set(&d.RetryAfter, scope.Duration(30*time.Second))
	set(&d.Timeout, scope.Duration(20*time.Minute))
	set(&d.UserAgent, "varve")
	set(&d.Order, frontier.BestFirst)
	set(&d.Combine, frontier.Max)
	set(&d.MaxWARC, 1<<30)
	set(&d.Level, warc.DefaultLevel)
	set(&d.MinDisk, 1<<30)
	d.Coherence = d.Coherence.withDefaults()
	if d.Coherence.Planned() && d.Order == frontier.BestFirst {
		d.Order = frontier.BreadthFirst // the planner orders; what it is told comes in the order of discovery
	}
	return d
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Agent is the User-Agent header: product and contact.
func (d Definition) Agent() string {
	if d.Contact == "" {
		return d.UserAgent
	}
	return fmt.Sprintf("%s (+%s)", d.UserAgent, d.Contact)
}

// Guided reports whether the definition says what the crawl is about.
func (d *Definition) Guided() bool { return len(d.Topic) > 0 || d.About.Guides() }

// Digest identifies the definition in warcinfo records.
func (d Definition) Digest() string {
	b, err := json.Marshal(d)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// check tells what a run cannot start with.
func (d Definition) check(loopbackOnly bool) error {
	if len(d.Seeds) == 0 && d.SeedList == nil {
		return &varve.Error{Kind: varve.Invalid, Op: "crawl", Msg: "no seed", Hint: "give at least one URL"}
	}
	if d.Contact == "" && !loopbackOnly {
		return &varve.Error{
			Kind: varve.Invalid, Op: "crawl", Msg: "no contact given: site owners must be able to reach you",
			Hint: "add --contact https://your.site/about-our-crawler (or a mail address), or contact = \"...\" in collection.toml",
		}
	}
	if d.AllowPrivate && d.OnlyPublic {
		return &varve.Error{Kind: varve.Invalid, Op: "crawl", Msg: "allow-private and only-public cannot both hold", Hint: "leave out one of them"}
	}
	if err := d.Capturing.check(); err != nil {
		return err
	}
	if err := d.SpamRules.check(); err != nil {
		return err
	}
	if err := d.About.Check(); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "about", Err: err}
	}
	return d.Coherence.check(&d)
}

// From is the mail address of the From header, if the contact is one.
func (d Definition) From() string {
	if strings.Contains(d.Contact, "@") && !strings.Contains(d.Contact, "://") {
		return strings.TrimPrefix(d.Contact, "mailto:")
	}
	return ""
}

// Capturing says how far answers are followed beyond reading their links. Zero values mean the default
// named at the field. Who does it is given to the run in Options.
type Capturing struct {
	Mode        string         `json:"capture,omitempty" toml:"capture"`            // parser, auto or browser; auto: pages are executed where it pays
	Routes      string         `json:"routes,omitempty" toml:"routes"`              // rule file that comes before the built-in rules
	APIRules    string         `json:"apiRules,omitempty" toml:"api-rules"`         // rule file that comes before the built-in rules of interfaces
	Behaviours  string         `json:"behaviours,omitempty" toml:"behaviours"`      // rule file that comes before the built-in behaviours on executed pages
	APIs        string         `json:"apis,omitempty" toml:"apis"`                  // follow or ignore; follow
	Media       string         `json:"media,omitempty" toml:"media"`                // one rendition of streams, all, or none; one
	MediaLive   scope.Duration `json:"mediaLive,omitempty" toml:"media-live"`       // that live streams are followed; 10 min
	Players     string         `json:"mediaPlayers,omitempty" toml:"media-players"` // films behind players: auto, all or none; auto: those of well-known services
	MediaBudget scope.Size     `json:"mediaBudget,omitempty" toml:"media-budget"`   // bytes of all films behind players; 10 GiB
	Screenshot  bool           `json:"screenshots,omitempty" toml:"screenshots"`    // of executed pages
	PageText    bool           `json:"renderedText,omitempty" toml:"rendered-text"` // of executed pages
	PageTime    scope.Duration `json:"pageTime,omitempty" toml:"page-time"`         // that the execution of a page may take; 1 min
}

func (c *Capturing) check() error {
	for _, f := range []struct{ name, value, words string }{
		{"capture", c.Mode, "parser auto browser"},
		{"apis", c.APIs, "follow ignore"},
		{"media", c.Media, "one all none"},
		{"media-players", c.Players, "auto all none"},
	} {
		if f.value != "" && !hasWord(strings.Fields(f.words), f.value) {
			return &varve.Error{
				Kind: varve.Invalid, Op: f.name, Err: fmt.Errorf("%q is not known", f.value), Hint: "one of: " + f.words,
			}
		}
	}
	return nil
}

// Network is how a crawl reaches the web: what its command line says, kept so that a resumed crawl goes the same way.
type Network struct {
	Resolve   []string `json:"resolve,omitempty"`   // PATTERN[:PORT]=ADDR[:PORT] instead of DNS
	Proxy     []string `json:"proxy,omitempty"`     // [PATTERN=]URL, without passwords
	CA        string   `json:"ca,omitempty"`        // PEM file of further authorities
	AcceptBad bool     `json:"acceptBad,omitempty"` // fetch in spite of bad certificates
}

// notKept stands where a password of a proxy stood: the definition is shown on screens and goes along with exports.
const notKept = "PASSWORD-NOT-KEPT"

// WithoutPassword returns a rule for a proxy as it is kept.
func WithoutPassword(rule string) string {
	pattern, address := cutProxy(rule)
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return rule
	}
	if _, has := u.User.Password(); !has {
		return rule
	}
	u.User = url.UserPassword(u.User.Username(), notKept)
	return pattern + u.String()
}

// cutProxy cuts a rule into its pattern with the = and its URL.
func cutProxy(rule string) (pattern, address string) {
	if i := strings.IndexByte(rule, '='); i >= 0 && i < strings.Index(rule, "://") {
		return rule[:i+1], rule[i+1:]
	}
	return "", rule
}

// Usable reports what must be given anew because it was not kept.
func (n Network) Usable() error {
	for _, rule := range n.Proxy {
		if strings.Contains(rule, ":"+notKept+"@") {
			return &varve.Error{
				Kind: varve.Invalid, Op: "resume crawl", Msg: "its proxy needs a password, and passwords are not kept",
				Hint: "give the proxy again: --proxy " + strings.Replace(rule, notKept, "PASSWORD", 1),
			}
		}
	}
	return nil
}

// Priority gives the URLs below a prefix a score of their own, whatever else is known of them.
type Priority struct {
	Prefix string  `json:"prefix"` // host[:port]/path, without a scheme
	Score  float64 `json:"score"`  // 1: before all others; 0: last
}

// ParsePriority reads a prefix as people write it: an address, or a host.
func ParsePriority(p Priority) (Priority, error) {
	raw := strings.TrimSpace(p.Prefix)
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := canon.Parse(raw)
	if err != nil || !u.IsHTTP() || len(raw) > 4000 {
		return p, fmt.Errorf("%q is no host and no address", clipText(p.Prefix, 200))
	}
	if p.Score < 0 || p.Score > 1 {
		return p, fmt.Errorf("the score %g is not in [0,1]", p.Score)
	}
	p.Prefix = u.HostPort() + u.WithoutFragment().Target()
	return p, nil
}

// Covers reports whether a URL lies below the prefix.
func (p Priority) Covers(u canon.URL) bool {
	host, path, _ := strings.Cut(p.Prefix, "/")
	return u.HostPort() == host && strings.HasPrefix(u.Target(), "/"+path)
}
