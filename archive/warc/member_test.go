package warc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// arcRecords are the unpacked records of a small ARC file; blank lines between them are in use.
func arcRecords() []string {
	record := func(line, block, end string) string { return fmt.Sprintf("%s %d\n%s%s", line, len(block), block, end) }
	return []string{
		record("filedesc://x.arc 0.0.0.0 20080430204825 text/plain", "1 0 Owner\nURL IP-address Archive-date Content-type Archive-length\n", "\n\n"),
		record("http://example.com/ 192.0.2.7 20080430204826 text/html", "HTTP/1.0 200 OK\r\n\r\nhello", "\n"),
		record("http://example.com/"+strings.Repeat("long/", 60)+" 192.0.2.7 20080430204827 text/html", "HTTP/1.0 200 OK\r\n\r\nlong", "\n"),
		record("dns:example.com 192.0.2.7 20080430204828 text/dns", "20080430204828\n", "\n\n"),
	}
}

func packArc(records []string) (file []byte, offsets []int64) {
	var b bytes.Buffer
	for _, r := range records {
		offsets = append(offsets, int64(b.Len()))
		z := gzip.NewWriter(&b)
		_, _ = z.Write([]byte(r))
		_ = z.Close()
	}
	return b.Bytes(), append(offsets, int64(b.Len()))
}

// Every ARC record can be read by its offset, and its size is that of its member.
func TestArcRandomAccess(t *testing.T) {
	records := arcRecords()
	packed, offsets := packArc(records)
	plain := []byte(strings.Join(records, ""))
	plainOffsets := []int64{0}
	for _, r := range records {
		plainOffsets = append(plainOffsets, plainOffsets[len(plainOffsets)-1]+int64(len(r)))
	}
	for name, c := range map[string]struct {
		file []byte
		at   []int64
	}{"gzip": {packed, offsets}, "plain": {plain, plainOffsets}} {
		f, err := NewFile(name, bytes.NewReader(c.file), int64(len(c.file)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			r, err := f.ReaderAt(c.at[i], Options{})
			if err != nil {
				t.Fatal(err)
			}
			rec, err := r.Next()
			if err != nil {
				t.Fatalf("%s: record %d: %v", name, i, err)
			}
			size, err := rec.Finish()
			if err != nil || rec.Offset != c.at[i] || rec.Offset+size != c.at[i+1] {
				t.Errorf("%s: record %d lies at %d+%d, want %d+%d (%v)", name, i, rec.Offset, size, c.at[i], c.at[i+1]-c.at[i], err)
			}
		}
	}
}

// Damage in one ARC member, or in the first line of a file, does not hide the records behind it.
func TestArcResync(t *testing.T) {
	records := arcRecords()
	packed, offsets := packArc(records)
	broken := bytes.Clone(packed)
	copy(broken[offsets[1]+12:offsets[2]-8], bytes.Repeat([]byte{0xff}, 20))
	badFirst := strings.Join(records, "")
	badFirst = "filedesc://x.arc 0.0.0.0 20080430204825 text/plain -1\n" + badFirst[strings.IndexByte(badFirst, '\n')+1:]
	for name, c := range map[string]struct {
		file []byte
		want []string
	}{
		"broken member":  {broken, []string{"filedesc://x.arc", "http://example.com/" + strings.Repeat("long/", 60), "dns:example.com"}},
		"bad first line": {[]byte(badFirst), []string{"http://example.com/", "http://example.com/" + strings.Repeat("long/", 60), "dns:example.com"}},
	} {
		var found int
		r, err := NewReader(bytes.NewReader(c.file), Options{Policy: Lenient(), OnFinding: func(Finding) { found++ }})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			rec, err := r.Next()
			if err != nil {
				if err != io.EOF {
					t.Fatal(err)
				}
				break
			}
			if h, _ := rec.HTTP(); rec.Type() == TypeResponse && h == nil {
				continue // of the broken member the line was still readable
			}
			got = append(got, rec.TargetURI())
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) || found == 0 {
			t.Errorf("%s: read %q with %d findings, want %q", name, got, found, c.want)
		}
	}
}

// Surplus line ends in a member count to the size of its record, so that it can be copied whole.
func TestSizeWithSurplusLineEnds(t *testing.T) {
	var b bytes.Buffer
	var ends []int64
	for i := range 2 {
		z := gzip.NewWriter(&b)
		fmt.Fprintf(z, "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n\r\n\r\n", i)
		_ = z.Close()
		ends = append(ends, int64(b.Len()))
	}
	r, err := NewReader(bytes.NewReader(b.Bytes()), Options{Policy: Lenient()})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		rec, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if size, err := rec.Finish(); err != nil || rec.Offset+size != ends[i] {
			t.Errorf("record %d ends at %d, want %d (%v)", i, rec.Offset+size, ends[i], err)
		}
	}
}

func TestDateWithoutZone(t *testing.T) {
	for text, want := range map[string]string{
		"2019-08-15T01:02": "2019-08-15T01:02:00Z", "2019-08-15T01:02:03": "2019-08-15T01:02:03Z", "2019-08-15T01": "2019-08-15T01:00:00Z",
	} {
		if got, err := ParseDate(text); err != nil || FormatDate(got) != want {
			t.Errorf("ParseDate(%q) = %v, %v, want %s", text, got, err, want)
		}
	}
}
