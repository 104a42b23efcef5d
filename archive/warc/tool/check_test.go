package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"varve/archive/warc"
)

func checkAll(t *testing.T, opts CheckOptions, inputs ...*Input) ([]FileCheck, []warc.Finding) {
	t.Helper()
	var found []warc.Finding
	opts.OnFinding = func(f warc.Finding) { found = append(found, f) }
	c := NewChecker(opts)
	var sums []FileCheck
	for _, in := range inputs {
		sum, err := c.File(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, sum)
	}
	c.Finish(sums)
	return sums, found
}

// A file of several pieces is checked on several cores with the outcome of one.
func TestCheckInParallel(t *testing.T) {
	var entries []*warc.Entry
	for i := range 24 {
		entries = append(entries, testResponse(i, fmt.Sprintf("http://example.com/%d", i), noise(uint64(i), 400_000)))
	}
	entries[7].Header.Set(warc.FieldRecordID, testID(3))
	entries[15].Header.Set(warc.FieldBlockDigest, "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	entries[22].Header.Set(warc.FieldRecordID, testID(3))
	file, _ := packed(t, warc.Packing{Level: 1}, entries...)
	_, one := checkAll(t, CheckOptions{Workers: 1}, input(t, "a.warc.gz", file))
	sums, many := checkAll(t, CheckOptions{Workers: 4}, input(t, "a.warc.gz", file))
	if fmt.Sprint(one) != fmt.Sprint(many) {
		t.Errorf("one core: %v\nfour: %v", one, many)
	}
	var rules []string
	for _, f := range many {
		rules = append(rules, string(f.Rule))
	}
	if got := strings.Join(rules, " "); got != "duplicate-id block-digest duplicate-id" {
		t.Errorf("findings: %s", got)
	}
	if s := sums[0]; s.Records != 24 || s.Captures != 24 || s.Packing != warc.Gzip || s.Total() != 3 {
		t.Errorf("%+v", s)
	}
}

// Segments in two files are one series; the second file alone is not.
func TestCheckSegmentsOverFiles(t *testing.T) {
	whole := warc.New(warc.TypeResource, testID(1), start, warc.Bytes("one two three")).With(warc.FieldTargetURI, "http://example.com/").
		With(warc.FieldContentType, "text/plain")
	n := 1
	parts, err := warc.Split(whole, 5, func() (string, error) { n++; return testID(n), nil })
	if err != nil {
		t.Fatal(err)
	}
	first, _ := packed(t, warc.Packing{}, parts[:2]...)
	second, _ := packed(t, warc.Packing{}, parts[2:]...)
	if _, found := checkAll(t, CheckOptions{}, input(t, "1.warc.gz", first), input(t, "2.warc.gz", second)); len(found) != 0 {
		t.Errorf("both files: %v", found)
	}
	_, found := checkAll(t, CheckOptions{}, input(t, "2.warc.gz", second))
	if len(found) != 1 || found[0].Rule != warc.RuleSeries || found[0].File != "2.warc.gz" {
		t.Errorf("second file alone: %v", found)
	}
}

// Beyond the bound ids are not compared, and that is said.
func TestCheckBoundOfIDs(t *testing.T) {
	var entries []*warc.Entry
	for i := range 10 {
		entries = append(entries, testResponse(i, "http://example.com/", nil))
	}
	file, _ := packed(t, warc.Packing{}, entries...)
	c := NewChecker(CheckOptions{})
	c.ids = 4
	sum, err := c.File(context.Background(), input(t, "a.warc.gz", file))
	if err != nil || sum.NotCompared != 6 {
		t.Errorf("%d not compared, %v", sum.NotCompared, err)
	}
}

func TestCheckNoRecords(t *testing.T) {
	for _, text := range []string{"", "Dear archive", "\x1f\x8b\x08"} {
		c := NewChecker(CheckOptions{})
		if _, err := c.File(context.Background(), input(t, "x", []byte(text))); !errors.Is(err, ErrNoRecords) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
