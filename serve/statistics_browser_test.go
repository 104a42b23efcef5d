package serve_test

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"varve/entity/statistics"
	"varve/lab/servetest"
	"varve/lab/statsite"
)

// The screen of statistics in a real browser: nothing imported, then a text that finds its article, with names, kinds, themes and words; by each method.
func TestStatisticsBrowser(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	if err := servetest.People(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, nil)
	s.indexed()
	b.open(s.ui + "/statistics")
	b.do("document.querySelector('form.ask a').click()") // the example
	b.is("document.querySelector('.empty').textContent.includes('varve statistics import')")
	site, err := statistics.ReadMediaWiki(bytes.NewReader(statsite.Dump("")))
	if err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	if err := site.Write(&content); err != nil {
		t.Fatal(err)
	}
	path := statistics.File(dir)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	b.do("location.reload()")
	b.is("document.querySelector('#articles li a') && document.querySelector('#articles li a').textContent === 'Renewable energy statistics'")
	b.is("document.querySelector('#articles li a').href === 'https://statistics.example/statistics-shown/index.php/Renewable_energy_statistics' && ['Energy', 'Environment'].includes(document.querySelector('#articles li .tag').textContent)")
	b.open(s.ui + "/statistics?method=voting&text=" + url.QueryEscape("Anna Stein of the Ministry of Finance opened a hall in Berlin."))
	b.is("document.querySelector('select').value === 'voting' && document.querySelector('#named a[href=\"/entity/Q1\"]').textContent.includes('Anna Berg')")
	b.is("[...document.querySelectorAll('#named tbody tr')].some(r => r.textContent.includes('person'))")
	b.quiet()
}
