package cdxj

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
)

const sample = `com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", "status": "200", "digest": "G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", "length": "1228", "offset": "784", "filename": "example.warc.gz"}`

var lines = []string{
	sample,
	`com,example)/ 20170306040206123 {"url":"http://example.com/","status":200,"length":1228,"offset":0,"filename":"a.warc"}`,
	`com,example)/?a=b 20170306040206 {"url": "http://example.com/?a=b", "mime": "warc/revisit", "status": "-", "method": "POST", "requestBody": "a=b", "orig.length": "12", "x": 5, "y": [1, {"z": null}], "t": true, "f": false, "n": null}`,
	`com,example)/ 20170306040206 {}`,
	`com,example)/ 20170306040206  { "url" : "http:\/\/example.com\/\u00e9\"" , "a\n" : 1e5 } `,
	`com,example)/ 20170306040206 {"url": null, "status": null, "offset": null, "status": "404", "extra": "é"}`,
	`com,example)/{id} 20170306040206 {"url": "http://example.com/{id}", "offset": "9007199254740993", "length": "123456789012345678"}`,
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want Record
	}{
		{lines[0], Record{
			Key: "com,example)/", Timestamp: "20170306040206", URL: "http://example.com/", MIME: "text/html", Status: 200,
			Digest: "G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", Length: 1228, Offset: 784, Filename: "example.warc.gz",
		}},
		{lines[1], Record{
			Key: "com,example)/", Timestamp: "20170306040206123", URL: "http://example.com/", Status: 200,
			Length: 1228, Offset: 0, Filename: "a.warc",
		}},
		{lines[2], Record{
			Key: "com,example)/?a=b", Timestamp: "20170306040206", URL: "http://example.com/?a=b", MIME: "warc/revisit",
			Length: Unknown, Offset: Unknown, Extra: []Field{
				{"method", `"POST"`},
				{"requestBody", `"a=b"`},
				{"orig.length", `"12"`},
				{"x", "5"},
				{"y", `[1, {"z": null}]`},
				{"t", "true"},
				{"f", "false"},
				{"n", "null"},
			},
		}},
		{lines[3], Record{Key: "com,example)/", Timestamp: "20170306040206", Length: Unknown, Offset: Unknown}},
		{lines[4], Record{
			Key: "com,example)/", Timestamp: "20170306040206", URL: `http://example.com/é"`, Length: Unknown, Offset: Unknown,
			Extra: []Field{{"a\n", "1e5"}},
		}},
		{lines[5], Record{
			Key: "com,example)/", Timestamp: "20170306040206", Status: 404, Length: Unknown, Offset: Unknown,
			Extra: []Field{{"extra", `"é"`}},
		}},
		{lines[6], Record{
			Key: "com,example)/{id}", Timestamp: "20170306040206", URL: "http://example.com/{id}",
			Offset: 9007199254740993, Length: 123456789012345678,
		}},
	} {
		got, err := Parse(c.line)
		if err != nil || !equal(got, c.want) {
			t.Errorf("Parse(%s)\n got %+v, %v\nwant %+v", c.line, got, err, c.want)
		}
	}
}

// equal compares records; an empty Extra is a missing one.
func equal(a, b Record) bool {
	same := slices.Equal(a.Extra, b.Extra)
	a.Extra, b.Extra = nil, nil
	return same && a.Key == b.Key && a.Timestamp == b.Timestamp && a.URL == b.URL && a.MIME == b.MIME && a.Digest == b.Digest &&
		a.Filename == b.Filename && a.Status == b.Status && a.Offset == b.Offset && a.Length == b.Length
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "no key"},
		{"!meta {}", "no key"},
		{" x", "no key"},
		{"com,example)/", "no key"},
		{"com,example)/ 20170306040206", "no JSON"},
		{"com,example)/ 2017 {}", "14 or 17 digits"},
		{"com,example)/ 2017030604020x {}", "14 or 17 digits"},
		{"com,\texample)/ 20170306040206 {}", "one word"},
		{"com,example)/ 20170306040206 ", "unexpected EOF"},
		{"com,example)/ 20170306040206 []", "want an object"},
		{`com,example)/ 20170306040206 {"a":1`, "byte 7"},
		{`com,example)/ 20170306040206 {"a":1} x`, "after the object"},
		{`com,example)/ 20170306040206 {"url": 5}`, "field url"},
		{`com,example)/ 20170306040206 {"offset": -5}`, "field offset"},
		{`com,example)/ 20170306040206 {"offset": 1.5}`, "field offset"},
		{`com,example)/ 20170306040206 {"length": "99999999999999999999"}`, "field length"},
		{`com,example)/ 20170306040206 {"status": "200 OK"}`, "field status"},
		{`com,example)/ 20170306040206 {"status": 2000000}`, "field status"},
		{"com,example)/ 20170306040206 {\"a\": \"\x01\"}", "invalid character"},
	} {
		r, err := Parse(c.line)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q) = %+v, %v; want an error with %q", c.line, r, err, c.want)
		}
	}
}

func TestAppend(t *testing.T) {
	r, err := Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Format{}.Append(nil, &r)); got != sample {
		t.Errorf("got  %s\nwant %s", got, sample)
	}
	r.Set("method", "PO\"ST\n\x01\\é")
	r.Set("method", "PUT\t\"")
	want := strings.NewReplacer(`"200"`, "200", `"1228"`, "1228", `"784"`, "784", "}", `, "method": "PUT\u0009\""}`).Replace(sample)
	if got := string(Format{Numbers: true}.Append(nil, &r)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if v, ok := r.Get("method"); v != "PUT\t\"" || !ok {
		t.Errorf("Get = %q, %v", v, ok)
	}
	if v, ok := r.Get("none"); v != "" || ok {
		t.Errorf("Get of nothing = %q, %v", v, ok)
	}
}

func TestCapture(t *testing.T) {
	c := varve.Capture{
		URL: "http://www.example.com/A", Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Status: 200, MIME: "text/html",
		Digest:   "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK",
		Location: varve.Location{File: "a.warc.gz", Offset: 7, Length: 8},
	}
	r := FromCapture(c)
	if r.Key != "com,example)/a" || r.Timestamp != "20260102030405" {
		t.Errorf("record %+v", r)
	}
	back, err := r.Capture()
	if err != nil || back != c {
		t.Errorf("got %+v, %v; want %+v", back, err, c)
	}
	r.Timestamp = "20261301000000"
	if _, err := r.Capture(); err == nil {
		t.Error("month 13: want an error")
	}
}

func TestTimestamp(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.FixedZone("", 3600))
	if s := Timestamp(at); s != "20260102020405" {
		t.Errorf("Timestamp = %s", s)
	}
	s := Timestamp17(at)
	if s != "20260102020405678" {
		t.Errorf("Timestamp17 = %s", s)
	}
	if back, err := ParseTimestamp(s); err != nil || !back.Equal(at) {
		t.Errorf("ParseTimestamp = %v, %v", back, err)
	}
}

func TestDigest(t *testing.T) {
	const sha1 = "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK"
	const sha256 = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	for _, c := range [][2]string{
		{sha1, sha1},
		{"G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", sha1},
		{"SHA-1:g7hrm7bgokskmsxzahmuqttv53qofsmk", sha1},
		{"sha1:37cf167c2672a4a64af901d9484e75eee0e2c98a", sha1},
		{sha256, sha256},
		{strings.ToUpper(sha256), sha256},
		{"sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====", sha256},
		{"2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824", sha256},
		{"md5:abc", "md5:abc"},
		{"md5:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK", "md5:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK"},
		{"", ""},
		{"-", "-"},
	} {
		if got := NormalDigest(c[0]); got != c[1] {
			t.Errorf("NormalDigest(%q) = %q, want %q", c[0], got, c[1])
		}
	}
	if !SameDigest(sha1, "G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK") || SameDigest(sha1, sha256) || SameDigest("", "") || SameDigest("-", "-") {
		t.Error("SameDigest is wrong")
	}
}

func TestReaderWriter(t *testing.T) {
	var b strings.Builder
	w := NewWriter(&b, Format{})
	if err := w.WriteHeader(Header{"meta", `{"a": 1}`}); err != nil {
		t.Fatal(err)
	}
	r, _ := Parse(sample)
	if err := w.Write(&r); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Record{{}, {Key: "a b", Timestamp: r.Timestamp}, {Key: "a", Timestamp: "1"}, {Key: "a", Timestamp: r.Timestamp, Extra: []Field{{"x", "{\n}"}}}, {Key: "a", Timestamp: r.Timestamp, Extra: []Field{{"x", "{"}}}} {
		if err := w.Write(&bad); err == nil {
			t.Errorf("Write(%+v): want an error", bad)
		}
	}
	if err := w.WriteHeader(Header{"x", ""}); err == nil {
		t.Error("header after a record: want an error")
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "!meta {\"a\": 1}\n" + sample + "\n"; b.String() != want {
		t.Errorf("wrote %q", b.String())
	}
	file := "!context [\"x\"]\r\n" + b.String() + "\nbad\n" + strings.Repeat("x", MaxLine+1) + "\n" + sample
	rd := NewReader(strings.NewReader(file))
	var got []string
	for rec, err := range rd.All() {
		if le, ok := errors.AsType[*LineError](err); ok {
			got = append(got, le.Error())
		} else if err != nil {
			t.Fatal(err)
		} else {
			got = append(got, rec.Key)
		}
	}
	if want := []string{"com,example)/", "line 5: no key", "line 6: longer than 1048576 bytes", "com,example)/"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if h := rd.Headers(); len(h) != 2 || h[0].String() != `!context ["x"]` || h[1].Name != "meta" {
		t.Errorf("headers %+v", h)
	}
	if _, err := rd.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func TestCheckSorted(t *testing.T) {
	n, err := CheckSorted(strings.NewReader("!meta\na b\na b\na!\nb"))
	if n != 5 || err != nil {
		t.Errorf("%d lines, %v", n, err)
	}
	_, err = CheckSorted(strings.NewReader("a\nc\nb\n"))
	if err == nil || !strings.Contains(err.Error(), `line 3: out of order: "b" comes after "c"`) {
		t.Errorf("unsorted: %v", err)
	}
}

func FuzzCDXJLine(f *testing.F) {
	for _, l := range lines {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var fast, slow Record
		text, err := fast.parseHead(line)
		if err != nil {
			return
		}
		if _, err := slow.parseHead(line); err != nil {
			t.Fatal(err)
		}
		ok := fast.scanJSON(text)
		err = slow.parseJSON(text)
		if ok && (err != nil || !equal(fast, slow)) {
			t.Fatalf("%q:\nscan    %+v\nlibrary %+v, %v", line, fast, slow, err)
		}
		if err != nil || strings.ContainsAny(line, "\r\n") {
			return
		}
		for _, format := range []Format{{}, {Numbers: true}} {
			written := string(format.Append(nil, &slow))
			back, err := Parse(written)
			if err != nil || !equal(back, slow) {
				t.Fatalf("%q\nis written as %q\nand read as %+v, %v", line, written, back, err)
			}
		}
	})
}
