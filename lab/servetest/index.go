package servetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/serve/holdings"
	"varve/web/canon"
)

// Index is an index in memory, made by reading the WARC files once: slow, and obviously right.
type Index map[string][]holdings.IndexedCapture // by collection, sorted by key and time

// NewIndex reads the finished WARC files of an archive.
func NewIndex(dir string) (Index, error) {
	list, err := catalog.Open(dir).Collections()
	if err != nil {
		return nil, err
	}
	out := Index{}
	for _, c := range list {
		files, err := filepath.Glob(filepath.Join(c.WarcDir(), "*.warc.gz"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			got, err := readFile(f)
			if err != nil {
				return nil, fmt.Errorf("index %s: %w", f, err)
			}
			out[c.Name] = append(out[c.Name], got...)
		}
		slices.SortStableFunc(out[c.Name], func(a, b holdings.IndexedCapture) int {
			if k := strings.Compare(a.Key, b.Key); k != 0 {
				return k
			}
			return a.Time.Compare(b.Time)
		})
	}
	return out, nil
}

func readFile(path string) (out []holdings.IndexedCapture, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: filepath.Base(path)})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if rec.Type() != warc.TypeResponse && rec.Type() != warc.TypeRevisit || !rec.IsHTTP() {
			continue
		}
		date, err := rec.Date()
		if err != nil {
			return nil, err
		}
		h, err := rec.HTTP()
		if err != nil {
			return nil, err
		}
		mime, _, _ := strings.Cut(h.Header.Get("Content-Type"), ";")
		out = append(out, holdings.IndexedCapture{
			Key: canon.SURT(rec.TargetURI()), Revisit: rec.Type() == warc.TypeRevisit,
			Capture: varve.Capture{
				URL: rec.TargetURI(), Time: date, Status: h.Status, MIME: mime, Digest: rec.Header.Get("WARC-Payload-Digest"),
				Location: varve.Location{File: filepath.Base(path), Offset: rec.Offset},
			},
		})
	}
}

// Captures gives the captures that a query asks for.
func (x Index) Captures(_ context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		from, to, keep, err := q.Keys()
		if err != nil {
			yield(holdings.IndexedCapture{}, err)
			return
		}
		n := 0
		for _, c := range x[q.Collection] {
			if c.Key < from || to != "" && c.Key >= to || c.Key <= q.After || !keep(c.Key) || outside(c.Time, q.From, q.To) {
				continue
			}
			if n++; q.Limit > 0 && n > q.Limit || !yield(c, nil) {
				return
			}
		}
	}
}

func outside(t, from, to time.Time) bool {
	return !from.IsZero() && t.Before(from) || !to.IsZero() && t.After(to)
}
