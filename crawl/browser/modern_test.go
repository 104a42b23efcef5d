package browser_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"varve/lab/websim/modern"
)

// The bytes in the records are the bytes that the server sent, for every request of the browser.
func TestBytesAreTheServers(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		t.Run(scheme, func(t *testing.T) {
			srv, n := simulated(t, modern.Spec, modern.Options()...)
			r := execute(t, shared(t), n, scheme+"://"+modern.Host+"/")
			sent := map[string]string{}
			for _, e := range srv.Log().Entries() {
				sent[e.Method+" "+e.Scheme+"://"+e.Host+e.Target] = e.Digest
			}
			for _, rec := range n.records {
				u, err := url.Parse(rec.URL)
				if err != nil {
					t.Fatal(err)
				}
				u.Fragment = ""
				if got := sent[rec.Method+" "+u.String()]; got != rec.Block {
					t.Errorf("%s %s: recorded %s, sent %q", rec.Method, rec.URL, rec.Block, got)
				}
			}
			if len(sent) != len(n.records) || len(n.records) < 20 {
				t.Errorf("%d answers sent, %d recorded", len(sent), len(n.records))
			}
			asked := n.asked()
			for _, extra := range modern.Extra() {
				if strings.HasPrefix(extra, "http") && strings.HasPrefix(extra, scheme+":") && !strings.Contains(extra, "/search") && !slices.Contains(asked, extra) {
					t.Errorf("a script asks for %s, nobody did", extra)
				}
			}
			t.Logf("%d requests, %d links, cost %+v, fields %v", len(n.records), len(r.Links), r.Cost, r.Fields)
		})
	}
}
