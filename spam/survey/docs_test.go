package survey

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"varve/spam/compression"
	"varve/spam/content"
	"varve/spam/feature"
	"varve/spam/history"
)

var update = flag.Bool("update", false, "write the table of features into the page")

const (
	page  = "../../docs/algorithms/spam_features.md"
	begin = "<!-- features: go test ./spam/survey -run Docs -update -->\n"
	end   = "<!-- end of features -->\n"
)

// featureTables prints the definitions as the page has them.
func featureTables() string {
	var b strings.Builder
	section := func(title, about string, defs []feature.Definition) {
		fmt.Fprintf(&b, "\n### %s\n%s\n\n| feature | group | cost | formula |\n|---|---|---|---|\n", title, about)
		for _, d := range defs {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", d.Name, d.Group, d.Cost, strings.ReplaceAll(d.Formula, "|", "\\|"))
		}
	}
	all := Definitions(ByCrawl, false)
	crawl := Definitions(ByNothing, true)
	fmt.Fprintf(&b, "\nOf %d features, %d are those of the crawl; weights of terms come on top.\n", len(all), len(crawl))
	section("Of a page", "Each is there as `home.`, `best.`, `mean.` and `std.`: of the home page, of the page of highest PageRank, mean and standard deviation over the pages of the host.", content.Definitions())
	section("Of a host as a whole", "Named `host.`.", content.HostDefinitions())
	section("Of links, in the host graph", "Named `link.`.", append(define("", "", measures(false)), surroundings()...))
	section("Of links, in the page graph", "Named `link.home.` and `link.best.`: of the home page and of the page of highest PageRank. As in the host graph, and:", define("", "", sites))
	section("Of compression", "Named `compression.`.", compression.Definitions())
	section("Of history", "Named `history.`, with `--snapshots`. Beside these, `history.centred.` and `history.variance.` of each page feature.", append(history.WordDefinitions(), history.LinkDefinitions()...))
	return b.String()
}

// The page lists what the code computes.
func TestDocs(t *testing.T) {
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	head, rest, ok1 := strings.Cut(text, begin)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatal("the marks of the table are not there")
	}
	want := featureTables() + "\n"
	if have == want {
		return
	}
	if !*update {
		t.Fatal("the page lists other features: go test ./spam/survey -run Docs -update")
	}
	if err := os.WriteFile(page, []byte(head+begin+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The page of formats names every column.
func TestColumnsAreDescribed(t *testing.T) {
	raw, err := os.ReadFile("../../docs/formats/spam-tables.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[Visit](), reflect.TypeFor[Word](), reflect.TypeFor[Trigrams]()} {
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
			if !strings.Contains(string(raw), "`"+name+"`") {
				t.Errorf("nothing is said of the column %s of %s", name, typ.Name())
			}
		}
	}
}
