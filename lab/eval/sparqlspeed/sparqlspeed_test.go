package sparqlspeed

import (
	"io"
	"strings"
	"testing"
)

// Every shape is a query that finds something.
func TestShapes(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Triples: 3000, Rounds: 1, Seed: 1, Alone: true}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if res.Memory.Varve <= 0 || res.Asking.Varve <= 0 {
		t.Errorf("no memory was measured: %v, %v", res.Memory, res.Asking)
	}
	if len(res.Queries) != 12 || res.Triples < 2500 {
		t.Errorf("%d shapes over %d triples", len(res.Queries), res.Triples)
	}
	for _, q := range res.Queries {
		if q.Rows == 0 {
			t.Errorf("%s: no solutions", q.Name)
		}
	}
	var b strings.Builder
	if err := res.Print(&b); err != nil || !strings.Contains(b.String(), "not exists") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
