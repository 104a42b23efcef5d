package tool

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// unpackAll unpacks a whole stream by its first bytes: all gzip members or zstd frames, one after
// the other. It is the independent witness of Recompress, so it shares no code with the reader.
func unpackAll(src io.Reader) (io.Reader, func(), error) {
	br := bufio.NewReaderSize(src, 64<<10)
	head, err := br.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		return z, func() {}, err
	case len(head) == 4 && (binary.LittleEndian.Uint32(head) == 0xFD2FB528 || isSkippable(head)):
		return unzstd(br)
	}
	return br, func() {}, nil
}

func isSkippable(head []byte) bool { return binary.LittleEndian.Uint32(head)&^0xf == 0x184D2A50 }

const (
	dictionaryFrame = 0x184D2A5D
	maxDictionary   = 16 << 20
)

// unzstd reads zstd frames; a leading dictionary frame is taken as the dictionary.
func unzstd(br *bufio.Reader) (io.Reader, func(), error) {
	opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128 << 20)}
	head, err := br.Peek(8)
	if err == nil && binary.LittleEndian.Uint32(head) == dictionaryFrame {
		dict, err := readDictionary(br, int64(binary.LittleEndian.Uint32(head[4:])))
		if err != nil {
			return nil, nil, err
		}
		opts = append(opts, zstd.WithDecoderDicts(dict))
	}
	z, err := zstd.NewReader(br, opts...)
	if err != nil {
		return nil, nil, err
	}
	return z, z.Close, nil
}

func readDictionary(br *bufio.Reader, size int64) ([]byte, error) {
	if size > maxDictionary {
		return nil, fmt.Errorf("zstd dictionary of %d bytes, at most %d are read", size, maxDictionary)
	}
	if _, err := br.Discard(8); err != nil {
		return nil, err
	}
	dict := make([]byte, size)
	if _, err := io.ReadFull(br, dict); err != nil {
		return nil, err
	}
	if len(dict) < 4 || binary.LittleEndian.Uint32(dict) != 0xFD2FB528 {
		return dict, nil
	}
	z, err := zstd.NewReader(bytes.NewReader(dict), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(io.LimitReader(z, maxDictionary))
}
