package warc

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Compression is how the records of a file are packed.
type Compression string

// The kinds of packing.
const (
	Plain Compression = "none"
	Gzip  Compression = "gzip"
	Zstd  Compression = "zstd"
)

// unpacker gives the unpacked bytes of one member after the other.
type unpacker interface {
	// next opens the next member and tells its offset; io.EOF if the input ends there.
	next() (int64, error)
	// Read gives bytes of the open member; io.EOF at its end, after its checksum was right.
	Read(p []byte) (int, error)
	// magic is what members start with; nil for plain files.
	magic() []byte
	// trial unpacks the start of a member from a sample of the packed bytes. open is true if the
	// sample is too short to tell.
	trial(sample, into []byte) (n int, open bool)
}

// errChecksum tells that a member unpacked to its end but not to what was packed.
var errChecksum = errors.New("checksum of the compressed member does not match")

// detect tells the packing by the first bytes.
func detect(head []byte) Compression {
	switch {
	case bytes.HasPrefix(head, gzipMagic[:2]):
		return Gzip
	case bytes.HasPrefix(head, zstdMagic), isSkippable(head):
		return Zstd
	}
	return Plain
}

func newUnpacker(kind Compression, in *input, dict []byte) unpacker {
	switch kind {
	case Gzip:
		return &gunzip{in: in}
	case Zstd:
		return &unzstd{in: in, dict: dict}
	}
	return &plainMember{in: in}
}

// plainMember is a file without packing: one member that is the whole file.
type plainMember struct {
	in   *input
	open bool
}

func (p *plainMember) next() (int64, error) {
	at := p.in.offset()
	if p.open {
		return at, io.EOF
	}
	if _, err := p.in.br.Peek(1); err != nil {
		return at, err
	}
	p.open = true
	return at, nil
}

func (p *plainMember) Read(b []byte) (int, error)         { return p.in.br.Read(b) }
func (p *plainMember) magic() []byte                      { return nil }
func (p *plainMember) trial(sample, b []byte) (int, bool) { return copy(b, sample), false }

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

// gunzip reads gzip members with the exact place of their ends.
type gunzip struct {
	in     *input
	z      gzip.Reader
	sample gzip.Reader // for trials
}

func (g *gunzip) next() (int64, error) {
	at := g.in.offset()
	if err := g.z.Reset(g.in.br); err != nil {
		return at, err
	}
	g.z.Multistream(false)
	return at, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	n, err := g.z.Read(p)
	if errors.Is(err, gzip.ErrChecksum) {
		err = errChecksum
	}
	return n, err
}

func (g *gunzip) magic() []byte { return gzipMagic }

func (g *gunzip) trial(sample, into []byte) (int, bool) {
	if err := g.sample.Reset(bytes.NewReader(sample)); err != nil {
		return 0, false
	}
	g.sample.Multistream(false)
	n, _ := io.ReadFull(&g.sample, into) // a sample is cut off by nature
	return n, false
}
