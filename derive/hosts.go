package derive

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"varve/derive/job"
	"varve/web/canon"
)

// hostsJob sums up hosts over all files.
func hostsJob() job.Job {
	return job.Job{
		Name: "hosts", Version: 1, Needs: []string{"pages"}, Map: mapHosts, Combine: combineWith(addHosts),
		Reduce: func(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
			return reduceTo[Host](out, "hosts", groups, func(h *Host, key []byte) {
				h.Host = string(key)
				h.Domain = canon.PayLevelDomain(h.Host)
			})
		},
	}
}

func mapHosts(_ context.Context, t *job.Task) error {
	sums := map[string]*Host{} // of one file: hosts, not pages, so it stays small
	of := func(host string) *Host {
		h := sums[host]
		if h == nil {
			h = &Host{}
			sums[host] = h
		}
		return h
	}
	err := Rows(t.Input("pages"), func(p *sized) (bool, error) {
		if p.Host == "" {
			return true, nil
		}
		one := Host{Captures: 1, Bytes: p.Size, First: p.Time, Last: p.Time}
		one.Pages, one.Revisits, one.Errors = p.kinds()
		*of(strings.Clone(p.Host)) = addHosts(*of(p.Host), one)
		return true, nil
	})
	if err != nil {
		return err
	}
	var source hostMemo // links of a page follow each other
	err = Rows(t.Input("links"), func(l *arrow) (bool, error) {
		if l.Hop != "link" {
			return true, nil
		}
		from, to := source.of(l.Source), hostOf(l.Target)
		switch {
		case from == "" || to == "":
		case from == to:
			of(from).Inside++
		default:
			of(from).Out++
			of(to).In++
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	return emitAll(t, sums)
}

func hostOf(url string) string {
	u, err := canon.Parse(url)
	if err != nil {
		return ""
	}
	return strings.Clone(u.Host())
}

// hostMemo remembers the host of the last address that it was asked for.
type hostMemo struct{ url, host string }

func (m *hostMemo) of(url string) string {
	if m.url != url || url == "" {
		m.url, m.host = strings.Clone(url), hostOf(url)
	}
	return m.host
}

// sized is what is summed up of a Page, so that no more columns are read.
type sized struct {
	Time     time.Time `parquet:"time,timestamp(microsecond),delta"`
	Record   string    `parquet:"record,dict"`
	Host     string    `parquet:"host,dict,zstd"`
	Status   int32     `parquet:"status"`
	Crawl    string    `parquet:"crawl,dict"`
	Detected string    `parquet:"mime_detected,dict"`
	Size     int64     `parquet:"size"`
}

// arrow is what of a Link says which pages it joins.
type arrow struct {
	Source string `parquet:"source,dict,zstd"`
	Target string `parquet:"target,zstd"`
	Hop    string `parquet:"hop,dict"`
}

// kinds counts a capture as page, revisit or error.
func (p *sized) kinds() (page, revisit, failed int64) {
	switch {
	case p.Record == "revisit":
		revisit = 1
	case p.Status >= 400:
		failed = 1
	case p.Status >= 200 && p.Status < 300 && (p.Detected == "text/html" || p.Detected == "application/xhtml+xml"):
		page = 1
	}
	return page, revisit, failed
}

func addHosts(a, b Host) Host {
	a.Captures += b.Captures
	a.Pages += b.Pages
	a.Revisits += b.Revisits
	a.Errors += b.Errors
	a.Bytes += b.Bytes
	a.Out += b.Out
	a.In += b.In
	a.Inside += b.Inside
	a.First, a.Last = earlier(a.First, b.First), later(a.Last, b.Last)
	return a
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// emitAll gives sums to the reducer. The order of a map does not matter: runs are sorted.
func emitAll[T any](t *job.Task, sums map[string]*T) error {
	for key, s := range sums {
		value, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if err := t.Emit([]byte(key), value); err != nil {
			return err
		}
	}
	return nil
}

// combineWith lets values be added while they are merged.
func combineWith[T any](add func(a, b T) T) func(key, a, b []byte) []byte {
	return func(_, a, b []byte) []byte {
		var x, y T
		if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
			return a // we wrote them ourselves
		}
		out, err := json.Marshal(add(x, y))
		if err != nil {
			return a
		}
		return out
	}
}

// reduceTo writes one row for each key.
func reduceTo[T any](out *job.Output, name string, groups iter.Seq2[[]byte, iter.Seq[[]byte]], finish func(*T, []byte)) error {
	w, err := out.Create(name)
	if err != nil {
		return err
	}
	rows := tableTo[T](w)
	for key, values := range groups {
		for v := range values { // one: they were combined
			var row T
			if err := json.Unmarshal(v, &row); err != nil {
				return err
			}
			finish(&row, key)
			if err := rows.Add(row, 200); err != nil {
				return err
			}
		}
	}
	return rows.Close()
}
