package cli

import (
	"context"
	"errors"
	"io"
	"strings"

	"varve"
	"varve/archive/catalog"
	"varve/index/cdx"
	"varve/index/renew"
	"varve/index/temporal"
)

// versionsReport is what the temporal index has.
type versionsReport struct {
	Versions int64 `json:"versions"`
	Pages    int64 `json:"pages"`
	Built    bool  `json:"built"`           // anew, by this run
	Older    bool  `json:"older,omitempty"` // because it had been built by an older rule
}

// refreshVersions builds the temporal index, if the captures are others than it was built from, it was built by another rule, it is
// damaged, or it is to be built anew.
func refreshVersions(ctx context.Context, col *catalog.Collection, anew bool, line *indexLine) (*versionsReport, error) {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	stats, err := ix.Stats()
	if err != nil {
		return nil, err
	}
	dir := col.IndexDir("temporal")
	older := false
	var told func(captures int64)
	end := func() error { return renew.Forget(dir) } // that a killed process left
	if old, err := temporal.Open(dir); err == nil {
		s := old.Stats()
		if err := old.Close(); err != nil {
			return nil, err
		}
		if s.Source == stats.Content && s.Rule == temporal.Rule && !anew {
			return &versionsReport{Versions: s.Versions, Pages: s.Pages}, end()
		}
		if older = s.Rule != temporal.Rule; older {
			note, err := beginRenewal(col, "temporal", renew.Work{Index: "versions in time", From: s.Rule, To: temporal.Rule, Unit: "captures", Total: stats.Lines}, line)
			if err != nil {
				return nil, err
			}
			told, end = func(n int64) { note.At(n, stats.Lines) }, note.End
		}
	}
	done, err := temporal.Build(ctx, dir, ix.Query(ctx, cdx.Query{}), temporal.Config{Source: stats.Content, Crawl: crawlOfFile, Told: told})
	line.clear()
	if err == nil {
		err = end()
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "index versions of " + col.Name, Err: err, Hint: "run it again"}
	}
	return &versionsReport{Versions: done.Versions, Pages: done.Pages, Built: true, Older: older}, nil
}

// reindexVersions builds the temporal index anew, for a reader that found it damaged.
func reindexVersions(ctx context.Context, col *catalog.Collection) (err error) {
	lock, err := col.Lock("temporal index by varve versions")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	_, err = refreshVersions(ctx, col, true, newIndexLine(io.Discard))
	return err
}

// checkVersions reads all of the temporal index and tells whether it is damaged.
func checkVersions(col *catalog.Collection) error {
	ix, err := temporal.Open(col.IndexDir("temporal"))
	if err != nil {
		if errors.Is(err, temporal.ErrNotBuilt) {
			return nil
		}
		return err
	}
	return errors.Join(ix.Check(), ix.Close())
}

// crawlOfFile tells the crawl that wrote a WARC file: our files begin with its id, a time such as
// 20261115T034618Z. Of files of others it is not known which captures were taken in one go.
func crawlOfFile(name string) string {
	const form = "20060102T150405Z"
	if len(name) <= len(form) || name[8] != 'T' || name[15] != 'Z' || strings.Trim(name[:8]+name[9:15], "0123456789") != "" {
		return ""
	}
	// A second crawl of the same second has -2, -3, ... behind its time: one or two digits, while
	// what follows the id is a time of 14 or 17.
	rest := name[16:]
	if len(rest) > 2 && rest[0] == '-' {
		n := strings.IndexByte(rest[1:], '-')
		if n > 0 && n < 4 && strings.Trim(rest[1:1+n], "0123456789") == "" {
			return name[:16+1+n]
		}
	}
	return name[:16]
}
