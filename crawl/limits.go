package crawl

import (
	"net/http"
	"time"

	"varve"
	"varve/crawl/scope"
)

// Limits bound a crawl; zero is no limit.
type Limits struct {
	MaxPages int64          `json:"maxPages,omitempty"`
	MaxURLs  int64          `json:"maxUrls,omitempty"`
	MaxBytes int64          `json:"maxBytes,omitempty"`
	MaxTime  scope.Duration `json:"maxTime,omitempty"` // of this run
}

// limitsOf takes the limits of a definition.
func limitsOf(d *Definition) Limits {
	return Limits{MaxPages: d.MaxPages, MaxURLs: d.MaxURLs, MaxBytes: d.MaxBytes, MaxTime: d.MaxTime}
}

// inForce are the limits of a run as they are now.
type inForce struct {
	Limits
	deadline time.Time // zero: none
}

func (r *Run) putLimits(l Limits) {
	f := &inForce{Limits: l}
	if l.MaxTime > 0 {
		f.deadline = r.started.Add(time.Duration(l.MaxTime))
	}
	r.most.Store(f)
}

func (l Limits) check() error {
	if l.MaxPages < 0 || l.MaxURLs < 0 || l.MaxBytes < 0 || l.MaxTime < 0 {
		return &varve.Error{Kind: varve.Invalid, Op: "limits", Msg: "a limit cannot be less than nothing", Hint: "0 is no limit"}
	}
	return nil
}

// controlLimits puts other limits in force, higher or lower; a limit that is reached already ends the visits.
func (r *Run) controlLimits(req *http.Request) (any, error) {
	body, err := readBody("limits", req)
	if err != nil {
		return nil, err
	}
	var l Limits
	if err := decodeOne(body, &l); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "limits", Err: err, Hint: `{"maxPages":5000,"maxBytes":10000000000,"maxTime":"12h"}; what is missing has no limit`}
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	was := r.most.Load().Limits
	r.putLimits(l)
	if err := r.keepDefinition(); err != nil {
		r.putLimits(was)
		return nil, err
	}
	r.events.add("limits", "by", asker(req), "was", was, "now", l)
	r.Wake()
	r.hurry()
	return l, nil
}

// asker tells who steers: those who pass requests on say it in a header.
func asker(req *http.Request) string {
	by := req.Header.Get("Varve-By")
	if by == "" {
		by = "request"
	}
	return clipText(by, 200)
}
