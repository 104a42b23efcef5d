package object

import (
	"bytes"
	"strings"
)

// Kind is what lies behind the address of an object.
type Kind string

// The kinds.
const (
	File   Kind = "file"   // film or sound in one file
	HLS    Kind = "hls"    // an HLS play list
	DASH   Kind = "dash"   // a DASH manifest
	Player Kind = "player" // a page that shows it
	Stream Kind = "stream" // a stream of another protocol than HTTP (RTMP, RTSP, MMS): it is named, and nobody can get it
)

// Object is a film or a sound on a page.
type Object struct {
	URL         string   `json:"url"`
	Kind        Kind     `json:"kind"`
	Sound       bool     `json:"sound,omitempty"`   // sound without pictures
	Service     string   `json:"service,omitempty"` // of a well-known player
	MIME        string   `json:"mime,omitempty"`    // as the page says
	Title       string   `json:"title,omitempty"`
	Description string   `json:"description,omitempty"`
	Around      string   `json:"around,omitempty"`  // text next to it
	Seconds     float64  `json:"seconds,omitempty"` // how long it is
	Poster      string   `json:"poster,omitempty"`
	Date        string   `json:"date,omitempty"` // as the page says
	Tracks      []string `json:"tracks,omitempty"`
	From        []string `json:"from"` // where the page names it: video, json-ld, og, ...
}

// Limits of one page.
const (
	maxPage    = 8 << 20
	maxObjects = 200
	maxAddress = 8192
	maxMeta    = 500
	maxTracks  = 50
	maxText    = 500 // bytes of a text
	maxAround  = 300 // bytes on each side
)

// signs are what pages with media objects have at least one of, beside elements, as it is usually written.
var signs = [][]byte{
	[]byte("VideoObject"), []byte("AudioObject"), []byte("PodcastEpisode"), []byte("MediaObject"), []byte(`"Clip"`), []byte("og:video"), []byte("og:audio"), []byte("twitter:player"), []byte(".m3u8"), []byte(".mpd"), []byte("rtmp"), []byte("rtsp://"), []byte("mms://"),
}

// elements show media objects, whatever the case of their names.
var elements = []string{"video", "audio", "iframe", "embed", "object"}

// Likely tells whether a page may have media objects. It is meant for pages without any, which are most: one
// look at each bracket, and a search for a few words.
func Likely(page []byte) bool {
	page = page[:min(len(page), maxPage)]
	for rest := page; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if len(rest) > 0 && shows(rest) {
			return true
		}
	}
	for _, s := range signs {
		if bytes.Contains(page, s) {
			return true
		}
	}
	return false
}

// shows tells whether a tag begins here that shows a media object.
func shows(tag []byte) bool {
	switch tag[0] | 0x20 {
	case 'v', 'a', 'i', 'e', 'o':
	default:
		return false
	}
	for _, name := range elements {
		if len(tag) >= len(name) && strings.EqualFold(string(tag[:len(name)]), name) {
			return true
		}
	}
	return false
}

// merge takes over what is not known yet.
func (o *Object) merge(n *Object) {
	for _, f := range []struct{ to, from *string }{
		{&o.Service, &n.Service}, {&o.MIME, &n.MIME}, {&o.Title, &n.Title}, {&o.Description, &n.Description}, {&o.Around, &n.Around}, {&o.Poster, &n.Poster}, {&o.Date, &n.Date},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	if o.Seconds == 0 {
		o.Seconds = n.Seconds
	}
	if o.Kind == File && n.Kind != File {
		o.Kind = n.Kind
	}
	o.Sound = o.Sound && n.Sound
	if o.Tracks == nil {
		o.Tracks = n.Tracks
	}
	for _, from := range n.From {
		if len(o.From) < 10 && !contains(o.From, from) {
			o.From = append(o.From, from)
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// kindOf tells by type or ending what an address of a media file is.
func kindOf(url, mime string) Kind {
	path, _, _ := strings.Cut(strings.ToLower(url), "?")
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	switch {
	case strings.HasSuffix(mime, "mpegurl"), strings.HasSuffix(path, ".m3u8"):
		return HLS
	case strings.TrimSpace(mime) == "application/dash+xml", strings.HasSuffix(path, ".mpd"):
		return DASH
	}
	return File
}

// clip makes one line of a text and cuts it at a character.
func clip(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return strings.TrimSpace(s[:n]) + "…"
}
