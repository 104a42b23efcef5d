package search

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	v, _ := url.ParseQuery("q=a+b&from=2014&to=2014-05&asof=2014-05-01T12:00:00Z&host=a.test,b.test&lang=-de&lang=none&facets=host,year&limit=5&group=true&trend=month&relation=within")
	q, err := Parse(v)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(q.Text, q.From.Unix(), q.To.UnixMicro(), q.AsOf.Unix(), q.Filters, q.Without, q.Facets, q.Limit, q.Group, q.Trend, q.Relation)
	want := "a b1388534400 1401580799999999 1398945600 map[host:[a.test b.test] lang:[]] map[lang:[de]] [host year] 5 truemonthwithin"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for bad, says := range map[string]string{
		"hots=a": "not known", "from=May": "no time", "limit=-1": "no number", "group=maybe": "neither",
	} {
		v, _ := url.ParseQuery(bad)
		if _, err := Parse(v); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
