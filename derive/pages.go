package derive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/derive/job"
	"varve/page"
	"varve/web/canon"
	"varve/web/wire"
)

// pagesVersion counts changes of what pages and links hold.
const pagesVersion = 4 // 2: another rule for the main text; 3: cuts are told in the column error; 4: text of plain text

// Options say what is derived. Zero fields mean the defaults.
type Options struct {
	MaxBody int64 // bytes of content that are read of a capture; 16 MiB
	MaxText int   // bytes of text in a row; 1 MiB
	// Document reads the text of other formats, such as PDF and office files; nil for none. ok tells whether it knows
	// the format.
	Document func(mime string, body []byte) (text string, ok bool, err error)
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
	return job.Job{Name: "pages", Version: pagesVersion, Map: func(ctx context.Context, t *job.Task) error {
		r := &reading{opts: o, task: t, rows: map[*capture.Note]*row{}}
		r.free.New = func() any { return &analyser{opts: o, page: page.NewReader()} }
		return r.run(ctx)
	}}
}

// reading is one WARC file on its way into tables.
type reading struct {
	opts  *Options
	task  *job.Task
	free  sync.Pool // of *analyser
	rows  map[*capture.Note]*row
	crawl string // of the last warcinfo
	pages *table[Page]
	links *table[Link]
}

// row is what one capture gives.
type row struct {
	page  Page
	links []Link
}

// result is what one record gives.
type result struct {
	note  *capture.Note
	row   *row
	crawl string // of a warcinfo
}

func (r *reading) run(ctx context.Context) (err error) {
	if r.pages, err = newTable[Page](r.task, "pages"); err != nil {
		return err
	}
	if r.links, err = newTable[Link](r.task, "links"); err != nil {
		return err
	}
	file, err := warc.Open(r.task.Part.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	win := capture.NewWindow(r.write)
	err = warc.Scan(ctx, file, warc.Options{Name: r.task.Part.Name, Policy: warc.Silent()}, r.task.Cores,
		func(rec *warc.Record) (result, error) { return r.read(ctx, rec) },
		func(res result) error {
			if res.crawl != "" {
				r.crawl = res.crawl
			}
			if res.note == nil {
				return nil
			}
			if res.row != nil {
				res.row.page.Crawl = r.crawl
				r.rows[res.note] = res.row
			}
			return win.Add(res.note)
		})
	if err != nil {
		return err
	}
	if err := win.Flush(); err != nil {
		return err
	}
	if err := r.pages.close(); err != nil {
		return err
	}
	return r.links.close()
}

// read is called on several cores at once.
func (r *reading) read(ctx context.Context, rec *warc.Record) (result, error) {
	if rec.Type() == warc.TypeWarcinfo {
		b, err := io.ReadAll(io.LimitReader(rec.Block, 64<<10))
		if err != nil {
			return result{}, nil //nolint:nilerr // damage is told by `varve warc check`
		}
		fields, _ := wire.ParseFields(nil, string(b), 1)
		return result{crawl: clip(fields.Get("isPartOf"), 200)}, nil
	}
	out := result{row: &row{}}
	noter := capture.Noter{File: r.task.Part.Name, Read: func(n *capture.Note, head *wire.Head, payload io.Reader) {
		r.content(ctx, rec, n, head, payload, out.row)
	}}
	note, err := noter.Note(rec)
	if err != nil {
		return result{}, nil //nolint:nilerr // likewise
	}
	out.note = note
	if !note.Capture {
		out.row = nil
		return out, ctx.Err()
	}
	r.describe(rec, note, &out.row.page)
	return out, ctx.Err()
}

// content reads what a record holds, within limits.
func (r *reading) content(ctx context.Context, rec *warc.Record, n *capture.Note, head *wire.Head, payload io.Reader, out *row) {
	in := answer{url: n.URI, at: n.Time, mime: rec.Header.Get(warc.FieldContentType)}
	var codings []string
	if head != nil {
		in.mime, in.date, in.lastModified = head.Header.Get("Content-Type"), head.Header.Get("Date"), head.Header.Get("Last-Modified")
		out.page.LastModified, out.page.ETag = clip(in.lastModified, 200), clip(head.Header.Get("ETag"), 200)
		codings = head.Codings()
	}
	body, err := decode(payload, codings, r.opts.MaxBody+1)
	if int64(len(body)) > r.opts.MaxBody {
		body = body[:r.opts.MaxBody]
		out.page.note("content is read up to %d bytes", r.opts.MaxBody)
	}
	in.body = body
	out.page.Size = int64(len(body))
	if err != nil {
		out.page.note("content: %s", clip(err.Error(), 200))
	}
	item := strconv.FormatInt(rec.Offset, 10)
	type got struct {
		page  Page
		links []Link
	}
	result := make(chan got, 1)
	page := out.page // the work's own: it may go on when its time is over
	err = r.task.Do(ctx, item, func(ctx context.Context) error {
		a := r.free.Get().(*analyser)
		found, err := a.read(ctx, in, &page)
		r.free.Put(a) // not after a panic: its buffers may be in any state
		result <- got{page, found}
		return err
	})
	if err != nil {
		cause, _, _ := strings.Cut(err.Error(), "\n")
		out.page.Error = clip(cause, 300)
		return
	}
	g := <-result
	out.page, out.links = g.page, g.links
}

// note says why something is missing, beside what was said before.
func (p *Page) note(format string, args ...any) {
	if p.Error != "" {
		p.Error += "; "
	}
	p.Error += fmt.Sprintf(format, args...)
}

// decode reads at most limit bytes of content.
func decode(payload io.Reader, codings []string, limit int64) ([]byte, error) {
	if len(codings) == 0 {
		return io.ReadAll(io.LimitReader(payload, limit))
	}
	plain, err := wire.Decode(payload, codings)
	if err != nil {
		return nil, err
	}
	defer plain.Close()
	return io.ReadAll(io.LimitReader(plain, limit))
}

// describe fills the columns that come from the record.
func (r *reading) describe(rec *warc.Record, n *capture.Note, p *Page) {
	p.URL, p.Time, p.Record = n.URI, n.Time.UTC().Truncate(time.Microsecond), rec.Type()
	if u, err := canon.Parse(n.URI); err == nil {
		p.Host, p.Domain = u.Host(), canon.PayLevelDomain(u.Host())
	}
	p.Status, p.MIME, p.Digest = int32(n.CDX.Status), clip(n.CDX.MIME, 100), n.CDX.Digest
	p.Redirect = clip(n.Location, 2000)
	p.File, p.Offset, p.Length = r.task.Part.Name, rec.Offset, n.CDX.Length
}

// write is called with the captures in the order of the file, once request and metadata are known.
func (r *reading) write(n *capture.Note) error {
	row := r.rows[n]
	if row == nil {
		return nil
	}
	delete(r.rows, n)
	row.page.SURT, row.page.Hops = n.CDX.Key, n.Hops
	if err := r.pages.add(row.page, len(row.page.Text)+500); err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	for i := range row.links {
		row.links[i].Time = row.page.Time
		if err := r.links.add(row.links[i], 150); err != nil {
			return fmt.Errorf("links: %w", err)
		}
	}
	return nil
}
