package compression

import (
	"fmt"
	"strings"
	"testing"
)

func spamText(i int) string {
	return strings.Repeat(fmt.Sprintf("cheap pills online casino bonus best price order now number %d. ", i), 20)
}

func normalText(i int) string {
	return strings.Repeat(fmt.Sprintf("the parish council met on tuesday to hear about the bridge in year %d. ", i), 20)
}

func TestMeasureTellsWhatTextIsLike(t *testing.T) {
	p, err := New([]string{spamText(1), spamText(2)}, []string{normalText(1), normalText(2)})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second time: nothing of the first is left
		like := p.Measure(nil, "order now cheap pills online casino bonus best price")
		unlike := p.Measure(nil, "the parish council met on tuesday to hear about the bridge")
		if last := len(like) - 1; like[last] <= 0.5 || unlike[last] >= -0.5 || len(like) != len(Definitions()) {
			t.Errorf("like spam %v, unlike %v", like, unlike)
		}
	}
	if v := p.Measure(nil, ""); v[0] == v[0] {
		t.Error("the empty text has features")
	}
	var none *Pair
	if v := none.Measure(nil, "x"); v[0] == v[0] {
		t.Error("features without dictionaries")
	}
}

func TestDictionary(t *testing.T) {
	long := strings.Repeat("x", 3*Window)
	if d := Dictionary([]string{long, "short"}); len(d) != Window || !strings.Contains(d, "short") {
		t.Errorf("%d bytes", len(d))
	}
	if Dictionary(nil) != "" {
		t.Error("a dictionary of nothing")
	}
}

// A host is not measured with its own words.
func TestFoldsLeaveOut(t *testing.T) {
	var examples []Example
	for i := range 40 {
		examples = append(examples, Example{Group: fmt.Sprint("s", i), Spam: true, Text: fmt.Sprintf("unique%d word%d secret%d", i, i*7, i*13)},
			Example{Group: fmt.Sprint("n", i), Text: fmt.Sprintf("plain%d text%d about%d", i, i*7, i*13)})
	}
	f, err := NewFolds(examples)
	if err != nil || f == nil {
		t.Fatal(err)
	}
	whole, err := New([]string{examples[0].Text}, []string{"y"})
	if err != nil {
		t.Fatal(err)
	}
	own := whole.Measure(nil, examples[0].Text)
	out := f.For(examples[0].Group).Measure(nil, examples[0].Text)
	if out[0] >= own[0] {
		t.Errorf("behind its own words %v, behind others' %v", own[0], out[0])
	}
	if f, err := NewFolds(examples[:1]); err != nil || f.For("x") != nil {
		t.Error("folds of one kind", err)
	}
}
