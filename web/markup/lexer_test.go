package markup

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	xhtml "golang.org/x/net/html"
)

// TestLexer compares our lexer with x/net's tokeniser on random soup: the same tags with the same attributes, in order.
func TestLexer(t *testing.T) {
	pieces := []string{
		"<", "</", "a", "<a", "<b", " href=", " x", "\"", "'", ">", "/", "=", " ", "y", "<!--", "-->", "--!>", "-", "!", "&amp;", "\n", "?", "<?", "<!", "<i/>",
		"<script>", "</script>", "<style>", "</style>", "<!doctype html>", "<title>", "</title>", "\u00e9", "1", "<textarea>", "</textarea>",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 30_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := b.String() + `'"'">-->` // close what may be open: at the end of a file the two keep different halves
		if ours, theirs := tagsOurs(src), tagsTheirs(src); ours != theirs {
			t.Fatalf("%q\n ours %s\nx/net %s", src, ours, theirs)
		}
	}
}

func tagsOurs(src string) string {
	var b strings.Builder
	l := Lexer{Src: []byte(src)}
	for {
		tok := l.Next()
		switch tok {
		case EOF:
			return b.String()
		case Start:
			name := strings.ToLower(string(l.Name))
			fmt.Fprintf(&b, "<%s", name)
			seen := make(map[string]bool)
			for l.Attr() {
				key := strings.ToLower(string(l.Key))
				if !seen[key] {
					fmt.Fprintf(&b, " %q=%q", key, xhtml.UnescapeString(string(l.Val)))
				}
				seen[key] = true // the first counts
			}
			switch name {
			case "script", "style", "title", "textarea":
				l.Raw(name)
			}
		case End:
			if len(l.Name) > 0 && isAlpha(l.Name[0]) {
				fmt.Fprintf(&b, "</%s", bytes.ToLower(l.Name))
			}
		}
	}
}

func tagsTheirs(src string) string {
	var b strings.Builder
	z := xhtml.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			return b.String()
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			tok := z.Token()
			fmt.Fprintf(&b, "<%s", tok.Data)
			for _, a := range tok.Attr {
				fmt.Fprintf(&b, " %q=%q", a.Key, a.Val)
			}
		case xhtml.EndTagToken:
			fmt.Fprintf(&b, "</%s", z.Token().Data)
		}
	}
}
