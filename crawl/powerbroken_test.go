package crawl_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"varve/lab/chance"
)

// Answers that break off are recorded, and the page is asked for again and recorded again: with power cuts in between, each page still is
// there once as a whole. It is the one way that was found in which a URL gets two records although nothing is fetched twice without need:
//
//   - A visit is fetched again only while its URL is queued, and a durable commit of the frontier is what ends that.
//   - The commit comes after the sync of the visit's records. After a cut every record that is left, synced or not, in an open
//     file or in one that was finished, is replayed before a worker starts, and settles its URL if that is still queued. The
//     bound of how many are looked at (maxUnheard) is more than can be between the two.
//   - Replay is left out only where the last run wrote that it ended by itself, which it does after the writer has closed its
//     last file, and takes back, durably, before it writes again.
//   - A URL that is queued and under way cannot be taken by a second worker: the frontier knows it by its key.
//
// What is recorded and does not settle its URL remains: statuses that are tried again, and answers that break off. A server
// on a busy machine breaks answers off by itself.
func TestPowerCutsWithBrokenAnswers(t *testing.T) {
	t.Parallel()
	const pages = 40
	rng := chance.Rand(t, 19)
	for left, crawls := powerCuts()/4, 0; left > 0; crawls++ {
		var requests asked
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := requests.again(r.URL.Path)
			w.Header().Set("Content-Type", "text/html")
			var page int
			switch _, err := fmt.Sscanf(r.URL.Path, "/p%d", &page); {
			case r.URL.Path == "/robots.txt":
				w.WriteHeader(http.StatusNotFound)
			case r.URL.Path == "/":
				for i := range pages {
					fmt.Fprintf(w, "<a href=/p%d>x</a>", i)
				}
			case err == nil && page%4 == 0 && n == 1:
				w.Header().Set("Content-Length", "20000")
				fmt.Fprint(w, strings.Repeat("words ", 1000))
			default:
				fmt.Fprintf(w, "<title>%d</title>%s", page, strings.Repeat("words ", 1000))
			}
		}))
		want := map[string]int{s.URL + "/": 1}
		for i := range pages {
			want[fmt.Sprintf("%s/p%d", s.URL, i)] = 1
		}
		e, err := engineFor(nil, nil, noDelay())
		if err != nil {
			t.Fatal(err)
		}
		c := cutCrawl{def: hostScope(s.URL + "/"), rng: rng}
		c.run(t, e, left)
		s.Close()
		checkSurvivors(t, c.files, want, c.report)
		left -= max(1, c.cuts)
		t.Logf("crawl %d: %d cuts", crawls, c.cuts)
	}
}
