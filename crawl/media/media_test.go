package media_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl/collect"
	"varve/crawl/media"
	sim "varve/lab/websim/media"
	"varve/web/playlist/dash"
	"varve/web/playlist/hls"
)

// once tells URLs that were asked for more often than once.
func once(t *testing.T, n *net, except ...string) {
	t.Helper()
	for u, times := range n.count() {
		if times > 1 && !slices.Contains(except, u) {
			t.Errorf("%s was asked for %d times", u, times)
		}
	}
}

// missing tells URLs that were never asked for.
func missing(t *testing.T, n *net, want ...string) {
	t.Helper()
	for _, u := range want {
		if n.count()[base+u] == 0 {
			t.Errorf("%s was not asked for", u)
		}
	}
}

func parts(name string) (out []string) {
	out = append(out, "/vod/"+name+".m3u8", "/vod/"+name+"-init.mp4")
	for i := range 4 {
		out = append(out, fmt.Sprintf("/vod/%s-%d.m4s", name, i))
	}
	return out
}

func TestRecordingAllRenditions(t *testing.T) {
	res, n := collectAt(t, "/vod/master.m3u8", media.Config{Renditions: media.All}, nil)
	for _, name := range []string{"v160x90", "v128x72", "v64x36", "a"} {
		missing(t, n, parts(name)...)
	}
	missing(t, n, "/vod/sub.m3u8", "/vod/sub-0.vtt")
	once(t, n)
	if got := field(res, "media-segments"); !slices.Equal(got, []string{"17"}) {
		t.Errorf("%s segments", got)
	}
	if got := field(res, "media-duration"); !slices.Equal(got, []string{"8.000"}) {
		t.Errorf("%s seconds", got)
	}
	if len(res.Resources) != 0 {
		t.Error("a recording of what is no live stream")
	}
}

func TestRecordingOneRendition(t *testing.T) {
	for _, c := range []struct {
		cfg  media.Config
		want string
	}{{media.Config{}, "v160x90"}, {media.Config{Height: 80}, "v128x72"}, {media.Config{Bandwidth: 30000}, "v64x36"}, {media.Config{Height: 10}, "v64x36"}} {
		_, n := collectAt(t, "/vod/master.m3u8", c.cfg, nil)
		missing(t, n, parts(c.want)...)
		missing(t, n, parts("a")...)
		missing(t, n, "/vod/sub-0.vtt")
		if got, want := len(n.asked), 1+6+6+2; got != want {
			t.Errorf("%+v: %d requests, want %d: %v", c.cfg, got, want, n.asked)
		}
	}
}

func TestKeysAndRangesOfOneFile(t *testing.T) {
	_, n := collectAt(t, "/enc/list.m3u8", media.Config{}, nil)
	missing(t, n, "/enc/key.bin", "/enc/init.mp4", "/enc/seg-3.m4s")
	once(t, n)
	_, n = collectAt(t, "/ranges/list.m3u8", media.Config{}, nil)
	if got := n.count()[base+"/ranges/all.mp4"]; got != 1 {
		t.Errorf("the file of all segments was asked for %d times", got)
	}
}

// The live stream is taken for a minute: the list again and again, no segment twice, none left out, and a
// recording of all of them.
func TestLive(t *testing.T) {
	res, n := collectAt(t, "/live/list.m3u8", media.Config{Live: time.Minute}, func(n *net) { n.took = 30 * time.Millisecond })
	list := base + "/live/list.m3u8"
	once(t, n, list)
	if got := n.count()[list]; got < 25 || got > 65 {
		t.Errorf("the list was asked for %d times in a minute", got)
	}
	if len(res.Resources) != 1 || res.Resources[0].URI != "urn:vod:"+list {
		t.Fatalf("%+v", res.Resources)
	}
	p, err := hls.Parse([]byte(body(t, res.Resources[0])), list, hls.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Ended || len(p.Segments) < 31 || p.Segments[0].Map == nil {
		t.Errorf("ended %v, %d segments:\n%s", p.Ended, len(p.Segments), body(t, res.Resources[0]))
	}
	first := sim.Newest(noon) - 2
	for i, s := range p.Segments {
		if want := fmt.Sprintf("%s/live/seg-%d.m4s", base, first+int64(i)); s.URL != want || s.Discontinuity {
			t.Fatalf("segment %d is %s (discontinuity %v), want %s", i, s.URL, s.Discontinuity, want)
		}
	}
	if got := field(res, "media-cut"); len(got) != 1 || !strings.Contains(got[0], "1m0s") {
		t.Error(got)
	}
}

// While the server is away for 30 s segments are lost; the recording goes on behind the hole.
func TestLiveWithHole(t *testing.T) {
	list := base + "/live/list.m3u8"
	res, _ := collectAt(t, "/live/list.m3u8", media.Config{Live: time.Minute}, func(n *net) {
		n.before = func(string) {
			since := n.clock.Now().Sub(noon)
			n.refuse[list] = since > 10*time.Second && since < 22*time.Second
		}
	})
	p, err := hls.Parse([]byte(body(t, res.Resources[0])), list, hls.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	holes := 0
	for i := range p.Segments {
		if p.Segments[i].Discontinuity {
			holes++
		}
	}
	if holes != 1 || len(p.Segments) < 24 || len(p.Segments) > 30 {
		t.Errorf("%d holes, %d segments", holes, len(p.Segments))
	}
}

func TestLiveIsNotTaken(t *testing.T) {
	res, n := collectAt(t, "/live/list.m3u8", media.Config{Live: -1}, nil)
	if got := n.count()[base+"/live/list.m3u8"]; got != 1 {
		t.Errorf("asked %d times", got)
	}
	if len(res.Resources) != 1 { // what the one list names
		t.Errorf("%d recordings", len(res.Resources))
	}
}

func TestDASH(t *testing.T) {
	_, n := collectAt(t, "/dash/vod.mpd", media.Config{}, nil)
	missing(t, n, "/dash/v160x90-init.mp4", "/dash/v160x90-3.m4s", "/dash/a-init.mp4", "/dash/a-3.m4s")
	if len(n.asked) != 11 {
		t.Errorf("%d requests: %v", len(n.asked), n.asked)
	}
	once(t, n)
	_, n = collectAt(t, "/dash/vod.mpd", media.Config{Renditions: media.All}, nil)
	if len(n.asked) != 21 {
		t.Errorf("%d requests: %v", len(n.asked), n.asked)
	}
	_, n = collectAt(t, "/dash/base.mpd", media.Config{}, nil)
	missing(t, n, "/dash/all.mp4")
	once(t, n)
}

func TestDASHLive(t *testing.T) {
	res, n := collectAt(t, "/dash/live.mpd", media.Config{Live: 30 * time.Second}, nil)
	list := base + "/dash/live.mpd"
	once(t, n, list)
	if len(res.Resources) != 1 || res.Resources[0].URI != "urn:vod:"+list {
		t.Fatalf("%+v", res.Resources)
	}
	m, err := dash.Parse([]byte(body(t, res.Resources[0])), list, dash.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	segments, _ := m.Periods[0].Sets[0].Reps[0].Segments(noon, 1000)
	if m.Live || len(segments) < 16 || m.Duration < 32*time.Second {
		t.Errorf("live %v, %d segments, %v", m.Live, len(segments), m.Duration)
	}
	for _, s := range segments {
		if n.count()[s.URL] != 1 {
			t.Errorf("%s was not taken", s.URL)
		}
	}
}

// A file that the server gives in ranges only, and one that is over the crawl's limit.
func TestRanges(t *testing.T) {
	size := len(sim.File("clip.mp4"))
	for path, limit := range map[string]int{"/ranged.mp4": 1 << 20, "/clip.mp4": 8000} {
		_, n := collectAt(t, path, media.Config{Range: 5000}, func(n *net) { n.limit = limit })
		var have int
		for key, raw := range n.had {
			if strings.Contains(key, "bytes=") {
				_, b, _ := strings.Cut(string(raw), "\r\n\r\n")
				have += len(b)
			}
		}
		if have != size {
			t.Errorf("%s: %d of %d bytes in ranges: %v", path, have, size, n.asked)
		}
	}
	_, n := collectAt(t, "/clip.mp4", media.Config{}, nil)
	if len(n.asked) != 1 {
		t.Errorf("a whole file was asked for again: %v", n.asked)
	}
}

func TestLimits(t *testing.T) {
	for name, cfg := range map[string]media.Config{
		"limit of 3 segments": {Segments: 3}, "size limit of 20000 bytes": {Size: 20000}, "time limit of 2s": {Time: 2 * time.Second},
	} {
		res, n := collectAt(t, "/vod/v160x90.m3u8", cfg, func(n *net) { n.took = time.Second })
		if got := field(res, "media-cut"); !slices.Equal(got, []string{name}) {
			t.Errorf("cut by %q, want %q", got, name)
		}
		if len(n.asked) > 5 {
			t.Errorf("%s: %d requests", name, len(n.asked))
		}
		if res.Cut == 0 {
			t.Errorf("%s: nothing is counted as cut", name)
		}
	}
}

// What is not to be had is noted, and the rest is taken.
func TestMissedSegment(t *testing.T) {
	res, n := collectAt(t, "/vod/v64x36.m3u8", media.Config{}, func(n *net) { n.refuse[base+"/vod/v64x36-1.m4s"] = true })
	missing(t, n, "/vod/v64x36-0.m4s", "/vod/v64x36-2.m4s", "/vod/v64x36-3.m4s")
	if got := field(res, "media-missed"); len(got) != 1 || !strings.Contains(got[0], collect.ErrRefused.Error()) {
		t.Error(got)
	}
	if got := field(res, "media-failed"); !slices.Equal(got, []string{"1"}) {
		t.Error(got)
	}
}
