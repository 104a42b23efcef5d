package times_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/times"
)

const cases = `{"spec":"DateTimeModel","n":1,"input":"Été: on 12 November 2026","reference":"2016-11-07T00:00:00","results":[{"text":"12 november 2026","type":"datetimeV2.date","start":8,"end":24,"values":[{"timex":"2026-11-12","type":"date","value":"2026-11-12"}]}]}
{"spec":"DateTimeModel","n":2,"input":"every day","reference":"2016-11-07T00:00:00","results":[{"text":"every day","type":"datetimeV2.set","start":0,"end":9,"values":[{"timex":"P1D","type":"set","value":"not resolved"}]}]}
{"spec":"DateTimeModel","n":3,"input":"since 1989","reference":null,"results":[{"text":"since 1989","type":"datetimeV2.daterange","start":0,"end":10,"values":[{"timex":"1989","Mod":"since","type":"daterange","start":"1989-01-01","sourceEntity":"datetimerange"}]}]}
{"spec":"DateTimeModel","n":4,"input":"tomorrow","reference":"2016-11-07T00:00:00","results":[{"text":"tomorrow","type":"datetimeV2.date","start":0,"end":8,"values":[{"timex":"2016-11-09","type":"date","value":"2016-11-09"}]}]}
{"spec":"DateTimeModel","n":5,"input":"nothing","reference":"2016-11-07T00:00:00","results":[]}
{"spec":"DateTimeModel","n":6,"input":"pst","reference":"2016-11-07T00:00:00","results":[{"text":"pst","type":"datetimeV2.timezone","start":0,"end":3}]}
{"spec":"DateTimeModel","n":7,"input":"?","not_supported":"DotNet, java","reference":"2016-11-07T00:00:00","results":[]}
{"spec":"DateParser","n":8,"input":"today","reference":"2016-11-07T00:00:00","results":[]}
`

func TestMeasure(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(file, []byte(cases), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := times.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := times.Measure(list, true)
	if err != nil || r.Cases != 5 || r.Right != 4 || r.Spans != 5 || r.Types != 5 || r.Plain != 1 || len(r.Wrong) != 1 {
		t.Errorf("%+v %v", r, err)
	}
	for why, n := range map[string]int{"type timezone": 1, "supported by no implementation": 1, "other mode or part: DateParser": 1} {
		if r.LeftOut[why] != n {
			t.Errorf("%s: %d, want %d", why, r.LeftOut[why], n)
		}
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "2016-11-09") || !strings.Contains(out.String(), "left out") || *r.Summary().Accuracy != 0.8 {
		t.Errorf("%s %v", out.String(), err)
	}
}

func TestLoadRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(file, []byte("{}\n{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := times.Load(file); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}
