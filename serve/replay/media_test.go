package replay_test

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/media"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/serve/replay/replaytest"
	"varve/websim"
	sim "varve/websim/media"
	"varve/websim/server"
)

// toMedia routes everything that the collector knows what to do with to it.
type toMedia struct{}

func (toMedia) Choose(e *collect.Evidence) collect.Choice {
	if media.FormatOf(e.MIME, e.URL, e.Content) == media.Other {
		return collect.Choice{}
	}
	return collect.Choice{Collector: media.Name, Why: "test", Time: time.Minute}
}

func (toMedia) Learn(collect.Choice, collect.Yield) {}

// startMedia serves the broadcaster on loopback, at the speed of the real clock.
func startMedia(t *testing.T) (*server.Server, *fetch.Client) {
	t.Helper()
	spec, err := websim.Load("media", []byte(sim.Spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, sim.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	cfg := fetch.Config{UserAgent: "varve-test", TLS: fetch.TLS{Roots: s.Pool()}}
	for _, rule := range s.Resolve() {
		o, err := fetch.ParseOverride(rule)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Overrides = append(cfg.Overrides, o)
	}
	client, err := fetch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s, client
}

// crawlMedia crawls with a collector and gives the folder of the records.
func crawlMedia(t *testing.T, client *fetch.Client, who collect.Collector, seeds ...string) string {
	t.Helper()
	col, err := catalog.Open(t.TempDir()).Collection("n")
	if err != nil {
		t.Fatal(err)
	}
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Software: "varve test"})
	def := crawl.Definition{Seeds: seeds, Scope: scope.Definition{Mode: scope.Page}, IgnoreRobots: true}
	run, err := e.Start(context.Background(), col, def, crawl.Options{Collect: crawl.Collect{Route: toMedia{}, Collectors: map[string]collect.Collector{media.Name: who}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	return col.WarcDir()
}

// A recording with three renditions and a live stream are captured by a real crawl, the server is stopped, and
// the site's own player plays both in Chromium, out of the archive alone.
func TestBrowserStreams(t *testing.T) {
	p := newRecorder(t)
	ctx := browser(t, p)
	s, client := startMedia(t)
	const site = "http://" + sim.Host
	dir := crawlMedia(t, client, media.New(media.Config{Renditions: media.All, Live: 5 * time.Second}), site+"/vod.html", site+"/live.html")
	s.Close()
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	_, host, addr := serveReplay(t, x, "")
	p.only(host, addr)

	plays := func(t *testing.T, page, segments string) {
		navigate(t, ctx, "http://"+host+"/n/if_/"+site+page)
		waitFor(t, ctx, "window.player && (window.player.ended || window.player.error)")
		if e := eval[string](t, ctx, "window.player.error"); e != "" {
			t.Fatal(e)
		}
		waitFor(t, ctx, "window.player.appended "+segments)
		waitFor(t, ctx, "document.querySelector('video').currentTime > 1 && document.querySelector('video').videoWidth > 0")
		screenshot(t, ctx, "media"+strings.ReplaceAll(page, "/", "-"))
	}
	t.Run("recording", func(t *testing.T) { plays(t, "/vod.html", "=== 4") })
	for i, size := range sim.Sizes {
		t.Run("rendition "+size, func(t *testing.T) {
			navigate(t, ctx, "http://"+host+"/n/if_/"+site+"/vod.html")
			waitFor(t, ctx, "window.player && window.player.ended")
			eval[bool](t, ctx, "window.player.ended = false, play(document.querySelector('video'), document.querySelector('video').dataset.list, "+strconv.Itoa(i)+"), true")
			waitFor(t, ctx, "window.player.ended && window.player.variant.endsWith('v"+size+".m3u8')")
			w, _, _ := strings.Cut(size, "x")
			waitFor(t, ctx, "document.querySelector('video').videoWidth === "+w)
		})
	}
	t.Run("live", func(t *testing.T) { plays(t, "/live.html", ">= 4") /* one list has 3 */ })
	t.Run("as the browser plays lists by itself", func(t *testing.T) {
		for _, list := range []string{"/vod/master.m3u8", "/live/list.m3u8"} {
			navigate(t, ctx, "http://"+host+"/n/if_/"+site+"/vod.html")
			if !eval[bool](t, ctx, "!!document.createElement('video').canPlayType('application/vnd.apple.mpegurl')") {
				t.Skip("this Chromium does not play HLS by itself")
			}
			eval[bool](t, ctx, "window.v = document.createElement('video'), v.muted = true, v.src = '"+site+list+"', document.body.append(v), v.play().catch(() => {}), true")
			waitFor(t, ctx, "window.v.currentTime > 1 && Number.isFinite(window.v.duration)")
		}
	})
	if out := p.seen(host); out != nil {
		t.Errorf("%d requests left the replay host: %q", len(out), out)
	}
}
