package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/store"
	"varve/archive/whole"
)

// Config says how files are moved.
type Config struct {
	Store     store.Store
	KeepLocal bool // files stay in the spool when the store has them
	ReadBack  bool // Push reads each object to its end before it is acknowledged
	Attempts  int  // of each file; 0: 1
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error // between attempts; nil: the clock
	Log       func(format string, args ...any)           // attempts that failed; nil: nobody is told

	// Progress is told of each file that was moved; nil for nobody.
	Progress func(name string, size int64)
	// Step is called between the steps of a move, for tests that kill there; nil for nobody.
	Step func(step, name string)
}

// Report is what was done.
type Report struct {
	Files   int      `json:"files"` // moved, or found to be moved
	Bytes   int64    `json:"bytes"`
	Removed int      `json:"removed"` // copies that are gone from where they were
	Refused []string `json:"refused"` // that were not moved, and why
}

// Pending lists the files of the spool that no store has, by name.
func Pending(col *catalog.Collection) ([]catalog.File, error) {
	files, stored, err := both(col)
	return slices.DeleteFunc(files, func(f catalog.File) bool {
		_, ok := stored[f.Name]
		return ok
	}), err
}

// Local lists the files of the spool that a store has as well.
func Local(col *catalog.Collection) ([]catalog.File, error) {
	files, stored, err := both(col)
	return slices.DeleteFunc(files, func(f catalog.File) bool {
		_, ok := stored[f.Name]
		return !ok
	}), err
}

// both lists the files of the spool, and what is stored.
func both(col *catalog.Collection) ([]catalog.File, map[string]catalog.Object, error) {
	files, err := col.WARCs()
	if err != nil {
		return nil, nil, err
	}
	stored, err := col.Objects()
	return slices.DeleteFunc(files, func(f catalog.File) bool { return f.InPlace || f.Stored }), stored, err
}

// lock lets one process at a time move files of a collection.
func lock(col *catalog.Collection) (unlock func() error, err error) {
	if err := col.Create(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(col.Dir(), "objects.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		err = errors.Join(err, f.Close())
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, &varve.Error{
				Kind: varve.Conflict, Op: "move files of " + col.Name, Msg: "another process is moving them",
				Hint: "wait until it has finished: a crawl sends its files until it ends",
			}
		}
		return nil, err
	}
	return f.Close, nil
}

func (cfg *Config) step(step, name string) {
	if cfg.Step != nil {
		cfg.Step(step, name)
	}
}

// Push sends pending files, and removes local copies where they are not kept. One that is refused does not keep the others from being
// sent; an error of the store ends it.
func Push(ctx context.Context, col *catalog.Collection, cfg Config) (rep Report, err error) {
	rep.Refused = []string{}
	unlock, err := lock(col)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := cfg.deleteRecalled(ctx, col); err != nil {
		return rep, err
	}
	pending, err := Pending(col)
	if err != nil {
		return rep, err
	}
	known, err := fixity.Known(col)
	if err != nil {
		return rep, err
	}
	for _, f := range pending {
		size, err := cfg.pushTrying(ctx, col, f, known["warc/"+f.Name])
		var refused *refusal
		switch {
		case errors.As(err, &refused):
			rep.Refused = append(rep.Refused, refused.Error())
			continue
		case err != nil:
			return rep, err
		}
		rep.Files++
		rep.Bytes += size
		if cfg.Progress != nil {
			cfg.Progress(f.Name, size)
		}
	}
	if cfg.KeepLocal {
		return rep, nil
	}
	rep.Removed, err = cfg.release(ctx, col)
	return rep, err
}

// refusal is the error of one file that is not moved; the others are.
type refusal struct{ name, why string }

// Error says which file and why.
func (r *refusal) Error() string { return r.name + ": " + r.why }

// pushTrying sends a file, again and again while the store is not to be had.
func (cfg *Config) pushTrying(ctx context.Context, col *catalog.Collection, f catalog.File, want string) (size int64, err error) {
	for attempt := 1; ; attempt++ {
		size, err = cfg.push(ctx, col, f, want)
		if err == nil || attempt >= cfg.Attempts || ctx.Err() != nil || !mayPass(err) {
			return size, err
		}
		wait := min(time.Second<<min(attempt-1, 6), time.Minute)
		if cfg.Log != nil {
			cfg.Log("%s was not sent: %v; again in %s", f.Name, err, wait)
		}
		if err := cfg.sleep(ctx, wait); err != nil {
			return 0, err
		}
	}
}

// mayPass reports whether an error may be gone the next time.
func mayPass(err error) bool {
	if _, ok := errors.AsType[*refusal](err); ok {
		return false
	}
	return varve.KindOf(err) == varve.Unavailable
}

func (cfg *Config) sleep(ctx context.Context, d time.Duration) error {
	if cfg.Sleep != nil {
		return cfg.Sleep(ctx, d)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// push sends one file. Want is the digest that the ledger has, "" if it has none.
func (cfg *Config) push(ctx context.Context, col *catalog.Collection, f catalog.File, want string) (size int64, err error) {
	info, err := store.Stat(f.Path, nil)
	if err != nil {
		return 0, err
	}
	o, err := store.Open(f.Path, nil)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	info.Key = col.ObjectKey(f.Name)
	if info.SHA256, err = store.Digest(ctx, o); err != nil {
		return 0, err
	}
	if want != "" && want != info.SHA256 {
		return 0, &refusal{f.Name, "it is not what was recorded when it came in; 'varve audit' tells more"}
	}
	cfg.step("hashed", f.Name)
	err = cfg.Store.Put(ctx, info, o)
	if errors.Is(err, store.ErrExists) {
		return 0, &refusal{f.Name, "the store has another object of this name (" + info.Key + ")"}
	}
	if err != nil {
		return 0, err
	}
	cfg.step("put", f.Name)
	if cfg.ReadBack {
		if err := cfg.readBack(ctx, info); err != nil {
			return 0, err
		}
	}
	if err := col.NoteObjects(cfg.note(catalog.DidStore, f.Name, info)); err != nil {
		return 0, err
	}
	cfg.step("noted", f.Name)
	return info.Size, nil
}

func (cfg *Config) note(did catalog.Did, name string, info store.Info) catalog.Object {
	return catalog.Object{
		Time: cfg.Now().UTC(), Did: did, Name: name, Key: info.Key, Size: info.Size, SHA256: info.SHA256, Changed: info.Changed, Store: cfg.Store.String(),
	}
}

// readBack reads an object to its end.
func (cfg *Config) readBack(ctx context.Context, info store.Info) (err error) {
	o, err := cfg.Store.Open(ctx, info.Key)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	sum, err := store.Digest(ctx, o)
	if err == nil && (sum != info.SHA256 || o.Size() != info.Size) {
		err = fmt.Errorf("read back %s: %w", info.Key, store.ErrDigest)
	}
	return err
}

// release removes local copies of files that the store has, as it says now.
func (cfg *Config) release(ctx context.Context, col *catalog.Collection) (n int, err error) {
	local, err := Local(col)
	if err != nil {
		return 0, err
	}
	objects, err := col.Objects()
	if err != nil {
		return 0, err
	}
	running, err := resumable(col)
	if err != nil {
		return 0, err
	}
	for _, f := range local {
		if slices.ContainsFunc(running, func(prefix string) bool { return strings.HasPrefix(f.Name, prefix) }) {
			continue
		}
		o := objects[f.Name]
		info, err := cfg.Store.Stat(ctx, o.Key)
		if err == nil && (info.Size != o.Size || info.SHA256 != o.SHA256) {
			err = fmt.Errorf("%s in %s is not what was put there; the copy here stays", f.Name, cfg.Store)
		}
		if err != nil {
			return n, err
		}
		here, err := store.Stat(f.Path, nil)
		if err != nil {
			return n, err
		}
		if here.Size != o.Size || !here.Changed.Equal(o.Changed) {
			return n, fmt.Errorf("%s changed since it was stored; the copy here stays. 'varve audit' tells more", f.Name)
		}
		cfg.step("verified", f.Name)
		if err := os.Remove(f.Path); err != nil {
			return n, err
		}
		n++
		cfg.step("removed", f.Name)
	}
	if n > 0 {
		err = whole.SyncDir(col.WarcDir())
	}
	return n, err
}

// resumable returns the beginnings of the names of files that belong to crawls that can be resumed: their frontiers are still there.
func resumable(col *catalog.Collection) (prefixes []string, err error) {
	ids, err := col.Crawls()
	for _, id := range ids {
		if _, err := os.Stat(filepath.Join(col.Dir(), "crawls", id, "frontier")); err == nil {
			prefixes = append(prefixes, id+"-")
		}
	}
	return prefixes, err
}

// Recall brings stored files back to the spool and deletes their objects; all of them if none is named.
func Recall(ctx context.Context, col *catalog.Collection, cfg Config, names ...string) (rep Report, err error) {
	rep.Refused = []string{}
	unlock, err := lock(col)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := cfg.deleteRecalled(ctx, col); err != nil {
		return rep, err
	}
	objects, err := col.Objects()
	if err != nil {
		return rep, err
	}
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(objects))
	}
	for _, name := range names {
		o, ok := objects[name]
		if !ok {
			return rep, fmt.Errorf("%s: no store has it: %w", name, fs.ErrNotExist)
		}
		if err := cfg.fetch(ctx, col, o); err != nil {
			return rep, err
		}
		cfg.step("fetched", name)
		if err := col.NoteObjects(cfg.note(catalog.DidRecall, name, o.Info())); err != nil {
			return rep, err
		}
		cfg.step("recalled", name)
		rep.Files++
		rep.Bytes += o.Size
		if cfg.Progress != nil {
			cfg.Progress(name, o.Size)
		}
		if err := cfg.delete(ctx, col, o); err != nil {
			return rep, err
		}
		rep.Removed++
	}
	return rep, nil
}

// Fetch copies stored files to the spool and leaves their objects where they are.
func Fetch(ctx context.Context, col *catalog.Collection, cfg Config) (rep Report, err error) {
	rep.Refused = []string{}
	unlock, err := lock(col)
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	objects, err := col.Objects()
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		if err != nil {
			break
		}
		if err = cfg.fetch(ctx, col, objects[name]); err == nil {
			rep.Files++
			rep.Bytes += objects[name].Size
		}
	}
	return rep, err
}

// fetch copies an object to its place in the spool, unless it is there.
func (cfg *Config) fetch(ctx context.Context, col *catalog.Collection, o catalog.Object) (err error) {
	path := filepath.Join(col.WarcDir(), o.Name)
	if here, err := store.Open(path, nil); err == nil {
		sum, err := store.Digest(ctx, here)
		if err = errors.Join(err, here.Close()); err != nil {
			return err
		}
		if sum != o.SHA256 {
			return fmt.Errorf("%s in the spool is not what was stored; 'varve audit' tells more", o.Name)
		}
		return nil
	}
	src, err := cfg.Store.Open(ctx, o.Key)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if err := os.MkdirAll(col.WarcDir(), 0o755); err != nil {
		return err
	}
	err = whole.File(path, 0o644, func(w io.Writer) error {
		sum, err := store.Copy(ctx, w, src)
		if err == nil && (sum != o.SHA256 || src.Size() != o.Size) {
			err = fmt.Errorf("fetch %s: %w: it has %s, recorded was %s", o.Key, store.ErrDigest, sum, o.SHA256)
		}
		return err
	})
	if err != nil || o.Changed.IsZero() {
		return err
	}
	return os.Chtimes(path, time.Time{}, o.Changed)
}

// Drop deletes the objects of files for good; what no store has is passed over. Whether they may go is decided elsewhere, and
// copies in the spool are left to whoever decided it. A kill leaves an object that is deleted the next time.
func Drop(ctx context.Context, col *catalog.Collection, cfg Config, names ...string) (err error) {
	unlock, err := lock(col)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := cfg.deleteRecalled(ctx, col); err != nil {
		return err
	}
	objects, err := col.Objects()
	if err != nil {
		return err
	}
	for _, name := range names {
		if o, ok := objects[name]; ok {
			if err := cfg.delete(ctx, col, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// delete removes an object: its file lies in the spool again, or is to go.
func (cfg *Config) delete(ctx context.Context, col *catalog.Collection, o catalog.Object) error {
	if err := cfg.Store.Delete(ctx, o.Key); err != nil {
		return err
	}
	cfg.step("deleted", o.Name)
	return col.NoteObjects(cfg.note(catalog.DidDelete, o.Name, o.Info()))
}

// deleteRecalled goes on where a kill ended a recall.
func (cfg *Config) deleteRecalled(ctx context.Context, col *catalog.Collection) error {
	recalled, err := col.Recalled()
	for _, name := range slices.Sorted(maps.Keys(recalled)) {
		if err == nil {
			err = cfg.delete(ctx, col, recalled[name])
		}
	}
	return err
}

// Rescan reads what the store has of a collection and appends to objects.jsonl what that does not know: after the list was lost, or when
// other machines write to the same store. Missing are files that the list has and neither store nor spool.
func Rescan(ctx context.Context, col *catalog.Collection, cfg Config) (rep Report, missing []string, err error) {
	rep.Refused = []string{}
	unlock, err := lock(col)
	if err != nil {
		return rep, nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	objects, err := col.Objects()
	if err != nil {
		return rep, nil, err
	}
	recalled, err := col.Recalled()
	if err != nil {
		return rep, nil, err
	}
	there := map[string]bool{}
	prefix := col.ObjectKey("")
	for listed, err := range cfg.Store.List(ctx, prefix) {
		if err != nil {
			return rep, nil, err
		}
		name := strings.TrimPrefix(listed.Key, prefix)
		if _, ok := catalog.KindOf(name); !ok || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
			continue
		}
		there[name] = true
		_, away := recalled[name]
		if o, ok := objects[name]; away || ok && o.Size == listed.Size {
			continue
		}
		info, err := cfg.complete(ctx, listed.Key)
		if err != nil {
			return rep, nil, err
		}
		if err := col.NoteObjects(cfg.note(catalog.DidStore, name, info)); err != nil {
			return rep, nil, err
		}
		rep.Files++
		rep.Bytes += info.Size
	}
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		if _, err := os.Stat(filepath.Join(col.WarcDir(), name)); !there[name] && err != nil {
			missing = append(missing, name)
		}
	}
	return rep, missing, nil
}

// complete says what an object is, and reads it where the store does not know its digest: others may have put it there.
func (cfg *Config) complete(ctx context.Context, key string) (info store.Info, err error) {
	info, err = cfg.Store.Stat(ctx, key)
	if err != nil || info.SHA256 != "" {
		return info, err
	}
	o, err := cfg.Store.Open(ctx, key)
	if err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	info.SHA256, err = store.Digest(ctx, o)
	return info, err
}
