package version_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/lab/chance"

	"varve/version"
)

func TestSight(t *testing.T) {
	const key = "com,example)/p"
	for _, c := range []struct {
		name string
		a    version.Answer
		want version.Sight
	}{
		{"a page", version.Answer{Status: 200, Digest: "A"}, version.Sight{Says: version.Content, Identity: "A"}},
		{"a resource", version.Answer{Digest: "A"}, version.Sight{Says: version.Content, Identity: "A"}},
		{"no digest", version.Answer{Status: 200, Digest: "-"}, version.Sight{}},
		{"an error of the server", version.Answer{Status: 503, Digest: "A"}, version.Sight{}},
		{"a refusal", version.Answer{Status: 403, Digest: "A"}, version.Sight{}},
		{"too many requests", version.Answer{Status: 429, Digest: "A"}, version.Sight{}},
		{"not found", version.Answer{Status: 404, Digest: "A"}, version.Sight{Says: version.Gone}},
		{"gone", version.Answer{Status: 410}, version.Sight{Says: version.Gone}},
		{"not modified", version.Answer{Status: 304, Digest: "A"}, version.Sight{Says: version.Same}},
		{"a weak revisit", version.Answer{Status: 200, Digest: "A", NotModified: "weak"}, version.Sight{Says: version.Same}},
		{"a strong revisit", version.Answer{Status: 200, Digest: "A", NotModified: "strong"}, version.Sight{Says: version.Same, Strong: true}},
		{"to itself", version.Answer{Status: 301, Digest: "A", Redirect: "https://www.example.com/p"}, version.Sight{}},
		{"elsewhere", version.Answer{Status: 301, Digest: "A", Redirect: "http://example.com/q"}, version.Sight{Says: version.Content, Identity: "redirect:http://example.com/q"}},
		{"who knows where", version.Answer{Status: 302, Digest: "A"}, version.Sight{Says: version.Content, Identity: "redirect:A"}},
	} {
		c.a.Key = key
		if got := c.a.Sight(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// read makes sights of letters: A to C are contents, = is 304, x gone, . nothing.
func read(text string) (list []version.Sight) {
	for _, c := range text {
		switch c {
		case '=':
			list = append(list, version.Sight{Says: version.Same})
		case 'x':
			list = append(list, version.Sight{Says: version.Gone})
		case '.':
			list = append(list, version.Sight{})
		default:
			list = append(list, version.Sight{Says: version.Content, Identity: string(c)})
		}
	}
	return list
}

// fold tells the versions as identity[first,end)xcaptures.
func fold(sights []version.Sight) string {
	var out []string
	var f version.Fold
	first, captures, identity := 0, 0, ""
	flush := func(end string) {
		if captures > 0 {
			out = append(out, fmt.Sprintf("%s[%d,%s)x%d", identity, first, end, captures))
		}
		captures = 0
	}
	for i, s := range sights {
		switch f.Next(s) {
		case version.Begin:
			flush(fmt.Sprint(i))
			first, captures, identity = i, 1, s.Identity
		case version.Again:
			captures++
		case version.End:
			flush(fmt.Sprint(i))
		}
		if f.Open() != (captures > 0) {
			return "open is wrong"
		}
	}
	flush("")
	return strings.Join(out, " ")
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"":        "",
		"AAB.=x":  "A[0,2)x2 B[2,5)x2",
		"=A":      "A[1,)x1",
		"xA":      "A[1,)x1",
		"A.A":     "A[0,)x2",
		"ABA":     "A[0,1)x1 B[1,2)x1 A[2,)x1",
		"AxA":     "A[0,1)x1 A[2,)x1",
		"Ax=A":    "A[0,1)x1 A[3,)x1",
		"A==B.xx": "A[0,3)x3 B[3,5)x1",
	} {
		if got := fold(read(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// The fold equals brute force: for each instant, what the last sight that says something shows.
func TestFoldIsWhatWasSeenLast(t *testing.T) {
	dice := chance.Rand(t, 0)
	for range 2000 {
		var text strings.Builder
		for range dice.IntN(12) {
			text.WriteByte("AABC=x."[dice.IntN(7)])
		}
		in := text.String()
		sights := read(in)
		var f version.Fold
		now := ""
		for i, s := range sights {
			switch f.Next(s) {
			case version.Begin:
				now = s.Identity
			case version.End:
				now = ""
			}
			want := ""
			for j := i; j >= 0; j-- {
				if sights[j].Says == version.Gone {
					break
				}
				if sights[j].Says == version.Content {
					want = sights[j].Identity
					break
				}
			}
			if now != want {
				t.Fatalf("%s after %d: %q, want %q", in, i, now, want)
			}
		}
	}
}
