package gate_test

import (
	"testing"

	"varve/crawl"
	"varve/crawl/gate"
	"varve/crawl/stages"
	"varve/lab/websim/spam"
)

// doubter takes every host for spam by a little: only support saves it.
type doubter struct{ oracle }

func (doubter) Assess(string, []byte) (gate.Assessment, error) {
	return gate.Assessment{Spamicity: 0.95}, nil
}

// A host that is rejected before others are met that link it is put back, and what was set aside of it is fetched after all.
func TestPutBackBySupport(t *testing.T) {
	s := newScene(t, spam.Config{Hosts: 40, Scale: 0.4}, 5)
	all := pages(s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{}.Of}))
	res := s.crawl(t, s.definition(), crawl.Options{Stages: stages.Set{Spam: gate.Options{Assessor: doubter{}}}.Of})
	got, last, back := pages(res), map[string]string{}, 0
	for _, e := range events(t, res.Place.Dir) {
		if e["event"] != "host-state" {
			continue
		}
		host, _ := e["host"].(string)
		state, _ := e["state"].(string)
		if e["was"] == "rejected" && state == "being-archived" {
			back++
		}
		last[host] = state
	}
	for host, state := range last {
		if state == "being-archived" && got[host] < all[host]*9/10 {
			t.Errorf("%s: %d of %d pages", host, got[host], all[host])
		}
	}
	if back == 0 || !res.Report.Complete {
		t.Errorf("%d put back; %v", back, res.Report.Spam.Hosts)
	}
}
