package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/crawl/frontier"
	"varve/crawl/scope"
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
	Capture   // who goes further with answers
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
	if d.asked() && d.Order == frontier.BestFirst {
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
	if err := d.Capture.check(); err != nil {
		return err
	}
	if err := d.SpamRules.check(); err != nil {
		return err
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
