package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
	"time"
)

// Info says what an object is.
type Info struct {
	Key     string    `json:"key"`
	Size    int64     `json:"size"`
	SHA256  string    `json:"sha256,omitempty"` // hexadecimal; "" where a listing does not tell
	Changed time.Time `json:"changed,omitzero"` // of the file it was made of; zero where a listing does not tell
}

// Object is an object, or a file, open for reading. It is safe for concurrent use.
type Object interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// Store is where objects lie.
type Store interface {
	// Put stores the first info.Size bytes of src under info.Key. It reads them at most twice. Bytes whose digest is not info.SHA256 are
	// refused with ErrDigest, another object under the same key with ErrExists.
	Put(ctx context.Context, info Info, src io.ReaderAt) error
	// Open opens an object. The error of one that is not there is fs.ErrNotExist.
	Open(ctx context.Context, key string) (Object, error)
	// Stat says what an object is, as the store knows it now.
	Stat(ctx context.Context, key string) (Info, error)
	// List lists the objects whose keys begin with prefix, in any order. Digest and time may be missing.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// Delete removes an object; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// Sweep removes what uploads left that were begun before an instant and never came to an end, and says how many.
	Sweep(ctx context.Context, before time.Time) (int, error)
	// String says where the store is, without anything secret: "s3://bucket/prefix".
	String() string
}

// The errors of stores, beside fs.ErrNotExist.
var (
	ErrExists = errors.New("another object has this key")
	ErrDigest = errors.New("the bytes are not those that were announced")
)

// Opener opens objects of which is known what they are. *Cached is one.
type Opener interface {
	OpenKnown(info Info) (Object, error)
}

// Source opens one file of a collection that may lie in a store.
type Source interface {
	Open() (Object, error)
	Stat() (Info, error)
}

// Open opens the file at a path of the disk, or what stands for it: from is nil where it can only be on the disk.
func Open(path string, from Source) (Object, error) {
	if from != nil {
		return from.Open()
	}
	return openDisk(path)
}

// Stat says what the file at a path is, or what stands for it. Digests of files on the disk are not known.
func Stat(path string, from Source) (Info, error) {
	if from != nil {
		return from.Stat()
	}
	return statDisk(path)
}

// file is a file on disk as an object.
type file struct {
	*os.File
	size int64
}

// Size returns the size that the file had when it was opened.
func (f file) Size() int64 { return f.size }

func openDisk(path string) (Object, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file{f, info.Size()}, nil
}

func statDisk(path string) (Info, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	}
	if err != nil {
		return Info{}, err
	}
	return Info{Size: info.Size(), Changed: info.ModTime().UTC()}, nil
}

// CheckKey reports what is wrong with a key: it must be a plain path that stays below the store and means the same everywhere.
func CheckKey(key string) error {
	switch {
	case !fs.ValidPath(key) || key == "." || strings.ContainsAny(key, "\\\x00"):
	case len(key) > 900: // of S3's 1,024 bytes, some are for the prefix
	default:
		return nil
	}
	return fmt.Errorf("%.100q cannot be the key of an object", key)
}
