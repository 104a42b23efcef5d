package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"varve"
)

func (a *API) progress(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	return k.Progress(r.Context())
}

// events passes the events of a running crawl on. The stream ends with the crawl, with the caller,
// or with the server.
func (a *API) events(w http.ResponseWriter, r *http.Request) error {
	k, err := a.find(r)
	if err != nil {
		return err
	}
	resp, err := k.Control(r.Context(), http.MethodGet, "events", nil, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &varve.Error{Kind: varve.Unavailable, Op: "follow crawl " + k.ID, Msg: "it answered " + resp.Status}
	}
	if a.cfg.Streams != nil {
		stop := context.AfterFunc(a.cfg.Streams, func() { _ = resp.Body.Close() }) // ends the copy below
		defer stop()
	}
	out := http.NewResponseController(w)
	if err := out.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	_ = out.Flush()
	lines := bufio.NewReaderSize(resp.Body, 16<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = a.tell(w, r, line)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				a.cfg.Log.Debug("events", "crawl", k.ID, "error", err)
			}
			return nil // the crawl ended, or the caller left
		}
		if lines.Buffered() == 0 {
			_ = out.Flush()
		}
	}
}

// tell passes a line of a stream of events on, without what rules withhold from whoever listens. They are asked for each one:
// a stream may last for days.
func (a *API) tell(w io.Writer, r *http.Request, line []byte) error {
	event, ok := bytes.CutPrefix(line, []byte("data: "))
	if ok {
		over, err := a.veil(r)
		if err != nil {
			return err
		}
		left, ok := over.Event(bytes.TrimSuffix(event, []byte{'\n'}))
		if !ok {
			return nil
		}
		line = append(append([]byte("data: "), left...), '\n')
	}
	_, err := w.Write(line)
	return err
}
