package ui

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"varve"
	"varve/derive/annotate"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// liveData is what the screen of one page's facts shows: a text that was pasted, or a version of the archive.
type liveData struct {
	asked
	*search.LiveFacts
	Text    string // that was pasted
	CSRF    string
	Rows    []liveRow
	Denied  []liveRow
	Axis    strip.Axis
	At      time.Time // of the version
	Replay  string
	Trouble *askTrouble
}

// liveRow is a fact with the words that state it.
type liveRow struct {
	factRow
	Quotes []liveQuote
}

// liveQuote is a sentence or a row of a table.
type liveQuote struct {
	Text, When, Replay string
	Bad                bool
}

// livePasted is how much may be pasted.
const livePasted = 256 << 10

// livePage bounds the bytes of a capture in which facts are looked for.
const livePage = 4 << 20

// factsLive shows the facts of one page.
func (u *UI) factsLive(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "facts")
	if err != nil {
		return nil, err
	}
	d := &liveData{asked: a, CSRF: access.From(r.Context()).CSRF}
	v := &view{template: "factslive", title: a.say.Text("Facts of a page"), section: "search", data: d}
	if r.Method == http.MethodPost {
		if err := r.ParseForm(); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "read a text", Err: err}
		}
		d.Text = r.PostForm.Get("text")
	}
	if d.Text == "" && d.Q.Get("url") == "" {
		return v, nil
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, ""); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (d *liveData) ask(ctx context.Context, u *UI) error {
	ctx, cancel := context.WithTimeout(ctx, markingTime)
	defer cancel()
	select {
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-ctx.Done():
		return &varve.Error{Kind: varve.Unavailable, Op: "find facts", Err: ctx.Err(), Hint: "the server is busy: ask again in a moment"}
	}
	in, collection, err := d.content(ctx, u)
	if err != nil {
		return err
	}
	if d.LiveFacts, err = u.factDesk().Live(ctx, in, collection); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = &varve.Error{Kind: varve.Unavailable, Op: "find facts", Err: err, Hint: "the text is too long for this screen: 'varve facts FILE' takes more"}
		}
		return err
	}
	if in.URL != "" {
		d.Replay = u.replay(collection, holdings.IndexedCapture{Capture: varve.Capture{URL: in.URL, Time: in.Time}}, "if_")
	}
	d.Axis = factAxis(d.say, d.LiveFacts.Facts, d.LiveFacts.Against)
	d.Rows, d.Denied = d.live(d.LiveFacts.Facts), d.live(d.LiveFacts.Against)
	return nil
}

// content returns what is asked about, and of which collection it is.
func (d *liveData) content(ctx context.Context, u *UI) (in annotate.Content, collection string, err error) {
	if d.Text != "" {
		if len(d.Text) > livePasted {
			return in, "", &varve.Error{Kind: varve.Invalid, Op: "find facts", Msg: d.say.Text("the text has more than {0} KB", livePasted>>10), Hint: "'varve facts FILE' takes more"}
		}
		in = annotate.Content{MIME: "text/plain; charset=utf-8", Body: []byte(d.Text), Time: u.cfg.Now()}
		if strings.HasPrefix(strings.TrimSpace(d.Text), "<") {
			in.MIME = "text/html; charset=utf-8"
		}
		return in, "", nil
	}
	if u.cfg.Texts == nil || u.cfg.Contents == nil {
		return in, "", noTexts()
	}
	at, err := documentTime(d.Q.Get("time"))
	if err != nil {
		return in, "", err
	}
	doc, err := (&search.Desk{Texts: u.cfg.Texts}).Document(ctx, d.Q.Get("collection"), d.Q.Get("url"), at)
	if err != nil {
		return in, "", err
	}
	c, err := u.cfg.Contents.Content(ctx, doc.Collection, holdings.IndexedCapture{
		Key: doc.SURT, Capture: varve.Capture{URL: doc.URL, Digest: doc.Digest, Location: varve.Location{File: doc.File, Offset: doc.Offset}},
	}, livePage)
	if err != nil {
		return in, "", err
	}
	d.At = doc.From
	return annotate.Content{URL: doc.URL, MIME: c.MIME, Body: c.Body, Time: doc.From, Date: doc.Date}, doc.Collection, nil
}

// live adds to facts what states them.
func (d *liveData) live(list []search.ToldFact) (out []liveRow) {
	for _, row := range d.rows(list, d.Axis) {
		row.Href = row.SubjectHref // it has no page of its own
		one := liveRow{factRow: row}
		for _, s := range row.Statements {
			for _, p := range s.Passages {
				q := liveQuote{Text: p.Sentence, When: d.say.Text("{0}: {1}", aspectWord(d.say, s.Aspect), s.Time), Bad: s.Contradicted}
				if d.Replay != "" {
					q.Replay = passage(d.Replay, "", mark{Text: p.Sentence})
				}
				one.Quotes = append(one.Quotes, q)
			}
		}
		out = append(out, one)
	}
	return out
}
