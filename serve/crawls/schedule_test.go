package crawls

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"varve"
	"varve/clock"
	"varve/crawl"
	"varve/serve/holdings"
)

// yard is a starter and its stock: what is started stands in its list.
type yard struct {
	cols []*holdings.Collection
	jobs map[string]Job
	did  []string
	fail error
	now  func() time.Time
}

func (y *yard) Collections(context.Context) ([]*holdings.Collection, error) { return y.cols, nil }

func (y *yard) Collection(_ context.Context, name string) (*holdings.Collection, error) {
	return y.cols[slices.IndexFunc(y.cols, func(c *holdings.Collection) bool { return c.Name == name })], nil
}

func (y *yard) Job(c string) (Job, bool) { j, ok := y.jobs[c]; return j, ok }

func (y *yard) Start(_ context.Context, c, d, by string) (Job, error) {
	y.did = append(y.did, by+" starts "+c+"/"+d)
	if y.fail != nil {
		return Job{}, y.fail
	}
	y.jobs[c] = Job{Collection: c, Definition: d, State: Running, Started: y.now()}
	return y.jobs[c], nil
}

func (y *yard) Resume(_ context.Context, c, by string) (Job, error) {
	y.did = append(y.did, by+" resumes "+c)
	y.jobs[c] = Job{Collection: c, State: Running, Started: y.now()}
	return y.jobs[c], nil
}

func (y *yard) ends(c string, s State, why string) {
	j := y.jobs[c]
	j.State, j.Why = s, why
	y.jobs[c] = j
}

func (y *yard) took() (out []string) {
	out, y.did = y.did, nil
	return out
}

func newYard(t *testing.T) (*yard, *Schedule, *clock.Virtual) {
	t.Helper()
	v := clock.NewVirtual(time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC))
	y := &yard{jobs: map[string]Job{}, now: v.Now}
	return y, &Schedule{Starter: y, Stock: y, Clock: v, Log: slog.New(slog.DiscardHandler)}, v
}

func due(name string, next time.Time) holdings.Planned {
	return holdings.Planned{Name: name, Every: time.Hour, Next: next, Definition: &crawl.Definition{Name: name}}
}

func TestScheduleStartsWhatIsDue(t *testing.T) {
	y, s, v := newYard(t)
	now := v.Now()
	y.cols = []*holdings.Collection{
		{Name: "a", Plans: []holdings.Planned{due("late", now.Add(-time.Hour)), due("later", now.Add(-2*time.Hour)), due("not", now.Add(time.Minute))}},
		{Name: "b", Plans: []holdings.Planned{due("not", now.Add(time.Hour)), {Name: "asked", Definition: &crawl.Definition{}}}},
		{Name: "c", Problem: "unreadable", Plans: []holdings.Planned{due("x", now)}},
	}
	s.Look(context.Background())
	if got := y.took(); !slices.Equal(got, []string{"schedule starts a/later"}) {
		t.Errorf("%q", got)
	}
	s.Look(context.Background()) // one of a collection at a time
	if got := y.took(); len(got) > 0 {
		t.Errorf("%q", got)
	}
	y.ends("a", Complete, "")
	y.cols[0].Plans[1].Next = now.Add(time.Hour)
	s.Look(context.Background())
	if got := y.took(); !slices.Equal(got, []string{"schedule starts a/late"}) {
		t.Errorf("%q", got)
	}
	if st := s.Status(); st.Looked.IsZero() || len(st.Waiting) != 0 {
		t.Errorf("%+v", st)
	}
}

// What fails is tried again later and later, not at once.
func TestScheduleWaitsAfterFailures(t *testing.T) {
	y, s, v := newYard(t)
	y.cols = []*holdings.Collection{{Name: "a", Plans: []holdings.Planned{due("x", v.Now())}}}
	var starts []time.Duration
	begin := v.Now()
	for range 400 {
		s.Look(context.Background())
		if len(y.took()) > 0 {
			starts = append(starts, v.Now().Sub(begin))
			y.ends("a", Failed, "no contact")
		}
		v.Advance(30 * time.Second)
	}
	want := []time.Duration{0, 90 * time.Second, 240 * time.Second, 510 * time.Second, 1020 * time.Second, 2010 * time.Second, 3960 * time.Second, 7830 * time.Second}
	if !slices.Equal(starts, want) {
		t.Errorf("started at %v, want %v", starts, want)
	}
	if st := s.Status(); len(st.Waiting) != 1 || st.Waiting[0].Why != "no contact" || st.Waiting[0].Failures != len(want) {
		t.Errorf("%+v", st)
	}
	v.Advance(7 * time.Hour)
	s.Look(context.Background())
	y.ends("a", Complete, "")
	y.cols[0].Plans[0].Next = v.Now().Add(time.Hour)
	s.Look(context.Background())
	if st := s.Status(); len(st.Waiting) != 0 {
		t.Errorf("it went well and still waits: %+v", st)
	}
	y.cols[0].Plans[0].Next = v.Now()
	y.fail = errors.New("the disk is gone")
	s.Look(context.Background())
	y.fail = &varve.Error{Kind: varve.Conflict, Op: "start", Msg: "somebody writes"}
	v.Advance(2 * time.Minute)
	s.Look(context.Background())
	v.Advance(30 * time.Second)
	s.Look(context.Background())
	if n := len(y.took()); n != 4 { // after a conflict it is tried at the next look
		t.Errorf("%d starts", n)
	}
}

// After a restart the interrupted crawl of a plan goes on; one that somebody stopped does not.
func TestScheduleResumes(t *testing.T) {
	for _, c := range []struct {
		state holdings.State
		why   string
		name  string
		due   bool
		want  []string
	}{
		{holdings.Interrupted, "", "x", false, []string{"schedule resumes a"}},
		{holdings.Stopped, "interrupted", "x", false, []string{"schedule resumes a"}},
		{holdings.Stopped, "by eva", "x", false, nil},
		{holdings.Stopped, "max-pages reached", "x", false, nil},
		{holdings.Interrupted, "", "", false, nil}, // not of a plan
		{holdings.Interrupted, "", "x", true, []string{"schedule starts a/x"}},
		{holdings.Complete, "", "x", false, nil},
	} {
		y, s, v := newYard(t)
		next := v.Now().Add(time.Hour)
		if c.due {
			next = v.Now()
		}
		k := &holdings.Crawl{ID: "20261115T080000Z", Collection: "a", Name: c.name, State: c.state, Why: c.why, Definition: &crawl.Definition{Name: c.name}}
		y.cols = []*holdings.Collection{{Name: "a", Plans: []holdings.Planned{due("x", next)}, Crawls: []*holdings.Crawl{k}}}
		s.Look(context.Background())
		if got := y.took(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
		if !c.due && len(c.want) > 0 { // it does not help for ever
			for range 10 {
				y.ends("a", Stopped, "")
				s.Look(context.Background())
			}
			if n := len(y.took()); n != maxResumes-1 {
				t.Errorf("%d further resumes", n)
			}
		}
	}
}

func TestScheduleRuns(t *testing.T) {
	y, s, v := newYard(t)
	y.cols = []*holdings.Collection{{Name: "a", Plans: []holdings.Planned{due("x", v.Now())}}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	for s.Status().Looked.IsZero() {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-done
	if got := y.took(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
