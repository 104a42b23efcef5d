package crawl_test

import (
	"testing"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
)

func TestScopeTester(t *testing.T) {
	def := scope.Definition{Mode: scope.Host, Rules: []scope.Rule{{Name: "no search", Do: scope.Reject, Prefix: []string{"https://a.example/search"}}}}
	tester, err := crawl.NewScopeTester(def, []string{"a.example"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		url, hops, via string
		in             bool
		rule           string
		kind           varve.Kind
	}{
		{url: "https://a.example/news", hops: "L", in: true},
		{url: "https://a.example/search?q=1", hops: "L", via: "https://a.example/", rule: "no search"},
		{url: "https://a.example/index.php?title=Port&action=edit", hops: "L"},
		{url: "https://a.example/index.php?title=Port&action=edit", hops: "", in: true},
		{url: "https://b.example/", hops: "L"},
		{url: "https://b.example/x.png", hops: "E", in: true},
		{url: "https://a.example/", hops: "Q", kind: varve.Invalid},
		{url: "::", hops: "L", kind: varve.Invalid},
		{url: "https://a.example/", hops: "L", via: "http://[", kind: varve.Invalid},
	} {
		got, err := tester.Test(c.url, c.hops, c.via, now)
		if c.kind != "" {
			if varve.KindOf(err) != c.kind {
				t.Errorf("%s: %v", c.url, err)
			}
			continue
		}
		if err != nil || got.Decision.Accepted() != c.in || c.rule != "" && got.Decision.Name != c.rule || len(got.Opinions) == 0 {
			t.Errorf("%s: %v, %v", c.url, got.Decision, err)
		}
	}
	if _, err := crawl.NewScopeTester(def, []string{"http://["}); err == nil {
		t.Error("a bad seed was taken")
	}
}
