package bag

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve/archive/fixity"
	"varve/archive/store"
	"varve/archive/whole"
)

// Item is a file of the payload.
type Item struct {
	Name string       // under data/, with slashes
	Path string       // where it lies
	From store.Source // opens it where it may not lie on the disk; nil: it does
	Size int64        // how much of it is taken; 0: all. A journal may grow while it is copied
}

// Field is a line of bag-info.txt.
type Field struct{ Label, Value string }

// Tag is a file beside the payload.
type Tag struct {
	Name    string
	Content []byte
}

// Config says what a bag is to hold beside its payload.
type Config struct {
	Info     []Field // the dates, sizes and oxum are added
	Tags     []Tag
	Date     time.Time
	Expect   map[string]string                    // SHA-256 by item name, where it is known: another is an error
	Progress func(file string, done, total int64) // may be nil
}

// Summary is what was written.
type Summary struct {
	Path  string `json:"path"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// openSuffix marks a bag that is being written.
const openSuffix = ".open"

// Write makes a bag in a directory that must not be there yet. It has its name only once it is whole and durable.
func Write(ctx context.Context, dir string, items []Item, cfg Config) (*Summary, error) {
	if _, err := os.Lstat(dir); err == nil {
		return nil, &fs.PathError{Op: "write bag", Path: dir, Err: fs.ErrExist}
	}
	open := dir + openSuffix
	if err := errors.Join(os.RemoveAll(open), os.MkdirAll(open, 0o755)); err != nil { // one of a killed process
		return nil, err
	}
	w := &writer{create: folder(open), cfg: cfg}
	sum, err := w.all(ctx, items)
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(open, "data"), 0o755), syncTree(open))
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(open))
	}
	if err := os.Rename(open, dir); err != nil {
		return nil, err
	}
	sum.Path = dir
	return sum, whole.SyncDir(filepath.Dir(dir))
}

// Pack writes a bag as a ZIP file, unpacked members in a folder of that name: RFC 8493 calls it a serialization. What fails leaves a file
// without its end.
func Pack(ctx context.Context, out io.Writer, name string, items []Item, cfg Config) (*Summary, error) {
	if !fs.ValidPath(name) || strings.Contains(name, "/") || name == "." {
		return nil, fmt.Errorf("bag: %q cannot be the name of a folder", name)
	}
	z := zip.NewWriter(out)
	w := &writer{cfg: cfg, create: func(file string) (io.Writer, func() error, error) {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name + "/" + file, Method: zip.Store, Modified: cfg.Date}) // WARC files are packed as they are
		return f, func() error { return nil }, err
	}}
	sum, err := w.all(ctx, items)
	if err != nil {
		return nil, err
	}
	sum.Path = name
	return sum, z.Close()
}

// folder makes the files of a bag in a directory.
func folder(dir string) func(name string) (io.Writer, func() error, error) {
	return func(name string) (io.Writer, func() error, error) {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return nil, nil, err
		}
		f, err := os.OpenFile(full, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return nil, nil, err
		}
		return f, func() error { return errors.Join(f.Sync(), f.Close()) }, nil
	}
}

type writer struct {
	create func(name string) (out io.Writer, end func() error, err error)
	cfg    Config
	lines  []fixity.Line // of what was written since the last manifest
	done   int64
	total  int64
}

func (w *writer) all(ctx context.Context, items []Item) (*Summary, error) {
	items = slices.SortedFunc(slices.Values(items), func(a, b Item) int { return cmp.Compare(a.Name, b.Name) })
	for i, it := range items {
		if !fs.ValidPath(it.Name) || it.Name == "." || i > 0 && items[i-1].Name == it.Name {
			return nil, fmt.Errorf("bag: %q cannot be the name of a file, or is there twice", it.Name)
		}
		w.total += it.Size
	}
	for _, it := range items {
		if err := w.payload(ctx, it); err != nil {
			return nil, err
		}
	}
	sum := &Summary{Files: len(items), Bytes: w.done}
	manifest := w.manifest()
	info := slices.Concat(w.cfg.Info, []Field{
		{"Bagging-Date", w.cfg.Date.UTC().Format(time.DateOnly)},
		{"Bag-Size", fmt.Sprintf("%.1f MB", float64(sum.Bytes)/1e6)},
		{"Payload-Oxum", fmt.Sprintf("%d.%d", sum.Bytes, sum.Files)},
	})
	tags := slices.Concat([]Tag{
		{"bagit.txt", []byte("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")},
		{"bag-info.txt", infoText(info)},
		{"manifest-sha256.txt", manifest},
	}, w.cfg.Tags)
	for _, t := range tags {
		if err := w.tag(t); err != nil {
			return nil, err
		}
	}
	return sum, w.tag(Tag{"tagmanifest-sha256.txt", w.manifest()})
}

// payload copies one file.
func (w *writer) payload(ctx context.Context, it Item) (err error) {
	src, err := store.Open(it.Path, it.From)
	if err != nil {
		return err
	}
	defer src.Close()
	r := io.NewSectionReader(src, 0, src.Size())
	if it.Size > 0 {
		r = io.NewSectionReader(src, 0, it.Size)
	}
	digest, err := w.put(ctx, path.Join("data", it.Name), r)
	if err != nil {
		return err
	}
	if want := w.cfg.Expect[it.Name]; want != "" && want != digest {
		return fmt.Errorf("bag: %s is not what was recorded: sha256 %s, should be %s", it.Name, digest, want)
	}
	return nil
}

func (w *writer) tag(t Tag) error {
	if !fs.ValidPath(t.Name) || t.Name == "." || strings.HasPrefix(t.Name, "data/") {
		return fmt.Errorf("bag: %q cannot be the name of a tag file", t.Name)
	}
	_, err := w.put(context.Background(), t.Name, strings.NewReader(string(t.Content)))
	return err
}

// put writes a file of the bag and notes its digest.
func (w *writer) put(ctx context.Context, name string, r io.Reader) (digest string, err error) {
	f, end, err := w.create(name)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, end()) }()
	sum := sha256.New()
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		sum.Write(buf[:n])
		if _, err := f.Write(buf[:n]); err != nil {
			return "", err
		}
		w.done += int64(n)
		if w.cfg.Progress != nil {
			w.cfg.Progress(name, w.done, w.total)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return "", err
		}
	}
	digest = hex.EncodeToString(sum.Sum(nil))
	w.lines = append(w.lines, fixity.Line{Digest: digest, Path: name})
	return digest, nil
}

// manifest gives the lines of the files written since the last one.
func (w *writer) manifest() []byte {
	slices.SortFunc(w.lines, func(a, b fixity.Line) int { return cmp.Compare(a.Path, b.Path) })
	var b strings.Builder
	for _, l := range w.lines {
		b.WriteString(l.Digest + "  " + fixity.EscapePath(l.Path) + "\n")
	}
	w.lines = nil
	return []byte(b.String())
}

// infoText writes bag-info.txt; line ends in values become spaces.
func infoText(fields []Field) []byte {
	var b strings.Builder
	for _, f := range fields {
		if f.Value != "" {
			b.WriteString(f.Label + ": " + strings.Join(strings.Fields(f.Value), " ") + "\n")
		}
	}
	return []byte(b.String())
}

// syncTree makes the names of all files durable.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = whole.SyncDir(path)
		}
		return err
	})
}
