package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varve/entity"
)

// heard keeps what a dump says.
type heard struct {
	said  []string
	bugs  []string
	units int
}

func (h *heard) Add(s entity.Statement) {
	h.said = append(h.said, strings.ReplaceAll(string(s.AppendLine(nil)), "\t", " | "))
}
func (h *heard) Bug(text string) { h.bugs = append(h.bugs, text) }
func (h *heard) Unit() error     { h.units++; return nil }

func read(t *testing.T, f Format, o Options, text string) (*heard, error) {
	t.Helper()
	var h heard
	err := Read(t.Context(), strings.NewReader(text), f, o, &h)
	slices.Sort(h.said)
	return &h, err
}

func want(t *testing.T, h *heard, said ...string) {
	t.Helper()
	slices.Sort(said)
	if !slices.Equal(h.said, said) {
		t.Errorf("said\n  %s\nwant\n  %s", strings.Join(h.said, "\n  "), strings.Join(said, "\n  "))
	}
}

const items = `[
{"type":"item","id":"Q567","labels":{"en":{"language":"en","value":"Angela Merkel"},"fr":{"language":"fr","value":"A. Merkel"}},"descriptions":{"en":{"language":"en","value":"politician"}},"aliases":{"en":[{"language":"en","value":"Angie"}]},"sitelinks":{"enwiki":{"site":"enwiki","title":"Angela Merkel"},"dewiki":{"title":"Angela Merkel"}},"claims":{"P31":[{"rank":"normal","mainsnak":{"datavalue":{"value":{"entity-type":"item","numeric-id":5}}}}],"P19":[{"rank":"normal","mainsnak":{"datavalue":{"value":{"id":"Q1055"}}}},{"rank":"deprecated","mainsnak":{"datavalue":{"value":{"id":"Q64"}}}}],"P569":[{"mainsnak":{"datavalue":{"value":{"time":"+1954-07-17T00:00:00Z"}}}}]}},
{"type":"item","id":"Q64","labels":[],"claims":{"P625":[{"mainsnak":{"datavalue":{"value":{"latitude":52.5,"longitude":13.4}}}}],"P571":[{"mainsnak":{"datavalue":{"value":{"time":"somewhen"}}}}]}},
{"type":"property","id":"P31","labels":{"en":{"value":"instance of"}}},
{"type":"item","id":"Q1","labels":{"en":{"val
]
`

func TestWikidata(t *testing.T) {
	h, err := read(t, Wikidata, Options{Languages: []string{"en", "fr"}}, items)
	if err != nil {
		t.Fatal(err)
	}
	want(
		t, h, "Q567 | 1 |  | 1", "Q567 | 2 | Angela Merkel | 1", "Q567 | a | A. Merkel | 1", "Q567 | 3 | politician | 1", "Q567 | d | politician | 1", "Q567 | a | Angie | 1", "Q567 | 8 |  | 2",
		"enwiki:Angela Merkel | 0 | Q567 | 1", "Q567 | 4 | Q5 | 1", "Q1055 | e | Q567 | 1", "Q567 | 5 | +1954-07-17T00:00:00Z | 1",
		"Q64 | 1 |  | 1", "Q64 | 7 | 52.5,13.4 | 1",
	)
	bugs := []string{
		"line 3: Q64: labels is an empty list where an object is expected: read as empty",
		`line 3: Q64: "somewhen" is no date: year, year-month or year-month-day is expected`,
		"line 5: unexpected end of JSON input: left out",
	}
	slices.Sort(h.bugs)
	slices.Sort(bugs)
	if !slices.Equal(h.bugs, bugs) {
		t.Errorf("bugs %q, want %q", h.bugs, bugs)
	}
	// Reading goes on behind what was read.
	h, err = read(t, Wikidata, Options{Skip: 1}, items)
	if err != nil || len(h.said) != 2 {
		t.Errorf("said %q, %v", h.said, err)
	}
	// A dump that ends too early tells where, and keeps what it said.
	h, err = read(t, Wikidata, Options{}, items[:len(items)-200])
	if e, ok := errors.AsType[*Error](err); !ok || !strings.HasPrefix(e.Place, "line 3, byte ") || len(h.said) != 10 {
		t.Errorf("%d said, %v", len(h.said), err)
	}
}

const pages = `<mediawiki><siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base><namespaces><namespace key="0" /><namespace key="14">Kategorie</namespace></namespaces></siteinfo>
<page><title>Templin</title><ns>0</ns><revision><text>old [[Nothing]]</text></revision><revision><model>wikitext</model><text>{{Short description|Town in Germany}} {{coord|53|7|N|13|30|E}}
[[File:T.jpg|thumb|the [[Market square|market]]]] home of [[angela_Merkel#Life|the ''chancellor'']] [[fr:Templin]] &lt;!-- [[Hidden]] --&gt; [[Kategorie:Towns in Brandenburg]] [[Category:1270 establishments]]</text></revision></page>
<page><title>A. Merkel</title><ns>0</ns><redirect title="Angela Merkel" /><revision><text>#REDIRECT [[Angela Merkel]]</text></revision></page>
<page><title>Merkel (disambiguation)</title><ns>0</ns><revision><text>* [[Angela Merkel]], see [[Germany]]
* the coach [[Max Merkel]]
{{disambig}}</text></revision></page>
<page><title>Kategorie:Towns in Brandenburg</title><ns>14</ns><revision><text>Towns. [[Kategorie:towns in Germany]] [[Templin]]</text></revision></page>
<page><title>Talk:Templin</title><ns>1</ns><revision><text>[[No]]</text></revision></page>
<page><title>Mercury (planet)</title><ns>0</ns><revision><text>x</text></revision></page>
</mediawiki>`

func TestMediaWiki(t *testing.T) {
	h, err := read(t, MediaWiki, Options{}, pages)
	if err != nil || len(h.bugs) > 0 {
		t.Fatal(err, h.bugs)
	}
	want(
		t, h, "enwiki:Templin | 2 | Templin | 1", "enwiki:Templin | 3 | Town in Germany | 1", "enwiki:Templin | d | Town in Germany | 1", "enwiki:Templin | 7 | 53.11666666666667,13.5 | 1",
		"enwiki:Market square | c | market | 1", "enwiki:Market square | e | enwiki:Templin | 1", "enwiki:Market square | d | Templin | 1", "enwiki:Templin | d | market | 1",
		"enwiki:Angela Merkel | c | the chancellor | 1", "enwiki:Angela Merkel | e | enwiki:Templin | 1", "enwiki:Angela Merkel | d | Templin | 1", "enwiki:Templin | d | the chancellor | 1",
		"enwiki:Templin | 4 | enwiki:Category:Towns in Brandenburg | 1", "enwiki:Templin | d | Towns in Brandenburg | 1", "enwiki:Templin | 4 | enwiki:Category:1270 establishments | 1", "enwiki:Templin | d | 1270 establishments | 1", "enwiki:Templin | 5 | 1270 | 1",
		"enwiki:A. Merkel | 0 | enwiki:Angela Merkel | 1", "enwiki:Angela Merkel | b | A. Merkel | 1",
		"enwiki:Angela Merkel | a | Merkel | 1", "enwiki:Max Merkel | a | Merkel | 1",
		"enwiki:Category:Towns in Brandenburg | 1 | category | 1", "enwiki:Category:Towns in Brandenburg | 4 | enwiki:Category:Towns in Germany | 1",
		"enwiki:Mercury (planet) | 2 | Mercury (planet) | 1", "enwiki:Mercury (planet) | a | Mercury | 1",
	)
	h, err = read(t, MediaWiki, Options{}, pages[:strings.Index(pages, "the coach")])
	if err == nil || !strings.Contains(err.Error(), `in page "Merkel (disambiguation)", which begins at byte`) || !strings.Contains(err.Error(), "ends in the middle") || h.units != 2 {
		t.Errorf("%d pages, %v", h.units, err)
	}
	if h, _ = read(t, MediaWiki, Options{Skip: 5}, pages); len(h.said) != 2 {
		t.Errorf("said %q", h.said)
	}
}

func TestRDF(t *testing.T) {
	h, err := read(t, RDF, Options{Name: "x.nt.gz"}, `<http://dbpedia.org/resource/Angela_Merkel> <http://www.w3.org/2000/01/rdf-schema#label> "Angela Merkel"@en .
<http://dbpedia.org/resource/Angela_Merkel> <http://www.w3.org/2000/01/rdf-schema#label> "Merkel"@de .
<http://dbpedia.org/resource/Angela_Merkel> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q567> .
<http://dbpedia.org/resource/Angie> <http://dbpedia.org/ontology/wikiPageRedirects> <http://dbpedia.org/resource/Angela_Merkel> .
what is this
<http://dbpedia.org/resource/Angela_Merkel> <http://purl.org/dc/terms/subject> <http://dbpedia.org/resource/Category:German_politicians> .
<http://dbpedia.org/resource/Angela_Merkel> <http://dbpedia.org/ontology/birthDate> "1954-07-17"^^<http://www.w3.org/2001/XMLSchema#date> .
<http://dbpedia.org/resource/Templin> <http://www.w3.org/2003/01/geo/wgs84_pos#lat> "53.1"^^<http://www.w3.org/2001/XMLSchema#float> .
<http://dbpedia.org/resource/Templin> <http://www.w3.org/2003/01/geo/wgs84_pos#long> "13.5"^^<http://www.w3.org/2001/XMLSchema#float> .
<http://dbpedia.org/resource/Templin> <http://dbpedia.org/ontology/wikiPageWikiLink> <http://dbpedia.org/resource/Angela_Merkel> .
`)
	if err != nil || len(h.bugs) != 1 || !strings.Contains(h.bugs[0], "line 5") {
		t.Fatal(err, h.bugs)
	}
	want(t, h, "enwiki:Angela Merkel | 2 | Angela Merkel | 1", "enwiki:Angela Merkel | 0 | Q567 | 1", "enwiki:Angie | 0 | enwiki:Angela Merkel | 1", "enwiki:Angela Merkel | b | Angie | 1",
		"enwiki:Angela Merkel | d | German politicians | 1", "enwiki:Angela Merkel | 5 | 1954-07-17 | 1", "enwiki:Templin | 7 | 53.1,13.5 | 1", "enwiki:Angela Merkel | e | enwiki:Templin | 1")

	h, err = read(t, RDF, Options{Name: "yago.ttl"}, `@prefix yago: <http://yago-knowledge.org/resource/> . @prefix schema: <http://schema.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
yago:Angela_Merkel a schema:Person ; rdfs:label "Angela Merkel"@en ; schema:alternateName "Angie"@en ; owl:sameAs <http://www.wikidata.org/entity/Q567> ; schema:birthPlace yago:Hamburg .
yago:Hamburg schema:geo "Point(10.0 53.5)" ; rdfs:label "Ham
`)
	if e, ok := errors.AsType[*Error](err); !ok || !strings.HasPrefix(e.Place, "line 3, column ") {
		t.Errorf("a document that is cut off: %v", err)
	}
	want(t, h, "yago:Angela_Merkel | 4 | http://schema.org/Person | 1", "yago:Angela_Merkel | 2 | Angela Merkel | 1", "yago:Angela_Merkel | a | Angie | 1", "yago:Angela_Merkel | 0 | Q567 | 1", "yago:Hamburg | e | yago:Angela_Merkel | 1", "yago:Hamburg | 7 | 53.5,10.0 | 1")
}

func TestTable(t *testing.T) {
	h, err := read(t, Table, Options{Name: "x.tsv"}, "id\tlabel\tnames\tfrom\tcolour\tpopularity\tlinks\tsame\nx:1\tTemplin\tT.|Tmpl\t1270\tgreen\t7\tx:2\tQ1\n\tnobody\nx:2\tBerlin\t\tlong ago\n")
	if err != nil {
		t.Fatal(err)
	}
	want(t, h, "x:1 | 1 |  | 1", "x:1 | 2 | Templin | 1", "x:1 | a | T. | 1", "x:1 | a | Tmpl | 1", "x:1 | 5 | 1270 | 1", "x:1 | 8 |  | 7", "x:2 | e | x:1 | 1", "Q1 | 0 | x:1 | 1", "x:2 | 1 |  | 1", "x:2 | 2 | Berlin | 1")
	if len(h.bugs) != 3 || !strings.HasPrefix(h.bugs[0], `line 1: column "colour"`) || h.bugs[1] != "line 3: no id: left out" || !strings.HasPrefix(h.bugs[2], "line 4: x:2") {
		t.Errorf("bugs %q", h.bugs)
	}
	if _, err := read(t, Table, Options{}, "name,age\n"); err == nil {
		t.Error("a table without ids is read")
	}
}

// TestTableOpenQuote: a quote that is never closed ends the reading where it is, not where memory ends; what was read stays.
func TestTableOpenQuote(t *testing.T) {
	h, err := read(t, Table, Options{}, "id,label\nx:1,one\nx:2,\""+strings.Repeat("two\n", maxLine/2))
	if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(e.Error(), "is a quote not closed?") {
		t.Errorf("error %v", err)
	}
	if h.units != 1 {
		t.Errorf("%d units, want the one before it", h.units)
	}
}

func TestID(t *testing.T) {
	for in, want := range map[string]string{
		"http://www.wikidata.org/entity/Q42": "Q42", "https://www.wikidata.org/wiki/Q42": "Q42", "http://dbpedia.org/resource/Douglas_Adams": "enwiki:Douglas Adams",
		"http://de.dbpedia.org/resource/K%C3%B6ln": "dewiki:Köln", "https://fr.wikipedia.org/wiki/éa": "frwiki:Éa", "http://yago-knowledge.org/resource/X_Y": "yago:X_Y", "http://example.org/resource/X": "http://example.org/resource/X", "urn:x": "urn:x",
	} {
		if got := ID(in); got != want {
			t.Errorf("ID(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPacked(t *testing.T) {
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	_, _ = z.Write([]byte(items))
	_ = z.Close()
	s, _ := zstd.NewWriter(&zst)
	_, _ = s.Write([]byte(items))
	_ = s.Close()
	bz := []byte("BZh91AY&SY\xed\x18\xd9N\x00\x00\x05[\x80\x00\x10\x10\x00 \x10 \x00\x04 \x00\x0a \x00\x22\x1a\x06\xd4 \xc9\x88;Nn\x04/\x17rE8P\x90\xed\x18\xd9N") // {"id":"Q1"}, by bzip2
	for name, content := range map[string][]byte{"gz": gz.Bytes(), "zst": zst.Bytes(), "plain": []byte(items), "bz2": bz} {
		r, err := Unpack(bytes.NewReader(content))
		if err != nil {
			t.Fatal(name, err)
		}
		var h heard
		if err := Read(t.Context(), r, Wikidata, Options{}, &h); err != nil || h.units != 4 && (name != "bz2" || h.units != 1) {
			t.Errorf("%s: %d items, %v", name, h.units, err)
		}
		// Cut anywhere, it says so, and what was read stays.
		if name == "gz" || name == "zst" {
			r, err = Unpack(bytes.NewReader(content[:len(content)-10]))
			if err == nil {
				err = Read(t.Context(), r, Wikidata, Options{}, &h)
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Place == "" {
				t.Errorf("%s, cut: %v", name, err)
			}
		}
	}
}

// Files of others: the broken ones are read, and each bug is named.
func TestSamples(t *testing.T) {
	dir := os.Getenv("VARVE_KB_FORMATS")
	if dir == "" {
		dir = "../../../shared/data/kb/formats"
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no samples at", dir)
	}
	for name, c := range map[string]struct {
		units int
		bugs  []string
		ends  string
	}{
		"sample-dump-20150815.json.gz":    {units: 101},
		"mock-dump-for-long-testing.json": {units: 101},
		"mock-dump-with-bugs.json": {units: 101, bugs: []string{
			"line 3: Q8: labels is an empty list where an object is expected: read as empty",
			"line 19: P53: claims is an empty list where an object is expected: read as empty",
		}},
		"sample-daily-dump-20140220.xml": {units: 2, bugs: []string{ // the universe is older than any date
			`page "Q1" at byte 2227: Q1: "-13800000000-01-01T00:00:00Z" is no date: year, year-month or year-month-day is expected`,
		}},
		"mock-dump-incomplete-revision.xml": {units: 0, ends: `byte 1792, in page "Q1", which begins at byte 1017: the dump ends in the middle`},
	} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Unpack(f)
		if err != nil {
			t.Fatal(err)
		}
		var h heard
		err = Read(t.Context(), r, FormatOf(name), Options{Name: name}, &h)
		_ = f.Close()
		if ends := fmt.Sprint(err); h.units != c.units || !slices.Equal(h.bugs, c.bugs) || c.ends == "" && err != nil || c.ends != "" && ends != c.ends {
			t.Errorf("%s: %d units, bugs %q, ends with %v", name, h.units, h.bugs, err)
		}
		if name == "sample-daily-dump-20140220.xml" && !slices.Contains(h.said, "Q1 | 2 | universe | 1") {
			t.Errorf("%s: said %q", name, h.said)
		}
	}
}

// fuzzed reads anything: no panic, no end without end, and what is said can be read again.
func fuzzed(f *testing.F, format Format, o Options) {
	f.Fuzz(func(t *testing.T, text string) {
		var h heard
		_ = Read(context.Background(), strings.NewReader(text), format, o, &h)
		for _, s := range h.said {
			if subject, _, _ := strings.Cut(s, " | "); subject != "" && strings.ContainsAny(s, "\n\t") {
				t.Fatalf("%q", s)
			}
		}
	})
}

func FuzzWikidata(f *testing.F) { f.Add(items); fuzzed(f, Wikidata, Options{}) }

func FuzzMediaWiki(f *testing.F) {
	f.Add(pages)
	f.Add(`<page><title>x</title><ns>0</ns><revision><model>wikibase-item</model><text>{"entity":"q1","label":{"en":"x"},"links":{"enwiki":"X"},"claims":[{"m":["value",31,"wikibase-entityid",{"entity-type":"item","numeric-id":5}]}]}</text></revision></page>`)
	fuzzed(f, MediaWiki, Options{})
}

func FuzzTable(f *testing.F) {
	f.Add("id,label\nx,\"y\"\n")
	fuzzed(f, Table, Options{})
}

func FuzzRDF(f *testing.F) {
	f.Add("<http://dbpedia.org/resource/A> <http://www.w3.org/2002/07/owl#sameAs> <http://www.wikidata.org/entity/Q567> .\n")
	fuzzed(f, RDF, Options{Name: "x.nt"})
}
