package replay_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/gather"
	"varve/crawl/media"
	"varve/crawl/media/external"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	sim "varve/lab/websim/media"
	"varve/lab/websim/server"
	"varve/serve/replay/replaytest"
)

// toMedia routes everything that the collector knows what to do with to it.
type toMedia struct{}

func (toMedia) Choose(e *collect.Evidence) collect.Choice {
	if strings.HasPrefix(e.URL, "http://"+sim.Player+"/embed/") || strings.HasSuffix(e.URL, "/watch.html") {
		return collect.Choice{Collector: external.Name, Why: "test", Time: time.Minute}
	}
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
func crawlMedia(t *testing.T, client *fetch.Client, collectors map[string]collect.Collector, seeds ...string) string {
	t.Helper()
	col, err := catalog.Open(t.TempDir()).Collection("n")
	if err != nil {
		t.Fatal(err)
	}
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), Software: "varve test"})
	def := crawl.Definition{Seeds: seeds, Scope: scope.Definition{Mode: scope.Page}, IgnoreRobots: true}
	run, err := e.Start(context.Background(), col, def, crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: toMedia{}, Collectors: collectors}}.Of})
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
	dir := crawlMedia(t, client, map[string]collect.Collector{media.Name: media.New(media.Config{Renditions: media.All, Live: 5 * time.Second})}, site+"/vod.html", site+"/live.html")
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

// fakeDownloader is a program that does what yt-dlp does, for the player of lab/websim/media.
func fakeDownloader(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("wget"); err != nil {
		t.Skip("no wget on this machine (Debian: apt-get install wget): the fake downloader needs it")
	}
	const script = `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --proxy) proxy=$2 ;;
    --output) out=$2 ;;
    --dump-single-json) echo '{"id":"7","title":"The vote <b>filmed</b>","duration":4,"extractor":"fake"}'; exit 0 ;;
  esac
  shift
done
exec wget -q -e use_proxy=yes -e "http_proxy=$proxy" --header "X-Player: downloader" -O "$(echo "$out" | sed 's/%(ext)s/webm/')" http://player.sim.test/secret/7.webm
`
	path := filepath.Join(t.TempDir(), "yt-dlp")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Films that an external downloader got play in their replayed pages, in place of the dead players: in the frame
// of another host, and where a script of the page makes a player.
func TestBrowserDeadPlayers(t *testing.T) {
	p := newRecorder(t)
	ctx := browser(t, p)
	s, client := startMedia(t)
	ext, err := external.New(external.Config{Tools: external.Tools{YTDLP: fakeDownloader(t)}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	const site = "http://" + sim.Host
	dir := crawlMedia(t, client, map[string]collect.Collector{media.Name: media.New(media.Config{}), external.Name: ext}, site+"/news.html", site+"/watch.html")
	for _, o := range ext.Outcomes() {
		if o.Err != nil {
			t.Fatalf("%s: %v", o.URL, o.Err)
		}
	}
	s.Close()
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	h, host, addr := serveReplay(t, x, "")
	p.only(host, addr)

	t.Run("frame of another host", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/if_/"+site+"/news.html")
		// The page of the film is ours: archived scripts cannot look into it, and none of its own may run.
		in := inside(t, ctx, "if_/http://player.sim.test/embed/7")
		const film = "document.getElementById('varve-film')"
		waitFor(t, in, film+" && "+film+".readyState >= 1")
		eval[bool](t, in, film+".muted = true, "+film+".play(), true")
		waitFor(t, in, film+".currentTime > 0.5 && "+film+".videoWidth === 96")
		if eval[bool](t, ctx, "document.querySelector('iframe').contentDocument !== null") {
			t.Error("the page around it can look into the player")
		}
		if got := eval[string](t, in, "document.querySelector('p b').textContent"); got != "The vote <b>filmed</b>" {
			t.Errorf("title %q", got)
		}
		screenshot(t, ctx, "media-dead-frame")
	})
	t.Run("player made by script", func(t *testing.T) {
		navigate(t, ctx, "http://"+host+"/n/if_/"+site+"/watch.html")
		const film = "document.querySelector('#movie_player video[data-varve-film]')"
		waitFor(t, ctx, film+" && "+film+".readyState >= 1")
		eval[bool](t, ctx, film+".muted = true, "+film+".play(), true")
		waitFor(t, ctx, film+".currentTime > 0.5 && "+film+".videoWidth === 96")
		screenshot(t, ctx, "media-dead-script")
	})
	if out := p.seen(host); out != nil {
		t.Errorf("%d requests left the replay host: %q", len(out), out)
	}
	if n, list := h.Leaks(); n != 0 {
		t.Errorf("%d attempts were stopped only by the policy: %+v", n, list)
	}
}
