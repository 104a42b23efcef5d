package survey

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/derive/job"
	"varve/spam/content"
	"varve/spam/terms"
	"varve/text/lang"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/robots"
	"varve/web/wire"
)

// Limits of one visit.
const (
	maxBody    = 4 << 20
	maxSample  = 2 << 10
	maxPerFile = 2000 // pages of one host that are measured in one file
)

// visitsJob measures the captures of WARC files.
func visitsJob(v *terms.Vocabulary) job.Job {
	return job.Job{
		Name: "spam_visits", Version: visitsVersion, Reduce: reduceVisits,
		Map: func(ctx context.Context, t *job.Task) error {
			r := &reading{task: t, words: v, visits: map[*capture.Note]*Visit{}, measured: map[string]int{}}
			r.free.New = func() any { return links.New(links.Limits{}) }
			return r.run(ctx)
		},
	}
}

// reading is one WARC file under way.
type reading struct {
	task   *job.Task
	words  *terms.Vocabulary
	free   sync.Pool // of *links.Extractor
	visits map[*capture.Note]*Visit
	crawl  string

	mu       sync.Mutex
	measured map[string]int // pages by host
}

// result is what one record gives.
type result struct {
	note  *capture.Note
	visit *Visit
	crawl string // of a warcinfo
}

func (r *reading) run(ctx context.Context) (err error) {
	file, err := warc.Open(r.task.Part.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	win := capture.NewWindow(r.emit)
	err = warc.Scan(ctx, file, warc.Options{Name: r.task.Part.Name, Policy: warc.Silent()}, r.task.Cores,
		func(rec *warc.Record) (result, error) { return r.read(ctx, rec) },
		func(res result) error {
			if res.crawl != "" {
				r.crawl = res.crawl
			}
			if res.note == nil {
				return nil
			}
			if res.visit != nil {
				res.visit.Crawl = r.crawl
				r.visits[res.note] = res.visit
			}
			return win.Add(res.note)
		})
	if err != nil {
		return err
	}
	return win.Flush()
}

// read is called on several cores at once.
func (r *reading) read(ctx context.Context, rec *warc.Record) (result, error) {
	if rec.Type() == warc.TypeWarcinfo {
		b, err := io.ReadAll(io.LimitReader(rec.Block, 64<<10))
		if err != nil {
			return result{}, nil //nolint:nilerr // damage is told by `varve warc check`
		}
		fields, _ := wire.ParseFields(nil, string(b), 1)
		return result{crawl: fields.Get("isPartOf")}, nil
	}
	v := &Visit{Kind: kindOther}
	noter := capture.Noter{File: r.task.Part.Name, Read: func(n *capture.Note, head *wire.Head, payload io.Reader) {
		r.content(ctx, rec, n, head, payload, v)
	}}
	note, err := noter.Note(rec)
	if err != nil {
		return result{}, nil //nolint:nilerr // likewise
	}
	if !note.Capture {
		return result{note: note}, ctx.Err()
	}
	v.URL, v.Time, v.Status = note.URI, note.Time.UTC().Truncate(time.Microsecond), int32(note.CDX.Status)
	v.Host, v.Digest, v.Address = content.HostOf(note.URI), note.CDX.Digest, rec.Header.Get(warc.FieldIPAddress)
	if rec.Type() == warc.TypeRevisit {
		v.Kind = kindRevisit
	} else if v.MIME == "" {
		v.MIME = note.MIME
	}
	return result{note: note, visit: v}, ctx.Err()
}

// content measures what a record holds.
func (r *reading) content(ctx context.Context, rec *warc.Record, n *capture.Note, head *wire.Head, payload io.Reader, v *Visit) {
	if head == nil || n.CDX.Status != http.StatusOK && n.CDX.Status != http.StatusNonAuthoritativeInfo {
		return
	}
	if strings.HasSuffix(n.URI, "/robots.txt") && strings.Count(n.URI, "/") == 3 {
		r.robots(payload, head, v)
		return
	}
	if m := n.CDX.MIME; m != "" && m != "text/html" && m != "application/xhtml+xml" {
		return
	}
	body, _ := decode(payload, head.Codings(), maxBody) // what is there of a damaged one counts
	if len(body) == 0 || !r.count(content.HostOf(n.URI)) {
		return
	}
	done := make(chan Visit, 1)
	err := r.task.Do(ctx, strconv.FormatInt(rec.Offset, 10), func(context.Context) error {
		one := *v
		r.measure(n, head, body, &one)
		done <- one
		return nil
	})
	if err == nil {
		*v = <-done
	}
}

// count tells whether one more page of a host is measured.
func (r *reading) count(host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured[host]++
	return r.measured[host] <= maxPerFile
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

func (r *reading) robots(payload io.Reader, head *wire.Head, v *Visit) {
	body, _ := decode(payload, head.Codings(), robots.MaxBytes)
	s := content.SumOf(robots.Parse(body))
	v.Kind, v.Rules, v.Closed = kindRobots, int32(s.Rules), s.Closed
}

// measure computes the features of a page.
func (r *reading) measure(n *capture.Note, head *wire.Head, body []byte, v *Visit) {
	e := r.free.Get().(*links.Extractor)
	defer r.free.Put(e)
	p := content.Read(n.URI, head.Header.Get("Content-Type"), body, e)
	p.Vocabulary = r.words
	p.Robots = append(p.Robots, strings.Split(strings.ToLower(head.Header.Get("X-Robots-Tag")), ",")...)
	if guess := lang.Default().Identify(middle(p.Text)); guess.Lang != "" {
		p.Language = guess.Lang
	}
	if t, err := http.ParseTime(head.Header.Get("Last-Modified")); err == nil {
		v.Modified = t.Unix()
	}
	f := content.Of(p)
	v.Kind, v.Language, v.MIME = kindPage, p.Language, "text/html"
	v.Features, v.Words = pack(&f), terms.BagOf(clip(p.Text, content.MaxText)).Hashed().Append(nil)
	v.Text, v.Sample, v.Hosts = content.TextHash(p.Text), clip(p.Text, maxSample), p.Hosts
	if p.Title != "" {
		v.Title = terms.Hash(p.Title)
	}
	v.Targets = targets(p)
}

// middle is some sentences from the middle of a text: enough to tell its language, at a tenth of the price of 4 KB, and less of its menus.
func middle(text string) string {
	const enough = 600
	if len(text) <= enough {
		return text
	}
	from := (len(text) - enough) / 2
	for from > 0 && text[from]&0xc0 == 0x80 {
		from--
	}
	return clip(text[from:], enough)
}

// targets are the keys of the pages that a page links to, each once.
func targets(p *content.Page) (out []uint64) {
	seen := map[uint64]bool{keyOf(p.URL): true}
	for _, url := range p.Targets {
		if k := keyOf(url); !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	return out
}

func keyOf(url string) uint64 { return terms.Hash(canon.SURT(url)) }

// emit is called with the captures in the order of the file, once their requests are known.
func (r *reading) emit(n *capture.Note) error {
	v := r.visits[n]
	if v == nil {
		return nil
	}
	delete(r.visits, n)
	if v.Host == "" || n.Asked != nil && n.Asked.Method != "" && n.Asked.Method != http.MethodGet {
		return nil
	}
	if n.Asked != nil {
		v.Agent = clip(n.Asked.Agent, 200)
	}
	v.Key = terms.Hash(n.CDX.Key)
	value, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return r.task.Emit(visitKey(v), value)
}

// visitKey orders visits by host, page and time; the home page comes first, then pages by their hashes: a fair sample.
func visitKey(v *Visit) []byte {
	b := append([]byte(v.Host), 0)
	home := byte(1)
	_, rest, _ := strings.Cut(v.URL, "://")
	if slash := strings.IndexAny(rest, "/?"); slash < 0 || rest[slash:] == "/" {
		home = 0
	}
	b = binary.BigEndian.AppendUint64(append(b, home), v.Key)
	return binary.BigEndian.AppendUint64(b, uint64(v.Time.UnixMicro()))
}

// clip cuts text to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
