package ui

import (
	"context"
	"net/http"
	"time"

	"varve/serve/access"
	"varve/serve/message"
	"varve/web/canon"
)

// fromReaders returns a function that tells curators in words why readers do not see a capture; it returns "" where they
// do. For others, and without rules, it is nil: what they see is all there is for them.
func (u *UI) fromReaders(ctx context.Context) (func(collection, target string, at time.Time) string, error) {
	if u.cfg.Rules == nil || !access.From(ctx).Can(access.Curator) {
		return nil, nil
	}
	set, err := u.cfg.Rules.InForce()
	if err != nil || set.Empty() {
		return nil, err
	}
	l, now := message.From(ctx), u.cfg.Now()
	return func(collection, target string, at time.Time) string {
		v := set.Check(access.Visitor{Role: access.Viewer}, collection, canon.SURT(target), at, now)
		switch {
		case v.Allowed:
			return ""
		case !v.Until.IsZero():
			return l.Text("readers see it from {0} on", l.Day(v.Until))
		case v.Rule.Level == access.ReadingRoom:
			return l.Text("only in the reading room")
		}
		return l.Text("withheld from readers")
	}, nil
}

// asReader shows a curator the archive as readers see it, or ends that.
func (u *UI) asReader(w http.ResponseWriter, r *http.Request) {
	who := access.From(r.Context())
	on := r.PostFormValue("on") == "1"
	if on && !who.Can(access.Curator) {
		u.refuse(w, r, access.Curator)
		return
	}
	u.cfg.Gate.AsReader(w, on)
	http.Redirect(w, r, inside(r.PostFormValue("back"), "/", "/"), http.StatusSeeOther)
}

// keptLine says how many of some captures readers do not see.
func keptLine(l *message.Language, kept, all int) string {
	if kept == 0 {
		return ""
	}
	return l.Text("{0} of {1} withheld from readers", kept, l.Count(all, "capture"))
}
