package tool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"varve/archive/warc"
)

// RecompressReport tells what was written. Sum is the SHA-256 of the unpacked stream, which two
// independent unpackers found to be the same before and after.
type RecompressReport struct {
	File    string           `json:"file"`
	From    warc.Compression `json:"from"`
	To      warc.Compression `json:"to"`
	Records int64            `json:"records"`
	Raw     int64            `json:"raw"`    // bytes unpacked
	Before  int64            `json:"before"` // bytes packed; -1 for a stream
	After   int64            `json:"after"`
	Sum     string           `json:"sha256"`
}

// ErrNotExact is returned for a file that cannot be recompressed byte for byte.
var ErrNotExact = errors.New("the file cannot be recompressed byte for byte")

// ErrChanged is returned if what was written does not unpack to what was read.
var ErrChanged = errors.New("the new file does not unpack to the bytes of the old one")

// Recompress writes every record of an input to w as a member of its own, headers and blocks
// byte for byte. The packed bytes of the input also go to a plain unpacker that knows nothing of
// records; Verify holds its sum against the new file. It streams: no block is held in memory.
func Recompress(ctx context.Context, in *Input, packing warc.Packing, progress Progress, w io.Writer) (RecompressReport, error) {
	rep := RecompressReport{File: in.Name, Before: in.Size(), To: packing.Kind}
	enc, err := warc.NewEncoder(packing)
	if err != nil {
		return rep, err
	}
	src := in.Stream
	if in.File != nil {
		src = io.NewSectionReader(in.bytes, 0, in.Size())
	}
	tee, sum := startSum(src)
	// The reader must not seek: what it reads is what is summed.
	err = recompress(ctx, in, pipe{tee}, enc, progress, w, &rep)
	if err != nil {
		sum.stop(err)
		return rep, err
	}
	rep.Sum, rep.Raw, err = sum.finish()
	return rep, err
}

func recompress(ctx context.Context, in *Input, src io.Reader, enc *warc.Encoder, progress Progress, w io.Writer, rep *RecompressReport) error {
	out := &countingWriter{w: w}
	if b := enc.Preamble(); b != nil {
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	var inexact *warc.Finding
	opts := warc.Options{Name: in.Name, Policy: exactPolicy(), OnFinding: func(f warc.Finding) {
		if f.Rule == warc.RuleRecordEnd || f.Rule == warc.RuleContentLength || f.Rule == warc.RuleHeaderTooLong || f.Rule == warc.RuleArcLine {
			inexact = &f
		}
	}}
	r, err := warc.NewReader(src, opts)
	if err != nil {
		return err
	}
	defer r.Close()
	rep.From = r.Compression()
	for ctx.Err() == nil {
		rec, err := r.Next()
		if inexact != nil {
			return fmt.Errorf("%w: %w", ErrNotExact, inexact)
		}
		if errors.Is(err, io.EOF) {
			rep.After = out.n
			if rep.Records == 0 {
				return ErrNoRecords
			}
			return nil
		}
		if err != nil {
			return notExact(err)
		}
		progress.tell(in, rec.Offset)
		if isArc(rec) {
			return ErrArc
		}
		entry := &warc.Entry{Raw: rec.Raw, Block: &streamed{r: rec.Block, size: rec.Length()}}
		if err := enc.Encode(&strictWriter{out}, entry); err != nil {
			return notExact(err)
		}
		rep.Records++
	}
	return ctx.Err()
}

// exactPolicy stops at damage. Of the syntax only what lies between records matters: headers are
// copied as they are.
func exactPolicy() warc.Policy {
	p := warc.Silent()
	p.Damage, p.Syntax = warc.Fail, warc.Warn
	return p
}

// notExact tells damage in the source from a disk that is full.
func notExact(err error) error {
	if failed, ok := errors.AsType[*writeError](err); ok {
		return failed.err
	}
	return fmt.Errorf("%w: %w", ErrNotExact, err)
}

// Verify unpacks what was written and holds it against the report.
func (r *RecompressReport) Verify(written io.Reader) error {
	sum, n, err := unpackedSum(written)
	if err != nil {
		return fmt.Errorf("read the new file again: %w", err)
	}
	if sum != r.Sum || n != r.Raw {
		return fmt.Errorf("%w: %d bytes with SHA-256 %s before, %d with %s after", ErrChanged, r.Raw, r.Sum, n, sum)
	}
	return nil
}

// sideSum sums the unpacked bytes of what is read through the tee, on another core.
type sideSum struct {
	src  io.Reader
	w    *io.PipeWriter
	done chan struct{}
	sum  string
	n    int64
	err  error
}

func startSum(src io.Reader) (io.Reader, *sideSum) {
	pr, pw := io.Pipe()
	s := &sideSum{w: pw, done: make(chan struct{})}
	s.src = io.TeeReader(src, pw)
	go func() {
		defer close(s.done)
		s.sum, s.n, s.err = unpackedSum(pr)
		_, _ = io.Copy(io.Discard, pr) // never let the writer hang
	}()
	return s.src, s
}

// finish hands over what the record reader left, and waits for the sum.
func (s *sideSum) finish() (string, int64, error) {
	if _, err := io.Copy(io.Discard, s.src); err != nil {
		s.stop(err)
		return "", 0, err
	}
	s.stop(nil)
	return s.sum, s.n, s.err
}

func (s *sideSum) stop(err error) {
	_ = s.w.CloseWithError(err) // it never fails
	<-s.done
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// unpackedSum unpacks a stream of gzip, zstd or plain bytes without looking for records.
func unpackedSum(src io.Reader) (sum string, n int64, err error) {
	r, done, err := unpackAll(src)
	if err != nil {
		return "", 0, err
	}
	defer done()
	h := sha256.New()
	n, err = io.Copy(h, r)
	return hex.EncodeToString(h.Sum(nil)), n, err
}
