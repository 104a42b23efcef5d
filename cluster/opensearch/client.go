package opensearch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/index/fulltext"
)

// Config says how OpenSearch is reached. Zero fields have defaults.
type Config struct {
	Address  string        // https://search.example.org:9200
	User     string        // "": nobody logs in
	Password string        // never printed
	CA       []byte        // certificates in PEM that are trusted instead of those of the machine
	Prefix   string        // of the names of all indexes; default varve
	Replicas *int          // copies of each shard beside it; default 1
	Shards   int           // parts of each index; default 1
	Timeout  time.Duration // of a question; default 30 s. Loading takes up to four times that for a request

	Now func() time.Time
}

// Client talks to OpenSearch. It is safe for concurrent use.
type Client struct {
	cfg    Config
	http   *http.Client
	engine *fulltext.Engine

	mu      sync.Mutex
	known   bool      // its version was looked at
	down    error     // why it could not be reached just now
	downFor time.Time // until when it is not tried again
}

// Limits of the traffic.
const (
	dialTimeout = 5 * time.Second
	downPause   = 2 * time.Second
	mostAnswer  = 512 << 20
	firstMinor  = 17 // of version 2: filters by bitmaps
)

// New makes a client. Nothing is asked yet.
func New(cfg Config) (*Client, error) {
	wrong := func(msg string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "use OpenSearch", Msg: msg, Hint: "[index] of varve.toml: docs/formats/varve-toml.md tells each setting"}
	}
	u, err := url.Parse(cfg.Address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.User != nil {
		return nil, wrong("address must be http(s)://HOST:PORT, without user and password")
	}
	cfg.Address = strings.TrimSuffix(cfg.Address, "/")
	if cfg.Prefix == "" {
		cfg.Prefix = "varve"
	}
	if cfg.Prefix != escaped(cfg.Prefix) {
		return nil, wrong("prefix must be of small letters and digits")
	}
	if cfg.Replicas == nil {
		one := 1
		cfg.Replicas = &one
	}
	if *cfg.Replicas < 0 || cfg.Shards < 0 {
		return nil, wrong("replicas and shards must not be negative")
	}
	if cfg.Shards == 0 {
		cfg.Shards = 1
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 30 * time.Second
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	t := &http.Transport{
		DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext, TLSHandshakeTimeout: dialTimeout, MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute,
	}
	if len(cfg.CA) > 0 {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(cfg.CA) {
			return nil, wrong("ca_file has no certificate")
		}
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	engine, err := fulltext.NewEngine()
	// Answers that lead elsewhere are not followed: they would take the password along.
	follow := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{cfg: cfg, http: &http.Client{Transport: t, CheckRedirect: follow}, engine: engine}, err
}

// Close closes the connections that nobody uses.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// object is a JSON object.
type object = map[string]any

// ask sends a request with a JSON body and reads the answer into out; nil bodies and answers are left out.
func (c *Client) ask(ctx context.Context, method, path string, body, out any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	if err := c.check(ctx); err != nil {
		return err
	}
	return c.send(ctx, c.cfg.Timeout, method, path, raw, out)
}

// check looks once whether the server is one that is known to answer right.
func (c *Client) check(ctx context.Context) error {
	c.mu.Lock()
	known := c.known
	c.mu.Unlock()
	if known {
		return nil
	}
	var about struct {
		Version struct{ Distribution, Number string }
	}
	if err := c.send(ctx, c.cfg.Timeout, http.MethodGet, "/", nil, &about); err != nil {
		return err
	}
	major, rest, _ := strings.Cut(about.Version.Number, ".")
	minor, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(minor)
	if about.Version.Distribution != "opensearch" || major != "2" || err != nil || n < firstMinor {
		what := strings.TrimSpace(about.Version.Distribution + " " + about.Version.Number)
		if what == "" {
			what = "something that does not say its version"
		}
		return &varve.Error{
			Kind: varve.Unavailable, Op: "use OpenSearch at " + c.cfg.Address, Msg: fmt.Sprintf("it is %.80s; OpenSearch 2.%d to the last 2.x is needed", what, firstMinor),
			Hint: "varve was tried with 2.19; nothing was read or written",
		}
	}
	c.mu.Lock()
	c.known = true
	c.mu.Unlock()
	return nil
}

// send sends a request. While the server is away it fails at once, so that a screen with many questions does not wait for each.
func (c *Client) send(ctx context.Context, timeout time.Duration, method, path string, body []byte, out any) error {
	c.mu.Lock()
	if c.down != nil && c.cfg.Now().Before(c.downFor) {
		defer c.mu.Unlock()
		return c.down
	}
	c.mu.Unlock()
	asked := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, c.cfg.Address+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if strings.HasPrefix(path, "/_msearch") || strings.HasPrefix(path, "/_bulk") {
		r.Header.Set("Content-Type", "application/x-ndjson")
	}
	if c.cfg.User != "" {
		r.SetBasicAuth(c.cfg.User, c.cfg.Password)
	}
	resp, err := c.http.Do(r)
	var raw []byte
	if err == nil {
		raw, err = io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
		_ = resp.Body.Close()
	}
	if asked.Err() != nil {
		return asked.Err()
	}
	if err != nil {
		err = c.away(err)
	}
	c.mu.Lock()
	if c.down = err; err != nil {
		c.known, c.downFor = false, c.cfg.Now().Add(downPause) // it may come back as another
	}
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if len(raw) > mostAnswer {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask OpenSearch", Msg: "its answer is longer than 512 MB"}
	}
	if resp.StatusCode/100 != 2 {
		return c.refused(resp.StatusCode, raw)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask OpenSearch at " + c.cfg.Address, Err: fmt.Errorf("its answer is no JSON that was expected: %w", err)}
	}
	return nil
}

const awayHint = "see whether it runs; 'varve serve' without --index opensearch answers from the indexes of the archive itself"

// away tells that the server cannot be reached.
func (c *Client) away(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address twice
	}
	msg := "OpenSearch cannot be reached" // screens show this without the address
	if errors.Is(err, context.DeadlineExceeded) {
		msg = "OpenSearch does not answer in time"
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "ask " + c.cfg.Address, Msg: msg, Err: err, Hint: awayHint}
}

// refusal is the body of an error.
type refusal struct {
	Error struct {
		Type      string `json:"type"`
		Reason    string `json:"reason"`
		RootCause []struct {
			Type   string `json:"type"`
			Reason string `json:"reason"`
		} `json:"root_cause"`
	} `json:"error"`
	Status int `json:"status"`
}

// errGone is of an index that is not there.
var errGone = errors.New("the index is not there")

// errBusy is of a request that may be sent again in a while.
var errBusy = errors.New("it has too much to do just now")

// refused makes an error of an answer.
func (c *Client) refused(status int, raw []byte) error {
	var r refusal
	_ = json.Unmarshal(raw, &r) // a proxy may say something else
	kind, reason := r.Error.Type, r.Error.Reason
	if len(r.Error.RootCause) > 0 && r.Error.RootCause[0].Type != "" {
		kind, reason = r.Error.RootCause[0].Type, r.Error.RootCause[0].Reason
	}
	return c.wrong(status, kind, reason)
}

// wrong tells what a refusal means.
func (c *Client) wrong(status int, kind, reason string) error {
	e := &varve.Error{Kind: varve.Unavailable, Op: "OpenSearch at " + c.cfg.Address}
	switch {
	case kind == "index_not_found_exception" || kind == "aliases_not_found_exception":
		e.Err = errGone
	case kind == "cluster_block_exception":
		e.Msg = "its index must not be written: " + clip(reason)
		e.Hint = "most often its disk is nearly full (above the flood stage): make room, it becomes writable by itself; then run the command again: it goes on where it was"
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		e.Msg = fmt.Sprintf("it does not let user %q in, or not do this (%d)", c.cfg.User, status)
		e.Hint = "user of [index] in varve.toml, with password_file or VARVE_OPENSEARCH_PASSWORD; the user needs to read, write and manage the indexes " + c.cfg.Prefix + "-*, and templates"
	case kind == "too_many_nested_clauses" || kind == "too_many_clauses" || strings.Contains(reason, "maxClauseCount"):
		e.Kind, e.Op, e.Msg = varve.Invalid, "search", "the query has too many words for OpenSearch (indices.query.bool.max_clause_count)"
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, status == http.StatusBadGateway, status == http.StatusGatewayTimeout:
		e.Err, e.Msg = errBusy, clip(reason)
		e.Hint = "ask again in a while"
	default:
		e.Msg = fmt.Sprintf("it refuses (%d %s): %s", status, kind, clip(reason))
	}
	return e
}

func clip(s string) string {
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "..."
	}
	return strings.Join(strings.Fields(s), " ")
}
