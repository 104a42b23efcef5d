package derive

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/crawl/media"
	"varve/crawl/media/object"
	"varve/derive/job"
	"varve/web/wire"
)

// Medium is a row of media: one film or sound that pages show, or that was captured, over all files.
type Medium struct {
	URL         string     `parquet:"url" json:"-"`
	Kind        string     `parquet:"kind,dict"` // file, hls, dash, player
	Service     string     `parquet:"service,dict"`
	Sound       bool       `parquet:"sound"`
	Title       string     `parquet:"title"`
	Description string     `parquet:"description"`
	Around      string     `parquet:"around"`
	Seconds     float64    `parquet:"seconds"`
	Poster      string     `parquet:"poster"`
	Told        string     `parquet:"told"` // where the page names it, with commas
	Page        string     `parquet:"page"`
	PageTime    *time.Time `parquet:"page_time,optional,timestamp(microsecond)"`
	Pages       int64      `parquet:"pages"`
	First       *time.Time `parquet:"first,optional,timestamp(microsecond)"`
	Last        *time.Time `parquet:"last,optional,timestamp(microsecond)"`

	Captured  *time.Time `parquet:"captured,optional,timestamp(microsecond)"`
	MIME      string     `parquet:"mime,dict"`
	Bytes     int64      `parquet:"bytes"`
	Got       *time.Time `parquet:"got,optional,timestamp(microsecond)"`
	GotMIME   string     `parquet:"got_mime,dict"`
	Recording *time.Time `parquet:"recording,optional,timestamp(microsecond)"`
}

// Archived tells whether there is something to play: the file or list itself, or what an external program got.
func (m *Medium) Archived() bool {
	return m.Got != nil || m.Captured != nil && m.Kind != string(object.Player)
}

// mediaJob lists the films and sounds of all files. It reads the WARC files itself: few pages have any, so
// most are passed over after one look.
func mediaJob(o *Options) job.Job {
	return job.Job{
		Name: "media", Version: 1, Combine: combineWith(addMedia),
		Map: func(ctx context.Context, t *job.Task) error { return mapMedia(ctx, t, o) },
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			return reduceTo(out, "media", groups, func(m *Medium, key []byte) { m.URL = string(key) })
		},
	}
}

// sighting is what one record says of one object.
type sighting struct {
	url string
	m   Medium
}

func mapMedia(ctx context.Context, t *job.Task, o *Options) (err error) {
	file, err := warc.Open(t.Part.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sums := map[string]*Medium{}
	err = warc.Scan(ctx, file, warc.Options{Name: t.Part.Name, Policy: warc.Silent()}, t.Cores,
		func(rec *warc.Record) ([]sighting, error) { return sightings(rec, o), ctx.Err() },
		func(list []sighting) error {
			for _, s := range list {
				m := sums[s.url]
				if m == nil {
					m = &Medium{}
					sums[s.url] = m
				}
				*m = addMedia(*m, s.m)
			}
			return nil
		})
	if err != nil {
		return err
	}
	return emitAll(t, sums)
}

// sightings reads what a record has to do with films and sounds. It is called on several cores at once.
func sightings(rec *warc.Record, o *Options) (out []sighting) {
	noter := capture.Noter{Read: func(n *capture.Note, head *wire.Head, payload io.Reader) {
		at := n.Time.UTC().Truncate(time.Microsecond)
		if url, ok := strings.CutPrefix(n.URI, media.ObjectPrefix); ok {
			out = append(out, sighting{url, Medium{Got: &at, GotMIME: n.MIME, Bytes: rec.Length()}})
			return
		}
		if url, ok := strings.CutPrefix(n.URI, media.VODPrefix); ok {
			out = append(out, sighting{url, Medium{Recording: &at}})
			return
		}
		if head == nil || head.Status != 200 && head.Status != 206 {
			return
		}
		switch f := media.FormatOf(n.MIME, n.URI, nil); f {
		case media.Page:
			out = append(out, onPage(n.URI, at, head, payload, o)...)
		case media.HLS, media.DASH, media.File:
			kind := map[media.Format]object.Kind{media.HLS: object.HLS, media.DASH: object.DASH, media.File: object.File}[f]
			if kind == object.File && part(n) {
				return // a segment of a stream
			}
			out = append(out, sighting{n.URI, Medium{Kind: string(kind), Captured: &at, MIME: n.MIME, Bytes: rec.Length(), Sound: strings.HasPrefix(n.MIME, "audio/")}})
		}
	}}
	_, _ = noter.Note(rec) // damage is told by `varve warc check`
	return out
}

// part tells files that are pieces of a stream by their names.
func part(n *capture.Note) bool {
	path, _, _ := strings.Cut(strings.ToLower(n.URI), "?")
	for _, end := range []string{".m4s", ".ts", ".m4f", ".cmfv", ".cmfa", "init.mp4"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return n.MIME == "video/mp2t" || n.MIME == "video/iso.segment"
}

// onPage reads the media objects of a page.
func onPage(url string, at time.Time, head *wire.Head, payload io.Reader, o *Options) (out []sighting) {
	body, err := decode(payload, head.Codings(), o.MaxBody)
	if err != nil && len(body) == 0 || !object.Likely(body) {
		return nil
	}
	list, _ := object.Extract(body, url, head.Header.Get("Content-Type"))
	for i := range list {
		x := &list[i]
		out = append(out, sighting{x.URL, Medium{
			Kind: string(x.Kind), Service: x.Service, Sound: x.Sound, Title: x.Title, Description: x.Description, Around: x.Around, Seconds: x.Seconds, Poster: x.Poster,
			Told: strings.Join(x.From, ","), Page: url, PageTime: &at, Pages: 1, First: &at, Last: &at,
		}})
	}
	return out
}

// addMedia joins what is known of one object. What the first page says of it stands; ties are broken by the
// page's address, so that the order of files does not matter.
func addMedia(a, b Medium) Medium {
	told, other := a, b
	if before(b, a) {
		told, other = b, a
	}
	out := told
	if out.Page == "" && out.Kind == "" {
		out.Kind = other.Kind
	}
	out.Sound = a.Sound && b.Sound || a.Kind == "" && b.Sound || b.Kind == "" && a.Sound
	out.Pages = a.Pages + b.Pages
	out.First, out.Last = firstOf(a.First, b.First), lastOf(a.Last, b.Last)
	out.Got, out.Recording, out.Captured = lastOf(a.Got, b.Got), lastOf(a.Recording, b.Recording), lastOf(a.Captured, b.Captured)
	out.GotMIME, out.MIME = max(a.GotMIME, b.GotMIME), max(a.MIME, b.MIME)
	out.Bytes = max(a.Bytes, b.Bytes)
	return out
}

// before tells whether a row's words come before those of another.
func before(a, b Medium) bool {
	switch {
	case a.Page == "" || b.Page == "":
		if a.Page == b.Page {
			return a.Kind > b.Kind
		}
		return a.Page != ""
	case !a.PageTime.Equal(*b.PageTime):
		return a.PageTime.Before(*b.PageTime)
	}
	return a.Page < b.Page
}

func firstOf(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

func lastOf(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}
