package crawl

import (
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

// Limits returns those in force.
func (r *Run) Limits() Limits { return r.most.Load().Limits }

// SetLimits puts other limits in force, higher or lower; a limit that is reached already ends the visits.
func (r *Run) SetLimits(l Limits) error {
	if err := l.check(); err != nil {
		return err
	}
	was := r.Limits()
	r.putLimits(l)
	if err := r.KeepDefinition(); err != nil {
		r.putLimits(was)
		return err
	}
	r.Wake()
	r.hurry()
	return nil
}
