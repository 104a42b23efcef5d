package crawl_test

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/coherence"
)

// changingSite has pages that change while a crawl of a second looks at them.
const changingSite = `
[[site]]
host = "news.sim.test"
pages = 60
paths = "flat"
size.html = { mean = 3000, sigma = 0.2 }
[[site.change]]
process = "poisson"
every = "2s"
spread = "exponential"
`

// looks are the records of both passes of one URL.
type look struct {
	url, id, kind, status, pass, group, defect, unchanged, visit, profile, refers string
	order                                                                         int
}

func looksOf(t testing.TB, dir string) []look {
	t.Helper()
	var out []look
	byID := map[string]int{}
	eachRecord(t, dir, func(rec *warc.Record) {
		switch rec.Type() {
		case warc.TypeResponse, warc.TypeRevisit:
			h, err := rec.HTTP()
			if err != nil {
				t.Fatal(err)
			}
			byID[rec.ID()] = len(out)
			out = append(out, look{
				url: rec.TargetURI(), id: rec.ID(), kind: rec.Type(), status: fmt.Sprint(h.Status), order: len(out),
				profile: rec.Header.Get(warc.FieldProfile), refers: rec.Header.Get(warc.FieldRefersTo),
			})
		case warc.TypeMetadata:
			at, ok := byID[rec.Header.Get(warc.FieldConcurrentTo)]
			if !ok {
				at = len(out)
				out = append(out, look{url: rec.TargetURI(), order: at})
			}
			out[at].read(rec)
		}
	})
	return out
}

func (l *look) read(rec *warc.Record) {
	lines := bufio.NewScanner(rec.Block)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "pass":
			l.pass = value
		case "group":
			l.group = value
		case "defect":
			l.defect = value
		case "unchanged":
			l.unchanged = value
		case "visit-record":
			l.visit = value
		}
	}
}

// Every page is visited and then visited again, in the order asked for.
func TestRevisitOrders(t *testing.T) {
	for _, kind := range []coherence.RevisitKind{coherence.FIFO, coherence.LIFO, coherence.Plan} {
		t.Run(string(kind), func(t *testing.T) {
			s := simulateSpec(t, flatSite(t, 40), 5)
			place := placeIn(t.TempDir())
			def := hostScope(s.Seeds()...)
			def.Revisit = kind
			rep := complete(t, newEngine(t, s, noDelay()), place, def)
			looks := looksOf(t, place.WarcDir)
			var first, second []string
			for _, l := range looks {
				switch l.pass {
				case "visit":
					first = append(first, l.url)
					if len(second) > 0 {
						t.Errorf("%s is visited after the revisits have begun", l.url)
					}
				case "revisit":
					second = append(second, l.url)
					if l.defect != "" || !strings.HasPrefix(l.unchanged, "bytes") || l.kind != warc.TypeRevisit || l.refers != l.visit {
						t.Errorf("a page that never changes: %+v", l)
					}
				}
			}
			if len(first) != 40 || len(first) != len(second) {
				t.Errorf("%d visits, %d revisits", len(first), len(second))
			}
			for i := range second {
				want := i
				if kind == coherence.LIFO {
					want = len(first) - 1 - i
				}
				if kind != coherence.Plan && second[i] != first[want] {
					t.Errorf("revisit %d is of %s, want %s", i, second[i], first[want])
					break
				}
			}
			checkTotals(t, place)
			if len(rep.Groups) != 1 || rep.Groups[0].Revisited != int64(len(second)) || rep.Groups[0].Unchanged["bytes"] != int64(len(second)) {
				t.Errorf("groups %+v", rep.Groups)
			}
			if left, _ := filepath.Glob(filepath.Join(place.Dir, "frontier")); len(left) > 0 {
				t.Error("the frontier is still there")
			}
		})
	}
}

var _ = crawl.ByHost
