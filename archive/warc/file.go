package warc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"varve/archive/store"
)

// File is a WARC or ARC file open for random access. It is safe for concurrent use.
type File struct {
	name string
	src  io.ReaderAt
	size int64
	kind Compression
	dict []byte // of zstd files
	arc  bool   // it starts like an ARC file
	own  io.Closer
}

// Open opens a file for random access.
func Open(path string) (*File, error) { return OpenFrom(path, nil) }

// OpenFrom opens a file of a collection for random access, wherever it lies; from is nil for one that can only be on the disk.
func OpenFrom(path string, from store.Source) (*File, error) {
	f, err := store.Open(path, from)
	if err != nil {
		return nil, err
	}
	file, err := NewFile(path, f, f.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	file.own = f
	return file, nil
}

// NewFile gives random access to anything that can be read at offsets, such as an object store.
func NewFile(name string, src io.ReaderAt, size int64) (*File, error) {
	dict, err := leadingDictionary(src)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	var head [4]byte
	n, err := src.ReadAt(head[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return &File{name: name, src: src, size: size, kind: detect(head[:n]), dict: dict, arc: isArc(src)}, nil
}

// leadingDictionary reads the dictionary frame at the start of a zstd file, if there is one.
func leadingDictionary(src io.ReaderAt) ([]byte, error) {
	var head [8]byte
	if n, _ := src.ReadAt(head[:], 0); n < len(head) || binary.LittleEndian.Uint32(head[:]) != dictionaryMagic {
		return nil, nil
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	return readDictionary(io.NewSectionReader(src, 8, size), size)
}

// Name gives the name the file was opened with.
func (f *File) Name() string { return f.name }

// Size gives the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// ReaderAt gives a reader whose first record is the one at offset. Options.Name defaults to the
// file's name. Close the reader when done with it.
func (f *File) ReaderAt(offset int64, opts Options) (*Reader, error) {
	return f.readerAt(offset, 0, opts)
}

// readerAt gives a reader whose first record is the one at an offset of the file and, if it shares its
// member with others, at an offset of the unpacked member.
func (f *File) readerAt(offset, inner int64, opts Options) (*Reader, error) {
	if offset < 0 || offset > f.size {
		return nil, fmt.Errorf("%s has %d bytes, there is no record at %d", f.name, f.size, offset)
	}
	if opts.Name == "" {
		opts.Name = f.name
	}
	// The packing is that of the file's start: bytes in the middle may look like anything.
	r, err := newReaderAs(io.NewSectionReader(f.src, offset, f.size-offset), offset, f.kind, f.dict, opts)
	if err != nil {
		return nil, err
	}
	if f.arc && offset+inner > 0 {
		r.arc = &arcDialect{version: 1}
	}
	if inner > 0 && f.kind != Plain {
		r.shared = true
		if err := r.win.skipTo(inner); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: the member at %d has no byte %d: %w", opts.Name, offset, inner, err), r.Close())
		}
	}
	return r, nil
}

// Close closes the file if Open opened it.
func (f *File) Close() error {
	if f.own == nil {
		return nil
	}
	return f.own.Close()
}
