package derive

import (
	"context"
	"fmt"
	"strings"
	"time"

	"varve/archive/scan"
	"varve/derive/job"
	"varve/page"
	"varve/web/canon"
)

// pagesVersion counts changes of what pages and links hold.
const pagesVersion = 5 // 2: another rule for the main text; 3: cuts are told in the column error; 4: text of plain text; 5: day of publication

// Options say what is derived. Zero fields mean the defaults.
type Options struct {
	MaxBody  int64 // bytes of content that are read of a capture; 16 MiB
	MaxText  int   // bytes of text in a row; 1 MiB
	Evidence bool  // also the table evidence, which coherence reads instead of the WARC files
	// More are the jobs of other analyses that take part in the scan, or read the tables.
	More []job.Job `json:"-"`
	// Facets are those that jobs of More fill.
	Facets []FacetTable `json:"-"`
	// Document reads the text of other formats, such as PDF and office files; nil for none. ok tells whether it knows
	// the format.
	Document func(mime string, body []byte) (text string, ok bool, err error) `json:"-"`
}

func (o *Options) withDefaults() *Options {
	out := *o
	if out.MaxBody <= 0 {
		out.MaxBody = 16 << 20
	}
	if out.MaxText <= 0 {
		out.MaxText = 1 << 20
	}
	return &out
}

// pagesJob makes the tables pages and links of each file.
func pagesJob(o *Options) job.Job {
	return job.Job{Name: "pages", Version: pagesVersion, Scan: &job.Scan{Mapper: PagesMapper(o), Open: func(t *job.Task) (s job.Sink, err error) {
		w := &pagesSink{}
		if w.pages, err = NewTable[PageRow](t, "pages"); err != nil {
			return nil, err
		}
		w.links, err = NewTable[Link](t, "links")
		return w, err
	}}}
}

// Row is what one capture gives to the tables pages and links.
type Row struct {
	Page  PageRow
	Links []Link
}

// PagesMapper reads captures into rows of pages and links.
func PagesMapper(o *Options) *scan.Mapper {
	o = o.withDefaults()
	return scan.New(scan.Mapper{Name: "pages", Limits: scan.Limits{Content: o.MaxBody}, Config: o, Trusted: scan.Plain}, func() func(context.Context, *scan.Item) (*Row, error) {
		a := &analyser{opts: o, page: page.NewReader()}
		return func(ctx context.Context, it *scan.Item) (*Row, error) {
			out := rowOf(it)
			if !it.HasBody { // a revisit
				return out, nil
			}
			in := answer{url: it.URI, at: it.Time, mime: it.ContentType()}
			if it.Head != nil {
				in.date, in.lastModified = it.Head.Header.Get("Date"), it.Head.Header.Get("Last-Modified")
				out.Page.LastModified, out.Page.ETag = clip(in.lastModified, 200), clip(it.Head.Header.Get("ETag"), 200)
			}
			body, more, err := it.ContentUpTo(o.MaxBody)
			if more {
				out.Page.note("content is read up to %d bytes", o.MaxBody)
			}
			if err != nil {
				out.Page.note("content: %s", clip(err.Error(), 200))
			}
			in.body, out.Page.Size = body, int64(len(body))
			out.Links, err = a.read(ctx, in, &out.Page)
			return out, err
		}
	})
}

// rowOf fills the columns that come from the record.
func rowOf(it *scan.Item) *Row {
	out := &Row{}
	p := &out.Page
	p.URL, p.Time, p.Record = it.URI, it.Time.UTC().Truncate(time.Microsecond), it.Type
	if u, err := canon.Parse(it.URI); err == nil {
		p.Host, p.Domain = u.Host(), canon.PayLevelDomain(u.Host())
	}
	p.Status, p.MIME, p.Digest = int32(it.Status), clip(it.Listed, 100), it.Digest
	p.Redirect = clip(it.Location, 2000)
	p.File, p.Offset, p.Length = it.File, it.Offset, it.Length
	return out
}

// note says why something is missing, beside what was said before.
func (p *PageRow) note(format string, args ...any) {
	if p.Error != "" {
		p.Error += "; "
	}
	p.Error += fmt.Sprintf(format, args...)
}

// pagesSink writes the rows of one file.
type pagesSink struct {
	pages *Table[PageRow]
	links *Table[Link]
}

// Take writes the rows of a capture.
func (w *pagesSink) Take(t *scan.Taken) error {
	row, ok := t.Result.(*Row)
	if !ok {
		if t.Err == nil {
			return nil
		}
		row = rowOf(t.Item)
		cause, _, _ := strings.Cut(t.Err.Error(), "\n")
		row.Page.Error = clip(cause, 300)
	}
	row.Page.SURT, row.Page.Hops, row.Page.Crawl = t.Note.CDX.Key, t.Note.Hops, clip(t.Crawl, 200)
	if err := w.pages.Add(row.Page, len(row.Page.Text)+500); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for i := range row.Links {
		row.Links[i].Time = row.Page.Time
		if err := w.links.Add(row.Links[i], 150); err != nil {
			return fmt.Errorf("links: %w", err)
		}
	}
	return nil
}

// Close ends the tables.
func (w *pagesSink) Close() error {
	if err := w.pages.Close(); err != nil {
		return err
	}
	return w.links.Close()
}
