package ui

import (
	"testing"
	"time"

	"varve/crawl/control"
	"varve/serve/message"
)

// A crawl that judges its pages has charts of their relevance, by stretch; stretches without a page say nothing.
func TestRelevanceCharts(t *testing.T) {
	at := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	list := []control.Reading{
		{At: at, Judged: 10, Relevant: 5, Keyword: 4, Similarity: 1},
		{At: at.Add(2 * time.Second), Judged: 20, Relevant: 13, Keyword: 14, Similarity: 3},
		{At: at.Add(4 * time.Second), Judged: 20, Relevant: 13, Keyword: 14, Similarity: 3},
		{At: at.Add(6 * time.Second), Judged: 40, Relevant: 15, Keyword: 14, Similarity: 3.5},
	}
	charts := chartsOf(message.English(), list, at)
	if len(charts) != 6 {
		t.Fatalf("%d charts", len(charts))
	}
	for i, want := range [][2]string{{"80.0 %", "10.0 %"}, {"100.0 %", "0.0 %"}, {"0.200", "0.025"}} {
		c := charts[3+i]
		if len(c.Points) != 2 || c.Points[0].Text != want[0] || c.Points[1].Text != want[1] || c.Path == "" {
			t.Errorf("%s: %+v, want %v", c.Name, c.Points, want)
		}
	}
	if n := len(chartsOf(message.English(), []control.Reading{{At: at}, {At: at.Add(time.Second), URLs: 3}}, at)); n != 3 {
		t.Errorf("a crawl that judges nothing has %d charts", n)
	}
}
