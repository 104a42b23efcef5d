package annotate

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"varve/archive/warc/tool"
	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/job"
	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

// Unread are pages of known applications on which nothing is read of what they are there for (no text of the first type of object that such pages have): they
// are in a template that nobody knows.
type Unread struct {
	Looked  int                        // pages
	Samples map[string][]webapp.Sample // of these, by application
}

// Bounds of what is looked at.
const (
	maxUnreadLooked = 5000
	minUnread       = 3 // pages, below which nothing is learned from what repeats itself
)

// FindUnread looks for such pages among those of a collection, the first captures first, but not among those of applications that are left out.
func FindUnread(ctx context.Context, dir string, parts []job.Part, k *webapp.Knowledge, without map[string][]webapp.Sample) (*Unread, error) {
	out := &Unread{Samples: map[string][]webapp.Sample{}}
	seen := map[string]bool{}
	for _, part := range parts {
		if err := out.look(ctx, dir, part, k, without, seen); err != nil {
			return nil, fmt.Errorf("%s: %w", part.Name, err)
		}
	}
	for key, list := range out.Samples {
		if len(list) < minUnread {
			delete(out.Samples, key)
		}
	}
	return out, nil
}

// look reads the pages of a file.
func (u *Unread) look(ctx context.Context, dir string, part job.Part, k *webapp.Knowledge, without map[string][]webapp.Sample, seen map[string]bool) error {
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
	return derive.Rows(filepath.Join(dir, "pages", part.Name+".parquet"), func(c *pageCapture) (bool, error) {
		if ctx.Err() != nil || u.Looked >= maxUnreadLooked {
			return false, ctx.Err()
		}
		if c.Status != 200 || c.Record != "response" || c.Detected != "text/html" || seen[c.SURT] {
			return true, nil
		}
		seen[c.SURT] = true
		u.Looked++
		at, err := canon.Parse(c.URL)
		if err != nil {
			return true, nil
		}
		var body bytes.Buffer
		if _, err := x.One(ctx, tool.Wanted{Offset: c.Offset}, &body); err != nil || len(k.Marked(body.Bytes())) == 0 {
			return true, nil // what cannot be read is told by derive
		}
		r := k.NewReader()
		if _, err := pages.Read(page.Input{URL: c.URL, MIME: "text/html", Body: body.Bytes()}, page.Want{Brief: true, With: []markup.Subscriber{r}}); err != nil {
			return true, nil
		}
		s := r.Sight(at, nil)
		if s == nil || len(without[s.App.Name]) > 0 {
			return true, nil
		}
		types := s.Expected()
		if len(types) == 0 || len(u.Samples[s.App.Name]) >= maxSamples {
			return true, nil
		}
		list, _ := s.Extract(at, r.Root())
		if !slices.ContainsFunc(list, func(o webapp.Object) bool { return o.Type == types[0] && o.Text != "" }) {
			u.Samples[s.App.Name] = append(u.Samples[s.App.Name], webapp.Sample{URL: at, Root: r.Root(), Level: s.LevelName()})
		}
		return true, nil
	})
}
