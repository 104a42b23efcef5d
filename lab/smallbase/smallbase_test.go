package smallbase

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/entity/base"
)

// Sets of the form of the real ones become one base, in which the same person and place of two sets are one; made twice it is the same.
func TestMake(t *testing.T) {
	data, out := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"yago15k-entities.tsv.gz":         "/m/1 <SameAs> <http://yago-knowledge.org/resource/Mickey_Rooney> .\n/m/2 <SameAs> <http://yago-knowledge.org/resource/London> .\n/m/3 <SameAs> <http://yago-knowledge.org/resource/Victor_Miller_(writer)> .\n",
		"cities.tsv.gz":                   "geonames_id\tname\tcountry\tfeature\tadmin\tpopulation\tlat\tlon\n1\tLondon\tCA\tPPL\t\t346765\t42.98\t-81.23\n2\tLondon\tGB\tPPLC\t\t7556900\t51.5\t-0.12\n",
		"football-players.tsv.gz":         "name\tcountry\tposition\theight\tborn\tbirthplace\tfile\nRayan Kolli\tAlgeria\tF\t-\t10 Feb 2005\tHounslow\tx\n",
		"football-clubs.jsonl.gz":         `{"name": "Al Ahly", "country": "Egypt", "names": [{"name": "Al-Ahly SC"}], "place": "Cairo › Cairo", "founded": 1907}`,
		"movies.jsonl.gz":                 `{"title": "Boys Town", "year": 1938, "href": "Boys_Town_(film)", "cast": ["Mickey Rooney", "Spencer Tracy"], "genres": ["Drama"]}`,
		"tate-artists.csv.gz":             "id,name,gender,dates,yearOfBirth,yearOfDeath,placeOfBirth,placeOfDeath,url\n0,\"Abbey, Edwin Austin\",Male,1852–1911,1852,1911,\"Philadelphia, United States\",,x\n",
		"us-legislators-current.jsonl.gz": `{"id": {"bioguide": "C1", "wikidata": "Q22250", "wikipedia": "Maria Cantwell"}, "name": {"first": "Maria", "last": "Cantwell", "official_full": "Maria Cantwell"}, "bio": {"birthday": "1958-10-13"}, "terms": [{"type": "sen", "state": "WA", "party": "Democrat"}]}`,
		"us-executive.jsonl.gz":           `{"id": {"bioguide": "W000178"}, "name": {"first": "George", "last": "Washington"}, "bio": {"birthday": "1732-02-22"}, "terms": [{"type": "prez"}]}`,
	} {
		if err := os.MkdirAll(filepath.Join(data, "kb"), 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(filepath.Join(data, "kb", name))
		if err != nil {
			t.Fatal(err)
		}
		z := gzip.NewWriter(f)
		_, _ = z.Write([]byte(text))
		if z.Close() != nil || f.Close() != nil {
			t.Fatal("cannot write", name)
		}
	}
	for range 2 {
		about, err := Make(t.Context(), data, out)
		if err != nil || about.Entities != 11 || about.Circular != 0 {
			t.Fatalf("%+v, %v", about, err)
		}
	}
	b, err := base.Open(filepath.Join(out, base.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for id, want := range map[string]string{"geonames:2": "enwiki:London", "geonames:1": "geonames:1", "film-person:Mickey Rooney": "enwiki:Mickey Rooney", "enwiki:Maria Cantwell": "Q22250", "tate:0": "tate:0"} {
		n, ok, err := b.Find(id)
		if err != nil || !ok {
			t.Errorf("%s is not there, %v", id, err)
			continue
		}
		e, err := b.Entity(n)
		if err != nil || e.ID != want {
			t.Errorf("%s is %+v, %v; want %s", id, e, err, want)
		}
		if id == "geonames:1" && (len(e.Phrases) != 1 || e.Phrases[0].Text != "Canada") { // not CA
			t.Errorf("%s goes with %+v", id, e.Phrases)
		}
	}
	credits, err := os.ReadFile(filepath.Join(out, "ATTRIBUTION"))
	if err != nil || !strings.Contains(string(credits), "GeoNames") || strings.Contains(string(credits), "countries") {
		t.Errorf("%s, %v", credits, err)
	}
}
