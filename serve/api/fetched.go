package api

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"varve"
	"varve/serve/holdings"
	"varve/serve/review"
)

const (
	lookAgain = 500 * time.Millisecond // at a log that has no more for now
	sayAlive  = 30                     // every so many looks, so that a caller who left is noticed
	maxLogged = 1 << 20                // bytes of a line
)

// fetched streams what a crawl fetched: the lines of its crawl.log, each with the byte behind it as id, so that a program that lost the connection goes on
// where it was. Analyses in other processes follow a crawl by it.
func (a *API) fetched(w http.ResponseWriter, r *http.Request) error {
	k, err := a.find(r)
	if err != nil {
		return err
	}
	from, err := strconv.ParseInt(cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("from"), "0"), 10, 64)
	if err != nil || from < 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "follow crawl " + k.ID, Msg: "from is no id of an event", Hint: "leave it out to begin at the begin"}
	}
	log, err := openLogAt(filepath.Join(k.Dir(), "crawl.log"), from)
	if err != nil {
		return &varve.Error{Kind: varve.KindOf(err), Op: "follow crawl " + k.ID, Err: err}
	}
	defer log.Close()
	ctx := r.Context()
	if a.cfg.Streams != nil {
		stop := context.AfterFunc(a.cfg.Streams, func() { _ = log.Close() }) // ends the reading below
		defer stop()
	}
	out := http.NewResponseController(w)
	if err := out.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	_ = out.Flush()
	s := &visitStream{a: a, w: w, r: r, at: from}
	in := bufio.NewReaderSize(log, 64<<10)
	for looks := 1; ; looks++ {
		running := k.State == holdings.Live // before the log is read: what ended meanwhile is looked at once more
		if err := s.read(in); err != nil {
			a.cfg.Log.Debug("fetched", "crawl", k.ID, "error", err)
			return nil // the caller left, or the server ends
		}
		if !running {
			_, _ = fmt.Fprintf(w, "event: end\ndata: {\"state\":%q}\n\n", k.State)
			return nil
		}
		if looks%sayAlive == 0 {
			_, _ = io.WriteString(w, ": the crawl goes on\n\n")
		}
		_ = out.Flush()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(lookAgain):
		}
		if k, err = a.find(r); err != nil {
			return nil //nolint:nilerr // it was taken away meanwhile
		}
	}
}

// openLogAt opens a log at the begin of a line.
func openLogAt(path string, at int64) (*os.File, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &varve.Error{Kind: varve.NotFound, Msg: "it has fetched nothing yet", Hint: "ask again in a moment"}
	}
	if err != nil {
		return nil, err
	}
	if at > 0 {
		var before [1]byte
		if _, err = f.ReadAt(before[:], at-1); err != nil || before[0] != '\n' {
			err = &varve.Error{Kind: varve.Invalid, Msg: fmt.Sprintf("%d is no id of an event", at), Hint: "leave it out to begin at the begin"}
		}
	}
	if err == nil {
		_, err = f.Seek(at, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// visitStream passes visits on.
type visitStream struct {
	a    *API
	w    io.Writer
	r    *http.Request
	at   int64  // the byte behind the last line
	part []byte // of a line that is being written
}

// read passes on what there is.
func (s *visitStream) read(in *bufio.Reader) error {
	over, err := s.a.veil(s.r)
	if err != nil {
		return err
	}
	for {
		piece, err := in.ReadSlice('\n')
		s.part = append(s.part, piece...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(s.part) < maxLogged:
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		s.at += int64(len(s.part))
		line, err := review.ParseLine(string(s.part))
		s.part = s.part[:0]
		if err != nil {
			if _, err := fmt.Fprintf(s.w, "id: %d\nevent: unread\ndata: {\"before\":%d}\n\n", s.at, s.at); err != nil {
				return err
			}
			continue
		}
		b, err := json.Marshal(line)
		if err != nil {
			return err
		}
		if left, ok := over.Event(b); ok {
			if _, err := fmt.Fprintf(s.w, "id: %d\ndata: %s\n\n", s.at, left); err != nil {
				return err
			}
		}
	}
}
