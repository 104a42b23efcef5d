package frontier

import (
	"fmt"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// TestConcurrent crawls a made-up web of n pages with several workers while others look: every
// page is fetched exactly once.
func TestConcurrent(t *testing.T) {
	f, err := Open(vfs.NewCrashableMem(), "f", small(BestFirst, Avg), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const pages, hosts, workers = 1500, 20, 6
	page := func(n int) Item { return url(fmt.Sprintf("h%d", n%hosts), n) }
	mustAdd(t, f, page(0))
	var mu sync.Mutex
	fetched := map[string]int{}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				s := f.Stats()
				if s.Queued+s.InFlight == 0 {
					return
				}
				names, err := f.Claim(epoch, 1)
				if err != nil {
					t.Error(err)
					return
				}
				for _, name := range names {
					it, ok, err := f.Take(name, epoch)
					if err != nil {
						t.Error(err)
						return
					}
					if !ok {
						f.Release(name)
						continue
					}
					mu.Lock()
					fetched[it.Key]++
					mu.Unlock()
					if err := finishPage(f, it, pages, page); err != nil {
						t.Error(err)
						return
					}
					f.Release(name)
				}
			}
		})
	}
	stop := make(chan struct{})
	var lookers sync.WaitGroup
	lookers.Go(func() { look(t, f, stop) })
	wg.Wait()
	close(stop)
	lookers.Wait()
	if len(fetched) != pages {
		t.Errorf("%d pages fetched, want %d", len(fetched), pages)
	}
	for k, n := range fetched {
		if n != 1 {
			t.Errorf("%s fetched %d times", k, n)
		}
	}
	if s := f.Stats(); s.Done != pages || s.Queued != 0 || s.Active != 0 {
		t.Errorf("stats %+v", s)
	}
}

// finishPage ends a page that links to its number times two and three, and to its neighbours.
func finishPage(f *Frontier, it Item, pages int, page func(int) Item) error {
	var n int
	var host string
	if _, err := fmt.Sscanf(it.Key, "https://h%s", &host); err != nil {
		return err
	}
	if _, err := fmt.Sscanf(host[len(it.Host):], "%d", &n); err != nil {
		return err
	}
	var links []Item
	for _, to := range []int{2*n + 1, 2*n + 2, n + 1, n - 1, 3 * n} {
		if to >= 0 && to < pages {
			l := page(to)
			l.Score = float64(to%10) / 10
			links = append(links, l)
		}
	}
	_, err := f.Finish(Result{Item: it, Outcome: Outcome{Status: 200, Size: 1}, Links: links})
	return err
}

// look asks all the questions that a screen asks.
func look(t *testing.T, f *Frontier, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if _, err := f.TopHosts(ByQueued, 5); err != nil {
			t.Error(err)
		}
		if _, _, err := f.List("", "", 50); err != nil {
			t.Error(err)
		}
		if _, err := f.HostStats("h3"); err != nil {
			t.Error(err)
		}
		if _, err := f.Lookup("https://h3/3"); err != nil {
			t.Error(err)
		}
		if _, err := f.Disk(); err != nil {
			t.Error(err)
		}
		if _, _, err := f.Hosts("", 10); err != nil {
			t.Error(err)
		}
	}
}
