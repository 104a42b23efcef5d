package ui

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/review"
)

// trayData is what the in-tray shows.
type trayData struct {
	List  []alertView
	Aside bool // it shows what was put aside
	Open  int
	Away  int
	Of    string // only of this collection
	Names []string
	Here  string // the address of this view, to come back to
	CSRF  string
	Later []snooze
	Pager pager
}

// alertView is an alert with where it is seen.
type alertView struct {
	review.Alert
	Href string // of the screen that shows it
	Tone string // of the mark: bad, warn, plain
}

// snooze is a day to be reminded on.
type snooze struct{ Label, Until string }

// trayShown is the number of alerts on one page.
const trayShown = 50

// tray lists what somebody has to look at, worst first.
func (u *UI) tray(r *http.Request) (*view, error) {
	t, err := u.cfg.Tray.Tray(r.Context())
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := &trayData{
		Aside: q.Get("show") == "aside", Of: q.Get("collection"), Open: len(t.Open), Away: len(t.Aside),
		Here: r.URL.RequestURI(), CSRF: access.From(r.Context()).CSRF, Later: snoozes(t.Time),
	}
	list := t.Open
	if d.Aside {
		list = t.Aside
	}
	names := map[string]bool{}
	var shown []alertView
	for _, a := range list {
		if a.Collection != "" && !names[a.Collection] {
			names[a.Collection] = true
			d.Names = append(d.Names, a.Collection)
		}
		if d.Of == "" || d.Of == a.Collection {
			shown = append(shown, viewOf(a))
		}
	}
	d.Pager = newPager(r, len(shown), trayShown)
	d.List = shown[d.Pager.From:d.Pager.To]
	return &view{template: "tray", title: "In-tray", section: "tray", data: d}, nil
}

func viewOf(a review.Alert) alertView {
	v := alertView{Alert: a, Tone: "plain"}
	switch {
	case a.Weight >= 70:
		v.Tone = "bad"
	case a.Weight >= 40:
		v.Tone = "warn"
	}
	switch {
	case a.Collection == "":
	case a.Note != "":
		v.Href = collectionPath(a.Collection) + "/notes?state=open#note-" + a.Note
	case a.Kind == review.CoherenceDropped:
		v.Href = collectionPath(a.Collection) + "/crawls/" + url.PathEscape(a.Crawl) + "/coherence"
	case a.Crawl != "" && (a.Kind == review.HostUnreachable || a.Kind == review.PagesDropped):
		v.Href = collectionPath(a.Collection) + "/crawls/" + url.PathEscape(a.Crawl) + "/review"
	case a.Crawl != "":
		v.Href = collectionPath(a.Collection) + "/crawls/" + url.PathEscape(a.Crawl)
	default:
		v.Href = collectionPath(a.Collection)
	}
	return v
}

// snoozes are the days that can be chosen with one click.
func snoozes(now time.Time) []snooze {
	day := now.UTC().Truncate(24 * time.Hour)
	out := make([]snooze, 0, 3)
	for _, s := range []struct {
		label string
		days  int
	}{{"tomorrow", 1}, {"in a week", 7}, {"in a month", 30}} {
		out = append(out, snooze{s.label, day.AddDate(0, 0, s.days).Format(time.DateOnly)})
	}
	return out
}

// decideTray puts an alert aside, or back.
func (u *UI) decideTray(r *http.Request) (*view, error) {
	d := review.Decision{
		ID: r.PathValue("alert"), Do: r.PathValue("command"), Why: strings.TrimSpace(r.PostFormValue("why")), By: access.From(r.Context()).Label(),
	}
	if d.Do == review.Snooze {
		until, err := time.Parse(time.DateOnly, r.PostFormValue("until"))
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "snooze", Msg: "it needs a day", Hint: "choose one in the list"}
		}
		d.Until = until
	}
	if _, err := u.cfg.Tray.Decide(r.Context(), d); err != nil {
		return nil, err
	}
	return &view{to: inside(r.PostFormValue("back"), "/tray", "/tray")}, nil
}
