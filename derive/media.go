package derive

import (
	"context"
	"iter"
	"strings"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/crawl/media"
	"varve/crawl/media/object"
	"varve/derive/job"
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

// mediaJob lists the films and sounds of all files.
func mediaJob(o *Options) job.Job {
	return job.Job{
		Name: "media", Version: 1, Combine: combineWith(addMedia),
		Scan: &job.Scan{Mapper: MediaMapper(o), Open: func(t *job.Task) (job.Sink, error) { return &mediaSink{task: t, sums: map[string]*Medium{}}, nil }},
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			return reduceTo(out, "media", groups, func(m *Medium, key []byte) { m.URL = string(key) })
		},
	}
}

// Sighting is what one record says of one object.
type Sighting struct {
	Of     string // its address
	Medium Medium
}

// Sightings are what one record says of objects.
type Sightings struct {
	List []Sighting
	Cut  string // why there may be more; empty if there are not
}

// MediaMapper reads what records have to do with films and sounds. Few pages have any, so most are passed over after one look.
func MediaMapper(o *Options) *scan.Mapper {
	o = o.withDefaults()
	return scan.New(scan.Mapper{Name: "media", Limits: scan.Limits{Content: o.MaxBody}, Wants: wantsMedia, Config: o, Trusted: scan.Plain}, func() func(context.Context, *scan.Item) (Sightings, error) {
		return func(_ context.Context, it *scan.Item) (Sightings, error) { return sightings(it, o), nil }
	})
}

// wantsMedia wants the content of pages and the heads of films and sounds.
func wantsMedia(it *scan.Item) scan.Part {
	switch {
	case !it.Capture || it.Type == warc.TypeRevisit:
		return scan.Nothing
	case strings.HasPrefix(it.URI, media.ObjectPrefix) || strings.HasPrefix(it.URI, media.VODPrefix):
		return scan.Head
	case it.Head == nil || it.Status != 200 && it.Status != 206:
		return scan.Nothing
	}
	switch media.FormatOf(it.MIME, it.URI, nil) {
	case media.Page:
		return scan.Body
	case media.HLS, media.DASH, media.File:
		return scan.Head
	}
	return scan.Nothing
}

// sightings reads what a record has to do with films and sounds.
func sightings(it *scan.Item, o *Options) Sightings {
	at := it.Time.UTC().Truncate(time.Microsecond)
	if url, ok := strings.CutPrefix(it.URI, media.ObjectPrefix); ok {
		return seen(url, Medium{Got: &at, GotMIME: it.MIME, Bytes: it.Block})
	}
	if url, ok := strings.CutPrefix(it.URI, media.VODPrefix); ok {
		return seen(url, Medium{Recording: &at})
	}
	f := media.FormatOf(it.MIME, it.URI, nil)
	if f == media.Page {
		return onPage(it, at, o)
	}
	kind := map[media.Format]object.Kind{media.HLS: object.HLS, media.DASH: object.DASH, media.File: object.File}[f]
	if kind == object.File && part(it) {
		return Sightings{} // a segment of a stream
	}
	return seen(it.URI, Medium{Kind: string(kind), Captured: &at, MIME: it.MIME, Bytes: it.Block, Sound: strings.HasPrefix(it.MIME, "audio/")})
}

func seen(url string, m Medium) Sightings { return Sightings{List: []Sighting{{url, m}}} }

// mediaSink sums up the objects of one file.
type mediaSink struct {
	task *job.Task
	sums map[string]*Medium
}

// Take adds what a record says.
func (s *mediaSink) Take(t *scan.Taken) error {
	got, _ := t.Result.(Sightings)
	for _, one := range got.List {
		m := s.sums[one.Of]
		if m == nil {
			m = &Medium{}
			s.sums[one.Of] = m
		}
		*m = addMedia(*m, one.Medium)
	}
	if got.Cut != "" {
		return s.task.Partial(t.Name(), got.Cut)
	}
	return nil
}

// Close hands the sums to the reducer.
func (s *mediaSink) Close() error { return emitAll(s.task, s.sums) }

// part tells files that are pieces of a stream by their names.
func part(it *scan.Item) bool {
	path, _, _ := strings.Cut(strings.ToLower(it.URI), "?")
	for _, end := range []string{".m4s", ".ts", ".m4f", ".cmfv", ".cmfa", "init.mp4"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return it.MIME == "video/mp2t" || it.MIME == "video/iso.segment"
}

// onPage reads the media objects of a page.
func onPage(it *scan.Item, at time.Time, o *Options) (out Sightings) {
	body, _, err := it.ContentUpTo(o.MaxBody) // where it is cut or damaged the table of pages says so
	if err != nil && len(body) == 0 || !object.Likely(body) {
		return out
	}
	list, err := object.Extract(body, it.URI, it.ContentType())
	if err != nil {
		out.Cut = err.Error()
	}
	for i := range list {
		x := &list[i]
		out.List = append(out.List, Sighting{x.URL, Medium{
			Kind: string(x.Kind), Service: x.Service, Sound: x.Sound, Title: x.Title, Description: x.Description, Around: x.Around, Seconds: x.Seconds, Poster: x.Poster,
			Told: strings.Join(x.From, ","), Page: it.URI, PageTime: &at, Pages: 1, First: &at, Last: &at,
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
