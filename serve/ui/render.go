package ui

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"varve"
	"varve/serve/access"
	"varve/serve/message"
	"varve/serve/veil"
)

//go:embed templates
var templates embed.FS

// page is a template with the layout around it.
type page struct{ t *template.Template }

// frame is what the layout shows around a view.
type frame struct {
	Title   string
	Nav     []navItem
	Who     access.Visitor
	Curator bool // who may see what readers do not
	Query   string
	Scripts []string
	Wide    bool
	Version string
	Path    string
	Data    any
	Tour    *tourBar // nil: none

	Languages []*message.Language // others that there are
}

func (u *UI) loadTemplates(l *message.Language) (map[string]*page, error) {
	base, err := template.New("layout.html").Funcs(u.funcs(l)).ParseFS(templates, "templates/layout.html", "templates/parts*.html")
	if err != nil {
		return nil, err
	}
	files, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		return nil, err
	}
	out := map[string]*page{}
	for _, f := range files {
		name := strings.TrimSuffix(path.Base(f), ".html")
		if name == "layout" || strings.HasPrefix(name, "parts") {
			continue
		}
		t, err := template.Must(base.Clone()).ParseFS(templates, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		out[name] = &page{t}
	}
	return out, nil
}

// render writes a view. It is made in memory first, so that a template that fails leaves no half page.
func (u *UI) render(w http.ResponseWriter, r *http.Request, v *view) {
	l := message.From(r.Context())
	p, ok := u.pages[l.Tag()][v.template]
	if !ok {
		u.cfg.Log.Error("screen", "template", v.template, "error", "no such template")
		http.Error(w, "this screen is missing", http.StatusInternalServerError)
		return
	}
	who := access.From(r.Context())
	over, err := u.veil(r, v)
	if err != nil { // rules that cannot be read withhold everything
		u.cfg.Log.Error("screen", "path", r.URL.Path, "error", err)
		http.Error(w, err.Error(), varve.HTTPStatus(err))
		return
	}
	v.title, v.data = over.Text(v.title, veil.Said(r)...), over.Answer(v.data, veil.Said(r)...)
	f := frame{
		Languages: slices.DeleteFunc(message.All(), func(x *message.Language) bool { return x == l }),
		Title:     v.title, Nav: u.nav(who, v.section), Who: who, Curator: who.Can(access.Curator), Query: typed(r),
		Scripts: append([]string{"app.js"}, v.scripts...), Wide: v.wide, Version: u.cfg.Version, Path: r.URL.RequestURI(), Data: v.data, Tour: u.tour(r, v.section, over),
	}
	if f.Tour != nil && f.Tour.At != "" {
		f.Path = f.Tour.At // another language shows the same stop
	}
	var out bytes.Buffer
	if err := p.t.ExecuteTemplate(&out, "layout.html", f); err != nil {
		u.cfg.Log.Error("screen", "template", v.template, "error", err)
		http.Error(w, "this screen could not be drawn; the archive is not affected", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache, private")
	w.Header().Set("Content-Language", l.Tag())
	w.Header().Add("Vary", "Accept-Language, Cookie")
	if v.status != 0 {
		w.WriteHeader(v.status)
	}
	_, _ = w.Write(out.Bytes()) // a closed connection is the reader's business
}

// typed is what stands in the box for addresses: only the screen that looks for them has something there.
func typed(r *http.Request) string {
	if r.URL.Path != "/find" {
		return ""
	}
	return r.URL.Query().Get("q")
}
