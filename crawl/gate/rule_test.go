package gate_test

import (
	"testing"

	"varve/crawl"
	"varve/crawl/gate"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim/spam"
)

// doubtful finds spam hosts suspect, not more.
type doubtful struct{ oracle }

func (d doubtful) Assess(host string, sample []byte) (gate.Assessment, error) {
	a, err := d.oracle.Assess(host, sample)
	a.Spamicity = min(a.Spamicity, 0.6)
	return a, err
}

// A rule on spamicity holds for hosts that the filter itself lets through, from their assessment on.
func TestSpamOver(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 50, Scale: 0.4}, 3)
	opts := crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: doubtful{oracle{s.world, s.at}}}}.Of}
	def := s.definition()
	all := pages(s.crawl(t, def, opts))
	limit := 0.3
	def.Scope.Rules = append(def.Scope.Rules, scope.Rule{Name: "doubtful", Do: scope.Reject, SpamOver: &limit})
	res := s.crawl(t, def, opts)
	got, fewer := pages(res), 0
	for _, h := range s.world.Hosts() {
		if !h.Spam && got[h.Name] < all[h.Name]*8/10 {
			t.Errorf("%s (%s): %d pages of %d", h.Name, h.Kind, got[h.Name], all[h.Name])
		}
		if h.Spam && got[h.Name] < all[h.Name]/2 {
			fewer++
		}
	}
	if ruled := res.Report.Rules["doubtful"]; fewer == 0 || ruled.Turn == 0 || ruled.Links == 0 {
		t.Errorf("%d spam hosts were cut short; the rule kept out %v", fewer, ruled)
	}
}
