package office_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"varve/lab/attack"
	"varve/text/office"
)

// pack makes a document of parts.
func pack(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	wordTypes  = `<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	excelTypes = `<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`
)

// Each file of testdata holds the parts of a document and what is to be read.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			want := map[string]string{}
			for _, f := range a.Files {
				if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
					want[name] = strings.TrimSpace(string(f.Data))
					continue
				}
				parts = append(parts, f.Name, strings.TrimSpace(string(f.Data)))
			}
			d, err := office.Read(pack(t, parts...), office.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != want["text"] || d.Title != want["title"] || string(d.Kind) != want["kind"] || d.Truncated {
				t.Errorf("got %q\n%q\n%+v", d.Title, d.Text, d)
			}
			if d.Modified.Format(time.DateOnly) != want["modified"] {
				t.Errorf("modified %v", d.Modified)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for name, body := range map[string][]byte{
		"nothing":   nil,
		"no zip":    []byte("PK\x03\x04 but not really"),
		"other zip": pack(t, "a.txt", "x"),
		"epub":      pack(t, "mimetype", "application/epub+zip"),
		"no part":   pack(t, "[Content_Types].xml", wordTypes),
		"bad xml":   pack(t, "[Content_Types].xml", wordTypes, "word/document.xml", "<w:p><w:t>a</w:t></w:p><w:p <"),
	} {
		if d, err := office.Read(body, office.Limits{}); err == nil {
			t.Errorf("%s was read: %+v", name, d)
		}
	}
	if _, err := office.Read(pack(t, "a.txt", "x"), office.Limits{}); !errors.Is(err, office.ErrUnknown) {
		t.Errorf("%v", err)
	}
	many := make([]string, 0, 200)
	for range 100 {
		many = append(many, "x"+strings.Repeat("y", len(many)), "")
	}
	if _, err := office.Read(pack(t, many...), office.Limits{Parts: 50}); err == nil {
		t.Error("too many parts were read")
	}
}

// Bombs: much in little. The limits hold, and what was read before is given.
func TestBombs(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	p := "<w:p><w:t>0123456789</w:t></w:p>"
	word := pack(t, "[Content_Types].xml", wordTypes, "word/document.xml", "<d>"+strings.Repeat(p, 200_000)+"</d>")
	for name, l := range map[string]office.Limits{"unpacked": {Unpacked: 100_000}, "text": {Text: 30_000}} {
		tally.Try(1)
		d, err := office.Read(word, l)
		if err != nil || !d.Truncated || len(d.Text) < 20_000 || len(d.Text) > 100_000 {
			t.Errorf("%s: %d bytes, truncated %v, %v", name, len(d.Text), d.Truncated, err)
		}
	}
	// One long string that very many cells refer to.
	sheet := "<s><row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 100_000) + "</row></s>"
	excel := pack(t, "[Content_Types].xml", excelTypes, "xl/workbook.xml", "<w/>", "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 100_000)+"</t></si></sst>", "xl/worksheets/sheet1.xml", sheet)
	d, err := office.Read(excel, office.Limits{Text: 1 << 20})
	if err != nil || !d.Truncated || len(d.Text) > 2<<20 {
		t.Errorf("cells: %d bytes, truncated %v, %v", len(d.Text), d.Truncated, err)
	}
	// An entity that would grow a thousandfold is not expanded.
	lol := `<!DOCTYPE d [<!ENTITY a "` + strings.Repeat("ha", 1000) + `">]><d><w:p><w:t>` + strings.Repeat("&a;", 1000) + `</w:t></w:p></d>`
	if d, err := office.Read(pack(t, "[Content_Types].xml", wordTypes, "word/document.xml", lol), office.Limits{}); err == nil && len(d.Text) > 10_000 {
		t.Errorf("entities: %d bytes", len(d.Text))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(pack(f, "[Content_Types].xml", wordTypes, "word/document.xml", "<w:p><w:t>a</w:t><w:tab/></w:p>"))
	f.Add(pack(f, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "<text:p>a<text:s text:c='99999999'/></text:p>"))
	f.Add(pack(f, "[Content_Types].xml", excelTypes, "xl/sharedStrings.xml", "<si><t>a</t></si>", "xl/worksheets/sheet1.xml", "<c t='s'><v>0</v></c>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := office.Read(body, office.Limits{Unpacked: 1 << 20, Text: 1 << 16})
		if err == nil && strings.ToValidUTF8(d.Text, "") != d.Text {
			t.Fatalf("%q", d.Text)
		}
	})
}

// Files that LibreOffice wrote from a text of ours.
func TestFilesOfOthers(t *testing.T) {
	for file, want := range map[string][]string{
		"letter.docx":  {"Tides and winds\n", "time to look for crabs.\nGröße, naïve façade, smørrebrød, žluťoučký kůň, Ελληνικά, русский текст. First office: fluffy waffles.\nEbb\nFlood\n", "12:30"},
		"letter.odt":   {"Tides and winds\n", "time to look for crabs.\nGröße, naïve façade, smørrebrød, žluťoučký kůň, Ελληνικά, русский текст. First office: fluffy waffles.\nEbb\nFlood\n", "12:30"},
		"t.xlsx":       {"Name\tValue", "Apples\t12.5", "Pears, ripe\t7"},
		"outline.pptx": {"Tides and winds\nGröße of the flood\nSecond slide"},
		"outline.odp":  {"Tides and winds\nGröße of the flood\nSecond slide"},
	} {
		body, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := office.Read(body, office.Limits{})
		if err != nil || "."+string(d.Kind) != filepath.Ext(file) {
			t.Errorf("%s: %+v %v", file, d, err)
		}
		for _, w := range want {
			if !strings.Contains(d.Text, w) {
				t.Errorf("%s: %q is missing in %q", file, w, d.Text)
			}
		}
	}
}
