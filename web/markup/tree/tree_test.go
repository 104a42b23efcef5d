package tree_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"varve/web/markup"
	"varve/web/markup/tree"
)

// pages whose end tags are left out, as pages do. What browsers make of them is x/net/html's answer.
var pages = []string{
	`<ul><li>a<ul><li>b<li>c</ul><li>d</ul>`,
	`<ol><li id=c1><div>one</div><ol><li id=c2><p>two<li id=c3>three</ol><li id=c4>four</ol>`,
	`<dl><dt>t<dd>a<dl><dt>u<dd>b</dl><dt>v</dl>`,
	`<table><tbody><tr><td>a<td>b<tr><th>c<td><table><tbody><tr><td>in<td>ner</table><td>d</table>`,
	`<table><thead><tr><th>h<tbody><tr><td>a<tbody><tr><td>b<tfoot><tr><td>f</table>`,
	`<p>a<p>b<div>c<p>d</div><p>e`,
	`<select><option>a<option>b<optgroup><option>c<optgroup><option>d</select>`,
	`<div><article><p>x<section><p>y</section></article></div><footer>z</footer>`,
	`<ul><li><a href=x>a</a><div>b<li>c</div></ul>`,
}

func TestTree(t *testing.T) {
	for _, page := range pages {
		var b tree.Builder
		var w markup.Walker
		w.Walk([]byte(page), false, &b)
		var ours strings.Builder
		for n := b.Root.First; n != nil; n = n.Next {
			outline(&ours, n)
		}
		doc, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		body := doc.FirstChild.LastChild
		var theirs strings.Builder
		for n := body.FirstChild; n != nil; n = n.NextSibling {
			theirOutline(&theirs, n)
		}
		if ours.String() != theirs.String() {
			t.Errorf("%s\n  is  %s\n want %s", page, ours.String(), theirs.String())
		}
	}
}

func outline(b *strings.Builder, n *tree.Node) {
	if n.IsText() {
		b.WriteString(n.Data)
		return
	}
	b.WriteString("(" + n.Name + " ")
	for c := n.First; c != nil; c = c.Next {
		outline(b, c)
	}
	b.WriteString(")")
}

func theirOutline(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	b.WriteString("(" + n.Data + " ")
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		theirOutline(b, c)
	}
	b.WriteString(")")
}
