package content

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/spam/feature"
	"varve/spam/terms"
)

// Of computes the features of a page.
func Of(p *Document) Features {
	f, _ := Measure(p)
	return f
}

// Measure computes the features of a page, and returns the words of its text, up to MaxText, too.
func Measure(p *Document) (Features, *terms.Bag) {
	var f Features
	for i := range f {
		f[i] = feature.Unknown()
	}
	text := clip(p.Text, MaxText)
	bag := language(&f, text, p.Language)
	words(&f, p, text, bag)
	Corpus(&f, p.Vocabulary, p.Language, bag)
	marks(&f, p)
	linkage(&f, p, bag)
	address(&f, p.URL)
	f[Cloaking] = cloaking(p, bag)
	return f, bag
}

func words(f *Features, p *Document, text string, bag *terms.Bag) {
	n := float64(bag.Tokens)
	f[Words] = n
	f[TitleWords], f[TitleLength] = float64(terms.Count(clip(p.Title, MaxText))), float64(utf8.RuneCountInString(p.Title))
	characters, most := 0, 0
	for w, c := range bag.Counts {
		characters += c * utf8.RuneCountInString(w)
		most = max(most, c)
	}
	f[WordLength] = feature.Ratio(float64(characters), n)
	f[AnchorFraction] = min(1, feature.Ratio(float64(terms.Count(clip(p.Anchors, MaxText))), n))
	size := p.Size
	if size == 0 {
		size = len(p.HTML)
	}
	if size > 0 {
		f[VisibleFraction] = min(1, float64(len(p.Text))/float64(size))
	}
	f[GzipRatio] = gzipRatio(text)
	f[TopWord] = feature.Ratio(float64(most), n)
	f[Distinct] = feature.Ratio(float64(len(bag.Counts)), n)
	f[Entropy] = entropy(bag)
}

func linkage(f *Features, p *Document, bag *terms.Bag) {
	all := float64(p.Inside + p.Outside)
	f[LinksInside], f[LinksOutside], f[HostsOutside] = float64(p.Inside), float64(p.Outside), float64(len(p.Hosts))
	f[OutsideFraction] = feature.Ratio(float64(p.Outside), all)
	f[TopOutside], f[TopOutsideShare] = float64(p.TopOutside), feature.Ratio(float64(p.TopOutside), float64(p.Outside))
	f[TopOutsideAnchors] = feature.Ratio(float64(p.TopAnchors), float64(p.TopOutside))
	f[LinkDensity] = feature.Ratio(all, float64(bag.Tokens))
	f[EmbedCount] = float64(p.Embeds)
	f[RobotsNoindex], f[RobotsNofollow] = 0, 0
	for _, r := range p.Robots {
		switch strings.TrimSpace(r) {
		case "none":
			f[RobotsNoindex], f[RobotsNofollow] = 1, 1
		case "noindex":
			f[RobotsNoindex] = 1
		case "nofollow":
			f[RobotsNofollow] = 1
		}
	}
}

func address(f *Features, url string) {
	host := hostOf(url)
	_, path, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(path, "/?"); i >= 0 {
		path = path[i:]
	} else {
		path = "/"
	}
	path, _, _ = strings.Cut(path, "#")
	way, query, _ := strings.Cut(path, "?")
	f[URLLength] = float64(len(path))
	f[URLDepth] = float64(len(strings.FieldsFunc(way, func(r rune) bool { return r == '/' })))
	f[URLParameters] = 0
	if query != "" {
		f[URLParameters] = float64(strings.Count(query, "&") + 1)
	}
	f[URLDigits], f[URLPunctuation] = signs(strings.ReplaceAll(path, "/", ""))
	f[HostLength] = float64(len(host))
	f[HostLabels] = float64(strings.Count(host, ".") + 1)
	f[HostDigits], f[HostPunctuation] = signs(strings.ReplaceAll(host, ".", ""))
}

// signs counts digits, and what is neither digit nor letter.
func signs(s string) (digits, others float64) {
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case !unicode.IsLetter(r):
			others++
		}
	}
	return digits, others
}

// cloaking compares what two user agents got.
func cloaking(p *Document, bag *terms.Bag) float64 {
	if p.Alternate == "" {
		return feature.Unknown()
	}
	return 1 - cosine(bag.Counts, terms.BagOf(clip(p.Alternate, MaxText)).Counts)
}

// clip cuts text to at most n bytes, at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
