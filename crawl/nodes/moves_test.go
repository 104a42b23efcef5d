package nodes_test

import (
	"fmt"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
)

// Sites move again and again while they are crawled, and to each page there is one way only: a link that is found while its site is on the move
// must not be lost.
func TestMovesLoseNothing(t *testing.T) {
	t.Parallel()
	web := sitesLinked(t, 12, 60, 3, 0)
	s := &setting{resolve: web.Resolve(), manners: polite.Fixed(4 * time.Millisecond), timing: quick(), parts: 16}
	for i := 1; i <= 12; i++ {
		s.def.Seeds = append(s.def.Seeds, fmt.Sprintf("http://site%02d.test/", i))
	}
	s.def = webScope(s.def.Seeds...)
	want := alone(t, s)
	memory := engine.NewMemory()
	dirs := []string{t.TempDir()}
	first, err := s.start(t.Context(), memory.Join(), "stays", dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i := range 6 {
		if reached := first.run.Progress().Together; reached != nil && reached.URLs > int64(len(want)*9/10) {
			break
		}
		dirs = append(dirs, t.TempDir())
		m, err := s.start(t.Context(), memory.Join(), fmt.Sprintf("guest%d", i), dirs[len(dirs)-1])
		if err != nil {
			break // it is complete by now
		}
		before := m.run.Progress().URLs
		for range 300 { // until it has something, or there is nothing any more
			if m.run.Progress().URLs > before+5 || m.run.Progress().State == "ended" {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		m.run.Stop("enough")
		m.wait(t)
		moved++
	}
	if rep := first.wait(t); !rep.Finished {
		t.Errorf("not finished: %s", rep.Why)
	}
	got := captured(t, dirs...)
	same(t, got, want)
	if again := twice(got); len(again) > 0 {
		t.Errorf("captured twice: %.300v", again)
	}
	t.Logf("%d URLs; sites moved to %d nodes and back", len(got), moved)
}

// ahead is a clock that shows another time of day.
type ahead struct {
	clock.Clock
	by time.Duration
}

func (a ahead) Now() time.Time { return a.Clock.Now().Add(a.by) }

// Nodes whose clocks are two minutes apart, either way, capture what one process captures, each URL once.
func TestClocksApart(t *testing.T) {
	t.Parallel()
	web := sites(t, 9, 40, 3)
	s := &setting{
		resolve: web.Resolve(), manners: polite.Fixed(2 * time.Millisecond), timing: quick(), expect: 3, parts: 16, def: webScope("http://site01.test/"),
		clocks: map[string]clock.Clock{"n1": ahead{clock.Real(), 2 * time.Minute}, "n2": ahead{clock.Real(), -2 * time.Minute}},
	}
	want := alone(t, s)
	memory := engine.NewMemory()
	members, dirs := together(t, s, 3, func() engine.Engine { return memory.Join() })
	for _, m := range members {
		if rep := m.wait(t); !rep.Finished {
			t.Errorf("%s: %s", m.name, rep.Why)
		}
	}
	got := captured(t, dirs...)
	same(t, got, want)
	if again := twice(got); len(again) > 0 {
		t.Errorf("captured twice: %.300v", again)
	}
}
