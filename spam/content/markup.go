package content

import (
	"strconv"
	"strings"

	"varve/spam/feature"
	"varve/spam/terms"
	"varve/web/markup"
)

// marks takes in what the tags of a page show. They were read with its links, or are read now.
func marks(f *Features, p *Document) {
	f[RedirectExecuted] = feature.Unknown()
	if p.Executed != "" {
		f[RedirectExecuted] = truth(hostOf(p.Executed) != hostOf(p.URL))
	}
	if len(p.HTML) == 0 {
		return
	}
	r := p.marks
	if r == nil {
		r = newReader(p.URL)
		var w markup.Walker
		w.Walk(p.HTML, false, r)
	}
	f[Frames], f[MetaKeywords], f[MetaDescription], f[MetaRefresh] = r.frames, r.keywords, r.description, r.refresh
	words := float64(r.words)
	f[HiddenFraction], f[DisguisedFraction] = feature.Ratio(float64(r.hidden), words), feature.Ratio(float64(r.disguised), words)
	f[HiddenBlocks] = float64(r.blocks)
	f[ScriptFraction] = float64(r.script) / float64(max(r.size, 1))
	found := r.code.verdict()
	f[ScriptRedirect], f[ScriptObfuscated], f[ScriptEval] = truth(found.redirect), truth(found.obfuscated), float64(found.evals)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// reader is a subscriber of the walk over a page.
type reader struct {
	url    string
	src    []byte
	size   int // of src
	open   []element
	rules  rules
	sheets bool // a style sheet that we do not see may set colours
	code   *program
	attrs  map[string]string // of the element at hand

	frames, keywords, description, refresh   float64
	words, hidden, disguised, blocks, script int
	last                                     sight

	closed markup.Element // inside of this one, whose content is no markup where scripts run
	from   int            // where its content begins
}

func newReader(url string) *reader {
	return &reader{url: url, rules: rules{}, code: newProgram(), attrs: map[string]string{}}
}

// element is one that is open.
type element struct {
	tag string
	look
	sight sight
}

// sight says whether a reader sees the words of an element.
type sight uint8

const (
	seenWords sight = iota
	hiddenWords
	disguisedWords
)

// Begin implements markup.Subscriber.
func (r *reader) Begin(src []byte) markup.Kinds {
	r.src, r.size = src, len(src)
	return markup.Of(markup.Start, markup.End, markup.Text, markup.Raw)
}

// closing are the elements whose content is no markup for a browser that runs scripts.
var closing = markup.Table(map[string]bool{"noscript noembed noframes": true})

// Token implements markup.Subscriber.
func (r *reader) Token(t *markup.Token) {
	if t.From >= MaxHTML {
		return
	}
	if r.closed != 0 {
		if t.Kind != markup.End || t.Element != r.closed {
			return
		}
		r.text(r.src[r.from:t.From])
		r.closed = 0
	}
	switch t.Kind {
	case markup.Start:
		if t.Whole {
			r.start(t)
		}
		if closing[t.Element] {
			r.closed, r.from = t.Element, t.To
		}
	case markup.End:
		r.end(string(t.Name))
	case markup.Text, markup.Raw:
		r.text(t.Data)
	}
}

// void are elements without content.
var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true, "link": true,
	"meta": true, "param": true, "source": true, "track": true, "wbr": true, "frame": true,
}

// looked are the attributes that are looked at.
var looked = map[string]bool{
	"style": true, "class": true, "id": true, "hidden": true, "bgcolor": true, "color": true, "text": true, "rel": true,
	"http-equiv": true, "name": true, "content": true, "onload": true,
}

// closes are elements that end where the next of their kind begins.
var closes = map[string]bool{"li": true, "p": true, "td": true, "th": true, "tr": true, "dt": true, "dd": true, "option": true}

func (r *reader) start(t *markup.Token) {
	tag := string(t.Name)
	attrs := r.attrs
	clear(attrs)
	for i := range t.Attrs {
		if a := &t.Attrs[i]; looked[string(a.Key)] {
			attrs[string(a.Key)] = markup.Value(a.Val)
		}
	}
	r.note(tag, attrs)
	if void[tag] || t.Self && tag != "script" {
		return
	}
	if closes[tag] && len(r.open) > 0 && r.open[len(r.open)-1].tag == tag {
		r.open = r.open[:len(r.open)-1]
	}
	if len(r.open) < MaxDepth {
		r.open = append(r.open, r.element(tag, attrs))
	}
}

// note takes in what an element says apart from its words.
func (r *reader) note(tag string, attrs map[string]string) {
	switch tag {
	case "frame", "iframe":
		r.frames++
	case "link":
		r.sheets = r.sheets || strings.Contains(strings.ToLower(attrs["rel"]), "stylesheet")
	case "meta":
		r.meta(attrs)
	case "body":
		r.code.add(attrs["onload"])
	}
}

func (r *reader) meta(attrs map[string]string) {
	content := attrs["content"]
	switch {
	case strings.EqualFold(attrs["http-equiv"], "refresh"):
		if refreshes(r.url, content) {
			r.refresh = 1
		}
	case strings.EqualFold(attrs["name"], "keywords"):
		r.keywords += float64(terms.Count(clip(content, MaxText)))
	case strings.EqualFold(attrs["name"], "description"):
		r.description += float64(terms.Count(clip(content, MaxText)))
	}
}

// refreshes tells whether a Refresh leads to another address within ten seconds.
func refreshes(url, content string) bool {
	const soon = 10
	wait, target, ok := strings.Cut(content, ";")
	if !ok {
		wait, target, ok = strings.Cut(content, ",")
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(wait), 64)
	if !ok || err != nil || seconds > soon {
		return false
	}
	if _, after, found := strings.Cut(target, "="); found {
		target = after
	}
	target = strings.Trim(target, " \t\"'")
	return target != "" && target != url
}

func (r *reader) end(tag string) {
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].tag == tag {
			r.open = r.open[:i]
			return
		}
	}
}

// inner is the element that is open innermost; outside of all it has no name.
func (r *reader) inner() *element {
	if n := len(r.open); n > 0 {
		return &r.open[n-1]
	}
	return &outside
}

// outside is what holds before the first element.
var outside element

func (r *reader) text(raw []byte) {
	in := r.inner()
	switch in.tag {
	case "script":
		r.script += len(raw)
		r.code.add(string(raw[:min(len(raw), MaxScript)]))
		return
	case "style":
		r.rules.read(raw[:min(len(raw), MaxScript)])
		return
	case "title", "noscript", "template", "textarea":
		return
	}
	n := 0
	for _, c := range raw {
		if c > ' ' {
			n++
		}
	}
	if n == 0 {
		return
	}
	r.words += n
	if in.sight == hiddenWords {
		r.hidden += n
	}
	if in.sight == disguisedWords {
		r.disguised += n
	}
	if in.sight != seenWords && in.sight != r.last {
		r.blocks++
	}
	r.last = in.sight
}
