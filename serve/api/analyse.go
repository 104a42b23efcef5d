package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity/kind"
	"varve/language"
	"varve/serve/access"
	"varve/serve/veil"
)

// Limits of analysis on demand, which costs far more than other questions: a text of this size takes about a second of one processor.
const (
	maxPosted    = 256 << 10 // bytes of a text that is sent
	analyseRate  = 1.0       // a second, from one network; this machine may ask as it likes
	analyseBurst = 10
	analyses     = 2 // at a time, whoever asks
	analyseTime  = 20 * time.Second
)

var analyseParams = []param{
	{"units", "string", "what to find, by comma: " + annotate.UnitNames() + "; all but types if not given", false},
	{"taxonomy", "string", "kinds of things of the unit types: wordnet or figer; wordnet if not given", false},
	{"rejected", "boolean", "of the unit types, tell also which were tested and rejected", false},
	{"lang", "string", "language of the text, ISO 639-1; what it looks like if not given", false},
	{"date", "string", "date of the document: 4 to 14 digits, or RFC 3339; what it says of itself if not given", false},
}

// analysisDesk says who may have a text analysed now.
type analysisDesk struct {
	rate  *access.Limiter
	slots chan struct{}
}

func newAnalysisDesk() *analysisDesk {
	return &analysisDesk{access.NewLimiter(analyseRate, analyseBurst), make(chan struct{}, analyses)}
}

// analysePosted answers with what the text in the body of a request says. Nothing of the archive is in the answer, so it needs no right and no veil: one
// would tell by what it takes out of the visitor's own text which addresses the archive withholds.
func (a *API) analysePosted(w http.ResponseWriter, r *http.Request) error {
	in, err := a.posted(w, r)
	if err != nil {
		return err
	}
	return a.analyse(w, r, in, func(v any) any { return v })
}

// posted returns the text in the body of a request.
func (a *API) posted(w http.ResponseWriter, r *http.Request) (in annotate.Content, err error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPosted))
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return in, &varve.Error{Kind: varve.Invalid, Op: "analyse text", Msg: fmt.Sprintf("the body has more than %d KiB", maxPosted>>10), Hint: "send it in parts; 'varve text analyse' takes more"}
	}
	if err != nil {
		return in, &varve.Error{Kind: varve.Invalid, Op: "analyse text", Err: err}
	}
	in = annotate.Content{MIME: "text/plain; charset=utf-8", Body: body, Time: a.cfg.Now()}
	if strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "text/html") {
		in.MIME = r.Header.Get("Content-Type")
	}
	return in, nil
}

// analyseCapture answers with what the capture of an address says that is nearest to a time, if the visitor may see it.
func (a *API) analyseCapture(w http.ResponseWriter, r *http.Request) error {
	in, veiled, err := a.captured(r)
	if err != nil {
		return err
	}
	return a.analyse(w, r, in, veiled)
}

// captured returns the capture that a request names, and what takes out of an answer what the visitor may not see.
func (a *API) captured(r *http.Request) (in annotate.Content, veiled func(any) any, err error) {
	target, err := urlOf(r)
	if err != nil {
		return in, nil, err
	}
	at, err := timeOf(r, "at", false)
	if err != nil {
		return in, nil, err
	}
	list, err := a.list(r, target)
	if err != nil {
		return in, nil, err
	}
	c := list[len(list)-1]
	if !at.IsZero() {
		c = nearest(list, at)
	}
	got, err := a.cfg.Contents.Content(r.Context(), r.PathValue("collection"), c, maxContent)
	if err != nil {
		return in, nil, err
	}
	over, err := a.veil(r)
	if err != nil {
		return in, nil, err
	}
	said := veil.Said(r)
	in = annotate.Content{URL: c.URL, MIME: got.MIME, Body: got.Body, Time: c.Time, Hide: func(text string) string { return over.Text(text, said...) }}
	return in, func(v any) any { return over.Answer(v, said...) }, nil
}

// analyse analyses a content and answers, when it is the visitor's turn.
func (a *API) analyse(w http.ResponseWriter, r *http.Request, in annotate.Content, veiled func(any) any) error {
	units, names := language.Units(), r.URL.Query().Get("units")
	above, err := annotate.Above{}, error(nil)
	if names != "" {
		if units, above, err = annotate.ParseUnits(strings.Split(names, ",")); err != nil {
			return err
		}
	}
	if a.cfg.Linkers != nil && (above.Entities || names == "") && access.From(r.Context()).Can(access.Viewer) { // the base may be a curator's own
		l, done, err := a.cfg.Linkers.Linker(r.PathValue("collection"))
		switch {
		case err == nil:
			defer done()
			in.Linker = l
		case above.Entities || varve.KindOf(err) != varve.NotFound: // without a base there is nothing to link, unless that was asked for
			return err
		}
	}
	if in.Date, err = timeOf(r, "date", false); err != nil {
		return err
	}
	in.Language = r.URL.Query().Get("lang")
	if above.Types {
		in.Types = cmp.Or(r.URL.Query().Get("taxonomy"), kind.WordNet)
		in.Rejected = r.URL.Query().Get("rejected") == "true"
	}
	return a.inTurn(w, r, func(ctx context.Context) (any, error) {
		out, err := annotate.Analyse(ctx, in, derive.Options{}, units)
		if err != nil {
			return nil, err
		}
		return veiled(out), nil
	})
}

// inTurn answers with what do returns, when it is the visitor's turn and within the time that there is.
func (a *API) inTurn(w http.ResponseWriter, r *http.Request, do func(context.Context) (any, error)) error {
	if from := access.From(r.Context()).Network; from != "" {
		if wait, ok := a.analyses.rate.Allow(from, a.cfg.Now()); !ok {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())+1))
			writeProblem(w, http.StatusTooManyRequests, varve.Unavailable, "too many texts; wait a moment", fmt.Sprintf("%d at once, then %g a second", analyseBurst, analyseRate))
			return nil
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), analyseTime)
	defer cancel()
	select {
	case a.analyses.slots <- struct{}{}:
		defer func() { <-a.analyses.slots }()
	case <-ctx.Done():
		return overtime(r, ctx)
	}
	out, err := do(ctx)
	if ctx.Err() != nil {
		return overtime(r, ctx)
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, "application/json", withLists(out))
	return nil
}

// overtime is the error of an analysis that did not get through in time; if the caller left, that.
func overtime(r *http.Request, ctx context.Context) error {
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "analyse text", Err: ctx.Err(), Hint: "others are being analysed: try again later, or 'varve text analyse' on a machine of your own"}
}
