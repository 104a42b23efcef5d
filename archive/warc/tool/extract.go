package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"varve/archive/warc"
	"varve/web/canon"
)

// ExtractOptions say what is taken out of the files and how much of it at most.
type ExtractOptions struct {
	Selection Selection
	Payload   bool  // the payload as sent (still gzip, br, ...) instead of the content
	All       bool  // also captures with a status other than 2xx
	MaxSize   int64 // of one file written; longer ones are left out
	MaxFiles  int64
	MaxTotal  int64 // of all files written
	Workers   int
	Progress  Progress
	OnFile    func(Extracted)
	OnProblem func(Problem)
}

// Extracted is a file that was written.
type Extracted struct {
	Path     string    `json:"path"`
	URL      string    `json:"url"`
	Time     time.Time `json:"time,omitzero"`
	Status   int       `json:"status,omitempty"`
	MIME     string    `json:"mime,omitempty"`
	Bytes    int64     `json:"bytes"`
	File     string    `json:"file"`
	Offset   int64     `json:"offset"`
	Original string    `json:"original,omitempty"` // of a revisit: how its original was found
	Segments int       `json:"segments,omitempty"` // of a record in several
}

// Problem is a capture that could not be written, or not whole.
type Problem struct {
	File    string `json:"file"`
	Offset  int64  `json:"offset"`
	URL     string `json:"url"`
	Message string `json:"problem"`
}

// ExtractReport tells what was done.
type ExtractReport struct {
	Files    int64 `json:"files"`
	Bytes    int64 `json:"bytes"`
	Skipped  int64 `json:"skipped"` // captures with a status other than 2xx
	Problems int64 `json:"problems"`
}

// ErrLimit ends an extraction that would write more than its options allow.
var ErrLimit = errors.New("limit reached")

// Extractor takes payloads out of a set of files; revisits are resolved and segments joined
// within the set.
type Extractor struct {
	survey    survey
	originals *warc.MemoryOriginals
	opts      ExtractOptions
	report    ExtractReport
}

// NewExtractor looks through the files once, and a second time if there are revisits.
func NewExtractor(ctx context.Context, inputs []*Input, opts ExtractOptions) (*Extractor, error) {
	x := &Extractor{survey: survey{inputs: inputs, workers: opts.Workers, progress: opts.Progress}, opts: opts}
	for _, in := range inputs {
		if in.File == nil {
			return nil, fmt.Errorf("%s: %w", in.Name, ErrStream)
		}
	}
	if err := x.survey.look(ctx); err != nil {
		return nil, err
	}
	var err error
	x.originals, err = x.survey.originals(ctx)
	return x, err
}

// Into writes all selected captures into a folder, in the order of the files.
func (x *Extractor) Into(ctx context.Context, folder *Folder) (ExtractReport, error) {
	for _, in := range x.survey.inputs {
		if err := x.file(ctx, in, folder); err != nil {
			return x.report, err
		}
	}
	return x.report, nil
}

func (x *Extractor) file(ctx context.Context, in *Input, folder *Folder) error {
	r, err := in.reader(warc.Options{Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer r.Close()
	for ctx.Err() == nil {
		rec, err := nextSelected(r, x.opts.Selection)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !isCapture(rec.Type()) {
			continue
		}
		x.opts.Progress.tell(in, rec.Offset)
		if err := x.write(rec, folder); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// write writes one capture.
func (x *Extractor) write(rec *warc.Record, folder *Folder) error {
	body, err := x.open(rec)
	if err != nil {
		x.problem(rec, err.Error())
		return nil
	}
	defer body.Close()
	out := body.about
	if !x.opts.All && out.Status != 0 && out.Status/100 != 2 {
		x.report.Skipped++
		return nil
	}
	if x.report.Files >= x.opts.MaxFiles {
		return fmt.Errorf("%d files written: %w", x.report.Files, ErrLimit)
	}
	w, name, err := folder.create(fileName(out.URL, out.MIME), warc.Timestamp(out.Time))
	if err != nil {
		return err
	}
	n, copyErr := io.Copy(&strictWriter{w}, io.LimitReader(body, x.opts.MaxSize+1))
	if err := w.Close(); err != nil {
		return err
	}
	if failed, ok := errors.AsType[*writeError](copyErr); ok {
		return failed.err
	}
	if n > x.opts.MaxSize {
		x.problem(rec, fmt.Sprintf("left out: more than %d bytes", x.opts.MaxSize))
		return folder.remove(name)
	}
	if copyErr != nil {
		x.problem(rec, fmt.Sprintf("ends after %d bytes: %v", n, copyErr))
	}
	out.Path, out.Bytes = name, n
	return x.written(out)
}

func (x *Extractor) written(e Extracted) error {
	x.report.Files++
	x.report.Bytes += e.Bytes
	if x.opts.OnFile != nil {
		x.opts.OnFile(e)
	}
	if x.report.Bytes > x.opts.MaxTotal {
		return fmt.Errorf("%d bytes written: %w", x.report.Bytes, ErrLimit)
	}
	return nil
}

func (x *Extractor) problem(rec *warc.Record, msg string) {
	x.report.Problems++
	if x.opts.OnProblem != nil {
		x.opts.OnProblem(Problem{File: rec.File, Offset: rec.Offset, URL: rec.TargetURI(), Message: msg})
	}
}

// Wanted names one capture: by its place, or by address and time.
type Wanted struct {
	Offset int64     // -1: by address
	URL    string    // compared by index key; the same spelling wins
	Time   time.Time // the nearest capture is taken; zero for the latest
}

// ErrNotFound is returned if no capture is what was wanted.
var ErrNotFound = errors.New("no such capture in the files given")

// One writes the body of one capture to w.
func (x *Extractor) One(ctx context.Context, want Wanted, w io.Writer) (Extracted, error) {
	at, err := x.find(ctx, want)
	if err != nil {
		return Extracted{}, err
	}
	rec, done, err := openRecord(x.survey.inputs[at.input], warc.Place{Offset: at.offset, Inner: at.inner})
	if err != nil {
		return Extracted{}, err
	}
	defer done()
	body, err := x.open(rec)
	if err != nil {
		return Extracted{}, err
	}
	defer body.Close()
	n, err := io.Copy(w, io.LimitReader(body, x.opts.MaxSize+1))
	if err == nil && n > x.opts.MaxSize {
		err = fmt.Errorf("more than %d bytes: %w", x.opts.MaxSize, ErrLimit)
	}
	body.about.Bytes = n
	return body.about, err
}

// spot is the place of a candidate and how far it is from what was wanted.
type spot struct {
	input         int
	offset, inner int64
	far           time.Duration
	other         bool // not the same spelling
	ok            bool
}

// find looks through the files for the capture that fits best.
func (x *Extractor) find(ctx context.Context, want Wanted) (spot, error) {
	var best spot
	key := canon.SURT(want.URL)
	for i, in := range x.survey.inputs {
		each := func(rec *warc.Record) (spot, error) { return judge(rec, i, want, key), nil }
		_, err := walk(ctx, in, warc.Options{Policy: warc.Silent()}, x.opts.Workers, x.opts.Progress, each, func(s spot) error {
			if s.ok && (!best.ok || s.far < best.far || s.far == best.far && best.other && !s.other) {
				best = s
			}
			return nil
		})
		if err != nil {
			return best, err
		}
	}
	if !best.ok {
		return best, ErrNotFound
	}
	return best, nil
}

func judge(rec *warc.Record, input int, want Wanted, key string) spot {
	s := spot{input: input, offset: rec.Offset, inner: rec.Inner}
	if want.Offset >= 0 {
		s.ok = rec.Offset == want.Offset && rec.Inner == 0
		return s
	}
	uri := rec.TargetURI()
	if !isCapture(rec.Type()) || uri != want.URL && canon.SURT(uri) != key {
		return s
	}
	s.ok, s.other = true, uri != want.URL
	date, err := rec.Date()
	switch {
	case err != nil:
		s.far = 1<<63 - 1
	case want.Time.IsZero():
		s.far = farFuture.Sub(date)
	default:
		s.far = date.Sub(want.Time).Abs()
	}
	return s
}

// farFuture makes "the latest" the nearest to a time that no capture has.
var farFuture = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
