package crawl

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/web/canon"
	"varve/web/links"
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
	if entry.State == frontier.Done && w.r.coh != nil {
		again, err := w.r.frontier.Lookup(againPrefix + u.FrontierKey())
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
	v := &Visit{item: entry.Item, url: u, asked: before.asked, collector: before.collector, size: rec.Length(), digest: rec.Header.Get(warc.FieldPayloadDigest), recordID: rec.ID()}
	if v.fetched, err = rec.Date(); err != nil {
		return nil, nil //nolint:nilerr // fetched again
	}
	h, err := rec.HTTP()
	if err != nil {
		return nil, nil //nolint:nilerr // fetched again
	}
	v.started, v.status, v.mime = v.fetched, h.Status, strings.ToLower(h.MediaType())
	v.validators = [2]string{h.Header.Get("ETag"), h.Header.Get("Last-Modified")}
	if entry.State == frontier.Queued && w.r.coh != nil {
		if err := w.r.coh.plan(v); err != nil {
			return nil, err
		}
	}
	switch {
	case entry.State != frontier.Queued, tryAgain(h.Status), rec.Header.Get(warc.FieldTruncated) == string(fetch.TruncatedBroken), rec.Type() != warc.TypeResponse && !v.again(), v.again() && !v.secondAt(v.fetched):
		v.item, v.page = frontier.Item{URL: u.String(), HopPath: "P"}, nil
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
	w.looked, w.header, w.info = nil, nil, links.Info{}
	v.recall(&fetch.Request{})
	if v.revisit = v.sameAs(); v.revisit == nil {
		w.followRecorded(v, h)
	}
	v.judge(w.r.layers)
}

// secondAt tells whether a record of that time can be the second look at a page: it is not the first, and
// its turn was fixed.
func (v *Visit) secondAt(t time.Time) bool {
	return v.page.first.placed && t.Sub(v.page.first.at).Abs() >= time.Microsecond && t.After(v.page.first.at)
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
