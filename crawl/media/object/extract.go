package object

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"varve/text/charset"
	"varve/web/canon"
	"varve/web/markup"
	"varve/web/markup/tree"
)

// ErrLong is returned with the objects of the first part of a page that is too long.
var ErrLong = errors.New("the page is too long to be looked through")

// TooManyError is returned with the objects of a page that has others beyond a limit: too many, too deep, addresses too long.
type TooManyError struct {
	Beyond int   // objects left out
	Err    error // ErrLong, where the page is too long as well
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("media objects of the page beyond a limit: %d", e.Beyond)
}

// Extract gives the media objects of an HTML page in the order they are named. contentType is what the
// server said.
func Extract(page []byte, from, contentType string) ([]Object, error) {
	base, err := canon.Parse(from)
	if err != nil {
		return nil, fmt.Errorf("page at %q: %w", from, err)
	}
	root, long := treeOf(page, contentType)
	x := &extractor{base: base, byURL: map[string]int{}, meta: map[string]string{}}
	x.head(root)
	x.structured(root)
	x.elements(root)
	x.openGraph()
	x.describe()
	if x.beyond > 0 {
		return x.out, &TooManyError{x.beyond, long}
	}
	return x.out, long
}

// treeOf reads a page, as far as maxPage; ErrLong says that there is more.
func treeOf(page []byte, contentType string) (root *tree.Node, err error) {
	if len(page) > maxPage {
		page, err = page[:maxPage], ErrLong
	}
	page, _ = charset.ToUTF8(page, contentType)
	var b tree.Builder
	var w markup.Walker
	w.Walk(page, false, &b)
	return b.Root, err
}

// extractor walks over a page.
type extractor struct {
	base   canon.URL
	based  bool
	out    []Object
	byURL  map[string]int
	meta   map[string]string // first value of each property
	title  string
	oembed string // title of the oEmbed link
	linked bool   // the page has an oEmbed link
	beyond int    // objects that the limit kept out
}

// add notes an object, or joins it with what is known of its address.
func (x *extractor) add(o Object) {
	u, ok := x.resolve(o.URL)
	stream := !ok && len(o.URL) <= maxAddress && otherProtocol.MatchString(strings.TrimSpace(o.URL))
	if stream {
		u, o.Kind = strings.TrimSpace(o.URL), Stream
	} else if !ok {
		x.long(o.URL)
		return
	}
	o.URL = u
	switch {
	case stream:
	case o.Kind != Player:
		o.Kind = kindOf(u, o.MIME)
	case o.Service == "":
		o.Service, _ = Service(u)
	}
	o.Title, o.Description, o.Around = clip(o.Title, maxText), clip(o.Description, maxText), clip(o.Around, 2*maxAround+10)
	if p, ok := x.resolve(o.Poster); ok {
		o.Poster = p
	} else {
		o.Poster = ""
	}
	if i, known := x.byURL[u]; known {
		x.out[i].merge(&o)
		return
	}
	if len(x.out) >= maxObjects {
		x.beyond++
		return
	}
	x.byURL[u] = len(x.out)
	x.out = append(x.out, o)
}

func (x *extractor) resolve(ref string) (string, bool) {
	ref = strings.TrimSpace(ref)
	if ref == "" || len(ref) > maxAddress {
		return "", false
	}
	u, err := x.base.Resolve(ref)
	if err != nil || !u.IsHTTP() {
		return "", false
	}
	return u.WithoutFragment().String(), true
}

// long counts an address that is too long; one that holds the object itself is none.
func (x *extractor) long(ref string) {
	if len(ref) > maxAddress && !strings.EqualFold(ref[:5], "data:") {
		x.beyond++
	}
}

// head reads base, title, meta and link elements.
func (x *extractor) head(n *tree.Node) {
	for n := range n.Descendants() {
		switch n.Element {
		case elBase:
			if u, err := x.base.Resolve(n.Attr("href")); err == nil && !x.based && n.Attr("href") != "" {
				x.base, x.based = u, true
			}
		case elTitle:
			if x.title == "" && n.Parent != nil && n.Parent.Element == elHead {
				x.title = text(n)
			}
		case elMeta:
			name := strings.ToLower(n.Attr("property") + n.Attr("name"))
			if _, known := x.meta[name]; name == "" || known {
				break
			}
			if len(x.meta) < maxMeta {
				x.meta[name] = n.Attr("content")
			} else if _, told := typeOf[name]; told || name == "twitter:player" {
				x.beyond++
			}
		case elLink:
			if t := strings.ToLower(n.Attr("type")); strings.Contains(t, "oembed") && !x.linked {
				x.linked, x.oembed = true, n.Attr("title")
			}
		}
	}
}

// elements reads what the body shows.
func (x *extractor) elements(root *tree.Node) {
	for n := range root.Descendants() {
		if n.Element == 0 && n.Name == "" {
			continue
		}
		switch n.Element {
		case elVideo, elAudio:
			x.player(n)
		case elIframe, elEmbed, elObject:
			x.frame(n)
		case elScript:
			x.script(n)
		}
		for _, a := range n.Attrs {
			if strings.HasPrefix(a.Key, "data-") && listAddress(a.Val) {
				x.add(Object{URL: a.Val, Title: n.Attr("title"), Around: around(n), Poster: n.Attr("poster"), From: []string{a.Key}})
			}
		}
	}
}

// listAddress tells whether a value is the address of a stream.
func listAddress(v string) bool {
	p, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(v)), "?")
	return (strings.HasSuffix(p, ".m3u8") || strings.HasSuffix(p, ".mpd")) && !strings.ContainsAny(p, " <>{}\"'")
}

// player reads a video or audio element with its sources and tracks.
func (x *extractor) player(n *tree.Node) {
	o := Object{Title: firstOf(n.Attr("title"), n.Attr("aria-label")), Poster: n.Attr("poster"), Around: around(n), Sound: n.Element == elAudio, From: []string{n.Name}}
	type source struct{ url, mime string }
	sources := []source{{n.Attr("src"), n.Attr("type")}}
	for c := range n.Descendants() {
		switch c.Element {
		case elSource:
			sources = append(sources, source{c.Attr("src"), c.Attr("type")})
		case elTrack:
			u, ok := x.resolve(c.Attr("src"))
			switch {
			case ok && len(o.Tracks) < maxTracks:
				o.Tracks = append(o.Tracks, u)
			case ok:
				x.beyond++
			}
		}
	}
	for _, s := range sources {
		if s.url != "" {
			o.URL, o.MIME, o.Kind = s.url, s.mime, ""
			x.add(o)
		}
	}
}

// frame reads elements that show a document of somebody else.
func (x *extractor) frame(n *tree.Node) {
	ref := firstOf(n.Attr("src"), n.Attr("data"), n.Attr("data-src"), n.Attr("data-lazy-src"))
	u, ok := x.resolve(ref)
	if !ok {
		x.add(Object{URL: ref, Title: n.Attr("title"), Around: around(n), From: []string{n.Name}}) // a stream that is not HTTP, or nothing
		return
	}
	o := Object{URL: u, Kind: Player, Title: firstOf(n.Attr("title"), n.Attr("aria-label")), MIME: n.Attr("type"), Around: around(n), From: []string{n.Name}}
	o.Service, _ = Service(u)
	mime := strings.ToLower(o.MIME)
	switch {
	case strings.HasPrefix(mime, "video/"), strings.HasPrefix(mime, "audio/"), mediaFile.MatchString(u):
		o.Kind, o.Sound = "", strings.HasPrefix(mime, "audio/")
	case mime == "application/x-shockwave-flash", o.Service != "", looksLikePlayer(u):
	default:
		return
	}
	x.add(o)
}

var mediaFile = regexp.MustCompile(`(?i)\.(mp4|m4v|m4a|webm|ogv|ogg|oga|opus|mp3|aac|flac|wav|mov|mkv|avi|wmv|flv|3gp|mpe?g|m3u8|mpd)(\?|$)`)

var listInScript = regexp.MustCompile(`["']((?:https?:\\?/\\?/|/)[^"'\s<>]+?\.(?:m3u8|mpd)(?:\?[^"'\s<>]*)?)["']`)

// otherProtocol are addresses of streams that are not HTTP.
var otherProtocol = regexp.MustCompile(`(?i)^(?:rtmp[est]{0,2}|rtsps?|mms[htu]?|srt)://[^\s"'<>]+$`)

var streamInScript = regexp.MustCompile(`(?i)["']((?:rtmp[est]{0,2}|rtsps?|mms[htu]?|srt)://[^"'\s<>]+)["']`)

// script looks for addresses of streams in scripts.
func (x *extractor) script(n *tree.Node) {
	if n.First == nil || strings.Contains(n.Attr("type"), "ld+json") {
		return
	}
	if strings.Contains(n.First.Data, "rtmp") || strings.Contains(n.First.Data, "rtsp") || strings.Contains(n.First.Data, "mms:") {
		for _, m := range streamInScript.FindAllStringSubmatch(n.First.Data, -1) {
			x.add(Object{URL: m[1], From: []string{"script"}})
		}
	}
	if !strings.Contains(n.First.Data, ".m3u8") && !strings.Contains(n.First.Data, ".mpd") {
		return // hardly any script has one, and the expression costs a hundred times as much as these
	}
	for _, m := range listInScript.FindAllStringSubmatch(n.First.Data, -1) {
		x.add(Object{URL: strings.ReplaceAll(m[1], `\/`, "/"), From: []string{"script"}})
	}
}

// typeOf names the element that tells the type of what another element names.
var typeOf = map[string]string{
	"og:video:secure_url": "og:video:type", "og:video:url": "og:video:type", "og:video": "og:video:type",
	"og:audio:secure_url": "og:audio:type", "og:audio:url": "og:audio:type", "og:audio": "og:audio:type",
	"twitter:player:stream": "twitter:player:stream:content_type",
}

// openGraph reads what meta elements say of the page as a whole.
func (x *extractor) openGraph() {
	seconds, _ := strconv.ParseFloat(firstOf(x.meta["video:duration"], x.meta["og:video:duration"]), 64)
	if !(seconds > 0 && seconds < 1e7) {
		seconds = 0
	}
	for _, kind := range []string{"og:video:secure_url", "og:video:url", "og:video", "og:audio:secure_url", "og:audio:url", "og:audio", "twitter:player:stream", "twitter:player"} {
		u, ok := x.resolve(x.meta[kind])
		if !ok {
			continue
		}
		o := Object{
			URL: u, MIME: x.meta[typeOf[kind]], Title: x.meta["og:title"], Description: x.meta["og:description"],
			Poster: x.meta["og:image"], Seconds: seconds, Sound: strings.HasPrefix(kind, "og:audio"), From: []string{"og"},
			Date: firstOf(x.meta["video:release_date"], x.meta["article:published_time"]),
		}
		if name, _ := Service(u); name != "" || strings.HasPrefix(o.MIME, "text/html") || !mediaFile.MatchString(u) && !strings.Contains(o.MIME, "mpegurl") {
			o.Kind = Player
		}
		if strings.HasPrefix(kind, "twitter") {
			o.From = []string{"twitter"}
		}
		x.add(o)
	}
}

// describe gives the page's own words to an object that has none, if it is the only one.
func (x *extractor) describe() {
	title := firstOf(x.meta["og:title"], x.oembed, x.title)
	about := firstOf(x.meta["og:description"], x.meta["description"])
	for i := range x.out {
		o := &x.out[i]
		if o.Title == "" {
			o.Title = clip(title, maxText)
		}
		if o.Description == "" && len(x.out) == 1 {
			o.Description = clip(about, maxText)
		}
		if x.linked && o.Kind == Player && !contains(o.From, "oembed") {
			o.From = append(o.From, "oembed")
		}
	}
}
