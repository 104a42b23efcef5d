package crawl

import (
	"strings"
	"sync"

	"varve/crawl/frontier"
	"varve/web/canon"
)

// A server may write something anew into every answer. A crawl that compares pages would take that for changes, so it can ask for a few
// pages of each template twice at once: what differs then is noise (text/noise learns it from the records). The second answer is a *twin*: it is
// recorded, and otherwise as if it had not been asked for.

const (
	twinsPerHost = 24
	maxTwinHosts = 10_000 // that are counted; no others have twins
	twinPrefix   = "twin "
	twinMeta     = "twin"
)

// twins counts those of each host.
type twins struct {
	most int // of a template
	mu   sync.Mutex
	by   map[string]map[string]int // host queue, template
}

func newTwins(most int) *twins { return &twins{most: most, by: map[string]map[string]int{}} }

// take reports whether a page gets a twin, and counts it.
func (t *twins) take(v *Visit) bool {
	_, template := canon.Template(v.url.String(), canon.TemplateLevels)
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.by[v.item.Host]
	if of == nil {
		if len(t.by) >= maxTwinHosts {
			return false
		}
		of = map[string]int{}
		t.by[v.item.Host] = of
	}
	total := 0
	for _, n := range of {
		total += n
	}
	if total >= twinsPerHost || of[template] >= t.most {
		return false
	}
	of[template]++
	return true
}

// isTwin reports whether the visit asks for a page a second time at once.
func (v *Visit) isTwin() bool { return string(v.item.Meta) == twinMeta }

// queueTwin has a page asked for once more right away, if its template has had few.
func (w *Worker) queueTwin(v *Visit) {
	if w.r.twins.most == 0 || v.status != 200 || v.truncated || !v.queued() || v.isProbe() || !v.isPage() && !isData(v.mime) || !w.r.twins.take(v) {
		return
	}
	v.links = append(v.links, frontier.Item{
		Key: twinPrefix + v.item.Key, URL: v.item.URL, Host: v.item.Host, Domain: v.item.Domain,
		Via: v.item.URL, HopPath: v.item.HopPath + "P", Band: BandPart, Score: 1, Depth: v.item.Depth, Meta: []byte(twinMeta),
	})
}

// isData reports whether a type is that of answers to programs.
func isData(mime string) bool {
	return strings.HasSuffix(mime, "json") || strings.HasSuffix(mime, "xml") && !strings.Contains(mime, "svg")
}
