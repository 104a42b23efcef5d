package pulse

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"slices"
	"time"

	"varve/derive"
	"varve/serve/holdings"
)

// collection finds the figures of a collection.
func (d *Desk) collection(ctx context.Context, class class, c *holdings.Collection, withheld bool) (out Collection, err error) {
	out = Collection{
		Name: c.Name, Title: c.Title, Crawls: c.Sum().Crawls, Simulated: c.Simulated(), Problem: c.Problem, Withheld: withheld, Months: []Month{},
	}
	for _, p := range c.Plans {
		if p.Every > 0 && (out.Next.IsZero() || p.Next.Before(out.Next)) {
			out.Every, out.Next = p.Every, p.Next
		}
	}
	if withheld {
		out.takeVisible(d.visible(ctx, class, c.Name))
		return out, nil
	}
	head := c.Head()
	out.Tally, out.Measured = head.Tally, head.Measured
	t, err := d.days(c.Name)
	if err != nil {
		t, err = days{}, fmt.Errorf("months of %s: %w", c.Name, err)
	}
	out.Bytes = c.Bytes
	list, problem := d.months(ctx, c, t)
	out.takeMonths(list)
	err = errors.Join(err, problem)
	out.Source = FromReports
	if t.made.IsZero() && out.Crawls == 0 {
		out.takeSize(d.cfg.Index)
	} else if !t.made.IsZero() {
		out.Source = FromTable
	}
	return out, err
}

// takeSize takes the size of the index where nothing else is known: files that other tools have made.
func (c *Collection) takeSize(ix Index) {
	c.Source = Unknown
	if ix == nil {
		return
	}
	if n, _, err := ix.Size(c.Name); err == nil {
		c.Source, c.Captures = FromIndex, n
	}
}

func (c *Collection) takeMonths(list []Month) {
	c.Months = list
	for _, m := range list {
		c.Captures += m.Captures
		c.Pages += m.Pages
	}
	if len(list) > 0 {
		c.First, c.Last = list[0].At, list[len(list)-1].At
	}
}

// days is the table of what crawls captured, summed up by month.
type days struct {
	made time.Time // of the table; zero: there is none
	by   map[string][]Month
}

// days reads the table of a collection, if there is one and it is not known already.
func (d *Desk) days(collection string) (days, error) {
	path := d.table(collection)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return days{}, nil
	}
	if err != nil {
		return days{}, err
	}
	type stamp struct {
		size int64
		at   time.Time
	}
	return keep(&d.kept, [2]string{"days", collection}, stamp{info.Size(), info.ModTime()}, func() (days, error) {
		out := days{made: info.ModTime(), by: map[string][]Month{}}
		err := derive.Rows(path, func(r *derive.CrawlDay) (bool, error) {
			out.add(r)
			return true, nil
		})
		return out, err
	})
}

func (t *days) add(r *derive.CrawlDay) {
	at := monthOf(r.Day)
	list := t.by[r.Crawl]
	i := slices.IndexFunc(list, func(m Month) bool { return m.At.Equal(at) })
	if i < 0 {
		i, list = len(list), append(list, Month{At: at})
	}
	list[i].Captures += r.Captures
	list[i].Pages += r.Pages
	t.by[r.Crawl] = list
}

// months sums up the months of a collection, if they are not known already.
func (d *Desk) months(ctx context.Context, c *holdings.Collection, t days) ([]Month, error) {
	if c.State == 0 {
		return months(c.All(ctx), t)
	}
	type stamp struct {
		made  time.Time
		state uint64
	}
	return keep(&d.kept, [2]string{"months", c.Name}, stamp{t.made, c.State}, func() ([]Month, error) { return months(c.All(ctx), t) })
}

// months sums up what crawls captured: as the table says, or as the report of a crawl says that the table does
// not have or that went on after it was made.
func months(crawls iter.Seq2[*holdings.Crawl, error], t days) ([]Month, error) {
	by := map[time.Time]*Month{}
	month := func(at time.Time) *Month {
		if by[at] == nil {
			by[at] = &Month{At: at}
		}
		return by[at]
	}
	told := map[string]bool{}
	for k, err := range crawls {
		if err != nil {
			return nil, err
		}
		if k.Started.IsZero() {
			continue
		}
		m := month(monthOf(k.Started))
		m.Crawls++
		if k.Coherence != nil {
			if m.Tally == nil {
				m.Tally = &holdings.Tally{}
			}
			add(m.Tally, *k.Coherence)
		}
		if _, in := t.by[k.ID]; !in || k.Ended.After(t.made) {
			told[k.ID] = true
			m.Captures += k.URLs
			m.Pages += k.Pages
		}
	}
	for crawl, list := range t.by {
		for _, m := range list {
			if !told[crawl] {
				to := month(m.At)
				to.Captures, to.Pages = to.Captures+m.Captures, to.Pages+m.Pages
			}
		}
	}
	out := make([]Month, 0, len(by))
	for _, at := range slices.SortedFunc(maps.Keys(by), time.Time.Compare) {
		out = append(out, *by[at])
	}
	return out, nil
}
