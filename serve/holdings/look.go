package holdings

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
)

// What a look costs, in steps of about ten microseconds, and how many it may take. An archive of some thousand crawls
// is looked at whole each time; of a larger one each look takes the next part, and the rows that are shown always.
const (
	stepCollection = 2
	stepCrawl      = 1
	stepRead       = 10
	lookSteps      = 10_000
	alwaysFresh    = 64 // newest crawls of a collection that every look at it checks, and as many that run
)

// Restless is how long the machine's clock must have left a folder behind before its date is believed: what is made in
// the same tick as a listing does not change it.
const restless = 2 * time.Second

// with runs fn on the catalogue, beside others who do. One that turns out to be damaged is made anew, once.
func (h *Holdings) with(fn func(*catalogue) error) error {
	for again := false; ; again = true {
		cat, err := h.opened()
		if err != nil {
			return err
		}
		if err = fn(cat); err == nil {
			err = cat.db.Err()
		}
		h.open.RUnlock()
		if err == nil || again || errors.As(err, new(*varve.Error)) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		h.log.Warn("the catalogue of lists is damaged and is made anew", "error", err)
		h.discard(cat)
	}
}

// opened returns the catalogue, opened, with h.open held for reading.
func (h *Holdings) opened() (*catalogue, error) {
	for {
		h.open.RLock()
		if h.cat != nil && !h.closed {
			return h.cat, nil
		}
		h.open.RUnlock()
		if err := h.openNow(); err != nil {
			return nil, err
		}
	}
}

func (h *Holdings) openNow() error {
	h.open.Lock()
	defer h.open.Unlock()
	if h.closed {
		return &varve.Error{Kind: varve.Unavailable, Op: "read the catalogue", Msg: "the server is ending"}
	}
	if h.cat != nil {
		return nil
	}
	c, err := openCatalogue(h.dir, h.log)
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "open the catalogue", Err: err, Hint: "make room on the disk, or delete the folder: it is made anew"}
	}
	h.cat, h.unread = c, map[string][]string{}
	return nil
}

// discard gives a damaged catalogue up.
func (h *Holdings) discard(cat *catalogue) {
	h.open.Lock()
	defer h.open.Unlock()
	if h.cat != cat {
		return // somebody else did
	}
	_ = cat.db.Close() // it failed already
	if cat.dir != "" {
		if err := os.RemoveAll(cat.dir); err != nil {
			h.dir = "" // the disk does not want it: memory does
		}
	}
	h.cat = nil
}

// patience is how long somebody who wants to read waits to bring what he reads up to date before. A look at an archive
// that one look gets around is over by then.
const patience = 250 * time.Millisecond

// soon runs fn, which changes the catalogue, unless another change takes long: then what is there is good enough. Only
// the first who waits for a change finds out that it takes long.
func (h *Holdings) soon(ctx context.Context, fn func(*catalogue) error) error {
	wait := patience
	if h.slow.Load() == h.changes.Load() {
		wait = 0
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case h.look <- struct{}{}:
		return h.alone(fn)
	default:
	}
	select {
	case h.look <- struct{}{}:
		return h.alone(fn)
	case <-timer.C:
		h.slow.Store(h.changes.Load())
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// alone runs fn, which changes the catalogue, for somebody who took h.look, and gives that back.
func (h *Holdings) alone(fn func(*catalogue) error) error {
	h.changes.Add(1)
	defer func() { <-h.look }()
	return h.with(fn)
}

// sweep looks at collections, those without a row first, then from where the last look ended, until its steps are
// spent or it was at all of them. It reports how many are not listed whole.
func (h *Holdings) sweep(ctx context.Context, cat *catalogue, list []*catalog.Collection, left int) (pending int, err error) {
	byName := func(c *catalog.Collection, name string) int { return strings.Compare(c.Name, name) }
	var gone []string
	whole := map[string]bool{}
	cat.eachRow(func(name string, row *listed) {
		if _, ok := slices.BinarySearchFunc(list, name, byName); !ok {
			gone = append(gone, name)
			return
		}
		whole[name] = row.Pending == 0
	})
	for _, name := range gone {
		if err := cat.drop(name); err != nil {
			return 0, err
		}
	}
	at, _ := slices.BinarySearchFunc(list, h.next, byName)
	order := make([]*catalog.Collection, 0, len(list))
	for _, c := range list {
		if !whole[c.Name] {
			order = append(order, c)
		}
	}
	first := len(order)
	for i := range list {
		if c := list[(at+i)%len(list)]; whole[c.Name] {
			order = append(order, c)
		}
	}
	pending = first
	for i, c := range order {
		if left <= 0 {
			break
		}
		if err := ctx.Err(); err != nil {
			return pending, err
		}
		row, err := h.refresh(cat, c, &left)
		if err != nil {
			return pending, err
		}
		if i < first && row.Pending == 0 {
			pending--
		}
		if i >= first {
			h.next = c.Name + "\x00"
		}
	}
	h.large.Store(left <= 0)
	return pending, nil
}

// refresh brings the row of a collection and the rows of its crawls up to date, as far as the steps that are left reach.
func (h *Holdings) refresh(cat *catalogue, c *catalog.Collection, left *int) (*listed, error) {
	*left -= stepCollection
	row := cat.copyOf(c.Name)
	fresh := row == nil
	if fresh {
		row = &listed{Changes: uint64(max(0, h.now().UnixMicro()))} // so that a row made anew is none that was
	}
	was := row.Changes
	w := cat.change(c.Name, row)
	if s := stamp(c.DefinitionFile(), crawl.DefinitionsFile(c)); fresh || s != row.Plan {
		h.listPlan(c, row)
		row.Plan, row.Changes = s, row.Changes+1
	}
	if s := stamp(c.WarcDir(), c.CDXDir(), c.ReferencesFile(), c.ObjectsFile()); fresh || s != row.Holds {
		row.Files, row.Bytes = warcFiles(c)
		row.Holds, row.Changes = s, row.Changes+1
		if recent(c.WarcDir()) {
			row.Holds = 0
		}
	}
	if err := h.listCrawls(w, c, left); err != nil {
		return nil, errors.Join(err, w.b.Close())
	}
	if err := h.checkCrawls(w, c, left); err != nil {
		return nil, errors.Join(err, w.b.Close())
	}
	if row.Changes == was && !fresh {
		return row, w.b.Close()
	}
	return row, w.commit()
}

// listCrawls finds the folders of crawls that came and went since the folder of crawls was last listed, and reads those
// that came, the newest first.
func (h *Holdings) listCrawls(w *change, c *catalog.Collection, left *int) error {
	dir := filepath.Join(c.Dir(), "crawls")
	var folder int64
	if info, err := os.Stat(dir); err == nil {
		folder = info.ModTime().UnixNano()
	}
	unread, known := h.unread[c.Name]
	if folder != w.row.Folder || w.row.Pending > 0 && !known {
		ids, err := c.Crawls()
		if err != nil {
			return &varve.Error{Kind: varve.Unavailable, Op: "list crawls of " + c.Name, Err: err}
		}
		h.listings++
		if unread, err = w.compare(ids); err != nil {
			return err
		}
		if recent(dir) {
			folder = 0
		}
		w.row.Folder, w.row.Changes = folder, w.row.Changes+1
	}
	for len(unread) > 0 && *left > 0 {
		*left -= stepRead
		id := unread[len(unread)-1]
		unread = unread[:len(unread)-1]
		if err := h.list(w, c, id, nil); err != nil {
			return err
		}
	}
	delete(h.unread, c.Name)
	if len(unread) > 0 {
		h.unread[c.Name] = unread
	}
	if w.row.Pending != len(unread) {
		w.row.Pending = len(unread)
		w.row.Changes++
	}
	return nil
}

// compare takes out the crawls whose folders are gone and gives the ids that the catalogue does not have, in order.
func (w *change) compare(ids []string) (unread []string, err error) {
	var gone []string
	err = w.each(key(spaceID, w.name), nil, func(rest, _ []byte) (bool, error) {
		for len(ids) > 0 && ids[0] < string(rest) {
			unread, ids = append(unread, ids[0]), ids[1:]
		}
		if len(ids) > 0 && ids[0] == string(rest) {
			ids = ids[1:]
			return true, nil
		}
		gone = append(gone, string(rest))
		return true, nil
	})
	unread = append(unread, ids...)
	for _, id := range gone {
		k, e := w.crawl(w.name, id)
		if e == nil {
			e = w.replace(k, nil)
		}
		err = errors.Join(err, e)
	}
	if len(gone) > 0 && err == nil {
		err = w.spanWithout(gone)
	}
	return unread, err
}

// spanWithout finds out anew of which time the crawls of the collection tell: those that are gone do not any more.
func (w *change) spanWithout(gone []string) error {
	w.row.Sum.First, w.row.Sum.Last = time.Time{}, time.Time{}
	return w.each(key(spaceCrawl, w.name), nil, func(place, v []byte) (bool, error) {
		id, _, ok := idOf(place)
		if !ok {
			return false, errDamaged
		}
		if _, is := slices.BinarySearch(gone, id); is { // they are in the order of their ids
			return true, nil
		}
		k, err := decodeCrawl(w.name, id, v)
		if err == nil {
			w.row.Sum.span(k)
		}
		return true, err
	})
}

// checkCrawls reads again those crawls whose files changed: of the newest and of those that run, and of the next part of
// the others.
func (h *Holdings) checkCrawls(w *change, c *catalog.Collection, left *int) error {
	done := map[string]bool{}
	check := func(place, v []byte) error {
		id, _, ok := idOf(place)
		if !ok {
			return errDamaged
		}
		if done[id] {
			return nil
		}
		done[id] = true
		*left -= stepCrawl
		old, err := decodeCrawl(w.name, id, v)
		if err != nil {
			return err
		}
		return h.list(w, c, id, old)
	}
	n := 0
	err := w.each(key(spaceCrawl, w.name), nil, func(rest, v []byte) (bool, error) {
		n++
		return n < alwaysFresh, check(rest, v)
	})
	if err != nil {
		return err
	}
	n = 0
	err = w.each(append(key(spaceState, w.name), stateBytes[Live]), nil, func(rest, _ []byte) (bool, error) {
		v, err := w.value(rest)
		if err != nil {
			return false, err
		}
		n++
		return n < alwaysFresh, check(rest, v)
	})
	if err != nil || w.row.Sum.Crawls <= len(done) || *left <= 0 {
		return err
	}
	return h.checkOthers(w, c, left, done)
}

// checkOthers checks older crawls, in the order of their ids, from where the last look ended.
func (h *Holdings) checkOthers(w *change, c *catalog.Collection, left *int, done map[string]bool) error {
	begin := w.row.Next
	changed, last := []string{}, ""
	err := w.each(key(spaceID, w.name), []byte(begin), func(rest, v []byte) (bool, error) {
		*left -= stepCrawl
		last = string(rest)
		dir, err := c.CrawlDir(last)
		if err != nil || len(v) < 8 {
			return false, errDamaged
		}
		if !done[last] && stampOf(dir) != binary.BigEndian.Uint64(v) {
			changed = append(changed, last)
		}
		return *left > 0, nil
	})
	if err != nil {
		return err
	}
	for _, id := range changed {
		*left -= stepRead
		old, err := w.crawl(w.name, id)
		if err == nil {
			err = h.list(w, c, id, old)
		}
		if err != nil {
			return err
		}
	}
	if *left > 0 {
		last = "" // all were checked; the next look begins anew
	}
	if w.row.Next != last {
		w.row.Next = last
		w.row.Changes++
	}
	return nil
}

// list reads a crawl and puts it in place of its old row, if its files are not as they were.
func (h *Holdings) list(w *change, c *catalog.Collection, id string, old *Crawl) error {
	dir, err := c.CrawlDir(id)
	if err != nil {
		return nil //nolint:nilerr // a folder whose name is none of ours is no crawl
	}
	s := stampOf(dir)
	if old != nil && old.stamp == s && (old.State != Live || answers(filepath.Join(dir, "control.sock"))) {
		return nil
	}
	if _, err := os.Stat(dir); err != nil && old != nil {
		return nil //nolint:nilerr // it is gone, which the next listing of the folder tells
	}
	h.reads++
	k, err := h.readCrawl(c, id)
	if err != nil {
		return err
	}
	k.stamp = s
	if k.State == Live && !answers(k.socket()) {
		k.ended("its process ended without a report")
	}
	k.Report, k.Definition = nil, nil
	return w.replace(old, k)
}

// answers reports whether somebody listens on a socket: a kill leaves it behind.
func answers(socket string) bool {
	conn, err := net.DialTimeout("unix", socket, 200*time.Millisecond)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !refused(err)
	}
	_ = conn.Close()
	return true
}

// stampOf tells the state of the files that the row of a crawl is made of.
func stampOf(dir string) uint64 {
	return stamp(filepath.Join(dir, "definition.json"), filepath.Join(dir, "report.json"), filepath.Join(dir, CoherenceFile), filepath.Join(dir, "control.sock"))
}

// stamp is a number that changes when one of the files does, comes or goes. It is never 0.
func stamp(paths ...string) uint64 {
	var b strings.Builder
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			fmt.Fprintf(&b, "%d %d\n", info.ModTime().UnixNano(), info.Size())
		} else {
			b.WriteString("-\n")
		}
	}
	return max(1, hashOf(b.String()))
}

// recent reports whether a folder was changed just now. Dates of files are told by the clock of the machine.
func recent(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && time.Since(info.ModTime()) < restless
}

// Run keeps the catalogue up to date until the context ends: first it is made as fast as it can be, then a part of the
// archive is looked at now and then.
func (h *Holdings) Run(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	h.running.Store(true)
	defer h.running.Store(false)
	began, behind := h.now(), false
	for ctx.Err() == nil {
		pending, err := h.Look(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			h.log.Warn("look for new crawls", "error", err)
		case pending > 0:
			if !behind {
				began, behind = h.now(), true
				h.log.Info("the catalogue of lists is being made; lists are not complete until then", "collections", pending)
			}
			continue
		case behind:
			behind = false
			h.log.Info("the catalogue of lists is complete", "took", h.now().Sub(began).Round(time.Millisecond))
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// Complete looks until every collection is listed whole.
func (h *Holdings) Complete(ctx context.Context) error {
	for {
		if pending, err := h.Look(ctx); err != nil || pending == 0 {
			return err
		}
	}
}

// Look brings the next part of the catalogue up to date and reports how many collections are not listed whole.
func (h *Holdings) Look(ctx context.Context) (pending int, err error) {
	list, err := h.archive.Collections()
	if err != nil {
		return 0, listError(err)
	}
	select {
	case h.look <- struct{}{}:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	err = h.alone(func(cat *catalogue) error {
		pending, err = h.sweep(ctx, cat, list, lookSteps)
		return err
	})
	return pending, err
}

func listError(err error) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "list collections", Err: err, Hint: "check that the archive directory can be read"}
}
