package crawl_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/attack"
)

// A crawl that may only go to the public web does not reach this machine, though its seeds lie there: neither by
// address nor by a name.
func TestOnlyPublic(t *testing.T) {
	tally := attack.Count(t)
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, "the keys of the house")
	}))
	defer s.Close()
	client, err := fetch.New(fetch.Config{UserAgent: "test", Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	for _, host := range []string{"127.0.0.1", "localhost", "a.localhost"} {
		tally.Try(1)
		def := crawl.Definition{Seeds: []string{"http://" + host + port + "/"}, OnlyPublic: true, Retries: -1, MinDisk: -1, Scope: scope.Definition{Mode: scope.Host}}
		if _, err := e.StartIn(t.Context(), "test", placeIn(t.TempDir()), def, crawl.Options{Stages: stages.Set{}.Of}); err == nil || !strings.Contains(err.Error(), "no contact") {
			t.Errorf("%s: as if it were on loopback: %v", host, err)
		}
		def.Contact = "https://library.example/"
		if rep := wait(t, start(t, e, placeIn(t.TempDir()), def)); rep.URLs != 0 {
			t.Errorf("%s: %d answers", host, rep.URLs)
		}
	}
	if asked > 0 {
		t.Errorf("this machine was asked %d times", asked)
	}
}
