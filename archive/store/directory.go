package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/whole"
)

// Directory is the embedded store: objects are files below a directory, and their keys are their paths. Digests are not kept beside
// them; Stat reads the file to tell one.
type Directory struct{ root string }

var _ Store = (*Directory)(nil)

// NewDirectory returns the store below a directory, which need not exist yet.
func NewDirectory(root string) *Directory { return &Directory{root} }

// String returns the directory.
func (d *Directory) String() string { return d.root }

func (d *Directory) path(key string) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	return filepath.Join(d.root, filepath.FromSlash(key)), nil
}

// uploading is how the names of files begin that are being put. No object has such a name, so they are not listed.
const uploading = ".put-"

// Put writes the object beside its place, syncs it, and gives it its name if nobody has that yet.
func (d *Directory) Put(ctx context.Context, info Info, src io.ReaderAt) (err error) {
	path, err := d.path(info.Key)
	if err != nil {
		return err
	}
	switch there, err := d.Stat(ctx, info.Key); {
	case err == nil && there.Size == info.Size && there.SHA256 == info.SHA256:
		return nil
	case err == nil:
		return fmt.Errorf("put %s: %w", info.Key, ErrExists)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, uploading+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }() // its other name stays
	sum, err := hashTo(ctx, f, io.NewSectionReader(src, 0, info.Size))
	if err == nil && sum != info.SHA256 {
		err = fmt.Errorf("put %s: %w: they have %s, announced was %s", info.Key, ErrDigest, sum, info.SHA256)
	}
	if err = errors.Join(err, f.Chmod(0o644), f.Sync()); err != nil {
		return err
	}
	if !info.Changed.IsZero() {
		if err := os.Chtimes(f.Name(), time.Time{}, info.Changed); err != nil {
			return err
		}
	}
	if err := os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) { // unlike a rename, it never replaces
		return fmt.Errorf("put %s: %w", info.Key, ErrExists)
	} else if err != nil {
		return err
	}
	return errors.Join(whole.SyncDir(dir), whole.SyncDir(filepath.Dir(dir)))
}

// copyBuffer is how much is read at once: a request each, where the object is far away.
const copyBuffer = 4 << 20

// hashTo copies until the end, or until the context ends, and returns the SHA-256 of what was copied.
func hashTo(ctx context.Context, w io.Writer, r io.Reader) (string, error) {
	h := sha256.New()
	buf := make([]byte, copyBuffer)
	for {
		n, err := io.ReadFull(r, buf)
		h.Write(buf[:n])
		if _, werr := w.Write(buf[:n]); werr != nil {
			return "", werr
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return hex.EncodeToString(h.Sum(nil)), ctx.Err()
		case err != nil:
			return "", err
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
	}
}

// Digest returns the SHA-256 of an object or a file, read to its end.
func Digest(ctx context.Context, o Object) (string, error) { return Copy(ctx, io.Discard, o) }

// Copy writes an object to w and returns its SHA-256.
func Copy(ctx context.Context, w io.Writer, o Object) (string, error) {
	return hashTo(ctx, w, io.NewSectionReader(o, 0, o.Size()))
}

// Open opens the file.
func (d *Directory) Open(_ context.Context, key string) (Object, error) {
	path, err := d.path(key)
	if err != nil {
		return nil, err
	}
	return openDisk(path)
}

// Stat reads the file for its digest.
func (d *Directory) Stat(ctx context.Context, key string) (info Info, err error) {
	path, err := d.path(key)
	if err != nil {
		return info, err
	}
	if info, err = statDisk(path); err != nil {
		return info, err
	}
	o, err := openDisk(path)
	if err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	info.Key = key
	info.SHA256, err = Digest(ctx, o)
	return info, err
}

// List walks through the folders below the prefix.
func (d *Directory) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(d.root, path)
			key := filepath.ToSlash(rel)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil || relErr != nil:
				return errors.Join(err, relErr)
			case e.IsDir():
				if key != "." && !strings.HasPrefix(key+"/", prefix) && !strings.HasPrefix(prefix, key+"/") {
					return fs.SkipDir
				}
				return ctx.Err()
			case !strings.HasPrefix(key, prefix) || strings.HasPrefix(e.Name(), uploading) || !e.Type().IsRegular():
				return nil
			}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if !yield(Info{Key: key, Size: info.Size(), Changed: info.ModTime().UTC()}, nil) {
				return fs.SkipAll
			}
			return ctx.Err()
		})
		if err != nil {
			yield(Info{}, err)
		}
	}
}

// Delete removes the file.
func (d *Directory) Delete(_ context.Context, key string) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	} else if err != nil {
		return nil
	}
	return whole.SyncDir(filepath.Dir(path))
}

// Sweep removes files whose writers were killed.
func (d *Directory) Sweep(ctx context.Context, before time.Time) (n int, err error) {
	err = filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasPrefix(e.Name(), uploading) {
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return errors.Join(err, ctx.Err())
		}
		info, err := e.Info()
		if err != nil || !info.ModTime().Before(before) {
			return nil //nolint:nilerr // it is gone: somebody else's sweep, or its writer's
		}
		n++
		return os.Remove(path)
	})
	return n, err
}
