package spam_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"varve/learn"
	"varve/spam"
)

// toy has one feature that tells, as home. and mean., one that does not, and a column of hosts.
func toy(n int) (*learn.Set, string) {
	s := &learn.Set{
		Attributes: []learn.Attribute{{Name: "home.tells"}, {Name: "mean.tells"}, {Name: "mean.noise"}, {Name: "host.pages"}},
		Class:      learn.Attribute{Name: "class", Values: []string{"spam", "normal"}}, Columns: make([][]float64, 4),
	}
	var b strings.Builder
	b.WriteString("host,home.tells,mean.tells,mean.noise,host.pages,class\n")
	for i := range n {
		y := i % 2
		tells := float64(1-y)*2 + float64(i*7%10)/10
		row := []float64{tells, tells + 0.1, float64(i * 13 % 17), float64(i)}
		for a, v := range row {
			s.Columns[a] = append(s.Columns[a], v)
		}
		s.Y = append(s.Y, y)
		s.Groups = append(s.Groups, fmt.Sprint("g", i%10))
		class := s.Class.Values[y]
		if i%4 >= 2 {
			class = ""
		}
		fmt.Fprintf(&b, "h%d.example,%g,%g,%g,%g,%s\n", i, row[0], row[1], row[2], row[3], class)
	}
	return s, b.String()
}

func toyModel(t *testing.T, s *learn.Set) *learn.Model {
	t.Helper()
	c, err := learn.Forest{Trees: 50}.Train(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &learn.Model{Classifier: c, Header: learn.Header{Class: s.Class, Attributes: s.Attributes, Typical: spam.Typical(s)}}
}

// What decides has the weight, under the name of one of its aggregates, and what does not has little.
func TestExplain(t *testing.T) {
	s, _ := toy(80)
	m := toyModel(t, s)
	bad := spam.Explain(m, s.Row(0, nil), 0)
	if len(bad) != 3 || !strings.HasSuffix(bad[0].Feature, ".tells") || bad[0].Weight < 1 || bad[0].Value < 2 {
		t.Errorf("%+v", bad)
	}
	good := spam.Explain(m, s.Row(1, nil), 0)
	if last := good[len(good)-1]; !strings.HasSuffix(last.Feature, ".tells") || last.Weight > -1 {
		t.Errorf("%+v", good)
	}
}

func TestReadHosts(t *testing.T) {
	s, text := toy(40)
	h, err := spam.ReadHosts(strings.NewReader(text), s.Attributes, s.Class)
	if err != nil {
		t.Fatal(err)
	}
	i, err := h.Find("h5.example")
	if err != nil || i != 5 || h.Labels[5] != "normal" || h.Labels[6] != "" || h.Set.Row(5, nil)[3] != 5 {
		t.Errorf("%d, %v: %+v", i, err, h.Labels)
	}
	if _, err := h.Find("none.example"); err == nil {
		t.Error("a host was found that is not there")
	}
	if _, err := spam.ReadHosts(strings.NewReader("a,b\n1,2\n"), nil, learn.Attribute{}); err == nil {
		t.Error("a table without hosts was taken")
	}
	if _, err := spam.ReadHosts(strings.NewReader(text), []learn.Attribute{{Name: "other"}}, s.Class); err == nil {
		t.Error("a table without a feature of the model was taken")
	}
}

// The uncertain come first; the others are spread over the strata; the same seed chooses the same.
func TestChoose(t *testing.T) {
	var all []spam.Candidate
	for i := range 200 {
		p := float64(i) / 199
		all = append(all, spam.Candidate{Host: fmt.Sprintf("h%d", i), Row: i, Spamicity: p, Stratum: min(9, int(p*10))})
	}
	got := spam.Choose(all, 40, 0.5, 7)
	if len(got) != 40 || fmt.Sprint(got) != fmt.Sprint(spam.Choose(all, 40, 0.5, 7)) || fmt.Sprint(got) == fmt.Sprint(spam.Choose(all, 40, 0.5, 8)) {
		t.Fatalf("%d hosts: %v", len(got), got)
	}
	strata, seen := map[int]int{}, map[string]bool{}
	for i, c := range got {
		if seen[c.Host] || (c.Why == "uncertain") != (i < 20) {
			t.Errorf("%d: %+v", i, c)
		}
		seen[c.Host] = true
		if i > 0 && i < 20 && math.Abs(c.Spamicity-0.5) < math.Abs(got[i-1].Spamicity-0.5)-1e-9 {
			t.Errorf("%d is more uncertain than the one before: %+v", i, c)
		}
		if i >= 20 {
			strata[c.Stratum]++
		}
	}
	for k := range 10 {
		if strata[k] != 2 {
			t.Errorf("stratum %d: %d hosts", k, strata[k])
		}
	}
	if n := len(spam.Choose(all[:3], 40, 0.5, 1)); n != 3 {
		t.Errorf("%d of 3 hosts", n)
	}
}

// Without a model hosts are spread by a number.
func TestSpread(t *testing.T) {
	_, text := toy(40)
	h, err := spam.ReadHosts(strings.NewReader(text), nil, learn.Attribute{})
	if err != nil {
		t.Fatal(err)
	}
	all := spam.Spread(h, h.Set.Columns[3])
	for i, c := range all {
		if c.Stratum != i/4 {
			t.Errorf("%d pages are in stratum %d", i, c.Stratum)
		}
	}
	for _, c := range spam.Choose(all, 10, 0.5, 1) {
		if c.Why != "stratum" {
			t.Errorf("%+v", c)
		}
	}
}
