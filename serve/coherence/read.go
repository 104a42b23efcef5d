package coherence

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"varve"
	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/coherence/report"
	"varve/derive"
)

// read collects the evidence of a collection in a folder that is gone afterwards.
func (d *Desk) read(ctx context.Context, collection string, use func(*evidence.Set) error) (err error) {
	c, err := d.archive.Collection(collection)
	if err != nil {
		return err
	}
	files, err := c.WARCs()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "measure " + collection, Msg: "it has no finished WARC file", Hint: "wait for the crawl to end"}
	}
	var sources []evidence.Source
	for _, f := range files {
		sources = append(sources, evidence.Source{Path: f.Path, From: f.From})
	}
	folder, err := whole.NewFolder("", "coherence")
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "make a temporary folder", Err: err}
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	dir := folder.Path
	set, err := evidence.Read(ctx, sources, evidence.Options{Dir: dir, Workers: d.workers, Stored: derive.StoredEvidence(filepath.Join(c.Dir(), "derived"), files)})
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "read the WARC files of " + collection, Err: err, Hint: "'varve warc check' tells which file is damaged"}
	}
	defer func() { err = errors.Join(err, set.Close()) }()
	return use(set)
}

// write replaces a report as a whole.
func write(path string, rep *report.Report) error {
	if err := whole.JSON(path, 0o644, rep); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "write " + path, Err: err}
	}
	return nil
}

// limited reads no more than a number of bytes and says so when there are more.
type limited struct {
	r    io.Reader
	left int64
}

// Read reads on, up to the limit.
func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("it is longer than a report can be")
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}
