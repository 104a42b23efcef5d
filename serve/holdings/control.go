package holdings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"time"

	"varve"
	"varve/crawl"
)

// maxControlAnswer bounds what is read of an answer of a running crawl.
const maxControlAnswer = 16 << 20

// dial makes a client for the control socket of a crawl. Each is used for one exchange.
func (k *Crawl) dial() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", k.socket())
		},
	}}
}

// Control passes a request on to a running crawl: what is "", "pause", "resume", "stop", "events",
// "hosts" and so on. The caller closes the body of the answer.
func (k *Crawl) Control(ctx context.Context, method, what string, query url.Values, body io.Reader) (*http.Response, error) {
	target := url.URL{Scheme: "http", Host: "crawl", Path: "/api/crawls/" + k.ID, RawQuery: query.Encode()}
	if what != "" {
		target.Path += "/" + what
	}
	req, err := http.NewRequestWithContext(ctx, method, target.String(), body)
	if err != nil {
		return nil, err
	}
	return k.send(req)
}

// send makes one exchange with a running crawl.
func (k *Crawl) send(req *http.Request) (*http.Response, error) {
	resp, err := k.dial().Do(req)
	if err == nil {
		return resp, nil
	}
	if errors.Is(err, os.ErrNotExist) || refused(err) {
		return nil, &varve.Error{
			Kind: varve.Conflict, Op: "reach crawl " + k.ID, Msg: "it is not running",
			Hint: "'varve crawl --resume --collection " + k.Collection + "' goes on with a crawl that is not complete",
		}
	}
	return nil, &varve.Error{Kind: varve.Unavailable, Op: "reach crawl " + k.ID, Err: err}
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// Progress asks a running crawl how far it is.
func (k *Crawl) Progress(ctx context.Context) (*crawl.Progress, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return k.progress(ctx, http.MethodGet, "")
}

// Command pauses, resumes or stops a running crawl and tells how far it is.
func (k *Crawl) Command(ctx context.Context, what string) (*crawl.Progress, error) {
	switch what {
	case "pause", "resume", "stop":
		return k.progress(ctx, http.MethodPost, what)
	}
	return nil, &varve.Error{Kind: varve.Invalid, Op: "steer crawl " + k.ID, Msg: fmt.Sprintf("there is no command %q", what), Hint: "pause, resume or stop"}
}

func (k *Crawl) progress(ctx context.Context, method, what string) (*crawl.Progress, error) {
	resp, err := k.Control(ctx, method, what, nil, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "ask crawl " + k.ID, Msg: "it answered " + resp.Status}
	}
	var p crawl.Progress
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxControlAnswer)).Decode(&p); err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "ask crawl " + k.ID, Err: err}
	}
	return &p, nil
}

// Follow fills in how far a running crawl is; one whose socket answers to nobody was killed.
func (k *Crawl) Follow(ctx context.Context) {
	if k.State != Live {
		return
	}
	p, err := k.Progress(ctx)
	if varve.KindOf(err) == varve.Conflict && err != nil {
		k.ended("its process ended without a report")
		return
	}
	if err != nil {
		k.Why = err.Error()
		return
	}
	k.Pages, k.URLs, k.Bytes, k.Failed, k.Queued = p.Pages, p.URLs, p.Bytes, p.Failed, p.Queued
	k.Paused = p.State == crawl.Paused
	if p.State != crawl.Running {
		k.Why = string(p.State)
		if p.Why != "" {
			k.Why += ": " + p.Why
		}
	}
}
