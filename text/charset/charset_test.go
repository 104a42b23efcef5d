package charset_test

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"varve/text/charset"
	"varve/web/encoding"
)

func encode(t testing.TB, name, text string) []byte {
	t.Helper()
	enc, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return b
}

func TestDeclared(t *testing.T) {
	latin := encode(t, "windows-1252", "<p>Größe und Güte, schön für Überläufer</p>")
	for _, c := range []struct {
		name     string
		body     string
		mime     string
		want     string
		source   charset.Source
		declared string
	}{
		{"mark beats header", "\xef\xbb\xbfä", "text/html; charset=iso-8859-1", "utf-8", charset.BOM, ""},
		{"mark of utf-16", "\xff\xfea\x00", "", "utf-16le", charset.BOM, ""},
		{"header", string(latin), "text/html; charset=ISO-8859-1", "windows-1252", charset.HTTP, ""},
		{"quoted header", string(latin), `text/html; Charset="latin1"`, "windows-1252", charset.HTTP, ""},
		{"meta", `<meta charset="iso-8859-1">` + string(latin), "text/html", "windows-1252", charset.Meta, ""},
		{"meta of old", `<META http-equiv=Content-Type content="text/html; charset=iso-8859-1">` + string(latin), "", "windows-1252", charset.Meta, ""},
		{"xml declaration", `<?xml version="1.0" encoding="iso-8859-1"?>` + string(latin), "", "windows-1252", charset.Meta, ""},
		{"meta in a comment", `<!-- <meta charset="koi8-r"> --><meta charset="iso-8859-1">` + string(latin), "", "windows-1252", charset.Meta, ""},
		{"header beats meta", `<meta charset="utf-8">` + string(latin), "text/html; charset=iso-8859-1", "windows-1252", charset.HTTP, ""},
		{"wrong header, bytes are utf-8", "<p>Größe und Güte</p>", "text/html; charset=iso-8859-1", "utf-8", charset.Bytes, "windows-1252"},
		{"header says utf-8, bytes are not", string(latin), "text/html; charset=utf-8", "windows-1252", charset.Statistics, "utf-8"},
		{"header says shift_jis, bytes cannot be", string(latin), "text/html; charset=shift_jis", "windows-1252", charset.Statistics, "shift_jis"},
		{"nonsense label", "<p>Größe</p>", "text/html; charset=klingon", "utf-8", charset.Bytes, ""},
		{"ascii", "<p>plain</p>", "", "utf-8", charset.Bytes, ""},
		{"ascii declared", "<p>plain</p>", "text/html; charset=koi8-r", "koi8-r", charset.HTTP, ""},
		{"cut character at the end", strings.Repeat("Größe ", 20) + "\xc3", "", "utf-8", charset.Bytes, ""},
		{"utf-16 without mark", string(encode(t, "utf-16le", "<p>Привет мир</p>")), "", "utf-16le", charset.Bytes, ""},
		{"escapes", string(encode(t, "iso-2022-jp", "<p>こんにちは</p>")), "", "iso-2022-jp", charset.Bytes, ""},
		{"empty", "", "", "utf-8", charset.Bytes, ""},
	} {
		g := charset.Detect([]byte(c.body), c.mime)
		if g.Name != c.want || g.Source != c.source || g.Declared != c.declared {
			t.Errorf("%s: %+v, want %s by %s (declared %q)", c.name, g, c.want, c.source, c.declared)
		}
	}
}

// What reads best is right, from a sentence on.
func TestStatistics(t *testing.T) {
	for name, text := range map[string]string{
		"windows-1250": "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv, žádný není výjimkou.",
		"iso-8859-2":   "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw, są oni obdarzeni rozumem.",
		"windows-1251": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
		"koi8-r":       "Все люди рождаются свободными и равными в своем достоинстве и правах.",
		"ibm866":       "Все люди рождаются свободными и равными в своем достоинстве и правах.",
		"windows-1253": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
		"windows-1254": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.",
		"windows-1255": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
		"windows-1256": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق.",
		"windows-1257": "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis, jiems suteiktas protas ir sąžinė.",
		"windows-874":  "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
		"shift_jis":    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
		"euc-jp":       "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
		"gbk":          "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
		"euc-kr":       "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
	} {
		body := encode(t, name, "<html><script>var x='<b>';</script><p>"+text+"</p></html>")
		got, g := charset.ToUTF8(body, "")
		if !strings.Contains(string(got), text) || g.Source != charset.Statistics {
			t.Errorf("%s was read as %+v: %.60q", name, g, got)
		}
	}
}

func TestDecodeRefusesUnknownLabels(t *testing.T) {
	if _, err := charset.Decode([]byte("x"), "klingon"); err == nil || !strings.Contains(err.Error(), "klingon") {
		t.Errorf("%v", err)
	}
	if got, err := charset.Decode([]byte("a\xffb"), "utf-8"); err != nil || string(got) != "a\ufffdb" {
		t.Errorf("%q %v", got, err)
	}
}

// Whatever the bytes are, the result is valid UTF-8 and the encoding has a name.
func FuzzToUTF8(f *testing.F) {
	f.Add([]byte("<p>Größe</p>"), "text/html; charset=iso-8859-1")
	f.Add([]byte("<meta charset=shift_jis>\x82\xa0<script></"), "")
	f.Add([]byte("\x1b$B$3\x1b(B"), "")
	f.Add([]byte("a\x00b\x00c\x00d\x00"), "")
	f.Fuzz(func(t *testing.T, body []byte, mime string) {
		out, g := charset.ToUTF8(body, mime)
		if encoding.Name(g.Name) != g.Name || g.Confidence < 0 || g.Confidence > 1 {
			t.Fatalf("%+v", g)
		}
		if strings.ToValidUTF8(string(out), "") != string(out) {
			t.Fatalf("not UTF-8: %q", out)
		}
	})
}
