package job

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// suspectAfter is how long an item must have been under way when the process died to be suspected.
const suspectAfter = 3 * time.Second

// watch keeps on disk which items are under way for longer than suspectAfter, for the case that one of
// them ends the process. Quick items never touch the disk.
type watch struct {
	path string
	mu   sync.Mutex
	next int
	now  map[int]underWay
	had  bool // the file names items
	stop chan struct{}
	done chan struct{}
}

type underWay struct {
	key   failureKey
	since time.Time
}

// underWayPath is where the embedded engine keeps them.
func underWayPath(dir folder) string { return filepath.Join(dir.state(), "under-way.json") }

func newWatch(path string) *watch {
	return &watch{path: path, now: map[int]underWay{}, stop: make(chan struct{}), done: make(chan struct{})}
}

// last gives the items that were under way when the process died.
func (w *watch) last() []Failure {
	b, err := os.ReadFile(w.path)
	if err != nil {
		return nil
	}
	var list []Failure
	if json.Unmarshal(b, &list) != nil {
		return nil
	}
	return list
}

func (w *watch) begin(key failureKey) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.next++
	w.now[w.next] = underWay{key, time.Now()}
	return w.next
}

func (w *watch) end(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.now, n)
}

// run writes the slow items down, once a second.
func (w *watch) run() {
	defer close(w.done)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			_ = os.Remove(w.path)
			return
		case now := <-tick.C:
			w.write(now)
		}
	}
}

func (w *watch) write(now time.Time) {
	w.mu.Lock()
	var slow []Failure
	for _, u := range w.now {
		if now.Sub(u.since) >= suspectAfter {
			slow = append(slow, Failure{
				Job: u.key.job, Version: u.key.version, Part: u.key.part, Item: u.key.item,
				Cause: "the process died while it was under way", Suspect: true,
			})
		}
	}
	w.mu.Unlock()
	if len(slow) == 0 && !w.had {
		return
	}
	w.had = len(slow) > 0
	if b, err := json.Marshal(slow); err == nil {
		_ = os.WriteFile(w.path, b, 0o644) // a hint; the work does not depend on it
	}
}

func (w *watch) close() {
	close(w.stop)
	<-w.done
}
