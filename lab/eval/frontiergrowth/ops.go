package frontiergrowth

import (
	"context"
	"fmt"
	"time"

	"varve/crawl/frontier"
)

// The bench has its own time: nothing in it waits.
var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// insert queues the links of a page, none of them seen before.
func (b *bench) insert(first uint64) (int, error) {
	items := make([]frontier.Item, linksPerPage)
	for i := range items {
		items[i] = b.w.item(first + uint64(i))
	}
	r, err := b.f.Add(items...)
	if err == nil && r.New != linksPerPage {
		err = fmt.Errorf("insert at %d: %+v", first, r)
	}
	return linksPerPage, err
}

// any gives a URL that was queued at some time.
func (b *bench) any(n, i uint64) uint64 { return mix(n*linksPerPage+i+1<<40) % b.next }

// known finds URLs again that were all seen before, with the scores that they had.
func (b *bench) known(n uint64) (int, error) {
	items := make([]frontier.Item, linksPerPage)
	for i := range items {
		items[i] = b.w.item(b.any(n, uint64(i)))
		items[i].Score = 0 // the update function is MAX: nothing changes
	}
	r, err := b.f.Add(items...)
	if err == nil && r.Known != linksPerPage {
		err = fmt.Errorf("known: %+v", r)
	}
	return linksPerPage, err
}

// update gives queued URLs new scores.
func (b *bench) update(n uint64) (int, error) {
	us := make([]frontier.ScoreUpdate, linksPerPage)
	for i := range us {
		u := b.any(n, uint64(i))
		us[i].Item = b.w.item(u)
		us[i].Item.Score = b.w.score(u, n+1)
	}
	r, err := b.f.Update(context.Background(), us)
	return r.Updated + r.Known, err
}

// pop takes ten URLs from each of eight hosts and finishes them sixteen at a time, as a crawl does
// that writes its records in groups.
func (b *bench) pop(uint64) (int, error) {
	hosts, err := b.f.Claim(now, 8)
	if err != nil {
		return 0, err
	}
	var results []frontier.Result
	for _, h := range hosts {
		if results, err = b.visit(results, h, 10); err != nil {
			return 0, err
		}
		b.f.Release(h)
	}
	done := len(results)
	for len(results) > 0 {
		n := min(len(results), 16)
		if _, err := b.f.Finish(results[:n]...); err != nil {
			return 0, err
		}
		results = results[n:]
	}
	return done, nil
}

func (b *bench) visit(out []frontier.Result, host string, most int) ([]frontier.Result, error) {
	for range most {
		it, ok, err := b.f.Take(host, now)
		if err != nil || !ok {
			return out, err
		}
		o := frontier.Outcome{Status: 200, Size: 15000, At: now, Digest: make([]byte, 20), Record: []byte("00017.warc.gz:123456:5000")}
		out = append(out, frontier.Result{Item: it, Outcome: o})
	}
	return out, nil
}
