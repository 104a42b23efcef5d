package temporal

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/cdxj"
	"varve/text/dating"
	"varve/web/canon"
)

// What captures of a host say about its Last-Modified is the same to the index, which learns from versions, and to package dating, which learns from
// one visit after the other.
func TestTrustIsThatOfDating(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	dice := rand.New(rand.NewPCG(seed, 0))
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	believed := 0
	for round := range 300 {
		honest := dice.Float64() // how often a stamp moves when the content does, and only then
		var records []cdxj.Record
		host := dating.Host{}
		for p := range 1 + dice.IntN(8) {
			url := fmt.Sprintf("http://a.example/%d", p)
			content, stamp := 0, start
			var before map[dating.Source]string
			for i := range 1 + dice.IntN(6) {
				at := start.AddDate(0, 0, 10*(i+1))
				changed := i > 0 && dice.IntN(2) == 0
				if changed {
					content++
				}
				if changed == (dice.Float64() < honest) {
					stamp = at.AddDate(0, 0, -1)
				}
				r := cdxj.Record{Key: canon.SURT(url), Timestamp: cdxj.Timestamp(at), URL: url, MIME: "text/html", Status: 200, Digest: fmt.Sprintf("sha1:%d", content)}
				r.Set("modified", cdxj.Timestamp(stamp))
				records = append(records, r)

				v := dating.Visit{At: at, LastModified: stamp.Format(http.TimeFormat)}
				if i > 0 {
					v.Previous = &dating.Previous{At: at.AddDate(0, 0, -10), Same: !changed}
				}
				_, findings := dating.Of(v, nil)
				before = host.Learn(v, findings, before)
			}
		}
		slices.SortStableFunc(records, func(a, b cdxj.Record) int { return strings.Compare(a.Key+" "+a.Timestamp, b.Key+" "+b.Timestamp) })
		j := &judge{out: func(*Version) error { return nil }}
		f := &folder{emit: j.add}
		for i := range records {
			if err := f.add(&records[i]); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.flush(Forever); err != nil {
			t.Fatal(err)
		}
		if got, want := j.trust(), host.Of(dating.LastModified); !reflect.DeepEqual(got, want) {
			t.Fatalf("round %d of seed %d: %+v, want %+v", round, seed, got, want)
		} else if got.Trusted() {
			believed++
		}
	}
	if believed < 30 || believed > 270 {
		t.Errorf("%d of 300 hosts believed: the hosts are too much alike", believed)
	}
}
