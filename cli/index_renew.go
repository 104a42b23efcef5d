package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/index/cdx"
	"varve/index/renew"
)

// beginRenewal notes that an index of a collection is built anew while the older one answers: on disk, where servers look, and for who
// watches.
func beginRenewal(col *catalog.Collection, folder string, w renew.Work, line *indexLine) (*renew.Renewal, error) {
	r, err := renew.Begin(col.IndexDir(folder), w, time.Now, func(w renew.Work) { line.renewing(col.Name, &w) })
	if err != nil {
		return nil, WriteError(col.IndexDir(folder), err)
	}
	return r, nil
}

// capturesOlder reports whether the capture index of a collection is of the format before that of today. It takes no lock.
func capturesOlder(col *catalog.Collection) bool {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return false // 'varve index' says what is wrong
	}
	defer ix.Close()
	s, err := ix.Stats()
	return err == nil && s.Format < cdx.FormatVersion
}

// renewCaptures replaces a capture index of the format before by one of today; false if there is none. It can be stopped at any time
// and goes on where it was. The caller holds the lock.
func renewCaptures(ctx context.Context, col *catalog.Collection, o *indexOptions, line *indexLine) (done bool, err error) {
	if !capturesOlder(col) {
		return false, renew.Forget(col.IndexDir("cdx")) // that a killed process left
	}
	files, err := indexFiles(col)
	if err != nil {
		return false, err
	}
	var problems []string
	b, err := openBuilder(col, o.workers, newIndexLine(io.Discard), &problems)
	if err != nil {
		return false, err
	}
	defer func() {
		err = errors.Join(err, b.Close())
		if err != nil && ctx.Err() == nil {
			err = &varve.Error{Kind: varve.Unavailable, Op: "index collection " + col.Name, Err: err, Hint: "the older index answers; run it again: it goes on where it was"}
		}
	}()
	var note *renew.Renewal
	var failed error
	_, err = b.Renew(ctx, files, func(done, total int64) {
		if note != nil {
			note.At(done, total)
			return
		}
		if failed == nil {
			note, failed = beginRenewal(col, "cdx", renew.Work{Index: "captures", From: b.Format(), To: cdx.FormatVersion, Unit: "bytes", Done: done, Total: total}, line)
		}
	})
	line.clear()
	if err == nil && o.compact {
		err = b.Compact(ctx)
	}
	if err = errors.Join(err, failed); err == nil && note != nil {
		err = note.End()
	}
	return err == nil, err
}

// renewLocked takes the lock of a collection and replaces what is older, for a server.
func renewLocked(ctx context.Context, col *catalog.Collection) (err error) {
	if !capturesOlder(col) {
		return nil
	}
	lock, err := col.Lock("varve serve: index in today's format")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	line := newIndexLine(io.Discard)
	if _, err := renewCaptures(ctx, col, &indexOptions{workers: 1}, line); err != nil {
		return err
	}
	_, err = refreshVersions(ctx, col, false, line)
	return err
}

// renewing tells how far an index is that is built anew: at its beginning, and then, on a terminal, all the time.
func (l *indexLine) renewing(collection string, w *renew.Work) {
	switch {
	case w.Touched.Equal(w.Began):
		l.clear()
		fmt.Fprintf(l.w, "%s: %s\n", collection, w)
	case l.on:
		fmt.Fprintf(l.w, "\r\x1b[K%s: %s", collection, w)
	}
}
