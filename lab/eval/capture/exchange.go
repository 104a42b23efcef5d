package capture

import (
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"varve/archive/warc"
	"varve/web/wire"
)

// Exchange is a request and its answer as WARC files hold them.
type Exchange struct {
	Method, URL, Body string
	Status            int
	MIME              string
	Digest            string // of the bytes of the answer as they crossed the wire: sha1:BASE32
}

// answer is a response or revisit record before its request is known.
type answer struct {
	Exchange
	id      string
	head    []byte
	payload string // digest, of revisits
}

// exchanges collects the records of a crawl.
type exchanges struct {
	answers  []answer
	requests map[string]*Exchange // by the id of the answer
	bodies   map[string][]byte    // of responses, as sent, by payload digest
}

// maxBody is the largest answer that is read; the sites have none of a tenth of it.
const maxBody = 16 << 20

// ReadExchanges reads the exchanges of all WARC files of a folder in the order of the records.
func ReadExchanges(dir string) ([]Exchange, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
	if err != nil {
		return nil, err
	}
	x := &exchanges{requests: map[string]*Exchange{}, bodies: map[string][]byte{}}
	for _, f := range files {
		if err := x.readFile(f); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f), err)
		}
	}
	return x.list()
}

func (x *exchanges) readFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: filepath.Base(path), Verify: true})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = x.add(rec)
		}
		if err != nil {
			return err
		}
	}
}

func (x *exchanges) add(rec *warc.Record) error {
	switch kind := rec.Type(); {
	case kind == warc.TypeRequest && rec.IsHTTP():
		return x.addRequest(rec)
	case (kind == warc.TypeResponse || kind == warc.TypeRevisit) && strings.HasPrefix(rec.TargetURI(), "http"):
		return x.addAnswer(rec)
	}
	return nil
}

func (x *exchanges) addRequest(rec *warc.Record) error {
	msg, err := rec.HTTP()
	if err != nil {
		return fmt.Errorf("request for %s: %w", rec.TargetURI(), err)
	}
	body, err := io.ReadAll(io.LimitReader(msg.Payload(), maxBody))
	if err != nil {
		return fmt.Errorf("request for %s: %w", rec.TargetURI(), err)
	}
	for _, field := range rec.Header {
		if strings.EqualFold(field.Name, warc.FieldConcurrentTo) {
			x.requests[field.Value] = &Exchange{Method: msg.Method, Body: string(body)}
		}
	}
	return nil
}

func (x *exchanges) addAnswer(rec *warc.Record) error {
	a := answer{id: rec.ID(), payload: rec.Header.Get(warc.FieldPayloadDigest)}
	a.Method, a.URL = "GET", rec.TargetURI()
	block, err := io.ReadAll(io.LimitReader(rec.Block, maxBody))
	if err != nil {
		return fmt.Errorf("answer of %s: %w", a.URL, err)
	}
	head, err := wire.ParseHead(block)
	if err != nil {
		return fmt.Errorf("answer of %s: %w", a.URL, err)
	}
	a.Status, a.MIME, a.head = head.Status, head.MediaType(), block[:head.Size]
	if rec.Type() == warc.TypeResponse {
		a.Digest = digest(block)
		x.bodies[a.payload] = block[head.Size:]
		a.head, a.payload = nil, ""
	}
	x.answers = append(x.answers, a)
	return nil
}

// list joins answers with their requests, and rebuilds what revisits stand for.
func (x *exchanges) list() ([]Exchange, error) {
	out := make([]Exchange, 0, len(x.answers))
	for _, a := range x.answers {
		if r := x.requests[a.id]; r != nil {
			a.Method, a.Body = r.Method, r.Body
		}
		if a.Digest == "" {
			body, ok := x.bodies[a.payload]
			if !ok {
				return nil, fmt.Errorf("revisit of %s: no record has its payload %s", a.URL, a.payload)
			}
			a.Digest = digest(a.head, body)
		}
		out = append(out, a.Exchange)
	}
	return out, nil
}

// digest names bytes as the server's log does.
func digest(parts ...[]byte) string {
	h := sha1.New()
	for _, p := range parts {
		h.Write(p)
	}
	return warc.FormatDigest("sha1", h.Sum(nil))
}
