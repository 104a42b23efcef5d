package survey

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/job"
	pages "varve/page"
	"varve/spam/content"
	"varve/spam/terms"
	"varve/text/lang"
	"varve/web/canon"
	"varve/web/robots"
)

// Limits of one visit.
const (
	maxBody    = 4 << 20
	maxSample  = 2 << 10
	maxPerFile = 2000 // pages of one host that are measured in one file
)

// pagesVersion counts changes of what spam_pages holds.
const pagesVersion = 1

// Measured is a row of spam_pages: a visit as far as it can be measured without knowing the collection, with the words that the rest is
// measured by.
type Measured struct {
	Visit
	Bag []byte `parquet:"bag,zstd"` // appendBag
}

// PagesJob measures the captures of WARC files, in the one scan of derive.
func PagesJob() job.Job {
	mark := "features=" + sumOf(fmt.Sprint(content.Definitions()))
	return job.Job{Name: "spam_pages", Version: pagesVersion, Mark: mark, Scan: &job.Scan{Mapper: Mapper(), Open: func(t *job.Task) (job.Sink, error) {
		out, err := derive.NewTable[Measured](t, "spam_pages")
		return &pagesSink{out: out, measured: map[string]int{}}, err
	}}}
}

// Mapper measures captures.
func Mapper() *scan.Mapper {
	return scan.New(scan.Mapper{Name: "spam_pages", Limits: scan.Limits{Content: maxBody}, Wants: wants, Trusted: scan.Plain}, func() func(context.Context, *scan.Item) (*Measured, error) {
		e := pages.NewReader()
		return func(_ context.Context, it *scan.Item) (*Measured, error) {
			v := visitOf(it)
			switch {
			case isRobots(it):
				body, _, _ := it.ContentUpTo(robots.MaxBytes)
				s := content.SumOf(robots.Parse(body))
				v.Kind, v.Rules, v.Closed = kindRobots, int32(s.Rules), s.Closed
			case isPage(it):
				if body, _, _ := it.ContentUpTo(maxBody); len(body) > 0 { // what is there of a damaged one counts
					measurePage(it, body, e, v)
				}
			}
			return v, nil
		}
	})
}

// wants wants the content of pages and robots.txt, and the heads of all other captures.
func wants(it *scan.Item) scan.Part {
	switch {
	case !it.Capture:
		return scan.Nothing
	case isRobots(it) || isPage(it):
		return scan.Body
	}
	return scan.Head
}

func isAnswer(it *scan.Item) bool {
	return it.Type != warc.TypeRevisit && it.Head != nil && (it.Status == http.StatusOK || it.Status == http.StatusNonAuthoritativeInfo)
}

func isRobots(it *scan.Item) bool {
	return isAnswer(it) && strings.HasSuffix(it.URI, "/robots.txt") && strings.Count(it.URI, "/") == 3
}

func isPage(it *scan.Item) bool {
	return isAnswer(it) && !isRobots(it) && (it.MIME == "" || it.MIME == "text/html" || it.MIME == "application/xhtml+xml")
}

// visitOf is what the head of a capture says.
func visitOf(it *scan.Item) *Measured {
	v := &Measured{Visit: Visit{Kind: kindOther, MIME: it.MIME}}
	v.URL, v.Time, v.Status = it.URI, it.Time.UTC().Truncate(time.Microsecond), int32(it.Status)
	v.Host, v.Digest, v.Address = content.HostOf(it.URI), it.Digest, it.Header.Get(warc.FieldIPAddress)
	if it.Type == warc.TypeRevisit {
		v.Kind, v.MIME = kindRevisit, ""
	}
	return v
}

// measurePage computes the features of a page that need nothing of the collection.
func measurePage(it *scan.Item, body []byte, e *pages.Reader, v *Measured) {
	p := content.Read(it.URI, it.ContentType(), body, e)
	p.Robots = append(p.Robots, strings.Split(strings.ToLower(it.Head.Header.Get("X-Robots-Tag")), ",")...)
	if guess := lang.Default().Identify(middle(p.Text)); guess.Lang != "" {
		p.Language = guess.Lang
	}
	if t, err := http.ParseTime(it.Head.Header.Get("Last-Modified")); err == nil {
		v.Modified = t.Unix()
	}
	f, bag := content.Measure(p)
	v.Kind, v.Language, v.MIME = kindPage, p.Language, "text/html"
	v.Features, v.Words, v.Bag = pack(&f), bag.Hashed().Append(nil), appendBag(nil, bag)
	v.Text, v.Sample, v.Hosts = bag.Sum(), clip(p.Text, maxSample), p.Hosts
	if p.Title != "" {
		v.Title = terms.Hash(p.Title)
	}
	v.Targets = targets(p)
}

// pagesSink writes the measures of one file.
type pagesSink struct {
	out *derive.Table[Measured]

	mu       sync.Mutex
	measured map[string]int // pages by host
}

// Wants measures no more than maxPerFile pages of a host.
func (s *pagesSink) Wants(it *scan.Item) scan.Part {
	part := wants(it)
	if part != scan.Body || isRobots(it) {
		return part
	}
	host := content.HostOf(it.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.measured[host]++; s.measured[host] > maxPerFile {
		return scan.Head
	}
	return part
}

// Take writes a capture, once its request is known.
func (s *pagesSink) Take(t *scan.Taken) error {
	v, ok := t.Result.(*Measured)
	switch {
	case !ok && t.Err == nil:
		return nil
	case !ok:
		v = visitOf(t.Item)
	}
	n := t.Note
	if v.Host == "" || n.Asked != nil && n.Asked.Method != "" && n.Asked.Method != http.MethodGet {
		return nil
	}
	if n.Asked != nil {
		v.Agent = clip(n.Asked.Agent, 200)
	}
	v.Crawl, v.Key = t.Crawl, terms.Hash(n.CDX.Key)
	return s.out.Add(*v, 500+len(v.Bag)+len(v.Features)+len(v.Words)+len(v.Sample)+8*len(v.Targets)+20*len(v.Hosts))
}

// Close ends the table.
func (s *pagesSink) Close() error { return s.out.Close() }

// visitsJob measures the words of pages against those of the collection.
func visitsJob(v *terms.Vocabulary) job.Job {
	return job.Job{
		Name: "spam_visits", Version: visitsVersion, Needs: []string{"spam_pages"}, Reduce: reduceVisits,
		Map: func(ctx context.Context, t *job.Task) error {
			return derive.Rows(t.Input("spam_pages"), func(m *Measured) (bool, error) {
				if m.Kind == kindPage {
					f, err := m.features()
					if err != nil {
						return false, err
					}
					bag, err := readBag(m.Bag)
					if err != nil {
						return false, err
					}
					content.Corpus(&f, v, m.Language, bag)
					m.Features = pack(&f)
				}
				value, err := json.Marshal(&m.Visit)
				if err == nil {
					err = t.Emit(visitKey(&m.Visit), value)
				}
				return err == nil, errors.Join(err, ctx.Err())
			})
		},
	}
}

// appendBag writes a bag of words: each word with its count, in order, and the trigrams.
func appendBag(b []byte, bag *terms.Bag) []byte {
	b = binary.AppendUvarint(b, uint64(bag.Tokens))
	b = binary.AppendUvarint(b, uint64(len(bag.Counts)))
	for _, w := range sortedKeys(bag.Counts) {
		b = binary.AppendUvarint(b, uint64(bag.Counts[w]))
		b = append(binary.AppendUvarint(b, uint64(len(w))), w...)
	}
	for _, h := range bag.Trigrams {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return b
}

// readBag reads what appendBag wrote.
func readBag(b []byte) (*terms.Bag, error) {
	next := func() int {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<40 {
			b = nil
			return -1
		}
		b = b[n:]
		return int(v)
	}
	bag := &terms.Bag{Tokens: next()}
	words := next()
	bag.Counts = make(map[string]int, max(0, min(words, len(b))))
	for range words {
		count, length := next(), next()
		if length < 0 || length > len(b) {
			return nil, errBag
		}
		bag.Counts[string(b[:length])] = count
		b = b[length:]
	}
	if words < 0 || len(b)%8 != 0 {
		return nil, errBag
	}
	for ; len(b) > 0; b = b[8:] {
		bag.Trigrams = append(bag.Trigrams, binary.LittleEndian.Uint64(b))
	}
	return bag, nil
}

var errBag = errors.New("the words of a page are damaged: delete the folder spam_pages")

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
func targets(p *content.Document) (out []uint64) {
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
