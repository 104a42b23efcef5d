package media

import (
	"fmt"
	"strings"
	"time"

	"varve/lab/websim"
)

const mpdHead = `<?xml version="1.0" encoding="UTF-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" minBufferTime="PT2S" `

// dash answers for the manifests.
func (h handler) dash(r *websim.Request, name string, at time.Time) *websim.Answer {
	b, starts := whole()
	switch name {
	case "vod.mpd":
		return answer(r, typeOf(name), []byte(numbered()))
	case "base.mpd":
		return answer(r, typeOf(name), []byte(mpdHead+fmt.Sprintf(`type="static" mediaPresentationDuration="PT8S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="26000" codecs="avc1.42c00a"><BaseURL>all.mp4</BaseURL><SegmentBase><Initialization range="0-%d"/></SegmentBase></Representation></AdaptationSet></Period></MPD>`, starts[0]-1)))
	case "all.mp4":
		return answer(r, typeOf(name), b)
	case "live.mpd":
		return answer(r, typeOf(name), []byte(liveManifest(at)))
	}
	if n, ok := numberOf(name, "live-", ".m4s"); ok {
		number := n / int64(Segment/time.Second) / timescale
		if newest := Newest(at); n%(int64(Segment/time.Second)*timescale) == 0 && number <= newest && number > newest-kept {
			return answer(r, typeOf(name), Live(number))
		}
		return text(r, 404, "not there, or not any more")
	}
	if known(name) {
		return answer(r, typeOf(name), File(name))
	}
	return text(r, 404, "not found")
}

// numbered is the recording with $Number$.
func numbered() string {
	var b strings.Builder
	b.WriteString(mpdHead + `type="static" mediaPresentationDuration="PT8S">
 <Period>
  <AdaptationSet contentType="video" mimeType="video/mp4">
   <SegmentTemplate duration="2" startNumber="0" media="v$RepresentationID$-$Number$.m4s" initialization="v$RepresentationID$-init.mp4"/>
`)
	for i, size := range Sizes {
		w, h, _ := strings.Cut(size, "x")
		fmt.Fprintf(&b, "   <Representation id=\"%s\" bandwidth=\"%d\" width=\"%s\" height=\"%s\" codecs=\"avc1.42c00b\"/>\n", size, 60000-i*16000, w, h)
	}
	b.WriteString(`  </AdaptationSet>
  <AdaptationSet contentType="audio" mimeType="audio/mp4" lang="en">
   <SegmentTemplate duration="2" startNumber="0" media="a-$Number$.m4s" initialization="a-init.mp4"/>
   <Representation id="tone" bandwidth="16000" codecs="mp4a.40.2"/>
  </AdaptationSet>
 </Period>
</MPD>
`)
	return b.String()
}

// liveManifest is the live stream with $Time$.
func liveManifest(at time.Time) string {
	d := int64(Segment/time.Second) * timescale
	return mpdHead + fmt.Sprintf(`type="dynamic" availabilityStartTime="1970-01-01T00:00:00Z" publishTime="%s" minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT6S">
 <Period id="1" start="PT0S">
  <AdaptationSet contentType="video" mimeType="video/mp4">
   <SegmentTemplate timescale="%d" media="live-$Time$.m4s" initialization="v64x36-init.mp4"><SegmentTimeline><S t="%d" d="%d" r="%d"/></SegmentTimeline></SegmentTemplate>
   <Representation id="1" bandwidth="10000" width="64" height="36" codecs="avc1.42c00a"/>
  </AdaptationSet>
 </Period>
</MPD>
`, at.UTC().Format(time.RFC3339), timescale, (Newest(at)-listed+1)*d, d, listed-1)
}
