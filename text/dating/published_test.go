package dating_test

import (
	"strings"
	"testing"
	"time"

	"varve/text/dating"
)

var fetched = time.Date(2024, 6, 1, 12, 0, 0, 0, time.UTC)

// The day of publication, by source. Each page also has what is not it.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name, url, page, day string
		source               dating.Source
	}{
		{"address", "https://example.org/2019/05/03/slug", "", "2019-05-03", dating.Address},
		{"address with the name of a month", "https://example.org/world/2019/may/03/slug", "", "2019-05-03", dating.Address},
		{"address with hyphens", "https://example.org/a/slug-2019-05-03.html", "", "2019-05-03", dating.Address},
		{"address with a number", "https://example.org/news/20190503/slug", "", "2019-05-03", dating.Address},
		{"address, day first", "https://example.org/news/slug-03-05-2019-17.php", "", "2019-05-03", dating.Address},
		{"address of a month", "https://example.org/2019/05/slug", "", "2019-05", dating.Address},
		{"address of a month and a number", "https://example.org/2019/05/3-reasons", "", "2019-05", dating.Address},
		{"number that is no day", "https://example.org/id/20191503", "", "", ""},
		{"host", "https://20190503.example.org/", "", "", ""},
		{"canonical address", "https://example.org/?p=1", `<link rel=canonical href=https://example.org/2019/05/03/slug>`, "2019-05-03", dating.Address},

		{"meta", "", `<meta property="article:published_time" content="2024-03-05T08:00:00+01:00"><meta name=date content=2024-03-09>`, "2024-03-05", dating.Meta},
		{"meta with its words the other way round", "", `<meta content="2024-03-05" itemprop="datePublished">`, "2024-03-05", dating.Meta},
		{"meta that says date", "", `<meta name="dc.date" content="20240305">`, "2024-03-05", dating.Meta},
		{"local day", "", `<meta property="article:published_time" content="2024-03-05T23:30:00-05:00">`, "2024-03-05", dating.Meta},
		{"day of the address beside an instant in UTC", "https://example.org/2024-03-05/slug", `<meta property="article:published_time" content="2024-03-06T01:30:00Z">`, "2024-03-05", dating.Address},
		{"the same instant in a zone", "", `<meta property="article:published_time" content="2024-03-06T04:30:00Z"><meta name=pubdate content="2024-03-05T23:30:00-05:00">`, "2024-03-05", dating.Meta},
		{"day for people beside an instant in UTC", "", `<meta property="article:published_time" content="2024-03-06T04:30:00Z"><h1>Title</h1><p class=date>March 5, 2024, 11:30 pm</p>`, "2024-03-05", dating.Meta},
		{"another day for people", "", `<meta property="article:published_time" content="2024-03-06T04:30:00Z"><h1>Title</h1><p class=date>March 4, 2024</p>`, "2024-03-06", dating.Meta},

		{"json-ld", "", `<script type="application/ld+json">{"@type":"NewsArticle","video":{"@type":"VideoObject","datePublished":"2023-01-01"},"datePublished":"2024-03-05"}</script>`, "2024-03-05", dating.JSONLD},
		{"json-ld, graph", "", `<script type="application/ld+json">{"@graph":[{"@type":"WebSite","publisher":{"@id":"x"}},{"@type":["WebPage","ItemPage"],"datePublished":"2024-03-06"},{"@type":"Article","comment":[{"@type":"Comment","datePublished":"2024-03-07"}],"datePublished":"2024-03-05"}]}</script>`, "2024-03-05", dating.JSONLD},
		{"json-ld, broken", "", `<script type="application/ld+json">{"headline":"a "quoted" "word","datePublished" : "2024-03-05",,</script>`, "2024-03-05", dating.JSONLD},
		{"json-ld of a video beside a date of the page", "", `<script type="application/ld+json">{"@type":"VideoObject","datePublished":"2023-01-01"}</script><h1>T</h1><span class=postdate>5 March 2024</span>`, "2024-03-05", dating.Element},

		{"microdata", "", `<span itemprop=datePublished content=2024-03-05>yesterday</span>`, "2024-03-05", dating.Microdata},
		{"pubdate", "", `<time datetime=2024-03-09>x</time><time pubdate datetime=2024-03-05>x</time>`, "2024-03-05", dating.TimeElement},
		{"entry-date", "", `<time class="updated" datetime=2024-03-09>x</time><time class="entry-date published" datetime=2024-03-05>x</time>`, "2024-03-05", dating.TimeElement},
		{"abbr", "", `<abbr class=published title="2024-03-05T10:00:00Z">x</abbr>`, "2024-03-05", dating.TimeElement},
		{"time behind the heading", "", `<time datetime=2024-06-01>today</time><h1>Title</h1><time>5 March 2024</time><aside><time datetime=2024-04-05>x</time></aside>`, "2024-03-05", dating.TimeElement},

		{"class", "", `<div class="article-date">5 March 2024</div>`, "2024-03-05", dating.Element},
		{"pieces", "", `<div class=post-date><span>05</span><span>Mar</span><span>2024</span></div>`, "2024-03-05", dating.Element},
		{"data attribute", "", `<div class=timestamp data-timestamp=1709632800>x</div>`, "2024-03-05", dating.Element},
		{"two digits of a year", "", `<p class=datum>05.03.24</p>`, "2024-03-05", dating.Element},
		{"byline", "", `<p class=byline>by A. Writer, March 5, 2024</p>`, "2024-03-05", dating.Element},
		{"not an update", "", `<h1>T</h1><p class=meta>Updated: 7 March 2024. Published: 5 March 2024</p>`, "2024-03-05", dating.Text},
		{"candidate is no date", "", `<p class=candidate>born 5 March 2001</p>`, "2001-03-05", dating.Text},

		{"heading", "", `<h1>Minutes of 5 March 2024</h1>`, "2024-03-05", dating.Title},
		{"text behind the heading", "", `<p>28.01.2022 - 29.01.2022</p><h1>Title</h1><p>5. März 2024 | Verkehr</p><p>Seit dem 7. Juni 2001 gilt</p>`, "2024-03-05", dating.Text},
		{"related articles", "", `<div class=related>1 May 2024</div><p>5 March 2024</p>`, "2024-03-05", dating.Text},
		{"only an update", "", `<p>Last updated: 5 March 2024</p>`, "2024-03-05", dating.Altered},
		{"copyright", "", `<footer>© 1997-2023 A. Firm</footer>`, "2023", dating.Rights},

		{"future", "", `<meta property="article:published_time" content="2024-07-05">`, "", ""},
		{"before the web", "", `<h1>The crash of 5 October 1929</h1>`, "", ""},
		{"month first", "", `<html lang=en-US><p class=date>03/05/2024</p>`, "2024-03-05", dating.Element},
		{"day first", "", `<html lang=en-GB><p class=date>05/03/2024</p>`, "2024-03-05", dating.Element},
		{"the only order that is not in the future", "", `<html lang=de><p class=date>03/12/2023</p><html lang=fr>`, "2023-12-03", dating.Element},
		{"nothing", "https://example.org/", `<h1>T</h1><p>text</p>`, "", ""},
	} {
		got := dating.Read([]byte(c.page)).Published(c.url, fetched)
		if got.Day != c.day || got.Source != c.source {
			t.Errorf("%s: %q by %q, want %q by %q", c.name, got.Day, got.Source, c.day, c.source)
		}
		if (got.Confidence > 0) != (c.day != "") || got.Confidence > 1 {
			t.Errorf("%s: confidence %v", c.name, got.Confidence)
		}
	}
}

// Dates as people of many languages write them.
func TestPublishedLanguages(t *testing.T) {
	for _, c := range []string{
		"en:March 5, 2024", "en:5th of March 2024", "de:5. März 2024", "de-AT:5. Feber 2024", "fr:5 mars 2024", "fr:1er mars 2024", "es:5 de marzo de 2024", "it:5 marzo 2024", "pt:5 de março de 2024",
		"nl:5 maart 2024", "sv:5 mars 2024", "da:5. marts 2024", "nb:5. mars 2024", "fi:5. maaliskuuta 2024", "is:5. mars 2024", "et:5. märts 2024", "lv:2024. gada 5. martā",
		"lt:2024 m. kovo 5 d.", "pl:5 marca 2024", "cs:5. března 2024", "cs:5. 3. 2024", "sk:5. marca 2024", "sl:5. marec 2024", "hr:5. ožujka 2024", "sr:5. март 2024", "bg:5 март 2024",
		"ru:5 марта 2024 г.", "uk:5 березня 2024 року", "ro:5 martie 2024", "hu:2024. március 5.", "tr:5 Mart 2024", "el:5 Μαρτίου 2024", "id:5 Maret 2024", "ms:5 Mac 2024", "vi:ngày 5 tháng 3 năm 2024",
		"ca:5 de març de 2024", "he:5 מרץ 2024", "ar:٥ مارس ٢٠٢٤", "fa:۵ مارس ۲۰۲۴", "hi:5 मार्च 2024", "bn:৫ মার্চ ২০২৪", "th:5 มีนาคม 2567", "zh:2024年3月5日", "ja:2024年3月5日", "ko:2024년 3월 5일",
	} {
		lang, text, _ := strings.Cut(c, ":")
		want := "2024-03-05"
		switch {
		case strings.HasPrefix(text, "1er"):
			want = "2024-03-01"
		case strings.Contains(text, "Feber"):
			want = "2024-02-05"
		}
		page := `<html lang="` + lang + `"><h1>T</h1><time>` + text + `</time>`
		if got := dating.Read([]byte(page)).Published("", fetched); got.Day != want {
			t.Errorf("%s %s: %q", lang, text, got.Day)
		}
	}
	// where two languages disagree the page decides
	for lang, want := range map[string]string{"pl": "2023-11-05", "hr": "2023-10-05", "": "2023-11-05"} {
		page := `<html lang="` + lang + `"><time>5. listopada 2023</time>`
		if got := dating.Read([]byte(page)).Published("", fetched); got.Day != want {
			t.Errorf("listopada in %q: %s", lang, got.Day)
		}
	}
}

// Of hostile pages a bounded number of dates is read and kept.
func TestPublishedBounds(t *testing.T) {
	const many = 100_000
	for name, page := range map[string]string{
		"time elements":    strings.Repeat(`<time class=date datetime="5 March 2024">5 March 2024</time>`, many),
		"not dates":        strings.Repeat(`<time datetime="the day before yesterday">2024-99</time>`, many),
		"meta elements":    strings.Repeat(`<meta name=date content="the day before yesterday">`, many),
		"open elements":    strings.Repeat(`<div class=related><div class=date>`, many),
		"years":            strings.Repeat(`2024 `, 10*many),
		"json-ld":          `<script type="application/ld+json">` + strings.Repeat(`{"datePublished":"2024-03-05","a":[`, many) + `</script>`,
		"json-ld, strings": `<script type="application/ld+json">{"datePublished":` + strings.Repeat(`"\"`, many) + `</script>`,
	} {
		s := dating.Read([]byte(page))
		s.Published("https://example.org/"+strings.Repeat("2024-", many), fetched)
		if read, kept := s.Tries(); read > dating.MaxTries || kept > dating.MaxKept {
			t.Errorf("%s: %d dates read, %d kept", name, read, kept)
		}
	}
}

func FuzzPublished(f *testing.F) {
	f.Add("https://example.org/2019/may/03", []byte(`<html lang=lv><meta name=date content=1709632800><h1>2024. gada 5. martā</h1><p class=date>03/05/24</p>© 2024`))
	f.Add("20190503", []byte(`<script type="application/ld+json">{"@graph":[{"datePublished":"2024-03-05T23:30:00Z"}]}]}</script><abbr class=published title=x>`))
	f.Fuzz(func(t *testing.T, url string, page []byte) {
		got := dating.Read(page).Published(url, fetched)
		if got.Day == "" {
			return
		}
		for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
			if d, err := time.Parse(layout, got.Day); err == nil && d.Year() >= 1995 && d.Before(fetched.AddDate(0, 0, 2)) {
				return
			}
		}
		t.Errorf("%q", got.Day)
	})
}
