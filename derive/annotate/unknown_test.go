package annotate_test

import (
	"testing"

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
)

// Names that no base knows are held up to a bound, and those beyond it are counted.
func TestUnknownNamesAreBounded(t *testing.T) {
	in := files(t, []capture{{path: "/a", body: page("x", english)}})
	dir := t.TempDir()
	run(t, job.Config{Dir: dir}, in, options())
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	whole := annotate.UnknownNames{Dir: dir, Parts: parts}
	all, err := whole.Occurrences(t.Context())
	if err != nil || len(all) < 3 || whole.Beyond != 0 {
		t.Fatalf("%d names, %d beyond: %v", len(all), whole.Beyond, err)
	}
	few := annotate.UnknownNames{Dir: dir, Parts: parts, Most: 2}
	some, err := few.Occurrences(t.Context())
	if err != nil || len(some) != 2 || few.Beyond != len(all)-2 {
		t.Errorf("%d names, %d beyond: %v", len(some), few.Beyond, err)
	}
}
