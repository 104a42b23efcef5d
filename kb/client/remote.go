package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Limits of what is taken from an endpoint, where nobody says otherwise.
const (
	DefaultBytes   = 64 << 20
	DefaultTimeout = 30 * time.Second
	dialTime       = 10 * time.Second
	maxTold        = 2 << 10 // bytes of an error that are told
)

// Remote is an endpoint elsewhere.
type Remote struct {
	URL      string // that answers queries
	Updates  string // that does updates; "" the same
	Token    string // sent as a bearer token; "" none
	MaxBytes int64  // of an answer; 0 is DefaultBytes
	Timeout  time.Duration

	client *http.Client
}

// NewRemote returns an endpoint. Addresses of this machine and of private networks are reached only if the URL has them, or localhost, for a host.
func NewRemote(endpoint string) (*Remote, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "ask " + endpoint, Msg: "it is no address of an endpoint", Hint: "http://HOST/PATH or https://HOST/PATH"}
	}
	u.Fragment = ""
	r := &Remote{URL: u.String(), MaxBytes: DefaultBytes, Timeout: DefaultTimeout}
	d := &net.Dialer{Timeout: dialTime, Control: func(_, address string, _ syscall.RawConn) error { return mayReach(u.Hostname(), address) }}
	r.client = &http.Client{
		Transport:     &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 1, IdleConnTimeout: 10 * time.Second, TLSHandshakeTimeout: dialTime, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return r, nil
}

// mayReach refuses addresses that are not of the public network, unless the host that was named is such an address itself.
func mayReach(host, address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	named, err := netip.ParseAddr(host)
	if host == "localhost" && ip.IsLoopback() || err == nil && named.Unmap() == ip {
		return nil
	}
	shared := netip.MustParsePrefix("100.64.0.0/10")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || shared.Contains(ip) || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return fmt.Errorf("%s leads to %s, an address of this machine or of a private network, which must be named as such", host, ip)
	}
	return nil
}

// Query asks a query; answers are read as they are asked for.
func (r *Remote) Query(ctx context.Context, text, base string) (*Answer, error) {
	q, err := sparql.Parse(text, base)
	if err != nil {
		return nil, err
	}
	accept := "application/sparql-results+json"
	if q.Form == sparql.Construct || q.Form == sparql.Describe {
		accept = "application/n-triples, text/turtle;q=0.5"
	}
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	resp, err := r.post(ctx, r.URL, "application/sparql-query", accept, strings.NewReader(withBase(text, base)))
	if err != nil {
		cancel()
		return nil, err
	}
	body := &bounded{ctx: ctx, in: resp.Body, left: r.maxBytes()}
	a := &Answer{Prefixes: q.Prefixes, close: func() error {
		cancel()
		return resp.Body.Close()
	}}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case q.Form == sparql.Select || q.Form == sparql.Ask:
		if kind != "application/sparql-results+json" && kind != "application/json" {
			err = r.failed("answered with "+kind, "an endpoint answers with application/sparql-results+json")
			break
		}
		a.Result, err = sparql.ReadResult(bufio.NewReader(body))
		if err == nil && a.Form != q.Form {
			err = r.failed("answered another question", "")
		}
	default:
		f := rdf.FormatOf(kind)
		if f == 0 || !f.Readable() {
			err = r.failed("answered with "+kind, "an endpoint answers with application/n-triples or text/turtle")
			break
		}
		a.Result = &sparql.Result{Form: q.Form, Triples: rdf.Read(bufio.NewReader(body), f, rdf.Options{Base: base, Scope: "r"})}
	}
	if err != nil {
		return nil, errors.Join(r.told(ctx, err), a.Close())
	}
	return a, nil
}

// withBase puts the base before a query.
func withBase(text, base string) string {
	if base == "" {
		return text
	}
	return "BASE <" + base + ">\n" + text
}

// Update does an update.
func (r *Remote) Update(ctx context.Context, text, base string) error {
	if _, err := sparql.ParseUpdate(text, base); err != nil {
		return err
	}
	return r.send(ctx, strings.NewReader(withBase(text, base)))
}

// Insert adds quads in one request.
func (r *Remote) Insert(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) (n int64, err error) {
	in, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w := bufio.NewWriter(out)
		_, err := w.WriteString("INSERT DATA {\n")
		for q, bad := range quads {
			if err = errors.Join(err, bad); err != nil {
				break
			}
			format := "%[1]s %[2]s %[3]s .\n"
			if q.Graph.Kind != rdf.None {
				format = "GRAPH %[4]s { %[1]s %[2]s %[3]s }\n"
			}
			if _, err = fmt.Fprintf(w, format, q.Subject, q.Predicate, q.Object, q.Graph); err != nil {
				break
			}
			n++
		}
		if err == nil {
			_, err = w.WriteString("}\n")
		}
		out.CloseWithError(errors.Join(err, w.Flush()))
	}()
	err = r.send(ctx, in)
	in.CloseWithError(errors.New("the endpoint reads no more"))
	<-done
	return n, err
}

func (r *Remote) send(ctx context.Context, body io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	to := r.Updates
	if to == "" {
		to = r.URL
	}
	resp, err := r.post(ctx, to, "application/sparql-update", "*/*", body)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Quads returns all quads, by one query.
func (r *Remote) Quads(ctx context.Context, graph string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		text := "SELECT ?s ?p ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
		if graph != "" {
			text = fmt.Sprintf("SELECT ?s ?p ?o ?g { BIND(%s AS ?g) GRAPH ?g { ?s ?p ?o } }", rdf.NewIRI(graph))
		}
		a, err := r.Query(ctx, text, "")
		if err != nil {
			yield(rdf.Quad{}, err)
			return
		}
		defer a.Close()
		any := false
		for row, err := range a.Solutions {
			if err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			any = true
			if !yield(rdf.Quad{Triple: rdf.Triple{Subject: row[0], Predicate: row[1], Object: row[2]}, Graph: row[3]}, nil) {
				return
			}
		}
		if graph != "" && !any {
			yield(rdf.Quad{}, noGraph(graph))
		}
	}
}

// Close lets connections go.
func (r *Remote) Close() error {
	r.client.CloseIdleConnections()
	return nil
}

func (r *Remote) timeout() time.Duration {
	if r.Timeout <= 0 {
		return DefaultTimeout
	}
	return r.Timeout
}

func (r *Remote) maxBytes() int64 {
	if r.MaxBytes <= 0 {
		return DefaultBytes
	}
	return r.MaxBytes
}

// post sends a request and returns the answer, if it is one.
func (r *Remote) post(ctx context.Context, to, kind, accept string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", "varve")
	if r.Token != "" {
		req.Header.Set("Authorization", "Bearer "+r.Token)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, r.told(ctx, err)
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer resp.Body.Close()
	if to := resp.Header.Get("Location"); resp.StatusCode/100 == 3 && to != "" {
		return nil, r.failed(fmt.Sprintf("answered %d and points to %.200s", resp.StatusCode, to), "redirects are not followed: name the endpoint itself")
	}
	said, _ := io.ReadAll(io.LimitReader(resp.Body, maxTold))
	return nil, r.failed(fmt.Sprintf("answered %d: %s", resp.StatusCode, strings.ToValidUTF8(strings.Join(strings.Fields(string(said)), " "), "")), "")
}

// failed is an error of the endpoint.
func (r *Remote) failed(msg, hint string) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "ask " + r.URL, Msg: msg, Hint: hint}
}

// told says of an error which endpoint it is of.
func (r *Remote) told(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return r.failed(fmt.Sprintf("no whole answer within %s", r.timeout()), "ask for less, or give it more time")
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "ask " + r.URL, Err: err}
}

// bounded ends an answer that is too long.
type bounded struct {
	ctx  context.Context
	in   io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		if n, err := io.ReadFull(b.in, one[:]); n == 0 {
			return 0, err
		}
		return 0, errors.New("the answer is longer than it may be: ask for less")
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}
