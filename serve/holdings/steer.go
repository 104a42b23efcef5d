package holdings

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"

	"varve/crawl/control"

	"varve"
)

// Tell passes a wish of somebody on to a running crawl and reads its answer into a value. What the crawl refuses
// comes back as the error it named.
func (k *Crawl) Tell(ctx context.Context, by, method, what string, body, into any) error {
	var b []byte
	if body != nil {
		var err error
		if b, err = json.Marshal(body); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://crawl/api/crawls/"+k.ID+"/"+what, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Varve-By", oneLine(by))
	resp, err := k.send(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxControlAnswer))
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask crawl " + k.ID, Err: err}
	}
	if resp.StatusCode != http.StatusOK {
		return k.refusal(resp.Status, answer)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask crawl " + k.ID, Err: err}
	}
	return nil
}

// refusal is the error that a crawl answered with.
func (k *Crawl) refusal(status string, answer []byte) error {
	var p struct{ Title, Detail, Hint string }
	if json.Unmarshal(answer, &p) != nil || p.Detail == "" {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask crawl " + k.ID, Msg: "it answered " + status}
	}
	return &varve.Error{Kind: varve.Kind(p.Title), Op: "steer crawl " + k.ID, Msg: p.Detail, Hint: p.Hint}
}

// oneLine makes a text fit for a header.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// Watch asks a running crawl for all that those see who watch it.
func (k *Crawl) Watch(ctx context.Context) (*control.Watch, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	var w control.Watch
	if err := k.Tell(ctx, "", http.MethodGet, "watch", nil, &w); err != nil {
		return nil, err
	}
	return &w, nil
}
