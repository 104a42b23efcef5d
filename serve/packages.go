package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"varve"
	"varve/archive/catalog"
	"varve/archive/intake"
	"varve/archive/wacz"
	"varve/archive/whole"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/review"
)

// packages makes and takes WACZ packages.
type packages struct{ p *parts }

var _ api.Packages = (*packages)(nil)

// Export writes a package. Whole WARC files hold everything, so they are not given out where rules
// withhold something; a selection by address leaves out what the visitor may not see.
func (x *packages) Export(ctx context.Context, sel api.Selection, begin func(name string) io.Writer) error {
	col, err := x.p.holdings.Collection(ctx, sel.Collection)
	if err != nil {
		return err
	}
	cat, err := x.p.archive.Collection(sel.Collection)
	if err != nil {
		return err
	}
	cfg := wacz.Config{
		Title: col.Title, Description: col.Purpose, Software: "varve " + x.p.cfg.Version, Created: x.p.cfg.Now().UTC(),
		Workers: max(1, runtime.GOMAXPROCS(0)/2), SortMemory: 16 << 20, Remake: rand.Reader, NotModified: sel.NotModified,
	}
	if sel.URL != "" {
		return x.exportSelection(ctx, sel, cfg, begin)
	}
	if err := x.whole(ctx, sel.Collection); err != nil {
		return err
	}
	files, err := cat.WARCs()
	if err != nil {
		return err
	}
	name := sel.Collection + ".wacz"
	if sel.Crawl != "" {
		k, err := x.p.holdings.Crawl(ctx, sel.Collection, sel.Crawl)
		if err != nil {
			return err
		}
		name, cfg.Title = sel.Collection+"-"+sel.Crawl+".wacz", fmt.Sprintf("%s, crawl %s", col.Title, sel.Crawl)
		if k.Definition != nil {
			cfg.Seeds = k.Definition.Seeds
		}
		var own []string
		if k.Report != nil {
			own = k.Report.Files
		}
		files = slices.DeleteFunc(files, func(f catalog.File) bool {
			return !slices.ContainsFunc(own, func(o string) bool { return filepath.Base(o) == f.Name })
		})
	}
	if len(files) == 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "pack " + sel.Collection, Msg: "there is no finished WARC file to pack"}
	}
	return pack(ctx, cfg, files, &late{begin: func() io.Writer { return begin(name) }})
}

// late begins its answer with the first byte, so that what fails before it is answered as an error.
type late struct {
	begin func() io.Writer
	to    io.Writer
}

// Write sends bytes.
func (l *late) Write(b []byte) (int, error) {
	if l.to == nil {
		l.to = l.begin()
	}
	return l.to.Write(b)
}

// whole tells whether whole files may be given to the visitor.
func (x *packages) whole(ctx context.Context, collection string) error {
	set, err := x.p.rules.InForce()
	if err != nil {
		return err
	}
	if set.Withholds(access.From(ctx), collection) {
		return &varve.Error{
			Kind: varve.Forbidden, Op: "pack " + collection, Msg: "access rules withhold a part of it, and WARC files are given whole",
			Hint: "choose by address (url=...): what is withheld is left out",
		}
	}
	return nil
}

func pack(ctx context.Context, cfg wacz.Config, files []catalog.File, out io.Writer) (err error) {
	w, err := wacz.NewWriter(out, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	for _, f := range files {
		if err := addFile(ctx, w, f); err != nil {
			return err
		}
	}
	_, err = w.Finish(ctx)
	return err
}

func addFile(ctx context.Context, w *wacz.Writer, f catalog.File) error {
	file, err := f.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	return w.AddWARC(ctx, f.Name, file, file.Size())
}

// maxImport bounds a file that is sent.
const maxImport = 64 << 30

// Import keeps a file that is sent on disk and takes it into the collection: a WACZ package, a WARC, ARC or CDX file.
func (x *packages) Import(ctx context.Context, collection, name string, body io.Reader) (out []api.Imported, err error) {
	col, err := x.p.archive.Collection(collection)
	if err != nil {
		return nil, err
	}
	if name != filepath.Base(name) || !filepath.IsLocal(name) || strings.HasPrefix(name, ".") || len(name) > 200 || strings.ContainsFunc(name, unicode.IsControl) {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "receive a file", Msg: fmt.Sprintf("%q is no name of a file", name)}
	}
	if err := col.Create(); err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "create collection " + collection, Err: err}
	}
	folder, err := whole.NewFolder(col.Dir(), "upload")
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "keep the file", Err: err}
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	sent := filepath.Join(folder.Path, name)
	if err := receive(sent, body); err != nil {
		return nil, err
	}
	lock, err := lockPatiently(ctx, col, "import by varve serve, "+x.p.url)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	im, err := intake.New(col, intake.Options{Now: x.p.cfg.Now})
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list the files of " + col.Name, Err: err}
	}
	files, err := im.Bring(ctx, sent)
	refused := ""
	var added []string
	for _, f := range files {
		switch f.Outcome {
		case intake.Refused:
			refused = strings.TrimPrefix(f.Path, folder.Path+"/") + ": " + f.Why
		case intake.Added:
			added = append(added, f.Name)
		}
		out = append(out, api.Imported{Name: cmp.Or(f.Name, name), Bytes: f.Bytes, Outcome: f.Outcome, Detail: f.Why})
	}
	if added != nil {
		err = errors.Join(err, col.Note(catalog.Event{
			Time: x.p.cfg.Now().UTC(), Type: "ingestion", Outcome: "success", Agent: "varve " + x.p.cfg.Version, By: access.From(ctx).Label(), Detail: name, Objects: added,
		}))
	}
	switch {
	case err != nil:
		return out, &varve.Error{Kind: varve.Invalid, Op: "take " + name, Err: err, Hint: "is it a WARC, ARC, CDX or WACZ file, and whole? Nothing that is there is overwritten"}
	case refused != "" && len(files) == 1:
		return out, &varve.Error{Kind: varve.Invalid, Op: "take " + name, Msg: refused, Hint: "is it a WARC, ARC, CDX or WACZ file, and whole?"}
	case refused != "":
		return out, &varve.Error{Kind: varve.Invalid, Op: "take " + name, Msg: "not all of it could be taken: " + refused, Hint: "what could be taken is in the collection"}
	}
	return out, nil
}

// receive writes what is sent into a file: up to a bound, as long as its beginning is that of a file that can be brought in, and as
// long as the disk keeps some room for everything else.
func receive(path string, body io.Reader) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "keep the file", Err: err}
	}
	var size int64
	for step := int64(intake.Sniffed); err == nil && size <= maxImport; step = roomEvery {
		var n int64
		n, err = io.CopyN(file, body, step)
		first := size == 0
		size += n
		if err != nil {
			break
		}
		if first {
			if bad := intake.Look(path); bad != nil {
				return errors.Join(&varve.Error{Kind: varve.Invalid, Op: "receive the file", Err: bad, Hint: "is it a WARC, ARC, CDX or WACZ file?"}, file.Close())
			}
		}
		if disk, bad := review.DiskOf(filepath.Dir(path)); bad == nil && disk.Free < keptFree {
			return errors.Join(&varve.Error{Kind: varve.Unavailable, Op: "receive the file", Msg: "the disk of the archive is nearly full", Hint: "make room, or bring the file in where it lies: 'varve import --in-place'"}, file.Close())
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "receive the file", Err: err}
	}
	if size > maxImport {
		return &varve.Error{Kind: varve.Invalid, Op: "receive the file", Msg: "it is larger than 64 GiB", Hint: "'varve import' on the machine itself has no such limit"}
	}
	return nil
}

const (
	roomEvery = 64 << 20 // bytes between two looks at the disk
	keptFree  = 2 << 30  // bytes that stay free: a crawl beside it ends before its disk is full, too
)

// patience is how long an import waits for the collection: as a rule it is our own index that is being built.
const patience = 30 * time.Second

func lockPatiently(ctx context.Context, col *catalog.Collection, who string) (*catalog.Lock, error) {
	until := time.Now().Add(patience)
	for {
		lock, err := col.Lock(who)
		if err == nil || varve.KindOf(err) != varve.Conflict || time.Now().After(until) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
