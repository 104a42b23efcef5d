package crawl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"varve"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/wire"
)

// maxUnheard bounds the visits whose records can be durable while the frontier has not heard of
// them: those on their way to the committer and those in its hands, twice for good measure.
const maxUnheard = 4 * groupSize

// recover gets over a crash, where there was one: it cuts the torn tail of the file that was open
// and settles the visits whose records were durable, but which the frontier had not heard of. The
// WARC files are the log from which they are made again, so a kill costs only what was really under
// way. Such visits can also lie in the files finished last.
func (r *Run) recover() error {
	if !r.resumed || r.tally.k.Clean {
		return r.keepTotals(false)
	}
	files := ownFiles{r.place.Files, r.ID}
	names, err := files.List(r.place.WarcDir)
	if err != nil {
		return err
	}
	seen := 0
	cuts, err := warc.Recover(files, r.place.WarcDir, WholeVisit, func(name string, file io.ReaderAt, size int64) error {
		n, err := r.replay(name, file, size)
		seen += n
		return err
	})
	if err != nil {
		return err
	}
	for _, c := range cuts {
		r.events.add("recovered", "file", c.File, "records", c.Records, "cutBytes", c.Lost, "cause", c.Cause)
	}
	for _, name := range slices.Backward(names) {
		if strings.HasSuffix(name, warc.OpenSuffix) || seen >= maxUnheard+r.Def.Workers {
			continue
		}
		n, err := r.replayFinished(name)
		if err != nil {
			return err
		}
		seen += n
	}
	return r.keepTotals(false)
}

// ownFiles shows of a directory the WARC files of one crawl: others may be at work beside it.
type ownFiles struct {
	warc.FS
	id string
}

// List gives the names of the crawl's files.
func (o ownFiles) List(dir string) ([]string, error) {
	names, err := o.FS.List(dir)
	return slices.DeleteFunc(names, func(name string) bool { return !isOwnFile(name, o.id) }), err
}

// isOwnFile tells whether a file has a name as TemplateName gives it to the files of a crawl: the
// id of another crawl may begin with this one's.
func isOwnFile(name, id string) bool {
	rest, ok := strings.CutPrefix(name, id+"-")
	stamp, _, more := strings.Cut(rest, "-")
	return ok && more && len(stamp) == len("20060102150405000") && strings.Trim(stamp, "0123456789") == ""
}

func (r *Run) replayFinished(name string) (n int, err error) {
	f, err := r.place.Files.Open(path.Join(r.place.WarcDir, name))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	return r.replay(name, f, size)
}

// replay settles the unheard visits of one file. Their links are found again in the recorded
// answers. It tells how many answers the file has.
func (r *Run) replay(name string, file io.ReaderAt, size int64) (int, error) {
	r.tally.file(name)
	p := replay{r: r, w: newWorker(r), counted: r.tally.aside(name)}
	p.w.before = new(preceding)
	if err := p.read(name, io.NewSectionReader(file, 0, size)); err != nil {
		return p.answers, fmt.Errorf("replay %s: %w", name, err)
	}
	if p.settled > 0 {
		r.events.add("replayed", "file", name, "visits", p.settled)
	}
	return p.answers, nil
}

// replay is the reading of one file.
type replay struct {
	r       *Run
	w       *Worker
	counted int64 // of the answers that settle nothing, those in the totals already: the first
	group   []*Visit
	answers int
	settled int
}

func (p *replay) read(name string, src io.Reader) error {
	reader, err := warc.NewReader(src, warc.Options{Name: name, Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer reader.Close()
	for {
		rec, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return p.commit()
		}
		if err == nil {
			err = p.take(rec)
		}
		if err == nil && len(p.group) == groupSize {
			err = p.commit()
		}
		if err != nil {
			return err
		}
	}
}

func (p *replay) commit() error {
	p.settled += len(p.group)
	err := p.r.commitGroup(p.group)
	p.group = p.group[:0]
	return err
}

// take makes a visit of a record, if it is one and nobody has heard of it.
func (p *replay) take(rec *warc.Record) error {
	if typ := rec.Type(); typ != warc.TypeResponse && typ != warc.TypeRevisit {
		return p.w.before.note(rec)
	}
	p.answers++
	v, err := p.w.visitOf(rec)
	if err != nil || v == nil || v.settles() && contains(p.group, v.item.Key) {
		return err
	}
	if !v.settles() {
		if p.counted--; p.counted >= 0 {
			return nil
		}
	}
	p.group = append(p.group, v)
	return nil
}

// contains tells whether a URL is in the group already: it may have been recorded twice.
func contains(group []*Visit, key string) bool {
	for _, v := range group {
		if v.item.Key == key {
			return true
		}
	}
	return false
}

// visitOf makes a visit of a recorded answer, or gives nil where the frontier has heard of it. The
// visit settles its URL if that is still queued and the answer is one that settles; else it is only
// to be counted.
func (w *Worker) visitOf(rec *warc.Record) (*Visit, error) {
	u, err := canon.Parse(rec.TargetURI())
	if err != nil {
		return nil, nil //nolint:nilerr // not one of ours
	}
	before := w.before.of(rec.ID())
	entry, err := w.r.frontier.Lookup(before.key(u))
	if err != nil || entry.State == frontier.Done && isAt(entry.Outcome.Record, rec) {
		return nil, err
	}
	if entry.State == frontier.Done {
		again, err := w.r.frontier.Lookup(AgainKey(u.FrontierKey()))
		if err != nil || again.State == frontier.Done && isAt(again.Outcome.Record, rec) {
			return nil, err
		}
		if again.State == frontier.Queued {
			entry = again
		}
	}
	if entry.State == frontier.Unseen && before.part() {
		entry.State, entry.Item = frontier.Queued, before.item(u)
	}
	v := &Visit{item: entry.Item, url: u, special: before.special(), collector: before.collector, size: rec.Length(), digest: rec.Header.Get(warc.FieldPayloadDigest), recordID: rec.ID()}
	if v.fetched, err = rec.Date(); err != nil {
		return nil, nil //nolint:nilerr // fetched again
	}
	h, err := rec.HTTP()
	if err != nil {
		return nil, nil //nolint:nilerr // fetched again
	}
	v.payload = rec.Length() - int64(h.Size)
	v.started, v.status, v.mime = v.fetched, h.Status, strings.ToLower(h.MediaType())
	v.validators = [2]string{h.Header.Get("ETag"), h.Header.Get("Last-Modified")}
	if entry.State == frontier.Queued {
		if err := w.r.stages.order.Begin(v); err != nil {
			return nil, err
		}
	}
	switch {
	case entry.State != frontier.Queued, tryAgain(h.Status), rec.Header.Get(warc.FieldTruncated) == string(fetch.TruncatedBroken), rec.Type() != warc.TypeResponse && !v.again(), v.again() && !v.secondAt(v.fetched):
		v.item = frontier.Item{URL: u.String(), HopPath: "P"}
		v.earlier, v.known, v.remarks, v.fields = nil, nil, nil, nil
	case v.again():
		w.judgeRecorded(v, h)
		w.show(v)
	default:
		w.followRecorded(v, h)
		w.show(v)
		w.followNoted(v, before.links)
	}
	length, err := rec.Finish()
	v.where = varve.Location{File: rec.File, Offset: rec.Offset, Length: length}
	return v, err
}

// isAt tells whether a record is the one that the frontier remembers of a URL.
func isAt(location []byte, rec *warc.Record) bool {
	return strings.HasPrefix(string(location), rec.File+" "+strconv.FormatInt(rec.Offset, 10)+" ")
}

// followRecorded finds the links of a recorded answer.
func (w *Worker) followRecorded(v *Visit, h *warc.HTTP) {
	w.body = w.body[:0]
	if body, err := h.Content(); err == nil {
		w.body, _ = readInto(w.body, io.LimitReader(body, maxContent+1))
		w.cutContent(v)
		body.Close()
	}
	w.meta = w.meta[:0]
	w.looked = w.body
	w.follow(v, h.Header, w.body)
}

// judgeRecorded makes a recorded second look what it was.
func (w *Worker) judgeRecorded(v *Visit, h *warc.HTTP) {
	w.unread()
	if v.revisit = v.sameAs(); v.revisit == nil {
		w.followRecorded(v, h)
	}
}

// readInto appends all that r gives to b.
func readInto(b []byte, r io.Reader) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// preceding is what the records before an answer say of it, when a WARC file is replayed. They stand
// before it where a replay needs them: what a collector asked for may be no plain GET of a queued URL, and
// a page that was collected has links that are not in its source.
type preceding struct {
	id    string // of the answer
	via   string
	hops  string
	links []links.Link

	method string // "" is GET
	ranged string
	body   []byte // of the request

	collector string // who had gone further
}

// of gives what is known of an answer: nothing, if the records before it were about another.
func (p *preceding) of(id string) *preceding {
	if p == nil || p.id != id {
		return new(preceding)
	}
	return p
}

// note reads a record that is no answer.
func (p *preceding) note(rec *warc.Record) error {
	about := rec.Header.Get(warc.FieldConcurrentTo)
	if about == "" || rec.Type() != warc.TypeRequest && rec.Type() != warc.TypeMetadata {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(rec.Block, MaxRequestBody+maxHead))
	if err != nil {
		return fmt.Errorf("%s of %s: %w", rec.Type(), rec.TargetURI(), err)
	}
	if about != p.id {
		*p = preceding{id: about}
	}
	if rec.Type() == warc.TypeRequest {
		p.request(b)
	} else {
		p.fields(b)
	}
	return nil
}

// request notes how the answer was asked for, if it was no plain GET.
func (p *preceding) request(b []byte) {
	head, err := wire.ParseHead(b)
	if err != nil {
		return
	}
	p.method, p.ranged, p.body = head.Method, head.Header.Get("Range"), b[head.Size:]
	if p.method == http.MethodGet {
		p.method = ""
	}
}

// fields notes how the answer was found, and, where a collector went further, all links.
func (p *preceding) fields(b []byte) {
	collected := bytes.Contains(b, []byte("\r\ncollector: "))
	for line := range strings.SplitSeq(string(b), "\r\n") {
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "via":
			p.via = value
		case "collector":
			p.collector = value
		case "hopsFromSeed":
			p.hops = value
		case "outlink":
			if l, ok := parseOutlink(value); ok && collected {
				p.links = append(p.links, l)
			}
		}
	}
}

// key is the frontier key of the answer.
func (p *preceding) key(u canon.URL) string {
	return RequestKey(p.method, u.FrontierKey(), p.ranged, p.body)
}

// special reports whether the answer depends on more than its URL.
func (p *preceding) special() bool { return p.method != "" || p.ranged != "" }

// part tells answers that a collector asked for.
func (p *preceding) part() bool { return p.via != "" && p.hops != "" && p.hops != "P" }

// item is what the frontier would know of the URL.
func (p *preceding) item(u canon.URL) frontier.Item {
	hop := links.HopLink
	if h, ok := hopOf(p.hops[len(p.hops)-1:]); ok {
		hop = h
	}
	return frontier.Item{
		Key: p.key(u), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
		Via: p.via, HopPath: p.hops, Band: bandOf(hop, p.hops[:len(p.hops)-1]), Score: PlainScore, Depth: len(p.hops),
	}
}

// parseOutlink reads what appendOutlink wrote; the anchor is left out.
func parseOutlink(s string) (links.Link, bool) {
	f := strings.SplitN(s, " ", 4)
	if len(f) < 3 {
		return links.Link{}, false
	}
	l := links.Link{URL: f[0]}
	hop, ok := hopOf(f[1])
	l.Hop = hop
	return l, ok && l.Kind.UnmarshalText([]byte(f[2])) == nil
}

// hopOf is the inverse of hopLetter.
func hopOf(letter string) (links.Hop, bool) {
	for h := range links.NumHops {
		if hopLetter(h) == letter {
			return h, true
		}
	}
	return 0, false
}

// followNoted queues links that a collector had found.
func (w *Worker) followNoted(v *Visit, found []links.Link) {
	w.items = w.items[:0]
	for i := range found {
		w.queue(v, &found[i], scope.Known[float64]{}, v.nofollow)
	}
	v.links = append(slices.Clip(v.links), w.items...)
	w.forget(w.found)
}
