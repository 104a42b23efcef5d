package cdxj

import (
	"strings"
	"testing"
)

const cdxFile = ` CDX N b a m s k r M S V g
com,example)/ 20170306040206 http://example.com/ text/html 200 G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK - - 1228 784 example.warc.gz
com,example)/ 20170306040348 http://example.com/ warc/revisit 200 G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK - - 585 2538 example.warc.gz
com,example)/r 20170306040349 http://example.com/r - 302 - http://example.com/ A - 3000 example.warc.gz
`

func TestCDX(t *testing.T) {
	r := NewReader(strings.NewReader(cdxFile))
	b := []byte(CDX11.Header() + "\n")
	nine := []byte(CDX9.Header() + "\n")
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		b = append(CDX11.Append(b, &rec), '\n')
		nine = append(CDX9.Append(nine, &rec), '\n')
	}
	if string(b) != cdxFile {
		t.Errorf("CDX-11 round trip:\n%s", b)
	}
	if string(r.Layout()) != string(CDX11) {
		t.Errorf("layout %q", r.Layout())
	}
	want := strings.NewReplacer("r M S V", "r V", "- - 1228 784", "- 784", "- - 585 2538", "- 2538", "/ A - 3000", "/ 3000").Replace(cdxFile)
	if string(nine) != want {
		t.Errorf("CDX-9:\n%swant\n%s", nine, want)
	}
}

func TestCDXColumns(t *testing.T) {
	l, err := ParseLayout(" CDX b N e a g V")
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Parse("20170306040206 com,example)/ 10.0.0.1 http://example.com/ - 5")
	if err != nil || r.Key != "com,example)/" || r.Offset != 5 || r.Filename != "" {
		t.Fatalf("%+v, %v", r, err)
	}
	if ip, _ := r.Get("e"); ip != "10.0.0.1" {
		t.Errorf("column e: %q", ip)
	}
	r.URL, r.Digest = "http://example.com/a b", "sha1:X"
	if got := string(CDX9.Append(nil, &r)); got != "com,example)/ 20170306040206 http://example.com/a%20b - - X - 5 -" {
		t.Errorf("got %q", got)
	}
}

func TestCDXErrors(t *testing.T) {
	for _, h := range []string{"", "CDX N b", " CDX a m", " CDX N b N", " CDX N bb", " CDX "} {
		if l, err := ParseLayout(h); err == nil {
			t.Errorf("ParseLayout(%q) = %q, want an error", h, l)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"a b c", "3 columns, want 9"},
		{"com,a)/ 2017 u m 200 k r 5 f", "14 or 17 digits"},
		{"com,a)/ 20170306040206 u m x k r 5 f", "column s"},
		{"com,a)/ 20170306040206 u m 200 k r -5 f", "column V"},
		{"!x 20170306040206 u m 200 k r 5 f", "one word"},
		{" 20170306040206 u m 200 k r 5 f", "one word"},
	} {
		if _, err := CDX9.Parse(c.line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Parse(%q): %v, want %q", c.line, err, c.want)
		}
	}
	r := NewReader(strings.NewReader(" CDX N\ncom,a)/\n"))
	if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("bad header: %v", err)
	}
}

func FuzzCDXLine(f *testing.F) {
	for _, l := range strings.Split(cdxFile, "\n") {
		f.Add(" CDX N b a m s k r M S V g", l)
	}
	f.Add(" CDX b N e a g V", "20170306040206 com,example)/ 10.0.0.1 http://example.com/ - 5")
	f.Fuzz(func(t *testing.T, header, line string) {
		l, err := ParseLayout(header)
		if err != nil {
			return
		}
		if again, err := ParseLayout(l.Header()); err != nil || string(again) != string(l) {
			t.Fatalf("layout %q is read as %q, %v", l, again, err)
		}
		r, err := l.Parse(line)
		if err != nil {
			return
		}
		written := string(l.Append(nil, &r))
		back, err := l.Parse(written)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", line, written, err)
		}
		if again := string(l.Append(nil, &back)); again != written {
			t.Fatalf("%q is written as %q and then %q", line, written, again)
		}
		if len(r.Extra) == 0 && !strings.ContainsAny(line, "\r\n\t") && string(Format{}.Append(nil, &r)) == "" {
			t.Fatal("no CDXJ line")
		}
	})
}
