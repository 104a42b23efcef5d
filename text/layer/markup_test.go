package layer

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"

	"varve/web/markup"
)

// before is the form of a page as it was made when digests of the layer dom were first kept: by the lexer of tdewolff/parse.
func before(body []byte) []byte {
	w := &Markup{}
	lex := html.NewLexer(parse.NewInputBytes(body[:len(body):len(body)]))
	for {
		kind, data := lex.Next()
		switch kind {
		case html.ErrorToken:
			return w.out
		case html.CommentToken:
		case html.StartTagToken:
			w.name, w.attrs = append(w.name[:0], lex.Text()...), w.attrs[:0]
		case html.AttributeToken:
			val := lex.AttrVal()
			if n := len(val); n >= 2 && (val[0] == '"' || val[0] == '\'') && val[n-1] == val[0] {
				val = val[1 : n-1]
			}
			w.attrs = append(w.attrs, attr{lex.AttrKey(), val})
		case html.StartTagCloseToken, html.StartTagVoidToken:
			w.start()
		case html.EndTagToken:
			w.raw = false
			w.out = append(append(w.out, markEnd), lex.Text()...)
		case html.TextToken:
			w.text(data)
		default: // doctype, svg and math as a whole
			w.out = mask(append(w.out, markOther), data)
		}
	}
}

func now(body []byte) []byte {
	w := &Markup{}
	var walk markup.Walker
	walk.Walk(body, false, w)
	w.flush()
	return w.out
}

// TestMarkupLikeBefore compares the form of markup with that of the lexer that the first digests were made with. VARVE_PAGES may name folders of pages.
func TestMarkupLikeBefore(t *testing.T) {
	for _, dir := range filepath.SplitList(os.Getenv("VARVE_PAGES")) {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".htm") {
				return err
			}
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			compare(t, path, bytes.ToValidUTF8(body, []byte("\ufffd")))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	pieces := []string{
		"<p>", "</p>", "<a", "<A", " HREF=", " x", "\"", "'", ">", "/", "=", " ", "y", "word", "<!--", "-->", "--!>", "-", "&amp;", "\n", "<?php", "<i/>", "<br />",
		"<script>", "</script>", "</SCRIPT >", "<style>", "</style>", "<!doctype html>", "<title>", "</title>", "\u00e9", "1", "<textarea>", "</textarea>",
		"<svg>", "</svg>", "<SVG viewBox=\"0 0\">", "<path d='z'/>", "<math>", "</math>", "<xml>", "</xml>", "<iframe src=x>", "</iframe>", "</div class=x>", "</>", "</3>", "</ x>", "<xmp>", "</xmp>",
	}
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	for range 40_000 {
		var b strings.Builder
		for range 1 + r.IntN(14) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if strings.Contains(b.String(), "<!-->") || strings.Contains(b.String(), "<!--->") {
			continue // a whole comment by the standard; before, all up to the next "-->" was taken for one, text and all
		}
		if compare(t, b.String(), []byte(b.String())); t.Failed() {
			return
		}
	}
}

func compare(t *testing.T, name string, body []byte) {
	t.Helper()
	want, got := before(body), now(body)
	if bytes.Equal(want, got) {
		return
	}
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	t.Errorf("%q\n was %q\n  is %q", name, want[max(0, i-60):min(len(want), i+100)], got[max(0, i-60):min(len(got), i+100)])
}
