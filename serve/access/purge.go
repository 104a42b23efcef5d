package access

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/archive/whole"
	"varve/web/canon"
)

// PurgeOrder says what is to be removed for ever, and by whose decision.
type PurgeOrder struct {
	Collection *catalog.Collection
	Prefix     string // of URLs
	Reason     string
	By         string
	Now        time.Time
	Rules      *Decisions
	Holds      Holds // needed: what is under a hold is not removed
	Audit      *Audit
	Software   string
	// Recall brings a file home from a store and deletes the object, so that it can be written anew here; nil: the collection has no store.
	Recall func(ctx context.Context, name string) error
}

// Holds tells what must not be deleted; *retention.Book does.
type Holds interface {
	// HeldBy returns a function that reports which hold is about a capture of a collection, by its index key and time, or "". The
	// zero time is one that is not known: a hold for some time is about it.
	HeldBy(collection string) (func(key string, at time.Time) string, error)
}

// Purged tells what was removed.
type Purged struct {
	Records   int64    `json:"records"`
	Files     []string `json:"files"`
	Elsewhere []string `json:"elsewhere,omitempty"` // files outside of the archive with such records: not touched
}

// Purge removes the records of a URL prefix from the WARC files of a collection. In order:
//
//	block the prefix (so that nothing is shown from now on), tell the audit log what is about to happen
//	read all files: is a record to go that is under a hold, or whose content one under a hold needs? -> refuse
//	for each file with records that go: write the file anew, tombstones in their places
//	               -> read both and compare what stays -> rename the new one over the old one
//	remove what is derived: indexes, history, coherence reports; tell the audit log what was done
//
// A kill in between leaves whole files, old or new; the same order again goes on with the rest.
func Purge(ctx context.Context, o PurgeOrder) (rep *Purged, err error) {
	p := &purge{PurgeOrder: o, rule: Rule{Collection: o.Collection.Name, Prefix: o.Prefix, Level: Blocked, Reason: "purged: " + o.Reason}}
	if o.Prefix == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "purge", Msg: "no prefix is given", Hint: "to remove a whole collection, remove its folder"}
	}
	if err := p.rule.Check(); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "purge " + o.Prefix, Err: err}
	}
	if !o.Collection.Exists() {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "purge " + o.Prefix, Msg: "there is no collection " + o.Collection.Name}
	}
	if o.Holds == nil {
		return nil, &varve.Error{Kind: varve.Internal, Op: "purge " + o.Prefix, Msg: "nobody tells what is under a hold"}
	}
	lock, err := o.Collection.Lock("purge of " + o.Prefix)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if _, err := o.Rules.Add(p.rule, o.By, Admin, o.Now); err != nil {
		return nil, err
	}
	if err := p.tell("purge begun", o.Reason); err != nil {
		return nil, err
	}
	if err := p.all(ctx); err != nil {
		return &p.done, errors.Join(err, p.tell("purge broken off", err.Error()))
	}
	return &p.done, p.tell("purge done", fmt.Sprintf("%d records of %s", p.done.Records, strings.Join(p.done.Files, ", ")))
}

type purge struct {
	PurgeOrder
	rule Rule
	done Purged
	made map[string]bool // ids of the tombstones of the file in hand

	held   func(key string, at time.Time) string
	goes   map[string]bool   // payloads of records that are to go
	needed map[string]string // payloads, and addresses, that records under a hold stand for: which hold
}

func (p *purge) tell(did, detail string) error {
	return p.Audit.Append(Entry{Time: p.Now, By: p.By, Did: did, Collection: p.Collection.Name, What: p.Prefix, Detail: detail})
}

func (p *purge) all(ctx context.Context) error {
	files, err := p.Collection.WARCs()
	if err != nil {
		return err
	}
	if p.held, err = p.Holds.HeldBy(p.Collection.Name); err != nil {
		return err
	}
	p.goes, p.needed = map[string]bool{}, map[string]string{}
	counts := make([]int64, len(files))
	for i, f := range files {
		if counts[i], err = p.count(ctx, f); err != nil {
			if varve.KindOf(err) == varve.Conflict {
				return err
			}
			return &varve.Error{Kind: varve.Unavailable, Op: "read " + f.Path, Err: err, Hint: "'varve warc check' tells what is wrong with it"}
		}
	}
	for payload := range p.goes {
		if hold := p.needed[payload]; hold != "" {
			return p.refused(hold, "captures under it stand for content of these addresses")
		}
	}
	for i, f := range files {
		n := counts[i]
		switch {
		case n == 0:
		case f.InPlace:
			p.done.Elsewhere = append(p.done.Elsewhere, f.Path)
		default:
			if err := p.recall(ctx, f); err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "purge " + f.Name, Err: err, Hint: "the file is still in the store, with its records"}
			}
			if err := p.rewrite(ctx, f.Path); err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "purge " + f.Path, Err: err, Hint: "the old file is still there"}
			}
			p.done.Files = append(p.done.Files, f.Name)
			p.done.Records += n
		}
	}
	if p.done.Records == 0 {
		return nil
	}
	return p.dropDerived()
}

// dropDerived removes what was computed from the old files and could tell of the removed records.
func (p *purge) dropDerived() error {
	all := []error{os.RemoveAll(p.Collection.HistoryDir()), os.RemoveAll(filepath.Join(p.Collection.Dir(), "index")), os.RemoveAll(filepath.Join(p.Collection.Dir(), "derived"))}
	ids, err := p.Collection.Crawls()
	all = append(all, err)
	for _, id := range ids {
		if dir, err := p.Collection.CrawlDir(id); err == nil {
			if err := os.Remove(filepath.Join(dir, "coherence.json")); !errors.Is(err, os.ErrNotExist) {
				all = append(all, err)
			}
		}
	}
	return errors.Join(all...)
}

// hit tells whether a record is to go: by the address it is about.
func (p *purge) hit(rec *warc.Record) bool {
	uri := strings.Trim(rec.TargetURI(), "<>")
	return uri != "" && rec.Type() != warc.TypeWarcinfo && !isTombstone(rec) && p.rule.matches(p.Collection.Name, canon.SURT(uri), p.Now)
}

// tombstoneType marks the metadata records that stand in the place of removed ones.
const tombstoneType = "application/vnd.varve.tombstone"

func isTombstone(rec *warc.Record) bool { return rec.Header.Get("Content-Type") == tombstoneType }

// refused is the error of an order that would remove what is under a hold.
func (p *purge) refused(hold, why string) error {
	return &varve.Error{
		Kind: varve.Conflict, Op: "purge " + p.Prefix, Msg: "hold " + hold + " keeps it: " + why,
		Hint: "nothing was removed; the addresses are withheld from everybody, which a hold allows. 'varve retention list' shows the hold",
	}
}

// hold looks whether a record, which goes or stays, is under a hold.
func (p *purge) hold(rec *warc.Record, goes bool) error {
	uri := strings.Trim(rec.TargetURI(), "<>")
	if uri == "" || isTombstone(rec) {
		return nil
	}
	at, _ := rec.Date() // the zero time is any
	payload := rec.Header.Get("WARC-Payload-Digest")
	if cdxj.EmptyPayload(payload) { // a 304 of others has the digest of its empty body, and stands for what was at its address
		payload = ""
	}
	hold := p.held(canon.SURT(uri), at)
	switch {
	case goes && hold != "":
		return p.refused(hold, uri)
	case goes:
		if payload != "" && rec.Type() != warc.TypeRevisit {
			p.goes[payload] = true
		}
		p.goes["address "+canon.SURT(uri)] = true
	case hold != "" && rec.Type() == warc.TypeRevisit && payload != "":
		p.needed[payload] = hold
	case hold != "" && rec.Type() == warc.TypeRevisit:
		p.needed["address "+canon.SURT(cmp.Or(strings.Trim(rec.Header.Get("WARC-Refers-To-Target-URI"), "<>"), uri))] = hold
	}
	return nil
}

// recall brings a file home that a store has, also one that lies here as well: its object has the records, too.
func (p *purge) recall(ctx context.Context, f catalog.File) error {
	objects, err := p.Collection.Objects()
	if _, ok := objects[f.Name]; !ok || err != nil {
		return err
	}
	if p.Recall == nil {
		return errors.New("it lies in a store, and nobody said how that is reached")
	}
	return p.Recall(ctx, f.Name)
}

func (p *purge) count(ctx context.Context, f catalog.File) (n int64, err error) {
	err = eachRecord(ctx, f, func(rec *warc.Record) error {
		goes := p.hit(rec)
		if goes {
			n++
		}
		return p.hold(rec, goes)
	})
	return n, err
}

// eachRecord reads a file strictly: what cannot be read cannot be purged.
func eachRecord(ctx context.Context, file catalog.File, do func(*warc.Record) error) error {
	f, err := file.Open()
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := warc.NewReader(io.NewSectionReader(f, 0, f.Size()), warc.Options{Name: filepath.Base(file.Path), Policy: warc.Lenient()})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		if err := errors.Join(do(rec), ctx.Err()); err != nil {
			return err
		}
	}
}

// rewrite makes the new file and puts it in the place of the old one.
func (p *purge) rewrite(ctx context.Context, path string) (err error) {
	enc, err := warc.NewEncoder(warc.Packing{Kind: packingOf(path)})
	if err != nil {
		return err
	}
	folder, err := whole.NewFolder(filepath.Dir(path), "purge") // what a killed purge left goes with it
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	out, err := os.Create(filepath.Join(folder.Path, filepath.Base(path)))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = out.Close() // it goes with the folder
		}
	}()
	p.made = map[string]bool{}
	if _, err := out.Write(enc.Preamble()); err != nil {
		return err
	}
	err = eachRecord(ctx, catalog.File{Path: path}, func(rec *warc.Record) error {
		if p.hit(rec) {
			return p.tombstone(enc, out, rec)
		}
		return copyRecord(enc, out, rec)
	})
	if err != nil {
		return err
	}
	if err := errors.Join(out.Chmod(0o644), out.Sync()); err != nil {
		return err
	}
	if err := p.compare(ctx, path, out.Name()); err != nil {
		return err
	}
	if err := errors.Join(out.Close(), os.Rename(out.Name(), path)); err != nil {
		return err
	}
	return warc.Disk{}.SyncDir(filepath.Dir(path))
}

func packingOf(path string) warc.Compression {
	switch {
	case strings.HasSuffix(path, ".gz"):
		return warc.Gzip
	case strings.HasSuffix(path, ".zst"):
		return warc.Zstd
	}
	return warc.Plain
}

// maxBlock is the largest block that is copied through memory; larger ones go through a file.
const maxBlock = 4 << 20

func copyRecord(enc *warc.Encoder, out io.Writer, rec *warc.Record) error {
	var head bytes.Buffer
	_, err := io.CopyN(&head, rec.Block, maxBlock)
	if errors.Is(err, io.EOF) {
		return enc.Encode(out, &warc.Entry{Version: rec.Version, Header: rec.Header, Raw: rec.Raw, Block: warc.Bytes(head.Bytes())})
	}
	if err != nil {
		return err
	}
	f, err := whole.Scratch("")
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	size, err := io.Copy(f, io.MultiReader(&head, rec.Block))
	if err != nil {
		return err
	}
	return enc.Encode(out, &warc.Entry{Version: rec.Version, Header: rec.Header, Raw: rec.Raw, Block: io.NewSectionReader(f, 0, size)})
}

// tombstone says what was here. It has no digest of what was removed: that would let others test
// what it was.
func (p *purge) tombstone(enc *warc.Encoder, out io.Writer, rec *warc.Record) error {
	id, err := warc.NewID(rand.Reader)
	if err != nil {
		return err
	}
	p.made[id] = true
	date, err := rec.Date()
	if err != nil {
		date = p.Now
	}
	text := fmt.Sprintf("purged: %s\r\nof: %s\r\ntype: %s\r\nby: %s\r\nreason: %s\r\nsoftware: %s\r\n",
		p.Now.UTC().Format(time.RFC3339), rec.ID(), rec.Type(), clean(p.By), clean(p.Reason), p.Software)
	return enc.Encode(out, warc.New(warc.TypeMetadata, id, date, warc.Bytes(text)).
		With(warc.FieldTargetURI, rec.TargetURI()).With(warc.FieldRefersTo, rec.ID()).With("Content-Type", tombstoneType))
}

func clean(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// compare reads both files and makes sure that everything that stays is the same, in order.
func (p *purge) compare(ctx context.Context, before, after string) error {
	next, stop := p.kept(ctx, after)
	defer stop()
	err := eachRecord(ctx, catalog.File{Path: before}, func(rec *warc.Record) error {
		if p.hit(rec) {
			return nil
		}
		want, err := recordSum(rec)
		if err != nil {
			return err
		}
		if got, ok := next(); !ok || got != want {
			return fmt.Errorf("record %s would not stay as it is", rec.ID())
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, ok := next(); ok {
		return errors.New("the new file has a record too many")
	}
	return nil
}
