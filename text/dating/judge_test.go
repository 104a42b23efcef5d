package dating_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve/text/dating"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func httpDate(t time.Time) string { return t.Format("Mon, 02 Jan 2006 15:04:05 GMT") }

// trusted has seen eight pages with stamps of their own.
func trusted() *dating.Trust {
	t := &dating.Trust{}
	for i := range 8 {
		t.AddStamp(noon.Add(-time.Duration(i)*time.Hour), true)
	}
	return t
}

func TestStages(t *testing.T) {
	day := 24 * time.Hour
	page := dating.Read([]byte(`<meta property="article:modified_time" content="2026-02-20T08:00:00Z"><meta property="article:published_time" content="2025-01-01T00:00:00Z">`))
	liar := trusted()
	for range 6 {
		liar.AddRevisit(true, false)
	}
	for _, c := range []struct {
		name   string
		visit  dating.Visit
		host   dating.Host
		source dating.Source
		time   time.Time
	}{
		{"header", dating.Visit{LastModified: httpDate(noon.Add(-day)), Stamps: page}, nil, dating.LastModified, noon.Add(-day)},
		{"header is the answer", dating.Visit{LastModified: httpDate(noon.Add(-time.Second)), Date: httpDate(noon), Stamps: page}, nil, dating.Meta, time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)},
		{"header in the future", dating.Visit{LastModified: httpDate(noon.Add(time.Hour)), Stamps: page}, nil, dating.Meta, time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)},
		{"clock of the server is fast", dating.Visit{LastModified: httpDate(noon.Add(time.Hour)), Date: httpDate(noon.Add(2 * time.Hour))}, nil, dating.LastModified, noon.Add(-time.Hour)},
		{"header is no date", dating.Visit{LastModified: "soon"}, nil, dating.Visited, time.Time{}},
		{"header of the epoch", dating.Visit{LastModified: "Thu, 01 Jan 1970 00:00:00 GMT"}, nil, dating.Visited, time.Time{}},
		{"host lies", dating.Visit{LastModified: httpDate(noon.Add(-day)), Stamps: page}, dating.Host{dating.LastModified: liar}, dating.Meta, time.Date(2026, 2, 20, 8, 0, 0, 0, time.UTC)},
		{"content changed after the header", dating.Visit{LastModified: httpDate(noon.Add(-9 * day)), Previous: &dating.Previous{At: noon.Add(-2 * day)}}, nil, dating.Digest, noon.Add(-day)},
		{"content is older than the header", dating.Visit{LastModified: httpDate(noon.Add(-day)), Previous: &dating.Previous{At: noon.Add(-2 * day), Same: true}}, nil, dating.Digest, time.Time{}},
		{"sitemap", dating.Visit{Sitemap: noon.Add(-3 * day)}, nil, dating.Sitemap, noon.Add(-3 * day)},
		{"published only", dating.Visit{Stamps: dating.Read([]byte(`<meta name=date content=2025-01-01>`))}, nil, dating.Published, time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)},
		{"nothing", dating.Visit{}, nil, dating.Visited, time.Time{}},
	} {
		c.visit.At = noon
		d, findings := dating.Of(c.visit, c.host)
		if d.Source != c.source || !d.Time.Equal(c.time) {
			t.Errorf("%s: %s %v, want %s %v; %+v", c.name, d.Source, d.Time, c.source, c.time, findings)
		}
		if d.Latest.After(noon) || d.Earliest.After(d.Latest) || d.Confidence < 0 || d.Confidence > 1 {
			t.Errorf("%s: %+v", c.name, d)
		}
		for _, f := range findings {
			if f.Source != d.Source && f.Refused == "" && f.Source != dating.Published && c.source != dating.LastModified {
				t.Errorf("%s: %s is passed over without a reason", c.name, f.Source)
			}
		}
	}
}

// What pages state, by source.
func TestRead(t *testing.T) {
	page := `<html><head><meta property="og:updated_time" content="2024-05-01T10:00:00Z">
<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2024-04-01","dateModified" : "2024-05-02T10:00:00+00:00", broken</script></head>
<body><time itemprop="dateModified" datetime="2024-05-03">x</time><ul><li><time datetime="2024-05-04"></time><li><time>5 May 2024</time></ul>
<script>"Last modified: 9 May 2024"</script><footer>Letzte &Auml;nderung: 6. Mai 2024 &copy; 2025</footer></body></html>`
	got := map[dating.Source]string{}
	for _, f := range dating.Read([]byte(page)).List {
		got[f.Source] = f.Time.Format("2006-01-02")
	}
	want := map[dating.Source]string{
		dating.Meta: "2024-05-01", dating.JSONLD: "2024-05-02", dating.Published: "2024-04-01", dating.Microdata: "2024-05-03",
		dating.Newest: "2024-05-05", dating.Footer: "2024-05-06",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestTrust(t *testing.T) {
	for _, c := range []struct {
		name  string
		learn func(*dating.Trust)
		want  bool
		says  string
	}{
		{"nothing known", func(*dating.Trust) {}, true, "no page was visited twice"},
		{"stamps differ", func(x *dating.Trust) { *x = *trusted() }, true, "no page was visited twice"},
		{"one stamp for most pages", func(x *dating.Trust) {
			for i := range 40 {
				x.AddStamp(noon.Add(time.Duration(i%3/2*i)*time.Minute), true)
			}
		}, false, "of 40 pages have the same stamp"},
		{"half are refused", func(x *dating.Trust) {
			for i := range 20 {
				x.AddStamp(noon.Add(time.Duration(i)*time.Minute), i%2 == 0)
			}
		}, false, "10 of 20 stamps could not be true"},
		{"consistent", func(x *dating.Trust) {
			*x = *trusted()
			for i := range 20 {
				x.AddRevisit(i%2 == 0, i%2 == 0)
			}
		}, true, "of 10 changes of content the stamp told 10"},
		{"silent about every other change", func(x *dating.Trust) {
			*x = *trusted()
			for i := range 100 {
				x.AddRevisit(i < 10, i < 5)
			}
		}, false, "of 10 changes of content the stamp told 5"},
		{"moves each night", func(x *dating.Trust) {
			*x = *trusted()
			for i := range 20 {
				x.AddRevisit(i == 0, true)
			}
		}, false, "on 19 of 19 revisits without a change the stamp moved"},
	} {
		var x dating.Trust
		c.learn(&x)
		if x.Trusted() != c.want || !strings.Contains(strings.Join(x.Explain(), "\n"), c.says) {
			t.Errorf("%s: trusted %v, want %v; %q", c.name, x.Trusted(), c.want, x.Explain())
		}
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var back dating.Trust
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, x) {
			t.Errorf("%s: %+v became %+v, %v", c.name, x, back, err)
		}
	}
}
