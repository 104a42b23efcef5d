package boilerplate

import "bytes"

// kind is what an element does to the text in it.
type kind uint8

const (
	inline kind = iota
	blockStart
	headingStart
	lineBreak
	anchor
	container
	skipped
	article
	rawText
)

// kinds names the elements that matter; all others are inline.
var kinds = map[string]kind{
	"p": blockStart, "li": blockStart, "dt": blockStart, "dd": blockStart, "td": blockStart, "th": blockStart, "tr": blockStart, "pre": blockStart,
	"figcaption": blockStart, "caption": blockStart, "summary": blockStart, "hr": blockStart,
	"h1": headingStart, "h2": headingStart, "h3": headingStart, "h4": headingStart, "h5": headingStart, "h6": headingStart,
	"br": lineBreak, "a": anchor,
	"div": container, "section": container, "body": container, "blockquote": container, "ul": container, "ol": container, "dl": container,
	"table": container, "tbody": container, "center": container, "main": article, "details": container, "header": skipped,
	"figure": skipped, "nav": skipped, "footer": skipped, "aside": skipped, "form": skipped, "noscript": skipped, "button": skipped,
	"select": skipped, "iframe": skipped, "template": skipped, "dialog": skipped, "object": skipped, "video": skipped, "audio": skipped,
	"label": skipped, "menu": skipped,
	"article": article,
	"script":  rawText, "style": rawText, "textarea": rawText, "title": rawText, "xmp": rawText,
}

// layout are the elements by which pages put something beside or around their text.
var layout = map[string]bool{
	"div": true, "section": true, "table": true, "nav": true, "aside": true, "header": true, "footer": true, "main": true, "article": true,
	"form": true, "iframe": true, "object": true, "menu": true,
}

// claims are the elements and roles that say they hold the article.
var claims = map[string]claim{"main": mainClaim, "article": articleClaim}

// roles are the ARIA roles of what is around an article.
var roles = map[string]bool{
	"navigation": true, "banner": true, "contentinfo": true, "complementary": true, "search": true, "dialog": true, "alert": true, "menu": true, "toolbar": true,
}

// around are words in classes and ids of what is around an article or between its paragraphs.
var around = [][]byte{
	[]byte("share"), []byte("social"), []byte("related"), []byte("comment"), []byte("sidebar"), []byte("cookie"), []byte("consent"), []byte("promo"),
	[]byte("advert"), []byte("sponsor"), []byte("newsletter"), []byte("breadcrumb"), []byte("footer"), []byte("navbar"), []byte("navigation"), []byte("-nav"),
	[]byte("nav-"), []byte("menu"), []byte("widget"), []byte("banner"), []byte("tags"), []byte("taglist"), []byte("byline"), []byte("author"), []byte("meta"),
	[]byte("recommend"), []byte("teaser"), []byte("outbrain"), []byte("taboola"), []byte("subscribe"), []byte("paywall"), []byte("pagination"), []byte("pager"),
	[]byte("disclaimer"), []byte("copyright"), []byte("login"), []byte("caption"), []byte("gallery"), []byte("toolbar"), []byte("popup"), []byte("modal"),
	[]byte("more-"), []byte("read-more"), []byte("bio"), []byte("signup"), []byte("print"), []byte("rating"), []byte("infobox"), []byte("reflist"), []byte("toc"),
}

// isBoilerplate tells whether class and id name something around an article.
func isBoilerplate(about []byte) bool {
	for _, w := range around {
		if bytes.Contains(about, w) {
			return true
		}
	}
	return false
}
