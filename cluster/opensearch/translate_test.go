package opensearch

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"varve/derive"
	"varve/index/fulltext"
)

var declared = []derive.Facet{{Name: "person", Kind: derive.FacetNames}, {Name: "opinion", Kind: derive.FacetNumbers}}

// translated is what a query comes to: which documents fit, and what scores them. Of 100 documents 50 have the word "often", and one each other word.
func translated(t *testing.T, q string) (match, scores string, err error) {
	t.Helper()
	e, err := fulltext.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	n, err := e.Understand(&fulltext.Query{Text: q}, declared)
	if err != nil {
		t.Fatal(err)
	}
	w, err := e.Weigh(n, 100, func(list []fulltext.Term) ([]int64, error) {
		out := make([]int64, len(list))
		for i, l := range list {
			if out[i] = 1; l.Word == "often" {
				out[i] = 50
			}
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tr := &translator{weights: w, sources: map[string][]string{"News": {"varve-text-_4eews-2019-x"}}, mixed: object{"MIXED": 1}}
	a, err := tr.match(n)
	if err != nil {
		return "", "", err
	}
	b, err := tr.scores(n, nil, false, false)
	if err != nil {
		return "", "", err
	}
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	return string(x), string(y), nil
}

func TestMatch(t *testing.T) {
	for q, want := range map[string]string{
		"text:Law":              `{"term":{"text":{"value":"law"}}}`,
		"anchor:law":            `{"bool":{"must":[{"term":{"anchor":{"value":"law"}}}],"must_not":[{"MIXED":1}]}}`,
		"text:la*":              `{"prefix":{"text":{"value":"la"}}}`,
		`text:"Rent  LAW"`:      `{"match_phrase":{"text":{"query":"rent law"}}}`,
		`title:"a b"~3`:         `{"intervals":{"title":{"all_of":{"intervals":[{"match":{"query":"a"}},{"match":{"query":"b"}}],"max_gaps":3,"ordered":false}}}}`,
		`title:"b a b"~3`:       `{"intervals":{"title":{"any_of":{"intervals":[` + ordered("a b b") + `,` + ordered("b a b") + `,` + ordered("b b a") + `]}}}}`,
		"text:e-mail*":          `{"bool":{"filter":[{"term":{"text":{"value":"e"}}},{"prefix":{"text":{"value":"mail"}}}]}}`,
		"text:a text:b":         `{"bool":{"filter":[{"term":{"text":{"value":"a"}}},{"term":{"text":{"value":"b"}}}]}}`,
		"text:a OR -text:b":     `{"bool":{"minimum_should_match":1,"should":[{"term":{"text":{"value":"a"}}},{"bool":{"must_not":[{"term":{"text":{"value":"b"}}}]}}]}}`,
		`person:"Ann  BERG"`:    `{"prefix":{"w.person":{"value":"ann berg\u0001"}}}`,
		"person:An*":            `{"prefix":{"w.person":{"value":"an"}}}`,
		"collection:news":       `{"terms":{"_index":["varve-text-_4eews-2019-x"]}}`,
		"collection:other":      `{"terms":{"_index":[]}}`,
		"opinion:<=0":           `{"range":{"n.opinion":{"gte":"\u0001007fffff","lte":"\u000180000000"}}}`,
		"opinion:>1 about:law":  `{"range":{"n.opinion":{"gte":"law\u0001bf800001","lte":"law\u0001ff800000"}}}`,
		"opinion:=0 about:a.b*": `{"regexp":{"n.opinion":{"flags":"NONE","value":"a\\.b[^\u0001]*\u0001(80000000)"}}}`,
		"opinion:=0 about:*":    `{"regexp":{"n.opinion":{"flags":"NONE","value":"[^\u0001]+\u0001(80000000)"}}}`,
	} {
		if got, _, err := translated(t, q); got != want || err != nil {
			t.Errorf("%s: %v\n%s, want\n%s", q, err, got, want)
		}
	}
	if got, _, err := translated(t, "law"); err != nil || strings.Count(got, `"term"`) != 4 {
		t.Errorf("a word of any field: %s %v", got, err)
	}
	long := strings.Repeat("x", 300)
	got, _, err := translated(t, "text:"+long)
	if err != nil || strings.Contains(got, long) || !strings.Contains(got, strings.Repeat("x", 200)+cutMark) {
		t.Errorf("a long word: %s %v", got, err)
	}
	if _, _, err := translated(t, "text:"+long+"*"); err == nil {
		t.Error("a beginning that OpenSearch cannot tell is looked for")
	}
	if _, _, err := translated(t, `text:"a a b c d e f"~9`); err == nil {
		t.Error("2,520 orders are asked for")
	}
}

func ordered(words string) string {
	var list []string
	for w := range strings.FieldsSeq(words) {
		list = append(list, `{"match":{"query":"`+w+`"}}`)
	}
	return `{"all_of":{"intervals":[` + strings.Join(list, ",") + `],"max_gaps":3,"ordered":true}}`
}

func TestScores(t *testing.T) {
	idf := 1 + math.Log(100.0/2)
	w := idf * idf
	boosted := func(field, kind, what string, boost float64) string {
		return fmt.Sprintf(`{"function_score":{"boost_mode":"multiply","field_value_factor":{"field":"norm.%s","missing":1},"query":{%q:{%q:{"boost":%v,%s}}}}}`, field, kind, field, boost, what)
	}
	for q, want := range map[string]string{
		"text:law":            `[` + boosted("text", "term", `"value":"law"`, w) + `]`,
		"title:law":           `[` + boosted("title", "term", `"value":"law"`, 3*w) + `]`,
		`text:"rent law now"`: `[` + boosted("text", "match_phrase", `"query":"rent law now"`, w) + `]`, // a third for each word, of which the similarity adds up three
		"text:often text:law": `[` + boosted("text", "term", `"value":"law"`, w) + `]`,                  // a word of half of all documents tells nothing beside it
		"text:la*":            `[{"constant_score":{"boost":1,"filter":{"prefix":{"text":{"value":"la"}}}}}]`,
		"-text:law":           `[{"match_all":{"boost":1}}]`,
		"text:e-mail*":        `null`,
		"person:Ann":          `[{"constant_score":{"boost":1,"filter":{"prefix":{"w.person":{"value":"ann\u0001"}}}}}]`,
		// A phrase of a conjunction below OR counts only where the other parts are.
		`text:a OR (text:b text:"c d")`: `[` + boosted("text", "term", `"value":"a"`, w) + `,` + boosted("text", "term", `"value":"b"`, w) +
			`,{"bool":{"filter":[{"term":{"text":{"value":"b"}}}],"must":[` + boosted("text", "match_phrase", `"query":"c d"`, w) + `]}}]`,
	} {
		if _, got, err := translated(t, q); got != want || err != nil {
			t.Errorf("%s: %v\n%s, want\n%s", q, err, got, want)
		}
	}
	if _, got, err := translated(t, "anchor:law"); err != nil || !strings.Contains(got, `"must_not":[{"MIXED":1}]`) {
		t.Errorf("anchors that may not be searched score: %s %v", got, err)
	}
}

// The codes of numbers are in their order, and the expression of a range fits just its numbers.
func TestNumbers(t *testing.T) {
	list := []float32{float32(math.Inf(-1)), -2, -1.5, -1e-9, 0, 1e-9, 0.25, 1, 3e8, float32(math.Inf(1))}
	for i := 1; i < len(list); i++ {
		if code(list[i-1]) >= code(list[i]) {
			t.Errorf("%v and %v", list[i-1], list[i])
		}
	}
	if code(float32(math.Copysign(0, -1))) != code(0) {
		t.Error("-0 is not 0")
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		lo, hi := rng.Uint32()>>rng.IntN(32), rng.Uint32()>>rng.IntN(32)
		lo, hi = min(lo, hi), max(lo, hi)
		re := regexp.MustCompile("^(" + hexRange(lo, hi) + ")$")
		for _, n := range []uint32{lo, hi, lo - 1, hi + 1, lo + 1, rng.Uint32(), lo + (hi-lo)/2, 0, math.MaxUint32} {
			if re.MatchString(hex8(n)) != (lo <= n && n <= hi) {
				t.Fatalf("%08x of %08x to %08x: %s", n, lo, hi, re)
			}
		}
	}
}

func TestWideLines(t *testing.T) {
	for _, line := range []string{"plain", "com,example)/ü 2019", "\xff\x00\x80", ""} {
		if back, err := narrow(wide(line)); back != line || err != nil {
			t.Errorf("%q: %q %v", line, back, err)
		}
	}
	if _, err := narrow("\u4e00"); err == nil {
		t.Error("a line of somebody else is taken")
	}
	list := []string{"a", "a\x7f", "a\x80", "a\xc3\xbc", "a\xff"}
	for i := 1; i < len(list); i++ {
		if wide(list[i-1]) >= wide(list[i]) {
			t.Errorf("%q and %q", list[i-1], list[i])
		}
	}
	long := strings.Repeat("x", 20_000)
	if d := lineOf("k 20190101000000 "+long, "f"); d.Line+d.More != "k 20190101000000 "+long || len(d.Line) != mostLine || d.Time != "20190101000000" {
		t.Errorf("%+v", d)
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{"news": "news", "News 2": "_4eews_202", "a-b": "a_2db", "a_b": "a_5fb", "ü": "_c3_bc"} {
		if got := escaped(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
