package derive

import (
	"context"
	"iter"
	"strings"
	"time"

	"varve/derive/job"
)

// crawlsJob sums up crawls by day over all files.
func crawlsJob() job.Job {
	return job.Job{
		Name: "crawls", Version: 1, Needs: []string{"pages"}, Map: mapCrawls, Combine: combineWith(addDays),
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			return reduceTo[CrawlDay](out, "crawls", groups, func(*CrawlDay, []byte) {})
		},
	}
}

func mapCrawls(_ context.Context, t *job.Task) error {
	sums := map[string]*CrawlDay{}
	err := Rows(t.Input("pages"), func(p *sized) (bool, error) {
		day := p.Time.UTC().Truncate(24 * time.Hour)
		key := p.Crawl + "\x00" + day.Format(time.DateOnly)
		d := sums[key]
		if d == nil {
			d = &CrawlDay{Crawl: strings.Clone(p.Crawl), Day: day}
			sums[key] = d
		}
		one := CrawlDay{Captures: 1, Bytes: p.Size}
		one.Pages, one.Revisits, one.Errors = p.kinds()
		*d = addDays(*d, one)
		return true, nil
	})
	if err != nil {
		return err
	}
	return emitAll(t, sums)
}

func addDays(a, b CrawlDay) CrawlDay {
	a.Captures += b.Captures
	a.Pages += b.Pages
	a.Revisits += b.Revisits
	a.Errors += b.Errors
	a.Bytes += b.Bytes
	return a
}
