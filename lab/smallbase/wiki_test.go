package smallbase

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/dump"
	"varve/lab/eval"
)

const twoFilms = `{"title":"Sahara","year":2005,"href":"Sahara_(2005_film)","cast":["Steve Zahn","Ann Smith"],"genres":["Action"],"extract":"Sahara is a film with Steve Zahn. The part of Smith was cut."}
{"title":"Dry","year":2006,"href":"Dry_(film)","cast":["Bea Smith","Ann Smith","Cher"],"genres":["Drama"],"extract":"Dry has Bea Smith & others."}
`

func TestWiki(t *testing.T) {
	var b bytes.Buffer
	n, err := Wiki(strings.NewReader(twoFilms), 1, 10, &b)
	if err != nil || n != (WikiPages{Films: 2, Persons: 3, Redirects: 1, Disambiguations: 1, Categories: 8, Links: 8}) {
		t.Errorf("%+v, %v", n, err)
	}
	for _, want := range []string{
		"with [[Steve Zahn]]. The part of [[Ann Smith|Smith]] was cut.", "[[Bea Smith]] &amp; others.", "It has [[Ann Smith]] in its cast.", "<title>Smith, Ann</title>", "#REDIRECT [[Ann Smith]]",
		"* [[Ann Smith]]&#xA;* [[Bea Smith]]&#xA;{{disambiguation}}", "<title>Category:2005 films</title><ns>14</ns>", "[[Category:Films by year]]",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	a := imported(t, b.Bytes())
	checkFilms(t, a, "Ann Smith", "Smith", "2005 films")
}

// imported makes a base of a dump.
func imported(t *testing.T, xml []byte) *base.Base {
	t.Helper()
	dir := t.TempDir()
	in, err := base.OpenIntake(dir)
	if err != nil {
		t.Fatal(err)
	}
	src, err := in.Source(base.Source{Name: "wiki.xml", Format: string(dump.MediaWiki)})
	if err != nil {
		t.Fatal(err)
	}
	if err := dump.Read(t.Context(), bytes.NewReader(xml), dump.MediaWiki, dump.Options{Name: "wiki.xml", Wiki: "films"}, src); err != nil {
		t.Fatal(err)
	}
	if err := src.Finish(""); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Build(t.Context(), base.Options{}); err != nil {
		t.Fatal(err)
	}
	path := in.Path()
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := base.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// checkFilms looks for what pages of films give a base: anchors with counts, names of redirects and disambiguation pages, links, classes that are in others.
func checkFilms(t *testing.T, b *base.Base, person, last, category string) {
	t.Helper()
	n, ok, err := b.Find("films:" + person)
	if err != nil || !ok {
		t.Fatal(person, ok, err)
	}
	e, err := b.Entity(n)
	if err != nil {
		t.Fatal(err)
	}
	var origins entity.Origin
	for _, name := range e.Names {
		origins |= name.Origin
	}
	if links, err := b.Inlinks(n); err != nil || len(links) < 2 || origins&entity.Anchor == 0 || origins&entity.Redirect == 0 {
		t.Errorf("%+v, %v, %v", e, links, err)
	}
	if list, err := b.Candidates(last); err != nil || len(list) < 2 {
		t.Errorf("%s may be %v, %v", last, list, err)
	}
	n, ok, err = b.Find("films:Category:" + category)
	if err != nil || !ok {
		t.Fatal(category, ok, err)
	}
	if e, err = b.Entity(n); err != nil || fmt.Sprint(e.Kinds) != "[films:Category:Films by year]" || len(e.Names) > 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

// A MediaWiki out of Debian's package is filled with films, writes its dump by its own hand (dumpBackup.php), and the base made of that has what the wiki has.
func TestDrillMediaWiki(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("set VARVE_DRILL=1: it installs a wiki and fills it")
	}
	const installed = "/usr/share/mediawiki"
	if _, err := os.Stat(installed + "/maintenance/install.php"); err != nil {
		t.Skip("apt-get install mediawiki php-sqlite3:", err)
	}
	movies, err := eval.Open("../../../shared/data/kb/movies.jsonl.gz", "")
	if err != nil {
		t.Skip(err)
	}
	defer movies.Close()
	dir := t.TempDir()
	www := filepath.Join(dir, "www")
	run := func(name string, args ...string) []byte {
		t.Helper()
		c := exec.CommandContext(t.Context(), name, args...)
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s%s", name, args, err, out, stderr.String())
		}
		return out
	}
	_ = exec.CommandContext(t.Context(), "cp", "-rL", installed+"/.", www).Run() // one link leads nowhere before the first set-up
	_ = os.Remove(filepath.Join(www, "LocalSettings.php"))
	run("php", www+"/maintenance/install.php", "--dbtype", "sqlite", "--dbname", "wiki", "--dbpath", dir, "--server", "http://127.0.0.1", "--scriptpath", "", "--lang", "en", "--pass", "a laboratory keeps no secrets", "Films", "Keeper")
	var pages bytes.Buffer
	n, err := Wiki(movies, 29, 900, &pages)
	if err != nil || n.All() < 2000 {
		t.Fatalf("%+v, %v", n, err)
	}
	file := filepath.Join(dir, "pages.xml")
	if err := os.WriteFile(file, pages.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	run("php", www+"/maintenance/importDump.php", "--no-updates", file)
	xml := run("php", www+"/maintenance/dumpBackup.php", "--current", "--quiet")
	t.Logf("%+v: %d pages; dump of %d bytes", n, n.All(), len(xml))
	if got := bytes.Count(xml, []byte("<page>")); got < n.All() {
		t.Errorf("the dump has %d pages of %d", got, n.All())
	}
	again, err := eval.Open("../../../shared/data/kb/movies.jsonl.gz", "")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	all, acting, err := wikiFilms(again, 29, 900)
	if err != nil {
		t.Fatal(err)
	}
	lasts := map[string]int{}
	for name := range acting {
		words := strings.Fields(name)
		lasts[words[len(words)-1]]++
	}
	b := imported(t, xml)
	for name, in := range acting { // who acts in several films, and has a last name of several
		words := strings.Fields(name)
		if last := words[len(words)-1]; len(in) > 2 && lasts[last] > 1 && acting[last] == nil {
			checkFilms(t, b, name, last, fmt.Sprintf("%d films", all[0].Year))
		}
	}
	t.Logf("%+v", b.About())
	films, acts := 0, 0
	for i := range b.Len() {
		e, err := b.Entity(uint32(i))
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range e.Kinds {
			switch {
			case k == "films:Category:Actors":
				acts++
			case strings.HasSuffix(k, " films") && e.Label != "" && k[len("films:Category:")] <= '9':
				films++
			}
		}
	}
	if films != n.Films || acts != n.Persons {
		t.Errorf("%d films and %d actors of %d and %d", films, acts, n.Films, n.Persons)
	}
}
