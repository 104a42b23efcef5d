package warc

import (
	"fmt"
	"strings"
	"testing"
)

// arcFile makes an ARC of version 1 with the given records behind its first one.
func arcFile(records ...[2]string) string {
	version := "1 0 Owner\nURL IP-address Archive-date Content-type Archive-length\n"
	s := fmt.Sprintf("filedesc://x.arc 0.0.0.0 20080430204825 text/plain %d\n%s\n", len(version), version)
	for _, r := range records {
		s += fmt.Sprintf("%s %d\n%s\n", r[0], len(r[1]), r[1])
	}
	return s
}

func TestReadArc(t *testing.T) {
	http := "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hi"
	file := arcFile(
		[2]string{"http://a.org/x y.html 192.0.2.1 20080430204826 text/html", http},
		[2]string{"dns:a.org 192.0.2.53 20080430204827 text/dns", "20080430204827\na.org. IN A 192.0.2.1\n"},
		[2]string{"https://b.org/ 2001:db8::1 20080430204828 text/html; charset=x", http},
		[2]string{"http://c.org/ 192.0.2.1 null text/html", http},
	)
	records, findings := readAll(t, strings.NewReader(file), Options{Policy: Lenient(), Verify: true})
	want := []string{
		"warcinfo filedesc://x.arc 2008-04-30T20:48:25Z",
		"response http://a.org/x y.html 2008-04-30T20:48:26Z",
		"resource dns:a.org 2008-04-30T20:48:27Z",
		"response https://b.org/ 2008-04-30T20:48:28Z",
		"response http://c.org/ ",
	}
	if len(records) != len(want) {
		t.Fatalf("%d records: %v", len(records), findings)
	}
	for i, g := range records {
		got := g.header.Get(FieldType) + " " + g.header.Get(FieldTargetURI) + " " + g.header.Get(FieldDate)
		if got != want[i] {
			t.Errorf("record %d: %q, want %q", i, got, want[i])
		}
	}
	if records[1].block != http {
		t.Errorf("block %q", records[1].block)
	}
	if len(findings) != 1 || findings[0].Rule != RuleDate {
		t.Errorf("findings %v, want one about the date", findings)
	}
}

func TestDamagedArcLine(t *testing.T) {
	file := arcFile(
		[2]string{"http://a.org/1 192.0.2.1 20080430204826 text/html", "one"},
		[2]string{"this is no record line", "two"},
		[2]string{"http://a.org/3 192.0.2.1 20080430204826 text/html", "three"},
	)
	records, findings := readAll(t, strings.NewReader(file), Options{Policy: Lenient()})
	if len(records) != 3 || records[2].block != "three" {
		t.Errorf("%d records, findings %v", len(records), findings)
	}
	if len(findings) == 0 || findings[0].Rule != RuleArcLine {
		t.Errorf("findings %v", findings)
	}
}

func TestParseDate(t *testing.T) {
	for in, want := range map[string]string{
		"2026":                           "2026-01-01T00:00:00Z",
		"2026-03":                        "2026-03-01T00:00:00Z",
		"2026-03-04":                     "2026-03-04T00:00:00Z",
		"2026-03-04T05:06Z":              "2026-03-04T05:06:00Z",
		"2026-03-04T05:06:07Z":           "2026-03-04T05:06:07Z",
		"2026-03-04T05:06:07.5Z":         "2026-03-04T05:06:07.5Z",
		"2026-03-04T05:06:07.123456789Z": "2026-03-04T05:06:07.123456Z",
		"2026-03-04T07:06:07+02:00":      "2026-03-04T05:06:07Z",
	} {
		if got, err := ParseDate(in); err != nil || FormatDate(got) != want {
			t.Errorf("%s: %s, %v; want %s", in, FormatDate(got), err, want)
		}
	}
	for _, bad := range []string{"", "yesterday", "20260304050607", "2026-13"} {
		if got, err := ParseDate(bad); err == nil {
			t.Errorf("%q was read as %s", bad, got)
		}
	}
}
