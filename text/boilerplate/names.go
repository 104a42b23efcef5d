package boilerplate

import (
	"bytes"
	"unicode/utf8"

	"varve/web/markup"
)

// kind is what an element does to the text in it.
type kind uint8

const (
	inline        kind = iota
	container          // its text begins a block
	phrase             // inside of a line, but may be named like something aside
	lineBreak          //
	anchor             //
	beside             // a container made for what is not the article
	skipped            // holds no text of an article
	skippedPhrase      // the same, inside of a line
	rawText            // what is in it is no text at all
)

// kinds names the elements that matter; all others are inline.
var kinds = byElement(map[kind]string{
	container: "html body div section main article blockquote ul ol dl li dt dd table tr td th caption p pre h1 h2 h3 h4 h5 h6 center details summary header " +
		"hgroup address q code",
	phrase:    "span",
	lineBreak: "br hr",
	anchor:    "a",
	beside:    "aside footer form nav figure dialog",
	skipped: "head iframe menu object noscript picture svg video audio canvas map applet embed fieldset frameset datalist template marquee math select " +
		"optgroup",
	skippedPhrase: "button label legend time ins output progress rp rt rtc option textarea",
	rawText:       "script style title xmp",
})

var blockKinds = byElement(map[blockKind]string{
	paragraph: "p pre blockquote q code summary details",
	heading:   "h1 h2 h3 h4 h5 h6",
	item:      "li dt dd",
	cell:      "td th caption",
})

func byElement[K comparable](names map[K]string) [markup.NumElements]K {
	m := map[string]K{}
	for k, list := range names {
		m[list] = k
	}
	return markup.Table(m)
}

// Elements that are asked for by name.
var (
	elP, elDiv, elUl, elOl, elDl = markup.Named("p"), markup.Named("div"), markup.Named("ul"), markup.Named("ol"), markup.Named("dl")
	elTable, elScript            = markup.Named("table"), markup.Named("script")
)

var (
	// layout are the elements by which pages put something beside or around their text.
	layout = set("div section table nav aside header footer main article form iframe object menu")
	// keepsOpen are elements that the end of a lesser one around them does not close.
	keepsOpen = set("div section main article table ul ol dl body aside nav footer form td th figure blockquote")
	// endsBefore are the elements whose end tag may be left out, with the start tags before which it may.
	endsBefore = markup.Table(map[string][markup.NumElements]bool{"li": set("li"), "dt dd": set("dt dd"), "td th": set("td th tr"), "tr": set("tr")})
	// mayBeAside are the elements whose class and id are asked.
	mayBeAside = set("div dd dt li ul ol dl p section span header")
	// asideRoles are the ARIA roles of what is around an article.
	asideRoles = map[string]bool{
		"navigation": true, "banner": true, "contentinfo": true, "complementary": true, "search": true, "dialog": true, "alert": true, "menu": true, "toolbar": true,
	}
)

func set(names string) [markup.NumElements]bool { return markup.Table(map[string]bool{names: true}) }

// tag is what the attributes of a start tag say, in lower case.
type tag struct {
	class, id      []byte
	role, itemprop []byte
	hidden         bool
}

// lowered is a value in lower case, without quotes around it.
func lowered(val []byte) []byte {
	if len(val) == 0 {
		return nil
	}
	val = bytes.Trim(val, `"'`)
	for _, c := range val {
		if c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf {
			return bytes.ToLower(val)
		}
	}
	return val
}

func (r *Reader) readTag(token *markup.Token) (t tag) {
	for i := range token.Attrs {
		a := &token.Attrs[i]
		switch string(a.Key) {
		case "class":
			t.class = lowered(a.Val)
		case "id":
			t.id = lowered(a.Val)
		case "role":
			t.role = lowered(a.Val)
			t.hidden = t.hidden || asideRoles[string(t.role)]
		case "itemprop":
			t.itemprop = lowered(a.Val)
		case "hidden":
			t.hidden = true
		case "aria-hidden":
			t.hidden = t.hidden || string(lowered(a.Val)) == "true"
		case "style":
			if val := lowered(a.Val); bytes.Contains(val, []byte("display")) {
				t.hidden = t.hidden || bytes.Contains(val, []byte("display:none")) || bytes.Contains(val, []byte("display: none"))
			}
		}
	}
	return t
}

// naming is what class, id, role and itemprop say of an element.
type naming struct {
	claims claims
	aside  bool
}

// Bounds of what is remembered of names: sites use the same few hundred again and again.
const (
	maxNames = 2000
	maxNamed = 120 // bytes
)

// naming returns what the names of a tag say.
func (r *Reader) naming(t *tag) (n naming) {
	size := len(t.class) + len(t.id) + len(t.role) + len(t.itemprop)
	if size == 0 {
		return n
	}
	var room [maxNamed + 3]byte
	key := room[:0]
	if size <= maxNamed {
		key = append(append(append(key, t.class...), 0), t.id...)
		key = append(append(append(append(key, 0), t.role...), 0), t.itemprop...)
		if n, ok := r.names[string(key)]; ok {
			return n
		}
	}
	n = naming{t.claims(), t.isAside()}
	if size <= maxNamed && len(r.names) <= maxNames {
		r.names[string(key)] = n
	}
	return n
}

// claims are the ways in which an element says that it holds the article, a bit each, the clearest first.
type claims uint8

const (
	bodyClaim    = iota // the text of an article and nothing else
	articleClaim        // the element article
	storyClaim          // an article with what belongs to it
	contentClaim        // the part of the page with its content
	mainClaim           // the main part of the page
	claimKinds
)

var elementClaims = markup.Table(map[string]claims{"article": 1 << articleClaim, "main": 1 << mainClaim})

// Words in classes and ids. Those in Equal lists are the whole class.
var (
	bodyWords = words("post-text post_text post-body post-entry postentry post-content post_content postcontent post_inner_wrapper article-text articletext " +
		"entry-content article-content article__content article-body article__body articlebody articlecontent page-content text-content body-text " +
		"article__container art-content")
	bodyEqual  = words("post entry")
	storyWords = words("post-bodycopy storycontent story-content theme-content blog-content section-content single-content single-post main-column " +
		"wpb_text_column story-body field-body fulltext")
	storyIDs     = words("article story")
	storyEqual   = words("postarea art-postcontent text cell story")
	contentWords = words("content-main content_main content-body contentbody content__body main-content page-content")

	asideWords = words("footer related viral social syndication newsletter cookie tags sidebar banner breadcrumb bread-crumb author button message-container " +
		"teaser share comment reply- akismet hidden")
	asideClassWords = words("elated share- sociable embed subnav tag-list bar meta menu avigation navbar navbox byline rating widget attachment timestamp " +
		"user-info user-profile -ad- -icon article-infos nfoline outbrain taboola criteo options expand consent modal-content permission next- -stories " +
		"most-popular mol-factbox slide viewport overlay paid-content paidcontent obfuscated blurred nocomments message suggest-links -hide- noprint notloaded " +
		"promo advert sponsor recommend")
	asideIDWords  = words("menu nav premium")
	asidePrefixes = words("shar nav post-nav hide- jp- dpsp-content")
)

func words(list string) [][]byte { return bytes.Fields([]byte(list)) }

func contains(s []byte, list [][]byte) bool {
	for _, w := range list {
		if len(s) >= len(w) && bytes.Contains(s, w) {
			return true
		}
	}
	return false
}

func equals(s []byte, list [][]byte) bool {
	for _, w := range list {
		if bytes.Equal(s, w) {
			return true
		}
	}
	return false
}

func begins(s []byte, list ...string) bool {
	for _, w := range list {
		if bytes.HasPrefix(s, []byte(w)) {
			return true
		}
	}
	return false
}

// claims returns what class, id and role claim.
func (t *tag) claims() (c claims) {
	if string(t.itemprop) == "articlebody" || equals(t.class, bodyEqual) || contains(t.class, bodyWords) || contains(t.id, bodyWords) {
		c |= 1 << bodyClaim
	}
	if string(t.role) == "article" || equals(t.class, storyEqual) || contains(t.class, storyWords) || equals(t.id, storyIDs) ||
		bytes.Contains(t.id, []byte("story-body")) || begins(t.id, "primary") || begins(t.class, "article") {
		c |= 1 << storyClaim
	}
	if contains(t.class, contentWords) || contains(t.id, contentWords) || string(t.id) == "content" || string(t.class) == "content" {
		c |= 1 << contentClaim
	}
	if string(t.role) == "main" || begins(t.class, "main") || begins(t.id, "main") {
		c |= 1 << mainClaim
	}
	return c
}

// isAside reports whether class and id name something around an article.
func (t *tag) isAside() bool {
	if contains(t.class, asideWords) || contains(t.id, asideWords) || contains(t.class, asideClassWords) || contains(t.id, asideIDWords) {
		return true
	}
	for _, p := range asidePrefixes {
		if bytes.HasPrefix(t.class, p) || bytes.HasPrefix(t.id, p) {
			return true
		}
	}
	return false
}
