package links

import (
	"bytes"

	"varve/web/playlist/hls"
)

// maxVariables bounds the variables of a play list.
const maxVariables = 64

// playlist reads an M3U8 play list (RFC 8216 and its successor), or a plain M3U.
//
//	a line that is no comment is a URI: a play list behind EXT-X-STREAM-INF, else a segment
//	tags name further URIs in attributes; EXT-X-DEFINE sets variables that URIs may use
func (e *Extractor) playlist(body []byte) {
	var (
		extended = bytes.Contains(body[:min(len(body), 16*headSize)], []byte("#EXT-X-")) // it has tags of HLS
		variant  bool                                                                    // the next URI is a play list
		title    string
		last     string
		vars     hls.Variables
	)
	address := func(raw []byte) string {
		s, _ := vars.Substitute(string(raw)) // one with an unknown variable is no link, by its braces
		return s
	}
	for l := range hls.Lines(body) {
		switch string(l.Name) {
		case "":
			// Segments that are ranges of one file repeat it.
			if uri := address(l.Value); uri != last {
				e.add(found{kind: entryKind(uri, extended, variant), from: noPlace, anchor: title}, []byte(uri))
				last = uri
			}
			variant, title = false, ""
			continue
		case "#EXTINF":
			if _, t, ok := bytes.Cut(l.Value, []byte(",")); ok {
				title = e.arena.str(t[:min(len(t), e.limits.Anchor)])
			}
			continue
		case "#EXT-X-STREAM-INF":
			variant = true
		case "#EXT-X-DEFINE":
			if vars.Define(l, e.doc.Query(), maxVariables) != nil {
				e.cut() // addresses with it are not what they should be
			}
		}
		for a := range l.Attributes() {
			switch hls.UseOf(l.Name, a.Name) {
			case hls.AsPlaylist:
				e.link(kindHLSPlaylist, []byte(address(a.Value)))
			case hls.AsSegment:
				e.link(kindHLSSegment, []byte(address(a.Value)))
			case hls.AsKey:
				e.link(kindHLSKey, []byte(address(a.Value)))
			}
		}
	}
}

// entryKind says what a line that is a URI leads to.
func entryKind(uri string, extended, variant bool) Kind {
	path, _ := cutQuery([]byte(uri))
	switch {
	case !extended:
		return kindPlaylistEntry
	case variant, bytes.HasSuffix(path, []byte(".m3u8")):
		return kindHLSPlaylist
	}
	return kindHLSSegment
}
