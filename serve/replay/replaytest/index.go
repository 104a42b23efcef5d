package replaytest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/serve/replay"
	"varve/web/canon"
)

// Index is an index in memory over the WARC files of folders; it is a replay.Index.
type Index struct {
	dirs     map[string]string
	captures map[string][]replay.Found // by collection, in order of key and time
}

// NewIndex makes an empty index.
func NewIndex() *Index {
	return &Index{dirs: map[string]string{}, captures: map[string][]replay.Found{}}
}

// Path tells where a file of a collection lies.
func (x *Index) Path(collection, file string) (string, error) {
	dir, ok := x.dirs[collection]
	if !ok {
		return "", &varve.Error{Kind: varve.NotFound, Op: "open collection " + collection, Msg: "there is no such collection"}
	}
	return filepath.Join(dir, filepath.Base(file)), nil
}

// AddDir reads all WARC files of a folder as a collection.
func (x *Index) AddDir(collection, dir string) error {
	x.dirs[collection] = dir
	names, err := filepath.Glob(filepath.Join(dir, "*.warc*"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := x.addFile(collection, name); err != nil {
			return err
		}
	}
	x.sort(collection)
	return nil
}

// Add puts captures in that need no file.
func (x *Index) Add(collection string, captures ...replay.Found) {
	if _, ok := x.dirs[collection]; !ok {
		x.dirs[collection] = os.DevNull
	}
	x.captures[collection] = append(x.captures[collection], captures...)
	x.sort(collection)
}

func (x *Index) sort(collection string) {
	slices.SortStableFunc(x.captures[collection], func(a, b replay.Found) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), a.Time.Compare(b.Time))
	})
}

// addFile reads one file: requests give their methods to the responses beside them.
func (x *Index) addFile(collection, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: filepath.Base(name), Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer r.Close()
	requests := map[string]string{} // key of the request, by the id of its response
	first := len(x.captures[collection])
	var ids []string
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch rec.Type() {
		case warc.TypeRequest:
			if key := requestKey(rec); key != "" {
				for _, field := range rec.Header {
					if strings.EqualFold(field.Name, warc.FieldConcurrentTo) {
						requests[field.Value] = key
					}
				}
			}
		case warc.TypeResponse, warc.TypeResource, warc.TypeRevisit:
			x.captures[collection] = append(x.captures[collection], capture(rec))
			ids = append(ids, rec.ID())
		}
	}
	for i, id := range ids {
		if key := requests[id]; key != "" {
			x.captures[collection][first+i].Key = key
		}
	}
	return nil
}

// requestKey gives the key of a request that is not a GET.
func requestKey(rec *warc.Record) string {
	msg, err := rec.HTTP()
	if err != nil || msg.Method == "GET" {
		return ""
	}
	body, err := io.ReadAll(io.LimitReader(msg.Payload(), 1<<20))
	if err != nil {
		return ""
	}
	key, _ := canon.RequestKey(msg.Method, rec.TargetURI(), msg.Header.Get("Content-Type"), body)
	return key
}

// capture makes the index entry of a record.
func capture(rec *warc.Record) replay.Found {
	c := replay.Found{Key: canon.SURT(rec.TargetURI())}
	c.URL, c.File, c.Offset = rec.TargetURI(), rec.File, rec.Offset
	c.Time, _ = rec.Date()
	c.Time = c.Time.Truncate(time.Second)
	c.Digest = rec.Header.Get(warc.FieldPayloadDigest)
	if msg, err := rec.HTTP(); err == nil {
		c.Status, c.MIME = msg.Status, msg.MediaType()
	} else {
		c.Status, c.MIME = 200, rec.Header.Get(warc.FieldContentType)
	}
	if rec.Type() == warc.TypeRevisit {
		c.MIME = "warc/revisit"
	}
	return c
}

// Closest gives the captures of a key nearest to an instant.
func (x *Index) Closest(ctx context.Context, collection, key string, at time.Time, limit int) ([]replay.Found, error) {
	if _, err := x.Path(collection, ""); err != nil {
		return nil, err
	}
	var out []replay.Found
	for c := range x.Captures(ctx, collection, replay.Query{Key: key}) {
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b replay.Found) int { return cmp.Compare(a.Time.Sub(at).Abs(), b.Time.Sub(at).Abs()) })
	return out[:min(limit, len(out))], nil
}

// Captures gives the captures that a query asks for.
func (x *Index) Captures(_ context.Context, collection string, q replay.Query) iter.Seq2[replay.Found, error] {
	return func(yield func(replay.Found, error) bool) {
		n := 0
		for _, c := range x.captures[collection] {
			if c.Key != q.Key && !(q.Prefix && strings.HasPrefix(c.Key, q.Key)) || c.Time.Before(q.From) || !q.To.IsZero() && c.Time.After(q.To) {
				continue
			}
			if n++; q.Limit > 0 && n > q.Limit || !yield(c, nil) {
				return
			}
		}
	}
}
