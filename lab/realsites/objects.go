package realsites

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"varve/archive/catalog"
	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/annotate"
	"varve/lab/eval/capture"
	"varve/lab/eval/objects"
)

// readObjects has the product cut posts, comments and articles out of the archive, and holds them against those of the site's database.
func (l *Line) readObjects(ctx context.Context, cfg *Config, archive, truth string) error {
	list, err := objects.ReadTruth(truth)
	if errors.Is(err, fs.ErrNotExist) { // nobody writes on this site
		return nil
	}
	if err != nil {
		return err
	}
	found, err := deriveObjects(ctx, cfg, archive, time.Time{})
	if err != nil {
		return err
	}
	r := objects.Compare(list, found)
	l.Objects, l.Right, l.Wrong = r.Objects, r.Right, r.Wrong
	return nil
}

// deriveObjects has the product cut objects out of an archive, and returns those of captures from a time on, by type and ID.
func deriveObjects(ctx context.Context, cfg *Config, archive string, from time.Time) (map[string][]webapp.Object, error) {
	c := exec.CommandContext(ctx, cfg.Varve, "derive", "--archive", archive, "--collection", capture.Collection, "--units", annotate.Objects)
	c.Env = append(os.Environ(), "NO_COLOR=1")
	if _, err := output(c); err != nil {
		return nil, err
	}
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return nil, err
	}
	files, err := col.Files()
	if err != nil {
		return nil, err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return nil, err
	}
	j, _, err := annotate.ObjectsJob(col.Dir())
	if err != nil {
		return nil, err
	}
	found := map[string][]webapp.Object{}
	return found, annotate.EachObject(filepath.Join(col.Dir(), "derived"), parts, j, func(r *annotate.ObjectRow) error {
		if o := r.Object(); !r.Time.Before(from) {
			found[o.Type+" "+o.ID] = append(found[o.Type+" "+o.ID], o)
		}
		return nil
	})
}
