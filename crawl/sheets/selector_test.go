package sheets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ sheet, want string }{
		{`.a{background:url(x)}`, "x [a]"},
		{`.tw.tw-smile, #menu > a:hover { background: url( "x" ) }`, "x [tw-smile menu]"},
		{`p:not(.plain), .note { background: url(x) }`, "x []"},
		{`:is(.a, .b) .c { background: url(x) }`, "x [c]"},
		{`a[class="x.y"] { background: url(x) }`, "x []"},
		{`@media (min-width: 3px) { .a { background: url(x) } .b { background: url(y) } } p { background: url(z) }`, "x [a] y [b] z []"},
		{`@keyframes k { from { background: url(x) } }`, "x []"},
		{`.a { color: red; .b & { background: url(x) } background: url(y) }`, "x [b] y [a]"},
		{`.A\.b { background: url(x) }`, "x []"},
		{`.ä { background: url(x) }`, "x []"},
		{`/* .c */ .a /* , p */ { background: url(x), url('y') }`, "x [a] y [a]"},
		{`.a { width: 1.5em; background: #abc url(x) } .b {}`, "x [a]"},
		{`} .a { background: url(x)`, "x [a]"},
		{`@import url(x); .a {}`, "x []"},
		{strings.Repeat(".a{", 20) + "background:url(x)" + strings.Repeat("}", 20) + ".b{background:url(y)}", "x [] y [b]"},
	} {
		var got []string
		pictures([]byte(c.sheet), func(address string, names []string) { got = append(got, fmt.Sprintf("%s %v", address, names)) })
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s\n\tgives %s, want %s", c.sheet, s, c.want)
		}
	}
}

// Wherever a selector holds, by another reader of CSS, one of its names stands in the page.
func TestNothingShownIsLeftOut(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	simple := func() string {
		return pick("p", "i", "", "") + pick(".a", ".bb", ".c-c", "#d", "#ee", "[id]", ":first-child", ":not(.a)", ":not(.bb, #d)", ".a.bb", "*")
	}
	held, left := 0, 0
	for range 20_000 {
		var list []string
		for range 1 + r.IntN(3) {
			s := strings.TrimPrefix(simple(), "**")
			for range r.IntN(3) {
				s += pick(" ", " > ", " + ", "~") + simple()
			}
			list = append(list, strings.ReplaceAll(s, "p*", "p"))
		}
		selector := strings.ReplaceAll(strings.Join(list, pick(",", ", ")), "i*", "i")
		sel, err := cascadia.ParseGroup(selector)
		if err != nil {
			continue
		}
		var page strings.Builder
		for range r.IntN(5) {
			fmt.Fprintf(&page, `<p class="%s" id=%s><i class=%s></i>%s`, pick("a", "bb x", "", "c-c a"), pick("d", "ee", "f"), pick("a", "bb", "z"), pick("</p>", ""))
		}
		doc, err := html.Parse(strings.NewReader(page.String()))
		if err != nil {
			t.Fatal(err)
		}
		words := strings.FieldsFunc(page.String(), func(c rune) bool { return !isName(byte(c)) })
		pictures([]byte(selector+"{background:url(x)}"), func(_ string, names []string) {
			stands := len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(words, n) })
			switch shown := cascadia.Query(doc, sel) != nil; {
			case shown && !stands:
				t.Fatalf("%q holds in %s, and none of %q stands there", selector, page.String(), names)
			case shown:
				held++
			case !stands:
				left++
			}
		})
	}
	if held < 1000 || left < 1000 {
		t.Errorf("%d selectors held, %d were left out: this says little", held, left)
	}
}

func FuzzPictures(f *testing.F) {
	f.Add(`.a, #b { background: url(x) }`)
	f.Add("@media x{.a{background:url('")
	f.Fuzz(func(t *testing.T, sheet string) {
		pictures([]byte(sheet), func(_ string, names []string) {
			for _, n := range names {
				if n == "" || !isASCII([]byte(n)) {
					t.Errorf("name %q", n)
				}
			}
		})
	})
}
