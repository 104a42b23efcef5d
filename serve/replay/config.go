package replay

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/web/canon"
)

// Index finds captures. Keys are those of web/canon: SURT, or RequestKey for requests that are not a GET.
// A revisit has the MIME type warc/revisit.
type Index interface {
	// Closest gives up to limit captures with exactly this key, nearest to the instant first.
	Closest(ctx context.Context, collection, key string, at time.Time, limit int) ([]Found, error)
	// Captures gives the captures that a query asks for, in the order of key and time.
	Captures(ctx context.Context, collection string, q Query) iter.Seq2[Found, error]
}

// Found is a capture with the key that it was found by.
type Found struct {
	varve.Capture
	Key string // empty: the SURT of its URL
}

// key gives the key of the capture.
func (c *Found) key() string {
	if c.Key != "" {
		return c.Key
	}
	return canon.SURT(c.URL)
}

// Query asks for captures of a key.
type Query struct {
	Key    string
	Prefix bool      // of all keys that begin so
	From   time.Time // zero: from the first
	To     time.Time // with it; zero: to the last
	Limit  int       // 0: all
}

// Records opens records where the index says they are.
type Records interface {
	// Record opens the record of a file that a place means; it never gives another one.
	Record(ctx context.Context, collection, file string, at warc.Place) (*warc.Record, io.Closer, error)
}

// Witness knows more about when a capture was valid than the captures themselves say: coherence results.
type Witness interface {
	// Valid tells whether the content of a capture was there at an instant.
	Valid(ctx context.Context, collection string, c varve.Capture, at time.Time) Fit
}

// Guard decides who may see what. An error of kind varve.Forbidden or varve.NotFound is shown as such.
type Guard interface {
	May(r *http.Request, collection, url string, t time.Time) error
}

// Config says what is replayed and how. Index, Records and Base are needed.
type Config struct {
	Index   Index
	Records Records
	Witness Witness // nil: only the captures are witnesses
	Guard   Guard   // nil: everything may be seen

	Base     string        // the replay host as browsers see it: "http://localhost:8081"
	Wildcard bool          // all names below the host of Base lead here too: each collection gets an origin of its own. Of itself so for localhost
	Content  string        // without Wildcard: the one origin that archived content runs on. "content." before the host of Base if empty
	Rights   Rights        // what content may ask for by itself; nil: what the Guard allows
	Scripts  Scripts       // whose scripts run
	UI       string        // the screens, for links and as the only other place that may frame pages: "http://127.0.0.1:8080"; may be empty
	Archive  string        // the archive's name in citations; the host of Base if empty
	Span     time.Duration // how far from its page an embedded part may be; DefaultSpan if 0, negative: no bound
	Rules    *canon.Rules  // what is noise in a query; the default rules if nil
	Fuzzy    *Fuzzy        // rules for sites; DefaultFuzzy if nil

	CDX  http.Handler                            // answers /{collection}/cdx and /{collection}-cdx; nil: 404
	List func(context.Context) ([]string, error) // the collections, for the start page; nil: not listed
	Now  func() time.Time                        // time.Now if nil
	Log  *slog.Logger                            // nil: silent
	Tell func(text string) string                // what is told of an error; nil: its text
}

// DefaultSpan bounds how far from its page an embedded part may be.
const DefaultSpan = 180 * 24 * time.Hour

// Handler is the replay host. It must get requests as they came: a http.ServeMux in front of it would fold the
// double slashes of the URLs in its paths.
type Handler struct {
	cfg    Config
	scheme string
	host   string // of the frame page
	wild   bool   // content of a collection is on a name of its own below host
	inner  string // else: the host of content
	leaks  *leaks
	log    *slog.Logger

	consents consents
	views    views
}

// New makes a Handler.
func New(cfg Config) (*Handler, error) {
	if cfg.Index == nil || cfg.Records == nil {
		return nil, errors.New("replay: Config.Index and Config.Records are needed")
	}
	base, err := url.Parse(cfg.Base)
	if err != nil || base.Host == "" || base.Path != "" {
		return nil, errors.New("replay: Config.Base must be scheme://host[:port]")
	}
	wild := cfg.Content == "" && (cfg.Wildcard || loopbackName(base.Hostname()))
	if cfg.Content == "" {
		cfg.Content = base.Scheme + "://content." + base.Host
	}
	content, err := url.Parse(cfg.Content)
	if err != nil || content.Host == "" || content.Path != "" {
		return nil, errors.New("replay: Config.Content must be scheme://host[:port]")
	}
	if strings.EqualFold(content.Host, base.Host) {
		return nil, errors.New("replay: Config.Content must be another host than Config.Base, which may do what archived scripts may not")
	}
	if cfg.Archive == "" {
		cfg.Archive = base.Hostname()
	}
	if cfg.Span == 0 {
		cfg.Span = DefaultSpan
	}
	if cfg.Rules == nil {
		cfg.Rules = canon.DefaultRules()
	}
	if cfg.Fuzzy == nil {
		cfg.Fuzzy = DefaultFuzzy()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Tell == nil {
		cfg.Tell = func(text string) string { return text }
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	h := &Handler{cfg: cfg, scheme: base.Scheme, host: strings.ToLower(base.Host), wild: wild, inner: strings.ToLower(content.Host), log: cfg.Log.With("component", "replay")}
	h.leaks = newLeaks(cfg.Now)
	h.consents.all, h.views.all = map[string]*consent{}, map[string]*view{}
	return h, nil
}

// Origins gives the origins that pages which show replay in a frame must allow, as policies write them: that of the
// frame page and those of content. They differ so that archived scripts cannot reach into the frame page, which may do
// what they may not (open windows, leave). Browsers find all names below localhost on the machine itself, without a
// name server; elsewhere the names must lead here. Programs that are no browsers get everything under the first.
func (h *Handler) Origins() []string { return []string{h.cfg.Base, h.contentSource()} }
