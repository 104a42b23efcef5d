// Package statsite is a small site of statistics in the form of Eurostat's Statistics Explained, to show live linking on (varve/entity/statistics): 24 articles of our own words, 20 themes with a thesaurus, as a
// MediaWiki has them. It is a demonstration: its texts are made up, and no figure follows from it.
package statsite

import (
	"bytes"
	_ "embed" // the site
	"html/template"
	"net/http"
	"slices"
	"strings"

	"varve/entity/statistics"
)

//go:embed site.xml
var dump []byte

// Dump returns the site as an XML dump of a MediaWiki whose pages are below an address; "" leaves the one of the file, where nobody answers.
func Dump(base string) []byte {
	if base == "" {
		return bytes.Clone(dump)
	}
	return bytes.Replace(dump, []byte("https://statistics.example"), []byte(strings.TrimSuffix(base, "/")), 1)
}

var shown = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><title>{{.Title}} - {{.Site}}</title><h1>{{.Title}}</h1>
{{range .Paragraphs}}<p>{{.}}</p>{{end}}{{with .Articles}}<ul>{{range .}}<li><a href="{{.Href}}">{{.Title}}</a></li>{{end}}</ul>{{end}}
{{with .Categories}}<div id="catlinks">Categories: {{range .}}<a href="{{.Href}}">{{.Title}}</a> {{end}}</div>{{end}}<footer>A demonstration. The texts are made up.</footer></html>`))

type link struct{ Title, Href string }

const root = "/statistics-shown/index.php/"

func address(title string) string { return root + strings.ReplaceAll(title, " ", "_") }

// Handler serves the pages of the site, and its dump at Special:Export.
func Handler() (http.Handler, error) {
	site, err := statistics.ReadMediaWiki(bytes.NewReader(dump))
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		title := strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, root), "_", " ")
		if title == "Special:Export" {
			w.Header().Set("Content-Type", "application/xml; charset=utf-8")
			_, _ = w.Write(Dump("http://" + r.Host)) // a closed connection is the reader's business
			return
		}
		view := struct {
			Site, Title          string
			Paragraphs           []string
			Articles, Categories []link
		}{Site: site.Name, Title: title}
		theme, isTheme := strings.CutPrefix(title, "Category:")
		for _, a := range site.Articles {
			switch {
			case a.Title == title:
				view.Paragraphs = []string{a.Text}
				for _, c := range a.Categories {
					view.Categories = append(view.Categories, link{c, address("Category:" + c)})
				}
			case isTheme && slices.Contains(a.Categories, theme), r.URL.Path == "/", title == "Main Page":
				view.Articles = append(view.Articles, link{a.Title, address(a.Title)})
			}
		}
		if len(view.Paragraphs)+len(view.Articles) == 0 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = shown.Execute(w, view) // likewise
	}), nil
}
