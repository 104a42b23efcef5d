package warc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Limits for hostile zstd files.
const (
	maxZstdWindow = 128 << 20
	maxDictionary = 16 << 20
	maxZstdBlock  = 128 << 10 // by the standard
)

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// dictionaryMagic marks the skippable frame that holds the dictionary of a .warc.zst file.
const dictionaryMagic = 0x184D2A5D

func isSkippable(b []byte) bool {
	return len(b) >= 4 && binary.LittleEndian.Uint32(b)&^0xf == 0x184D2A50
}

// unzstd reads zstd frames one by one. The decoder reads ahead, so a frame walker feeds it the
// exact bytes of one frame.
type unzstd struct {
	in    *input
	frame frameWalker
	dec   *zstd.Decoder
	dict  []byte
	test  *zstd.Decoder
}

func newDecoder(dict []byte) (*zstd.Decoder, error) {
	opts := []zstd.DOption{
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow),
	}
	if dict != nil {
		opts = append(opts, zstd.WithDecoderDicts(dict))
	}
	return zstd.NewReader(nil, opts...)
}

func (z *unzstd) next() (int64, error) {
	err := z.skipFrames()
	at := z.in.offset()
	if err != nil {
		return at, err
	}
	if z.dec == nil {
		if z.dec, err = newDecoder(z.dict); err != nil {
			return at, fmt.Errorf("zstd dictionary: %w", err)
		}
	}
	z.frame.start(z.in)
	return at, z.dec.Reset(&z.frame)
}

// skipFrames passes over skippable frames; the first dictionary found is kept.
func (z *unzstd) skipFrames() error {
	for {
		head, err := z.in.br.Peek(8)
		if len(head) == 0 {
			return err
		}
		if !isSkippable(head) {
			return nil
		}
		if err != nil {
			return io.ErrUnexpectedEOF
		}
		size := int64(binary.LittleEndian.Uint32(head[4:]))
		isDict := binary.LittleEndian.Uint32(head) == dictionaryMagic
		if _, err := z.in.br.Discard(8); err != nil {
			return err
		}
		if isDict && z.dict == nil && z.dec == nil {
			z.dict, err = readDictionary(z.in.br, size)
		} else {
			err = z.in.skipAll(size)
		}
		if err != nil {
			return err
		}
	}
}

// readDictionary reads a dictionary, which may itself be compressed.
func readDictionary(r io.Reader, size int64) ([]byte, error) {
	if size > maxDictionary {
		return nil, fmt.Errorf("zstd dictionary of %d bytes, at most %d are read", size, maxDictionary)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(r, raw); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if !bytes.HasPrefix(raw, zstdMagic) {
		return raw, nil
	}
	dec, err := newDecoder(nil)
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	if err := dec.Reset(bytes.NewReader(raw)); err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(dec, maxDictionary))
	if err != nil {
		return nil, fmt.Errorf("zstd dictionary: %w", err)
	}
	return out, nil
}

func (z *unzstd) Read(p []byte) (int, error) {
	n, err := z.dec.Read(p)
	switch {
	case errors.Is(err, zstd.ErrCRCMismatch):
		err = errChecksum
	case errors.Is(err, io.EOF) && z.frame.stage != frameEnd:
		err = io.ErrUnexpectedEOF // the decoder takes a cut frame header for the end of the file
	}
	return n, err
}

func (z *unzstd) magic() []byte { return zstdMagic }

// trial cannot unpack less than a block, which may be longer than the sample: then the fields of
// the frame and block headers must do.
func (z *unzstd) trial(sample, into []byte) (int, bool) {
	if len(sample) < 5 || sample[4]&0x08 != 0 { // the reserved bit
		return 0, false
	}
	at, _ := frameHeaderSize(sample[4])
	if int64(len(sample)) < at+3 {
		return 0, false
	}
	word := uint32(sample[at]) | uint32(sample[at+1])<<8 | uint32(sample[at+2])<<16
	if kind := word >> 1 & 3; kind == 3 || word>>3 > maxZstdBlock {
		return 0, false
	} else if kind != 1 && at+3+int64(word>>3) > int64(len(sample)) {
		return 0, true
	}
	if z.test == nil {
		var err error
		if z.test, err = newDecoder(z.dict); err != nil {
			return 0, false
		}
	}
	if err := z.test.Reset(bytes.NewReader(sample)); err != nil {
		return 0, false
	}
	n, _ := io.ReadFull(z.test, into)
	return n, false
}

func (z *unzstd) close() {
	if z.dec != nil {
		z.dec.Close()
	}
	if z.test != nil {
		z.test.Close()
	}
}

// frameWalker gives the bytes of exactly one frame: header, blocks by their size fields, checksum.
//
//	magic 4 | descriptor 1 | window 0-1 | dictionary id 0-4 | content size 0-8 | blocks | checksum 0-4
//	block: 3 bytes little endian = last:1 type:2 size:21, then size bytes (1 for a repeated byte)
type frameWalker struct {
	in       *input
	left     int64 // bytes to pass on before the next decision
	stage    frameStage
	checksum bool
	last     bool
}

type frameStage uint8

const (
	frameHeader frameStage = iota
	frameBlock
	frameTail
	frameEnd
)

func (f *frameWalker) start(in *input) { *f = frameWalker{in: in} }

func (f *frameWalker) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.stage == frameEnd {
			return 0, io.EOF
		}
		if err := f.advance(); err != nil {
			return 0, err
		}
	}
	if int64(len(p)) > f.left {
		p = p[:f.left]
	}
	n, err := f.in.br.Read(p)
	f.left -= int64(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// advance decides how many bytes come next by looking at the field that says so.
func (f *frameWalker) advance() error {
	switch f.stage {
	case frameHeader:
		head, err := f.peek(5)
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(head, zstdMagic) {
			return zstd.ErrMagicMismatch
		}
		f.left, f.checksum = frameHeaderSize(head[4])
		f.stage = frameBlock
	case frameBlock:
		if f.last {
			f.stage = frameTail
			return nil
		}
		head, err := f.peek(3)
		if err != nil {
			return err
		}
		word := uint32(head[0]) | uint32(head[1])<<8 | uint32(head[2])<<16
		f.last = word&1 != 0
		f.left = 3 + int64(word>>3)
		if kind := word >> 1 & 3; kind == 1 {
			f.left = 3 + 1
		} else if kind == 3 {
			return errors.New("zstd block of the reserved type")
		}
	case frameTail:
		f.stage = frameEnd
		if f.checksum {
			f.left = 4
		}
	}
	return nil
}

func (f *frameWalker) peek(n int) ([]byte, error) {
	b, err := f.in.br.Peek(n)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// frameHeaderSize gives the length of magic, descriptor and the fields the descriptor announces.
func frameHeaderSize(descriptor byte) (size int64, checksum bool) {
	size = 5
	single := descriptor&0x20 != 0
	if !single {
		size++ // window descriptor
	}
	size += []int64{0, 1, 2, 4}[descriptor&3]
	switch descriptor >> 6 {
	case 0:
		if single {
			size++
		}
	case 1:
		size += 2
	case 2:
		size += 4
	case 3:
		size += 8
	}
	return size, descriptor&0x04 != 0
}
