package crawl

import (
	"encoding/binary"
	"errors"
	"io"
	"path"
	"strings"
	"sync"

	"varve/archive/history"
	"varve/archive/store"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/text/layer"
)

// History is the memory of a collection (*history.Store is one): read before a fetch, written when
// the records are durable.
type History interface {
	Stats() history.Stats
	Lookup(key string) (history.Entry, bool, error)
	ByDigest(d history.Digest) (history.Reference, bool, error)
	Record(batch []history.Observation) error
}

// minDedup is the payload size from which a revisit record is smaller than the payload.
const minDedup = 512

// askConditionally makes a request conditional if the collection holds an earlier whole answer.
func (r *Run) askConditionally(req *fetch.Request, v *Visit) {
	if !v.again() {
		known, ok, err := r.history.Lookup(v.item.Key)
		if err != nil || !ok || known.Original.IsZero() {
			return // without memory the answer is fetched whole
		}
		v.known = &known
	}
	req.ETag, req.LastModified = v.known.ETag, v.known.LastModified
}

// memoryOf returns what a run asks of a history: nothing where there is none, and little where it is empty.
func memoryOf(h History) History {
	switch {
	case h == nil:
		return noHistory{}
	case h.Stats().URLs == 0:
		return &freshHistory{History: onlyHistory{h}, set: map[uint64]struct{}{}}
	}
	return h
}

// noHistory is the memory of a crawl without one.
type noHistory struct{}

func (noHistory) Stats() history.Stats { return history.Stats{} }

func (noHistory) Lookup(string) (history.Entry, bool, error) { return history.Entry{}, false, nil }

func (noHistory) ByDigest(history.Digest) (history.Reference, bool, error) {
	return history.Reference{}, false, nil
}

func (noHistory) Record([]history.Observation) error { return nil }

// onlyHistory hides what else a history can do.
type onlyHistory struct{ History }

// freshHistory stands before a history that was empty when the crawl began: it knows no URL, since
// a crawl visits each once, and only payloads that this run has met. Asking it costs nothing.
type freshHistory struct {
	History
	mu  sync.Mutex
	set map[uint64]struct{} // first bytes of payload digests
}

// Lookup knows no URL.
func (f *freshHistory) Lookup(string) (history.Entry, bool, error) {
	return history.Entry{}, false, nil
}

// ByDigest asks the history about a payload that may have been met before, and notes it.
func (f *freshHistory) ByDigest(d history.Digest) (history.Reference, bool, error) {
	if len(d.Sum) >= 8 && !f.met(binary.LittleEndian.Uint64([]byte(d.Sum[:8]))) {
		return history.Reference{}, false, nil
	}
	return f.History.ByDigest(d)
}

// maxMet bounds the digests remembered; beyond it every payload may be known.
const maxMet = 200_000

// met tells whether a payload may have been met before, and notes it.
func (f *freshHistory) met(first uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, there := f.set[first]; there || len(f.set) >= maxMet {
		return true
	}
	f.set[first] = struct{}{}
	return false
}

// appendLayers adds the layers that a history can compare.
func appendLayers(list []history.Digest, d *layer.Digests) []history.Digest {
	for name, sum := range d.All() {
		switch name {
		case layer.DOM, layer.Text, layer.Main, layer.Links:
			list = append(list, history.Digest{Name: name.Stored(), Sum: string(sum)})
		}
	}
	return list
}

// revisitOf is the original of a payload that the collection holds already.
type revisitOf struct {
	profile string
	digest  string
	history.Reference
}

// original tells whether the collection has the payload already; nil if not.
func (r *Run) original(v *Visit, x *fetch.Exchange) *revisitOf {
	if v.again() {
		if same := v.sameAs(); same != nil {
			return same
		}
	}
	if v.status == 304 && v.known != nil {
		d, _ := v.known.Digest("sha1")
		return &revisitOf{warc.ProfileNotModified, d.String(), v.known.Original}
	}
	if x.PayloadSize < minDedup || x.Truncated != "" || v.status != 200 {
		return nil
	}
	ref, ok, err := r.history.ByDigest(history.Digest{Name: "sha1", Sum: string(x.Digests.PayloadSHA1[:])})
	if err != nil || !ok {
		return nil
	}
	return &revisitOf{warc.ProfileIdentical, v.digest, ref}
}

// followOriginal finds the links of a page that was not modified in the record the collection
// holds of it: they lead to pages that may have changed.
func (w *Worker) followOriginal(v *Visit) error {
	if v.known == nil || !mayLink(v.known.MIME) {
		return nil
	}
	rec, done, err := w.r.RecordAt(v.known.Original.Location.File, v.known.Original.Place())
	if err != nil {
		return err
	}
	defer done()
	h, err := rec.HTTP()
	if err != nil {
		return err
	}
	body, err := h.Content()
	if err != nil {
		return err
	}
	defer body.Close()
	w.alone(v.known.Original.Location.Length, true)
	if w.body, err = readInto(w.body[:0], io.LimitReader(body, maxContent+1)); err != nil {
		return err
	}
	w.cutContent(v)
	w.follow(v, h.Header, w.body)
	return nil
}

// openRecorded opens a WARC file of the collection, finished or not.
func (r *Run) openRecorded(name string) (store.Object, error) {
	o, err := r.openWritten(name)
	if err != nil {
		if open, openErr := r.openWritten(name + warc.OpenSuffix); openErr == nil {
			return open, nil
		}
		if r.place.Find != nil {
			if found, findErr := r.place.Find(name); findErr == nil {
				return found.Open()
			}
		}
	}
	return o, err
}

// written is a file of the crawl's own file system as an object.
type written struct {
	warc.Handle
	size int64
}

// Size returns the size that the file had when it was opened.
func (w written) Size() int64 { return w.size }

func (r *Run) openWritten(name string) (store.Object, error) {
	f, err := r.place.Files.Open(path.Join(r.place.WarcDir, name))
	if err != nil {
		return nil, err
	}
	size, err := f.Size()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return written{f, size}, nil
}

// mayLink tells types that can hold links.
func mayLink(mime string) bool {
	for _, p := range []string{"image/", "video/", "audio/", "font/"} {
		if strings.HasPrefix(mime, p) && mime != "image/svg+xml" {
			return false
		}
	}
	return true
}

// remember tells the history what a group of visits found. Their records are durable.
func (r *Run) remember(group []*Visit) error {
	var list []history.Observation
	for _, v := range group {
		if v.queued() && v.answered() && v.where.File != "" && !v.special && !v.isTwin() {
			list = append(list, v.observation())
		}
	}
	if len(list) == 0 {
		return nil
	}
	return r.history.Record(list)
}

func (v *Visit) observation() history.Observation {
	o := history.Observation{
		Key: PageKey(v.item.Key), URL: v.url.String(), At: v.fetched, Status: v.status, MIME: v.mime, Size: v.size,
		ETag: v.validators[0], LastModified: v.validators[1], Truncated: v.truncated, NotModified: v.status == 304,
		Record: history.Reference{URI: v.url.String(), Date: v.fetched, ID: v.recordID, Location: v.where},
	}
	if v.revisit != nil {
		o.Revisit, o.Refers = true, v.revisit.Reference
	}
	if o.NotModified {
		return o
	}
	for _, s := range []string{v.digest, v.strong} {
		if d, err := history.Payload(s); err == nil {
			o.Digests = append(o.Digests, d)
		}
	}
	if v.layers != nil && v.layers.Layered {
		o.Digests = appendLayers(o.Digests, v.layers)
	}
	return o
}
