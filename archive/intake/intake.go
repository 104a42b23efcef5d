// Package intake brings files of others into a collection: WARC, ARC and CDX files, the WARC files of WACZ packages, and lists of packages. What a file
// is, its content says, not its name. A file that is there already is not taken twice; nothing is overwritten.
package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/store"
	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/archive/whole"
)

// Options say how files are brought.
type Options struct {
	InPlace bool         // they stay where they are and are referred to
	Only    catalog.Kind // nothing but this kind is taken; "" takes all
	Now     func() time.Time
}

// What became of a file.
const (
	Added   = "added"
	There   = "there" // it was in the collection
	Refused = "refused"
)

// File is what became of one file.
type File struct {
	Path    string `json:"path"`
	Name    string `json:"name,omitempty"` // in the collection
	Outcome string `json:"outcome"`
	Why     string `json:"why,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"`
}

// Intake adds files to a collection whose lock is held.
type Intake struct {
	Options
	col   *catalog.Collection
	names map[string]catalog.File
	paths map[string]bool // of files that are in the collection
}

// New begins to bring files into a collection. The caller holds its lock.
func New(col *catalog.Collection, o Options) (*Intake, error) {
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	im := &Intake{Options: o, col: col, names: map[string]catalog.File{}, paths: map[string]bool{}}
	for _, f := range files {
		im.know(f)
	}
	return im, nil
}

func (im *Intake) know(f catalog.File) {
	im.names[f.Name] = f
	if abs, err := filepath.Abs(f.Path); err == nil {
		im.paths[abs] = true
	}
}

// Bring adds one file, or all WARC files of a package. What is refused has its reason; an error is about the file as a whole.
func (im *Intake) Bring(ctx context.Context, path string) ([]File, error) {
	b, err := head(path, 4)
	if err != nil {
		return nil, err
	}
	if string(b) == "PK\x03\x04" {
		return im.packages(ctx, path)
	}
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return im.listed(ctx, path)
	}
	done, err := im.add(ctx, path)
	if err != nil {
		done.Why = err.Error()
	}
	return []File{done}, nil
}

// Sniffed is how many bytes of a file say what it is.
const Sniffed = 4 << 20

// Look tells by the first Sniffed bytes of a file that is still coming whether it is worth waiting for the rest; nil if it is.
func Look(path string) error {
	b, err := head(path, 4)
	if err != nil || string(b) == "PK\x03\x04" || strings.EqualFold(filepath.Ext(path), ".json") {
		return err
	}
	_, err = sniff(path)
	return err
}

// packages brings the WARC files of a WACZ package, and of the packages in it, into the collection.
func (im *Intake) packages(ctx context.Context, path string) (all []File, err error) {
	switch {
	case im.Only != "":
		return nil, fmt.Errorf("a WACZ package, want %s", im.Only)
	case im.InPlace:
		return nil, errors.New("the WARC files of a package cannot stay in it: import it without --in-place")
	}
	dir := im.col.WarcDir()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	tell := func(u wacz.Unpacked) {
		d := File{Path: path + "!" + u.Path, Name: u.Name, Bytes: u.Bytes, Outcome: Refused, Why: u.Detail}
		switch u.Outcome {
		case wacz.UnpackWritten:
			d.Outcome, d.Why = Added, ""
			im.know(catalog.File{Name: u.Name, Path: filepath.Join(dir, u.Name), Kind: catalog.KindWARC})
		case wacz.UnpackPresent:
			d.Outcome, d.Why = There, ""
		default:
			d.Name = ""
		}
		all = append(all, d)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := wacz.Open(path, f, info.Size(), wacz.DefaultLimits())
	if err != nil {
		return nil, err
	}
	taken := func(name string) bool { f, ok := im.names[name]; return ok && f.InPlace }
	err = p.Unpack(ctx, root, wacz.UnpackOptions{Taken: taken, OnFile: tell})
	return all, err
}

// maxListed bounds the JSON file of a multi-WACZ.
const maxListed = 64 << 20

// listed brings the packages that the JSON file of a multi-WACZ names.
func (im *Intake) listed(ctx context.Context, path string) (all []File, err error) {
	b, err := head(path, maxListed)
	if err != nil {
		return nil, err
	}
	m, err := wacz.ParseManifest(b)
	if err != nil || !m.IsMulti() {
		return nil, errors.New("neither WARC, ARC, CDX nor WACZ, and no list of packages (multi-wacz-package)")
	}
	for _, r := range m.Resources {
		refused := File{Path: path + "!" + r.Path, Outcome: Refused}
		if strings.Contains(r.Path, "://") {
			refused.Why = "it lies on the network: download it and import it"
			all = append(all, refused)
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(r.Path)) {
			refused.Why = "its path leads out of the folder of the list"
			all = append(all, refused)
			continue
		}
		some, err := im.packages(ctx, filepath.Join(filepath.Dir(path), filepath.FromSlash(r.Path)))
		all = append(all, some...)
		if err != nil {
			refused.Why = err.Error()
			all = append(all, refused)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the list names no package")
	}
	return all, nil
}

// head reads the first bytes of a file.
func head(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, n))
}

// add brings one file into the collection, unless it is there.
func (im *Intake) add(ctx context.Context, path string) (File, error) {
	d := File{Path: path, Outcome: Refused}
	abs, err := filepath.Abs(path)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return d, err
	}
	if im.paths[abs] {
		d.Outcome = There
		return d, nil
	}
	kind, err := sniff(abs)
	if err != nil {
		return d, err
	}
	if im.Only != "" && kind != im.Only {
		return d, fmt.Errorf("a %s file, want %s", kind, im.Only)
	}
	d.Name, err = im.nameFor(abs, kind)
	if err != nil || d.Name == "" {
		d.Outcome = There
		return d, err
	}
	if d.Bytes, err = im.take(ctx, abs, d.Name, kind); err != nil {
		d.Name = ""
		return d, err
	}
	d.Outcome = Added
	return d, nil
}

// nameFor gives the name of a file in the collection: its own, with a part of its digest if another
// file has that; "" if the very file is there.
func (im *Intake) nameFor(path string, kind catalog.Kind) (string, error) {
	name := filepath.Base(path)
	if k, ok := catalog.KindOf(name); !ok || k != kind {
		name = strings.TrimSuffix(name, ".gz") + "." + string(kind)
		if strings.HasSuffix(path, ".gz") {
			name += ".gz"
		}
	}
	other, taken := im.names[name]
	if !taken {
		return name, nil
	}
	mine, err := digestFile(catalog.File{Path: path})
	if err != nil {
		return "", err
	}
	if theirs, err := digestFile(other); err == nil && theirs == mine {
		return "", nil
	}
	name = mine[:8] + "-" + name
	if other, taken := im.names[name]; taken {
		if theirs, err := digestFile(other); err == nil && theirs == mine {
			return "", nil
		}
		return "", fmt.Errorf("the names %s and %s are taken by other files", filepath.Base(path), name)
	}
	return name, nil
}

// take copies a file or refers to it.
func (im *Intake) take(ctx context.Context, path, name string, kind catalog.Kind) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	f := catalog.File{Name: name, Path: path, Kind: kind, InPlace: true}
	if im.InPlace {
		err = im.col.AddReferences(catalog.Reference{Name: name, Path: path, Kind: kind, Size: info.Size(), Added: im.Now().UTC()})
	} else {
		dir := im.col.WarcDir()
		if kind == catalog.KindCDX {
			dir = im.col.CDXDir()
		}
		f.Path, f.InPlace = filepath.Join(dir, name), false
		err = copyFile(ctx, path, f.Path)
	}
	if err != nil {
		return 0, err
	}
	im.know(f)
	im.paths[path] = true
	return info.Size(), nil
}

// copyFile copies a file that has its name only once it is whole and durable. Nothing is replaced.
func copyFile(ctx context.Context, from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, os.ErrExist)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return whole.File(to, 0o644, func(w io.Writer) error {
		_, err := io.Copy(w, &stoppable{ctx, in})
		return err
	})
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx context.Context
	r   io.Reader
}

// Read reads unless the context has ended.
func (s *stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(b)
}

func digestFile(file catalog.File) (string, error) {
	f, err := file.Open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	return store.Digest(context.Background(), f)
}

// sniff tells what a file is by its content: a WARC or ARC record, or index lines.
func sniff(path string) (catalog.Kind, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	switch head := io.NewSectionReader(f, 0, min(info.Size(), Sniffed)); {
	case !info.Mode().IsRegular():
		return "", errors.New("not a file")
	case isWARC(head):
		return catalog.KindWARC, nil
	case isCDX(head):
		return catalog.KindCDX, nil
	}
	return "", errors.New("neither WARC, ARC nor CDX")
}

func isWARC(head *io.SectionReader) bool {
	f, err := warc.NewFile("", head, head.Size())
	if err != nil {
		return false
	}
	r, err := f.ReaderAt(0, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return false
	}
	defer r.Close()
	_, err = r.Next()
	return err == nil
}

// isCDX tells whether one of the first lines, packed or not, is one of an index.
func isCDX(head *io.SectionReader) bool {
	var text io.Reader = io.NewSectionReader(head, 0, head.Size())
	if zip, err := gzip.NewReader(head); err == nil {
		text = zip
	}
	start := make([]byte, 4<<10)
	n, err := io.ReadFull(text, start)
	if start = start[:n]; err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || bytes.IndexByte(start, 0) >= 0 {
		return false // not text
	}
	r := cdxj.NewReader(io.LimitReader(io.MultiReader(bytes.NewReader(start), text), Sniffed))
	for range 20 {
		if _, err := r.Next(); err == nil {
			return true
		}
	}
	return false
}
