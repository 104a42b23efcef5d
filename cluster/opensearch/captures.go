package opensearch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/cdx"
)

// Captures is the captures of a collection, asked as index/cdx is. It is safe for concurrent use.
//
// A document is a line: its bytes as characters (each byte above 127 is the character of that number, so that the order is that of bytes and any byte may stand there),
// cut behind 16,000. Every 64th line or so, by its digest, begins a block of pages.
type Captures struct {
	client     *Client
	collection string
	index      string

	mu     sync.Mutex
	meta   capturesMeta
	looked time.Time
}

// Captures returns the captures of a collection. One that was never loaded is a varve.NotFound.
func (c *Client) Captures(ctx context.Context, collection string) (*Captures, error) {
	x := &Captures{client: c, collection: collection, index: c.capturesIndex(collection)}
	_, err := x.now(ctx)
	return x, err
}

// Close does nothing: the client is that of all.
func (x *Captures) Close() error { return nil }

func (x *Captures) now(ctx context.Context) (capturesMeta, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.looked.IsZero() && x.client.cfg.Now().Sub(x.looked).Abs() < stateFor {
		return x.meta, nil
	}
	list, err := metas[capturesMeta](ctx, x.client, x.index)
	if errors.Is(err, errGone) {
		return capturesMeta{}, x.missing()
	}
	if err != nil {
		return capturesMeta{}, err
	}
	m := list[x.index]
	if m.Format != format {
		return m, &varve.Error{
			Kind: varve.Unavailable, Op: "read captures of " + x.collection, Msg: fmt.Sprintf("OpenSearch has them in format %d, and this version reads %d", m.Format, format),
			Hint: "load them anew: varve index --to opensearch --rebuild --collection " + x.collection,
		}
	}
	if m.Loading && m.Lines == 0 {
		return m, &varve.Error{
			Kind: varve.Unavailable, Op: "read captures of " + x.collection, Msg: "OpenSearch does not have all of them yet: they are being loaded, or a load was stopped",
			Hint: "varve index --to opensearch --collection " + x.collection + " goes on with it",
		}
	}
	x.meta, x.looked = m, x.client.cfg.Now()
	return m, nil
}

func (x *Captures) missing() error {
	return &varve.Error{
		Kind: varve.NotFound, Op: "read captures of " + x.collection, Msg: "OpenSearch has none of it", Hint: "varve index --to opensearch --collection " + x.collection,
	}
}

// Stats tells how many captures there are, and the state of the index that they were loaded from.
func (x *Captures) Stats() (cdx.Stats, error) {
	ctx, cancel := context.WithTimeout(context.Background(), x.client.cfg.Timeout)
	defer cancel()
	m, err := x.now(ctx)
	return cdx.Stats{Format: cdx.FormatVersion, Generation: m.Content, Content: m.Content, Lines: m.Lines}, err
}

// wide is a line as it is sent.
func wide(line string) string {
	if i := strings.IndexFunc(line, func(r rune) bool { return r >= 0x80 }); i < 0 {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		b.WriteRune(rune(line[i]))
	}
	return b.String()
}

// narrow is a line as it was before wide.
func narrow(s string) (string, error) {
	if i := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }); i < 0 {
		return s, nil
	}
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return "", errors.New("a line that was not written by varve")
		}
		b = append(b, byte(r))
	}
	return string(b), nil
}

// lineDoc is a line as a document.
type lineDoc struct {
	Line  string `json:"line"`
	More  string `json:"more,omitempty"` // what follows behind mostLine bytes
	ID    string `json:"id"`
	Time  string `json:"time"`
	Of    string `json:"of"`
	Block bool   `json:"block,omitempty"`
}

const blockLines = 64

// lineOf makes a document of a line of a source.
func lineOf(line, of string) lineDoc {
	sum := sha256.Sum256([]byte(line))
	d := lineDoc{ID: hex.EncodeToString(sum[:16]), Of: of, Block: sum[31]%blockLines == 0}
	_, rest, _ := strings.Cut(line, " ")
	d.Time, _, _ = strings.Cut(rest, " ")
	d.Time = wide(d.Time[:min(14, len(d.Time))])
	head := min(len(line), mostLine)
	d.Line, d.More = wide(line[:head]), wide(line[head:])
	return d
}

// bound is a bound of lines, no longer than what is compared.
func bound(line string) string { return wide(line[:min(len(line), mostLine)]) }

// filters are the conditions of a span. Of bounds that were cut more may come: whoever reads lines looks again.
func filters(s *cdx.Span) []any {
	r := object{}
	if s.From != "" {
		r["gte"] = bound(s.From)
	}
	if s.To != "" {
		r["lt"] = bound(s.To)
		if len(s.To) > mostLine {
			delete(r, "lt")
			r["lte"] = bound(s.To)
		}
	}
	out := []any{}
	if len(r) > 0 {
		out = append(out, object{"range": object{"line": r}})
	}
	if s.Key == "" && (s.Low != "" || s.Up != "") {
		t := object{}
		if s.Low != "" {
			t["gte"] = s.Low
		}
		if s.Up != "" {
			t["lte"] = s.Up
		}
		out = append(out, object{"range": object{"time": t}})
	}
	return out
}

// lines walks the lines of a span, in order or against it. The first requests are small: many callers want one line.
func (x *Captures) lines(ctx context.Context, s cdx.Span, reverse bool) iter.Seq2[string, error] {
	return x.walk(ctx, s, reverse, 20, pageSize/4)
}

// walk walks the lines of a span that some filters let through, in requests for first lines and then for more, up to most. OpenSearch compares the first mostLine
// bytes of lines; those that are the same up to there are put in order here.
func (x *Captures) walk(ctx context.Context, s cdx.Span, reverse bool, first, most int, filter ...any) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		order := "asc"
		if reverse {
			order = "desc"
		}
		var alike []string
		inOrder := func() bool {
			slices.Sort(alike)
			if reverse {
				slices.Reverse(alike)
			}
			for _, line := range alike {
				if !yield(line, nil) {
					return false
				}
			}
			alike = alike[:0]
			return true
		}
		var after []any
		for size := first; ; size = min(size*8, most) {
			body := object{
				"size": size, "track_total_hits": false, "_source": []string{"line", "more"},
				"query": both(append(filters(&s), filter...)...), "sort": []any{object{"line": order}, object{"id": order}},
			}
			if after != nil {
				body["search_after"] = after
			}
			f, err := x.client.search(ctx, []string{x.index}, body)
			if errors.Is(err, errGone) {
				err = x.missing()
			}
			if err != nil {
				yield("", err)
				return
			}
			for i := range f.Hits.Hits {
				h := &f.Hits.Hits[i]
				line, err := h.line()
				if err != nil {
					yield("", err)
					return
				}
				after = h.Sort
				if len(alike) > 0 && (len(line) < mostLine || alike[0][:mostLine] != line[:mostLine]) && !inOrder() {
					return
				}
				switch {
				case !s.Has(line):
				case len(line) >= mostLine:
					alike = append(alike, line)
				case !yield(line, nil):
					return
				}
			}
			if len(f.Hits.Hits) < size {
				inOrder()
				return
			}
		}
	}
}

// line reads the line of a hit.
func (h *hit) line() (string, error) {
	var d lineDoc
	err := json.Unmarshal(h.Source, &d)
	var line, more string
	if err == nil {
		line, err = narrow(d.Line)
	}
	if err == nil {
		more, err = narrow(d.More)
	}
	if err != nil {
		return "", &varve.Error{Kind: varve.Unavailable, Op: "read " + h.Index, Err: err}
	}
	return line + more, nil
}

// Query gives the captures in the order of bytes, or in the opposite one. A line that cannot be read gives its error, and the sequence goes on.
func (x *Captures) Query(ctx context.Context, q cdx.Query) iter.Seq2[cdxj.Record, error] {
	return func(yield func(cdxj.Record, error) bool) {
		s, err := q.Span()
		if err == nil {
			_, err = x.now(ctx)
		}
		if err != nil {
			yield(cdxj.Record{}, err)
			return
		}
		var n int64
		for line, err := range x.lines(ctx, s, q.Reverse) {
			if err != nil {
				yield(cdxj.Record{}, err)
				return
			}
			var r cdxj.Record
			err = r.Parse(line)
			if err == nil && q.Keep != nil && !q.Keep(&r) {
				continue
			}
			if n++; !yield(r, err) || q.Limit > 0 && n >= q.Limit {
				return
			}
		}
	}
}

// Nearest gives the captures of one URL in the order of their distance in time from an instant.
func (x *Captures) Nearest(ctx context.Context, q cdx.Query, at time.Time) iter.Seq2[cdxj.Record, error] {
	s, err := q.Span()
	if err == nil && s.Key == "" {
		err = fmt.Errorf("%w: the nearest capture can be asked of one URL only", cdx.ErrQuery)
	}
	if err == nil {
		_, err = x.now(ctx)
	}
	if err != nil {
		return func(yield func(cdxj.Record, error) bool) { yield(cdxj.Record{}, err) }
	}
	middle := min(max(s.Key+" "+cdxj.Timestamp(at), s.From), s.To)
	back, ahead := s, s
	back.To, ahead.From = middle, middle
	return cdx.NearestOf(ctx, q, at, x.lines(ctx, back, true), x.lines(ctx, ahead, false))
}

// Pages counts the pages of a query.
func (x *Captures) Pages(q cdx.Query, size int64) (cdx.Pages, error) {
	p, _, err := x.pages(&q, size, -1)
	return p, err
}

// Page narrows a query to one of its pages, from 0.
func (x *Captures) Page(q cdx.Query, n, size int64) (page cdx.Query, starts []string, err error) {
	p, starts, err := x.pages(&q, size, n)
	if err == nil && (n < 0 || n >= p.Pages) {
		err = fmt.Errorf("there is no page %d: the query has %d pages", n, p.Pages)
	}
	return q, starts, err
}

// pages counts the blocks of a query and narrows it to page n, if there is one. A block begins with the first line and with every line whose digest says so.
func (x *Captures) pages(q *cdx.Query, size, n int64) (p cdx.Pages, starts []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 4*x.client.cfg.Timeout)
	defer cancel()
	p.Size = max(1, size)
	s, err := q.Span()
	if err == nil {
		_, err = x.now(ctx)
	}
	if err != nil {
		return p, nil, err
	}
	s.Low, s.Up = "", "" // as in the embedded index, blocks are those of the keys
	first := ""
	for line, err := range x.lines(ctx, s, false) {
		if err != nil {
			return p, nil, err
		}
		first = startOf(line)
		break
	}
	if first == "" {
		return p, nil, nil
	}
	at := int64(0)
	starts = append(starts, first)
	want := func(block int64) bool { return n >= 0 && block >= n*p.Size && block <= (n+1)*p.Size }
	if !want(0) {
		starts = nil
	}
	end := ""
	for start, err := range x.blocks(ctx, s) {
		if err != nil {
			return p, nil, err
		}
		if start <= first {
			continue
		}
		if at++; want(at) {
			if at == (n+1)*p.Size {
				end = start
			} else {
				starts = append(starts, start)
			}
		}
	}
	p.Blocks = at + 1
	p.Pages = (p.Blocks + p.Size - 1) / p.Size
	if n < 0 || n >= p.Pages {
		return p, nil, nil
	}
	if n > 0 {
		q.After = max(q.After, starts[0])
	}
	if end != "" && (q.Before == "" || end < q.Before) {
		q.Before = end
	}
	return p, starts, nil
}

// startOf is the key and time of a line.
func startOf(line string) string {
	key, rest, _ := strings.Cut(line, " ")
	ts, _, _ := strings.Cut(rest, " ")
	return key + " " + ts
}

// blocks walks the beginnings of blocks of a span.
func (x *Captures) blocks(ctx context.Context, s cdx.Span) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for line, err := range x.walk(ctx, s, false, pageSize, pageSize, object{"term": object{"block": true}}) {
			if !yield(startOf(line), err) || err != nil {
				return
			}
		}
	}
}

// CapturesReport is what LoadCaptures did.
type CapturesReport struct {
	Lines   int64 `json:"lines"`
	Sources int   `json:"sources"` // files
	Loaded  int   `json:"loaded"`  // files whose lines were sent
	Sent    int64 `json:"sent"`    // lines
	Dropped int   `json:"dropped"` // files whose lines were removed: gone or changed
}

// LoadCaptures brings the captures of a collection in OpenSearch up to the embedded index in a directory. Files whose lines are all there are passed over; a line is
// known by its digest, so that one that is sent twice is there once. New lines come before those of files that are gone are removed. told gets how many lines are done.
func (c *Client) LoadCaptures(ctx context.Context, collection, dir string, rebuild bool, told func(lines int)) (rep CapturesReport, err error) {
	if err := c.putTemplates(ctx); err != nil {
		return rep, err
	}
	ix, err := cdx.Open(dir)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, ix.Close()) }()
	stats, err := ix.Stats()
	if err != nil {
		return rep, err
	}
	l := &lineLoad{client: c, index: c.capturesIndex(collection), embedded: ix, of: map[string]string{}, want: map[string]int64{}}
	if err := l.sources(dir, stats.Format); err != nil {
		return rep, err
	}
	if rebuild {
		if err := c.drop(ctx, l.index); err != nil {
			return rep, err
		}
	}
	meta := capturesMeta{Format: format, Collection: collection, Content: stats.Content, Loading: true}
	if err := l.open(ctx, meta); err != nil {
		return rep, err
	}
	if err := l.count(ctx); err != nil {
		return rep, err
	}
	have, err := l.have(ctx)
	if err != nil {
		return rep, err
	}
	stale := map[string]bool{}
	for of, n := range l.want {
		rep.Lines += n
		if have[of] != n {
			stale[of] = true
		}
	}
	rep.Sources, rep.Loaded = len(l.want), len(stale)
	if rep.Sent, err = l.send(ctx, stale, told); err != nil {
		return rep, err
	}
	for of := range have {
		if l.want[of] == 0 {
			if err := l.remove(ctx, of); err != nil {
				return rep, err
			}
			rep.Dropped++
		}
	}
	n, err := c.count(ctx, l.index, nil)
	if err == nil && n != rep.Lines {
		err = damaged(l.index, int(n), int(rep.Lines))
	}
	if err != nil {
		return rep, err
	}
	meta.Loading, meta.Lines = false, n
	return rep, c.putMeta(ctx, l.index, meta)
}

// lineLoad is a load of lines under way.
type lineLoad struct {
	client   *Client
	index    string
	embedded *cdx.Index
	of       map[string]string // by name of a file: what its lines are marked with
	want     map[string]int64  // lines by mark
}

// sources reads which files the embedded index has. The mark of a file has its digest, so that one that was changed is another.
func (l *lineLoad) sources(dir string, form int) error {
	list, err := cdx.Sources(dir)
	for _, s := range list {
		name := s.Name
		if len(name) > 1000 {
			name = shortened(name, 900)
		}
		l.of[s.Name] = fmt.Sprintf("%s %s %d", name, s.Digest, form)
	}
	return err
}

// open makes the index, or marks that lines come.
func (l *lineLoad) open(ctx context.Context, meta capturesMeta) error {
	have, err := metas[capturesMeta](ctx, l.client, l.index)
	if errors.Is(err, errGone) {
		return l.client.create(ctx, l.index, meta)
	}
	if err != nil {
		return err
	}
	if m := have[l.index]; m.Format != format {
		if err := l.client.drop(ctx, l.index); err != nil {
			return err
		}
		return l.client.create(ctx, l.index, meta)
	} else {
		meta.Lines = m.Lines
	}
	return l.client.putMeta(ctx, l.index, meta)
}

// each walks the lines of the embedded index with the marks of their files.
func (l *lineLoad) each(ctx context.Context, fn func(line []byte, of string) error) error {
	for line, err := range l.embedded.Lines(ctx, cdx.Query{}) {
		if err != nil {
			return err
		}
		if err := fn(line, l.markOf(line)); err != nil {
			return err
		}
	}
	return nil
}

// markOf is the mark of the file that a line is of: a WARC file, or the CDX file that it was taken over from.
func (l *lineLoad) markOf(line []byte) string {
	var r cdxj.Record
	if r.Parse(string(line)) != nil {
		return "unreadable"
	}
	name := r.Filename
	if from, ok := r.Get(cdx.SourceField); ok {
		name = from
	}
	if mark, ok := l.of[name]; ok {
		return mark
	}
	return "of " + shortened(name, 900)
}

// count counts the lines of each file.
func (l *lineLoad) count(ctx context.Context) error {
	var last []byte
	return l.each(ctx, func(line []byte, of string) error {
		if !bytes.Equal(line, last) { // equal lines are one document
			l.want[of]++
		}
		last = append(last[:0], line...)
		return nil
	})
}

// have counts the lines of each file in OpenSearch.
func (l *lineLoad) have(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	if err := l.client.ask(ctx, http.MethodPost, path(l.index, "/_refresh"), nil, nil); err != nil {
		return nil, err
	}
	var after object
	for {
		composite := object{"size": 1000, "sources": []any{object{"of": object{"terms": object{"field": "of"}}}}}
		if after != nil {
			composite["after"] = after
		}
		f, err := l.client.search(ctx, []string{l.index}, object{"size": 0, "track_total_hits": false, "aggs": object{"files": object{"composite": composite}}})
		if err != nil {
			return nil, err
		}
		var a struct {
			After   object `json:"after_key"`
			Buckets []struct {
				Key   struct{ Of string }
				Count int64 `json:"doc_count"`
			} `json:"buckets"`
		}
		if err := f.aggregation("files", &a); err != nil {
			return nil, err
		}
		for _, b := range a.Buckets {
			out[b.Key.Of] = b.Count
		}
		if after = a.After; after == nil || len(a.Buckets) == 0 {
			return out, nil
		}
	}
}

// send sends the lines of some files.
func (l *lineLoad) send(ctx context.Context, stale map[string]bool, told func(int)) (int64, error) {
	if len(stale) == 0 {
		return 0, nil
	}
	b := l.client.bulk(l.index, told)
	err := l.each(ctx, func(line []byte, of string) error {
		if !stale[of] {
			return nil
		}
		d := lineOf(string(line), of)
		return b.add(ctx, d.ID, d)
	})
	if err == nil {
		err = b.flush(ctx)
	}
	return b.sent, err
}

// remove deletes the lines of a file.
func (l *lineLoad) remove(ctx context.Context, of string) error {
	var out struct {
		Failures []json.RawMessage `json:"failures"`
	}
	raw, err := json.Marshal(object{"query": object{"term": object{"of": of}}})
	if err != nil {
		return err
	}
	if err := l.client.send(ctx, 20*l.client.cfg.Timeout, http.MethodPost, path(l.index, "/_delete_by_query?conflicts=proceed&refresh=true"), raw, &out); err != nil {
		return err
	}
	if len(out.Failures) > 0 {
		return fmt.Errorf("remove lines of %s: %.200s", of, slices.Concat(out.Failures...))
	}
	return nil
}
