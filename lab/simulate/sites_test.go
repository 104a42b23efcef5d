package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

var small = SitesConfig{Sites: []string{"news"}, Pages: 150, Seed: 3, Seeds: 4}

func cell(t *testing.T, r *Result, strategy, column string) float64 {
	t.Helper()
	for j, c := range r.Tables[0].Columns {
		for _, row := range r.Tables[0].Rows {
			if row.Name[1] == strategy && c == column {
				return float64(row.Values[j])
			}
		}
	}
	t.Fatalf("there is no %s %s", strategy, column)
	return 0
}

func TestBlurOfSHARCIsLeast(t *testing.T) {
	r, err := Blur(context.Background(), small, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"bfs", "hottest-first", "hottest-last"} {
		if sharc, x := cell(t, r, "sharc", "oracle offline"), cell(t, r, other, "oracle offline"); sharc >= x {
			t.Errorf("sharc has blur %v, %s %v", sharc, other, x)
		}
	}
}

func TestIncoherenceOfVarveIsLeast(t *testing.T) {
	r, err := Incoherence(context.Background(), small, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"bfs-lifo", "bfs-fifo", "hottest-first-lifo", "inducible 0.60"} {
		if varve, x := cell(t, r, "varve", "oracle offline"), cell(t, r, other, "oracle offline"); varve > x {
			t.Errorf("varve has %v incoherent, %s %v", varve, other, x)
		}
	}
}

// The same seed gives the same figures, and all ways to print them work.
func TestResultsAreReproducible(t *testing.T) {
	c := SitesConfig{Sites: []string{"blog"}, Pages: 40, Seeds: 2, Lasts: 24 * time.Hour}
	var first string
	for range 2 {
		r, err := Blur(context.Background(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		var text, csv, svg bytes.Buffer
		if err := errors.Join(r.Print(&text), r.CSV(&csv), r.Chart.SVG(&svg)); err != nil {
			t.Fatal(err)
		}
		js, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), "sharc") || !strings.Contains(csv.String(), ",sharc,oracle online,") {
			t.Errorf("table or CSV lack sharc: %s", csv.String())
		}
		wellFormed(t, svg.String())
		all := text.String() + csv.String() + svg.String() + string(js)
		if first == "" {
			first = all
		}
		if all != first {
			t.Error("the second run differs from the first")
		}
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("a place that is no number: %s", svg)
	}
}

func TestSitesRefuseNonsense(t *testing.T) {
	for _, c := range []SitesConfig{{Pages: -1}, {Seeds: -1}, {Lasts: time.Second}, {Sites: []string{"moon"}, Seeds: 1}, {Sites: []string{"blog"}, Pages: 1, Seeds: 1}} {
		if _, err := Blur(context.Background(), c, nil); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Incoherence(ctx, small, nil); err == nil {
		t.Error("a cancelled run gives a result")
	}
}
