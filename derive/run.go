package derive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"varve/archive/catalog"
	"varve/derive/job"
)

// Jobs are the jobs that make all tables.
func Jobs(o Options) []job.Job {
	jobs := []job.Job{pagesJob(o.withDefaults()), hostsJob(), crawlsJob(), versionsJob(o.Facets), inlinksJob(), mediaJob(o.withDefaults())}
	if o.Evidence {
		jobs = append(jobs, evidenceJob())
	}
	return jobs
}

// Run brings the derivatives in cfg.Dir up to date with the files.
func Run(ctx context.Context, cfg job.Config, files []catalog.File, o Options) (job.Summary, error) {
	if err := checkFacets(o.Facets); err != nil {
		return job.Summary{}, err
	}
	parts, err := Parts(files)
	if err != nil {
		return job.Summary{}, err
	}
	return job.Run(ctx, cfg, append(Jobs(o), o.More...), parts)
}

// Parts are the WARC and ARC files among files, with the marks by which changes are seen.
func Parts(files []catalog.File) ([]job.Part, error) {
	var out []job.Part
	for _, f := range files {
		if f.Kind != catalog.KindWARC {
			continue
		}
		mark, err := markOf(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		out = append(out, job.Part{Name: f.Name, Path: f.Path, Mark: mark, From: f.From})
	}
	return out, nil
}

// markOf is the size of a file and a digest of its first and last 64 KiB: finished files never
// change, so this tells one from another of the same name.
func markOf(file catalog.File) (mark string, err error) {
	f, err := file.Open()
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const edge = 64 << 10
	h := sha256.New()
	for _, at := range []int64{0, max(0, f.Size()-edge)} {
		if _, err := io.Copy(h, io.NewSectionReader(f, at, edge)); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%d-%s", f.Size(), hex.EncodeToString(h.Sum(nil)[:12])), nil
}
