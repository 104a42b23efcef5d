package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/cdxj"
	"varve/serve/access"
	"varve/serve/cdx"
	"varve/serve/memento"
	"varve/serve/replay"
	"varve/serve/veil"
	"varve/web/canon"
)

// guard refuses what rules withhold, with the reason that may be told.
type guard struct {
	rules *access.Decisions
	now   func() time.Time
}

var _ replay.Guard = guard{}

// May tells whether the visitor may see captures of a URL at an instant. A zero instant asks about
// the URL as such: only a takedown of all of it answers.
func (g guard) May(r *http.Request, collection, target string, t time.Time) error {
	set, err := g.rules.InForce()
	if err != nil {
		return err
	}
	v := set.Check(access.From(r.Context()), collection, canon.SURT(target), t, g.now())
	if v.Allowed {
		return nil
	}
	e := &varve.Error{Kind: varve.Forbidden, Op: "show " + target, Msg: "it is withheld: " + v.Rule.Describe()}
	switch {
	case v.Rule.Level == access.Blocked:
		e.Msg = "it was taken down"
	case v.Rule.Level == access.ReadingRoom:
		e.Msg, e.Hint = "it can be seen in the reading room only", "come to the reading room, or ask the curators"
	case !v.Until.IsZero():
		e.Msg = "it is under embargo until " + v.Until.UTC().Format(time.DateOnly)
	}
	return e
}

// rights are what archived content may ask for: what everybody may see, and for pages that not everybody may see what
// the visitor may.
type rights struct {
	gate  *access.Gate
	rules *access.Decisions
	now   func() time.Time
}

var _ replay.Rights = rights{}

// Key returns the key for the content of a capture.
func (g rights) Key(r *http.Request, collection, target string, t time.Time, always bool) string {
	set, err := g.rules.InForce()
	withheld := err != nil || !set.Empty() && !set.Check(access.Visitor{Role: access.Viewer}, collection, canon.SURT(target), t, g.now()).Allowed
	return g.gate.ContentKey(access.From(r.Context()), collection, t, withheld, always)
}

// Covers reports whether what the key of a request allows counts for captures of an instant.
func (g rights) Covers(r *http.Request, t time.Time) bool { return access.From(r.Context()).Covers(t) }

// Differ reports whether any rule withholds anything from anybody.
func (g rights) Differ() bool {
	set, err := g.rules.InForce()
	return err != nil || !set.Empty()
}

// newReplay makes the handler of archived content.
func (p *parts) newReplay(archive *catalog.Archive, index visible) (*replay.Handler, *replay.Files, error) {
	files := replay.NewFiles(func(collection, file string) (catalog.File, error) {
		col, err := archive.Collection(collection)
		if err != nil {
			return catalog.File{}, err
		}
		return col.Find(file)
	})
	paths := veil.PathsOf(p.cfg.Archive)
	h, err := replay.New(replay.Config{
		Index: index, Records: files, Guard: guard{p.rules, p.cfg.Now}, Rights: rights{p.gate, p.rules, p.cfg.Now}, Base: p.replayURL, Archive: p.cfg.PublicName, Wildcard: p.cfg.ReplayWildcard, Scripts: p.cfg.ReplayScripts, UI: p.url,
		CDX: paths.Handler(http.HandlerFunc(p.cdx)), List: p.collectionNames, Now: p.cfg.Now, Log: p.cfg.Log.With("part", "replay"), Tell: paths.Text,
	})
	return h, files, err
}

func (p *parts) collectionNames(context.Context) ([]string, error) {
	list, err := p.archive.Collections()
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out, err
}

// cdx answers /{collection}/cdx and /{collection}-cdx.
func (p *parts) cdx(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	name = strings.TrimSuffix(name, "-cdx")
	ix, err := p.indexes.of(r.Context(), name)
	if err != nil {
		http.Error(w, err.Error(), varve.HTTPStatus(err))
		return
	}
	s := seen{p.indexes, p.rules, p.cfg.Now}
	may, err := s.may(r.Context())
	if err != nil {
		http.Error(w, err.Error(), varve.HTTPStatus(err))
		return
	}
	site := memento.Site{Base: p.replayURL, Collection: name}
	cdx.NewHandler(ix, cdx.Config{
		Allow: func(_ *http.Request, rec *cdxj.Record) bool {
			at, err := cdxj.ParseTimestamp(rec.Timestamp)
			return err == nil && may(name, rec.Key, at)
		},
		Links: func(_ *http.Request, target string) cdx.Links {
			return cdx.Links{
				Self: site.TimeMap("link", 1, target), TimeGate: site.TimeGate(target),
				Memento: func(rec *cdxj.Record) string {
					at, err := cdxj.ParseTimestamp(rec.Timestamp)
					if err != nil {
						return ""
					}
					return site.Memento(at, rec.URL)
				},
			}
		},
		Log: p.cfg.Log,
	}).ServeHTTP(w, r)
}

// needKey answers requests to an origin of content that have no key, or an old one: a page is led to the replay host,
// which knows the visitor; nothing else is given.
func (p *parts) needKey(w http.ResponseWriter, r *http.Request) {
	if dest := r.Header.Get("Sec-Fetch-Dest"); r.Method == http.MethodGet && (dest == "document" || dest == "iframe") {
		collection, _ := replay.RequestKey(r)
		_, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.RequestURI(), "/"), "/")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", p.replayURL+"/"+url.PathEscape(collection)+"/"+rest)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	http.Error(w, "this address is not good any more: open the page again", http.StatusUnauthorized)
}

// needLogin tells people on the replay host where to log in; programs get a plain 401.
func (p *parts) needLogin(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Dest") == "document" {
		http.Redirect(w, r, p.url+"/open?"+url.Values{"path": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
		return
	}
	w.Header().Set("WWW-Authenticate", `Bearer realm="varve"`)
	http.Error(w, fmt.Sprintf("log in at %s, or send a token: varve user token NAME makes one", p.url), http.StatusUnauthorized)
}
