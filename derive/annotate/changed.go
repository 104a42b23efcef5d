package annotate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"varve/archive/warc/tool"
	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/job"
	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

// ErrNoObjects is that there is no table of web objects to go by.
var ErrNoObjects = errors.New("no table of web objects")

// Changed are pages whose web objects were read once and are read no more.
type Changed struct {
	Pages   int                        // with objects
	Changed int                        // of them
	Left    int                        // objects of pages that were not looked at: there are more than maxKnownPages
	Unread  int                        // captures that could not be read again
	Samples map[string][]webapp.Sample // of these, by application
}

// Bounds of what is looked at.
const (
	maxKnownPages = 5000 // whose objects are held in memory
	maxSamples    = 60   // of an application
)

// knownPage is a page whose objects are known, and its last capture.
type knownPage struct {
	app     string
	at      time.Time // of the capture that they were read of
	objects []webapp.Object
	last    pageCapture
}

// pageCapture are the columns of pages by which a capture is read again.
type pageCapture struct {
	URL      string    `parquet:"url"`
	SURT     string    `parquet:"surt"`
	Time     time.Time `parquet:"time,timestamp(microsecond)"`
	Status   int32     `parquet:"status"`
	Record   string    `parquet:"record"`
	Detected string    `parquet:"mime_detected"`
	Offset   int64     `parquet:"offset"`
	part     job.Part
}

// FindChanged looks for pages of a collection whose last capture has, of some type, fewer than half of the objects that were read of it before.
func FindChanged(ctx context.Context, collection, dir string, parts []job.Part, k *webapp.Knowledge) (*Changed, error) {
	j, _, err := ObjectsJob(collection)
	if err != nil {
		return nil, err
	}
	out := &Changed{Samples: map[string][]webapp.Sample{}}
	known := map[string]*knownPage{}
	tables := 0
	for _, p := range parts {
		if _, ok := job.Table(dir, j, p, Objects); ok {
			tables++
		}
	}
	if tables == 0 {
		return nil, ErrNoObjects
	}
	err = EachObject(dir, parts, j, func(r *ObjectRow) error {
		p := known[r.SURT]
		if p == nil {
			if len(known) >= maxKnownPages {
				out.Left++
				return nil
			}
			p = &knownPage{app: r.Application}
			known[r.SURT] = p
		}
		if r.Time.After(p.at) { // another capture of the page
			p.at, p.objects = r.Time, nil
		}
		if r.Time.Equal(p.at) {
			p.objects = append(p.objects, r.Object())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := lastCaptures(ctx, dir, parts, known); err != nil {
		return nil, err
	}
	out.Pages = len(known)
	for _, part := range parts {
		if err := out.compare(ctx, part, known, k); err != nil {
			return nil, fmt.Errorf("%s: %w", part.Name, err)
		}
	}
	return out, nil
}

// lastCaptures finds the last capture of each known page.
func lastCaptures(ctx context.Context, dir string, parts []job.Part, known map[string]*knownPage) error {
	for _, part := range parts {
		err := derive.Rows(filepath.Join(dir, "pages", part.Name+".parquet"), func(c *pageCapture) (bool, error) {
			p := known[c.SURT]
			if p != nil && c.Status == 200 && c.Record == "response" && c.Detected == "text/html" && c.Time.After(p.last.Time) {
				p.last = *c
				p.last.part = part
			}
			return ctx.Err() == nil, ctx.Err()
		})
		if err != nil {
			return fmt.Errorf("%s: %w", part.Name, err)
		}
	}
	return nil
}

// compare reads the last captures that are in a file, where they are newer than what is known.
func (c *Changed) compare(ctx context.Context, part job.Part, known map[string]*knownPage, k *webapp.Knowledge) error {
	in, err := tool.OpenFrom(part.Path, part.From)
	if err != nil {
		return err
	}
	defer in.Close()
	x, err := tool.NewExtractor(ctx, []*tool.Input{in}, tool.ExtractOptions{Selection: tool.All(), Workers: 1, MaxSize: objectContent})
	if err != nil {
		return err
	}
	pages := page.NewReader()
	for _, key := range slices.Sorted(maps.Keys(known)) {
		p := known[key]
		if p.last.part.Name != part.Name || !p.last.Time.After(p.at) || len(c.Samples[p.app]) >= maxSamples {
			continue
		}
		var body bytes.Buffer
		if _, err := x.One(ctx, tool.Wanted{Offset: p.last.Offset}, &body); err != nil {
			c.Unread++
			continue
		}
		u, err := canon.Parse(p.last.URL)
		if err != nil {
			c.Unread++
			continue
		}
		r := k.NewReader()
		if _, err := pages.Read(page.Input{URL: p.last.URL, MIME: "text/html", Body: body.Bytes()}, page.Want{Brief: true, With: []markup.Subscriber{r}}); err != nil {
			c.Unread++
			continue
		}
		s := r.Sight(u, nil)
		if s == nil || s.App.Name != p.app {
			continue
		}
		if list, _ := s.Extract(u, r.Root()); fewer(list, p.objects) {
			c.Changed++
			c.Samples[p.app] = append(c.Samples[p.app], webapp.Sample{URL: u, Root: r.Root(), Level: s.LevelName(), Known: p.objects})
		}
	}
	return nil
}

// fewer reports whether of some type there are fewer than half as many objects as were known.
func fewer(now, known []webapp.Object) bool {
	n := map[string]int{}
	for _, o := range known {
		n[o.Type]++
	}
	for _, o := range now {
		n[o.Type] -= 2
	}
	for _, left := range n {
		if left > 0 {
			return true
		}
	}
	return false
}
