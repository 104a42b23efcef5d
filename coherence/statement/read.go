package statement

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// header is what a statement says beside files and pages.
type header struct {
	By        string
	Capture   Subject
	Clock     json.RawMessage
	Format    string
	Made      time.Time
	Metrics   json.RawMessage
	Reference json.RawMessage
	Signature Signature
	pagesAt   int64 // where the list of pages begins
}

// composite reports whether pages were judged with their parts.
func (h *header) composite() bool {
	var m struct{ Composite json.RawMessage }
	return json.Unmarshal(h.Metrics, &m) == nil && m.Composite != nil
}

// maxTail is how far from the end the signature begins.
const maxTail = 4 << 10

// maxReformatted bounds a statement that is not in canonical form and must be read whole.
const maxReformatted = 512 << 20

// bodySum hashes the body of a statement. A statement as it was written is in canonical form; one that
// somebody reformatted is brought back into it.
func bodySum(src io.ReaderAt, size int64) ([]byte, error) {
	tail := make([]byte, min(size, maxTail))
	if _, err := src.ReadAt(tail, size-int64(len(tail))); err != nil && err != io.EOF {
		return nil, err
	}
	at := bytes.LastIndex(tail, []byte(`,"signature":{`))
	if at < 0 {
		return reformattedSum(src, size)
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(src, 0, size-int64(len(tail))+int64(at))); err != nil {
		return nil, err
	}
	h.Write([]byte("}"))
	return h.Sum(nil), nil
}

// reformattedSum hashes the canonical form of a statement that is in another form.
func reformattedSum(src io.ReaderAt, size int64) ([]byte, error) {
	if size > maxReformatted {
		return nil, fmt.Errorf("statement of %d bytes is not in canonical form, and too long to be brought into it", size)
	}
	dec := json.NewDecoder(io.NewSectionReader(src, 0, size))
	dec.UseNumber()
	var all map[string]any
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("read statement: %w", err)
	}
	delete(all, "signature")
	b, err := appendValue(nil, all)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	return sum[:], nil
}

// parts gets the long members of a statement piece by piece; nil ones are skipped.
type parts struct {
	file     func(fileEntry) error
	original func(originalEntry) error
}

// read goes through a statement once, streaming.
func read(src io.ReaderAt, size int64, p parts) (*header, error) {
	dec := json.NewDecoder(io.NewSectionReader(src, 0, size))
	h := &header{}
	if err := expect(dec, '{'); err != nil {
		return nil, err
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("read statement: %w", err)
		}
		name, _ := t.(string)
		if err := h.member(dec, name, p); err != nil {
			return nil, fmt.Errorf("read statement: member %q, byte %d: %w", name, dec.InputOffset(), err)
		}
	}
	if err := expect(dec, '}'); err != nil {
		return nil, err
	}
	if h.Format != Format {
		return nil, fmt.Errorf("format is %.60q, want %q", h.Format, Format)
	}
	return h, nil
}

func (h *header) member(dec *json.Decoder, name string, p parts) error {
	switch name {
	case "by":
		return dec.Decode(&h.By)
	case "capture":
		return dec.Decode(&h.Capture)
	case "clock":
		return dec.Decode(&h.Clock)
	case "format":
		return dec.Decode(&h.Format)
	case "made":
		return dec.Decode(&h.Made)
	case "metrics":
		return dec.Decode(&h.Metrics)
	case "reference":
		return dec.Decode(&h.Reference)
	case "signature":
		return dec.Decode(&h.Signature)
	case "files":
		return each(dec, p.file)
	case "originals":
		return each(dec, p.original)
	case "pages":
		h.pagesAt = dec.InputOffset()
		return each(dec, func(json.RawMessage) error { return nil })
	}
	var skip json.RawMessage
	return dec.Decode(&skip)
}

// each goes through the elements of a list.
func each[T any](dec *json.Decoder, give func(T) error) error {
	if err := expect(dec, '['); err != nil {
		return err
	}
	for dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			return err
		}
		if give != nil {
			if err := give(v); err != nil {
				return err
			}
		}
	}
	return expect(dec, ']')
}

func expect(dec *json.Decoder, want json.Delim) error {
	t, err := dec.Token()
	if err != nil {
		return fmt.Errorf("read statement: %w", err)
	}
	if t != want {
		return fmt.Errorf("read statement: %v at byte %d, want %v", t, dec.InputOffset(), want)
	}
	return nil
}

// pageReader gives the pages of a statement one after the other.
type pageReader struct {
	dec *json.Decoder
}

// pages opens the list of pages, which begins behind a colon.
func (h *header) pages(src io.ReaderAt, size int64) (*pageReader, error) {
	r := io.NewSectionReader(src, h.pagesAt, size-h.pagesAt)
	skip := make([]byte, 64)
	n, err := r.ReadAt(skip, 0)
	at := bytes.IndexByte(skip[:n], '[')
	if at < 0 {
		return nil, fmt.Errorf("read statement: no list of pages at byte %d: %w", h.pagesAt, err)
	}
	dec := json.NewDecoder(io.NewSectionReader(src, h.pagesAt+int64(at), size-h.pagesAt-int64(at)))
	if err := expect(dec, '['); err != nil {
		return nil, err
	}
	return &pageReader{dec}, nil
}

// next gives the next page; nil at the end.
func (r *pageReader) next() (*Claim, error) {
	if !r.dec.More() {
		return nil, nil
	}
	var p Claim
	if err := r.dec.Decode(&p); err != nil {
		return nil, fmt.Errorf("read statement: page: %w", err)
	}
	return &p, nil
}
