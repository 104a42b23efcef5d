package webapp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"varve/lab/chance"
	"varve/web/markup"
	"varve/web/markup/tree"
)

func treeOf(page string) *tree.Node {
	var b tree.Builder
	var w markup.Walker
	w.Walk([]byte(page), false, &b)
	return b.Root
}

// A selector finds what cascadia finds, another reader of CSS.
func TestSelectorsFindWhatCascadiaFinds(t *testing.T) {
	rnd := chance.Rand(t, 1)
	for range 400 {
		page := randomPage(rnd)
		expr := randomSelector(rnd)
		ours, err := ParseSelector(expr)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseSelector(ours.String()); err != nil || again.String() != ours.String() {
			t.Fatalf("%q is written as %q, which is read as %q (%v)", expr, ours, again, err)
		}
		theirs, err := cascadia.ParseGroup(expr)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(strings.NewReader("<html><head></head><body>" + page + "</body></html>"))
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, n := range cascadia.QueryAll(doc, theirs) {
			want = append(want, number(n))
		}
		ours.find(treeOf("<html><head></head><body>"+page+"</body></html>"), nil, func(n *tree.Node) bool {
			got = append(got, n.Attr("n"))
			return true
		})
		if !slices.Equal(got, want) {
			t.Fatalf("%s\nin %s\nfinds %q, cascadia %q", expr, page, got, want)
		}
	}
}

func number(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "n" {
			return a.Val
		}
	}
	return ""
}

func randomPage(rnd *rand.Rand) string {
	var b strings.Builder
	n := 0
	var element func(depth int)
	element = func(depth int) {
		n++
		name := []string{"div", "section", "span"}[rnd.IntN(3)]
		fmt.Fprintf(&b, `<%s n="%d"`, name, n)
		if rnd.IntN(2) == 0 {
			fmt.Fprintf(&b, ` class="%s"`, []string{"a", "b", "a b", "ab", ""}[rnd.IntN(5)])
		}
		if rnd.IntN(4) == 0 {
			fmt.Fprintf(&b, ` id="%s"`, []string{"x", "y", "x-1"}[rnd.IntN(3)])
		}
		b.WriteString(">")
		for range rnd.IntN(4) {
			if depth < 5 && n < 60 {
				element(depth + 1)
			}
		}
		fmt.Fprintf(&b, "</%s>", name)
	}
	element(0)
	return b.String()
}

func randomSelector(rnd *rand.Rand) string {
	var ways []string
	for range 1 + rnd.IntN(2) {
		var b strings.Builder
		for i := range 1 + rnd.IntN(4) {
			if i > 0 {
				b.WriteString([]string{" ", " > ", "  "}[rnd.IntN(3)])
			}
			b.WriteString([]string{"*", "div", "section", ".a", ".b", "#x", "div.a", "[class]", `[class^="a"]`, `[class$="b"]`, `[class*="a"]`, "[class~=b]", `[id="x-1"]`, "span.a.b"}[rnd.IntN(14)])
		}
		ways = append(ways, b.String())
	}
	return strings.Join(ways, ", ")
}

func TestSelectorErrors(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"", "an element is missing"},
		{"div >", "an element is missing"},
		{"a + b", "is not known here"},
		{"a ~ b", "is not known here"},
		{"div:has(p)", "is not known here"},
		{"li:nth-child(2)", "is not known here"},
		{"[a", "behind the name"},
		{"[a=", "quote a value"},
		{`[a="b`, "a quote is not closed"},
		{".", "a name is missing"},
		{strings.Repeat("a ", 17), "more than 16 steps"},
	} {
		_, err := ParseSelector(c.expr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.expr, err, c.want)
		}
	}
}

func TestExpression(t *testing.T) {
	root := treeOf(`<div id=p7 class=post><h3> Ropes &amp;
		nets </h3><p class=by>by <a href=/u/1>Anna</a> on 3 May 2024</p><div class=text><p>One.<p>Two.<script>no()</script></div></div>`)
	post := root.First
	for _, c := range []struct{ expr, want string }{
		{"h3", "Ropes & nets"},
		{".by a", "Anna"},
		{".by a @href", "/u/1"},
		{".by =~ on (.*)", "3 May 2024"},
		{`@id =~ ^p(\d+)$`, "7"},
		{`@id =~ ^q`, ""},
		{".text", "One.\nTwo."},
		{".none", ""},
		{".text p =~ ^T.*", "Two."},
		{". =~ by (\\w+)", "Anna"},
		{`a[href="/u/1"]`, "Anna"},
		{`a[href="/u/@"]`, ""},
	} {
		var x Expression
		if err := x.UnmarshalText([]byte(c.expr)); err != nil {
			t.Fatal(err)
		}
		if got, _ := x.value(post, nil, nil); got != c.want {
			t.Errorf("%s = %q, want %q", c.expr, got, c.want)
		}
	}
}

// A page that is made to be slow costs what another of its size costs: a selector looks at each element once.
func TestSelectorLooksAtEachElementOnce(t *testing.T) {
	pages := map[string]string{
		"deep":   strings.Repeat(`<div class="a">`, 400) + strings.Repeat("<i>x</i>", 2000),
		"wide":   strings.Repeat(`<div class="a"></div>`, 5000),
		"nested": strings.Repeat(`<div class="a"><p>`, 2000),
	}
	sel, err := ParseSelector("div div div div div div .a .a .a .a .a .a .none, .a > .a > .a .none")
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		root := treeOf(page)
		elements, looks := 0, 0
		for n := range root.Descendants() {
			if n.Name != "" {
				elements++
			}
		}
		found := 0
		sel.find(root, func(*tree.Node) bool { looks++; return false }, func(*tree.Node) bool { found++; return true })
		if found > 0 || looks != elements {
			t.Errorf("%s: %d found, %d looks at %d elements", name, found, looks, elements)
		}
	}
}

func FuzzExpression(f *testing.F) {
	for _, s := range []string{"div.post > p", `[a="b"] @href =~ x(.*)`, "@id", "a, b", "#x.y[z]", "=~ (", `@id =~ ^p(\d+)$`} {
		f.Add(s)
	}
	root := treeOf(`<div id=p1 class="post x"><a href=y>z</a></div>`)
	f.Fuzz(func(t *testing.T, s string) {
		var x, again Expression
		if x.UnmarshalText([]byte(s)) != nil {
			return
		}
		val, _ := x.value(root.First, nil, nil)
		if err := again.UnmarshalText([]byte(x.String())); err != nil {
			t.Fatalf("%q is written as %q: %v", s, x, err)
		}
		if same, _ := again.value(root.First, nil, nil); same != val {
			t.Fatalf("%q gives %q, and written again as %q, %q", s, val, x, same)
		}
	})
}
