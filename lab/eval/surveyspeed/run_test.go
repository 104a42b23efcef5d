package surveyspeed

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	res, err := Run(t.Context(), Config{Dir: t.TempDir(), Hosts: 300, Terms: 20, Fingerprints: 8, Seed: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := res.Print(&b); err != nil || !strings.Contains(b.String(), "page graph") || res.Hosts != 300 || res.HostEdges < 2000 || len(res.Snapshots) != 2 || res.Spam == 0 {
		t.Errorf("%+v, %v\n%s", res, err, b.String())
	}
	if _, err := Run(t.Context(), Config{Hosts: 1}, io.Discard); err == nil {
		t.Error("nothing was measured without an error")
	}
}
