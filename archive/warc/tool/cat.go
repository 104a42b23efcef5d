package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"varve/archive/warc"
)

// View is what Cat prints of a record.
type View string

// The views.
const (
	ViewRecord  View = "record"  // header and block, as stored
	ViewHeaders View = "headers" // the WARC header
	ViewHTTP    View = "http"    // the head of the HTTP message
	ViewPayload View = "payload" // the body without chunk framing
	ViewContent View = "content" // the body without any coding
	ViewRaw     View = "raw"     // the packed bytes of the record in the file
	ViewJSON    View = "json"    // one line about the record, without its block
)

// CatOptions say what to print.
type CatOptions struct {
	Selection Selection
	View      View
	OnFinding func(warc.Finding)
}

// CatResult tells how much was printed.
type CatResult struct {
	Records  int64
	Findings int64
}

// Cat prints the selected records of an input, in order. It streams: memory is a few buffers.
func Cat(ctx context.Context, in *Input, opts CatOptions, w io.Writer) (CatResult, error) {
	var res CatResult
	ropts := warc.Options{Name: in.Name, Policy: warc.Lenient(), OnFinding: func(f warc.Finding) {
		if f.Class != warc.Damage {
			return // check tells the rest
		}
		res.Findings++
		if opts.OnFinding != nil {
			opts.OnFinding(f)
		}
	}}
	r, err := in.readerAt(opts.Selection.Offset, ropts)
	if err != nil {
		return res, err
	}
	defer r.Close()
	if opts.View == ViewRaw {
		res.Records, err = copyRaw(ctx, in, r, opts.Selection, w)
		return res, err
	}
	for ctx.Err() == nil {
		rec, err := nextSelected(r, opts.Selection)
		if errors.Is(err, io.EOF) {
			return res, nil
		}
		if err != nil {
			return res, err
		}
		if err := catOne(rec, opts.View, w); err != nil {
			return res, fmt.Errorf("%s:%d: %w", in.Name, rec.Offset, err)
		}
		res.Records++
		if opts.Selection.one() {
			return res, nil
		}
	}
	return res, ctx.Err()
}

// nextSelected gives the next record of the selection; io.EOF when there can be no more.
func nextSelected(r *warc.Reader, s Selection) (*warc.Record, error) {
	for {
		rec, err := r.Next()
		if err != nil {
			return nil, err
		}
		if s.Offset >= 0 && rec.Offset > s.Offset {
			return nil, io.EOF
		}
		if s.takes(rec) {
			return rec, nil
		}
	}
}

// readerAt opens the input at an offset, if it is one of a file, else at the start.
func (in *Input) readerAt(offset int64, opts warc.Options) (*warc.Reader, error) {
	if offset > 0 && in.File != nil {
		return in.File.ReaderAt(offset, opts)
	}
	return in.reader(opts)
}

func catOne(rec *warc.Record, view View, w io.Writer) error {
	switch view {
	case ViewHeaders:
		_, err := io.WriteString(w, rec.Raw)
		return err
	case ViewHTTP:
		return catHTTP(rec, w)
	case ViewPayload, ViewContent:
		return catBody(rec, view, w)
	case ViewJSON:
		return catJSON(rec, w)
	}
	if _, err := io.WriteString(w, rec.Raw); err != nil {
		return err
	}
	if err := copyBlock(w, rec.Block); err != nil {
		return err
	}
	end := "\r\n\r\n"
	if isArc(rec) {
		end = "\n"
	}
	_, err := io.WriteString(w, end)
	return err
}

// copyBlock copies what can be read. Damage was told as a finding; only writing fails.
func copyBlock(w io.Writer, block io.Reader) error {
	_, err := io.Copy(&strictWriter{w: w}, block)
	if failed, ok := errors.AsType[*writeError](err); ok {
		return failed.err
	}
	return nil
}

// strictWriter marks its errors, to tell a full disk from a damaged source.
type strictWriter struct{ w io.Writer }

type writeError struct{ err error }

func (e *writeError) Error() string { return e.err.Error() }

func (s *strictWriter) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil {
		err = &writeError{err}
	}
	return n, err
}

// catHTTP prints the bytes of the HTTP head; nothing if there is none.
func catHTTP(rec *warc.Record, w io.Writer) error {
	if !rec.IsHTTP() {
		return nil
	}
	tape := &recorder{src: rec.Block}
	rec.Block = tape
	h, err := rec.HTTP()
	if err != nil {
		return nil //nolint:nilerr // check tells it
	}
	_, err = w.Write(tape.kept[:h.Size])
	return err
}

// recorder keeps what was read, which is little: the head and what came with it.
type recorder struct {
	src  io.Reader
	kept []byte
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	r.kept = append(r.kept, p[:n]...)
	return n, err
}

// catBody prints the payload or the content; for records without HTTP both are the block.
func catBody(rec *warc.Record, view View, w io.Writer) error {
	body, err := bodyOf(rec, view == ViewContent)
	if err != nil {
		return err
	}
	defer body.Close()
	return copyBlock(w, body)
}

// bodyOf opens the body of a record: the payload, or with decode the content.
func bodyOf(rec *warc.Record, decode bool) (io.ReadCloser, error) {
	if decode {
		return rec.Content()
	}
	if rec.IsHTTP() {
		if h, err := rec.HTTP(); err == nil {
			return io.NopCloser(h.Payload()), nil
		}
	}
	return io.NopCloser(rec.Block), nil
}

// recordLine is a record as one line of JSON.
type recordLine struct {
	File    string      `json:"file"`
	Offset  int64       `json:"offset"`
	Length  int64       `json:"length"` // of the record in the file
	Version string      `json:"version"`
	Header  [][2]string `json:"header"` // in order, with repeats
	Status  int         `json:"status,omitempty"`
	Request string      `json:"request,omitempty"` // method and target
	HTTP    [][2]string `json:"http,omitempty"`
}

func catJSON(rec *warc.Record, w io.Writer) error {
	line := recordLine{File: rec.File, Offset: rec.Offset, Version: rec.Version, Header: pairs(rec.Header)}
	if rec.IsHTTP() {
		if h, err := rec.HTTP(); err == nil {
			line.HTTP, line.Status = pairs(h.Header), h.Status
			if h.Method != "" {
				line.Request = h.Method + " " + h.Target
			}
		}
	}
	var err error
	if line.Length, err = rec.Finish(); err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(line)
}

func pairs(h warc.Header) [][2]string {
	out := make([][2]string, len(h))
	for i, f := range h {
		out[i] = [2]string{f.Name, f.Value}
	}
	return out
}

func isArc(rec *warc.Record) bool { return len(rec.Version) > 3 && rec.Version[:3] == "ARC" }
