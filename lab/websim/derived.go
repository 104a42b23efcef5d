package websim

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// robots answers for robots.txt.
func (s *site) robots() *Answer {
	r := &s.spec.Robots
	if r.Status != http.StatusOK {
		return document(r.Status, "text/plain", []byte(http.StatusText(r.Status)+"\n"))
	}
	if r.Text != "" {
		return document(http.StatusOK, "text/plain", []byte(r.Text))
	}
	b := fmt.Appendf(nil, "User-agent: %s\n", r.Agent)
	for _, p := range r.Allow {
		b = fmt.Appendf(b, "Allow: %s\n", p)
	}
	for _, p := range r.Disallow {
		b = fmt.Appendf(b, "Disallow: %s\n", p)
	}
	if len(r.Disallow) == 0 {
		b = append(b, "Disallow:\n"...)
	}
	if r.Delay > 0 {
		b = fmt.Appendf(b, "Crawl-delay: %s\n", strconv.FormatFloat(time.Duration(r.Delay).Seconds(), 'f', -1, 64))
	}
	if s.spec.Sitemap.On {
		b = fmt.Appendf(b, "\nSitemap: %s\n", s.url("/sitemap.xml"))
	}
	return document(http.StatusOK, "text/plain", b)
}

const sitemapSpace = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"

// sitemap answers for /sitemap.xml, which is an index where there are too many pages for one
// file, and for /sitemap-N.xml.
func (s *site) sitemap(path string, at int64) *Answer {
	files := max(1, (s.html+s.spec.Sitemap.Split-1)/s.spec.Sitemap.Split)
	n := 0
	if path != "/sitemap.xml" {
		name, ok := strings.CutSuffix(strings.TrimPrefix(path, "/sitemap-"), ".xml")
		k, err := strconv.Atoi(name)
		if !ok || err != nil || k < 1 || k > files || files == 1 {
			return nil
		}
		n = k - 1
	} else if files > 1 {
		return s.sitemapIndex(files)
	}
	b := []byte(xmlHead + "<urlset" + sitemapSpace)
	for i := n * s.spec.Sitemap.Split; i < min(s.html, (n+1)*s.spec.Sitemap.Split); i++ {
		b = s.sitemapURL(b, i, at)
	}
	return document(http.StatusOK, "application/xml", append(b, "</urlset>\n"...))
}

const xmlHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

func (s *site) sitemapIndex(files int) *Answer {
	b := []byte(xmlHead + "<sitemapindex" + sitemapSpace)
	for k := range files {
		b = fmt.Appendf(b, "<sitemap><loc>%s</loc></sitemap>\n", s.url(fmt.Sprintf("/sitemap-%d.xml", k+1)))
	}
	return document(http.StatusOK, "application/xml", append(b, "</sitemapindex>\n"...))
}

func (s *site) sitemapURL(b []byte, i int, at int64) []byte {
	v := s.history(i).At(at)
	if v.State != truth.Live {
		return b
	}
	b = append(b, "<url><loc>"...)
	b = append(b, escape(s.url(moved(s.paths[i], v.Moves)))...)
	b = append(b, "</loc>"...)
	if t, ok := s.sitemapDate(i, at); ok {
		b = t.AppendFormat(append(b, "<lastmod>"...), time.RFC3339)
		b = append(b, "</lastmod>"...)
	}
	if f := s.changefreq(i); f != "" {
		b = append(append(append(b, "<changefreq>"...), f...), "</changefreq>"...)
	}
	return append(b, "</url>\n"...)
}

func escape(url string) string { return strings.ReplaceAll(url, "&", "&amp;") }

func (s *site) sitemapDate(i int, at int64) (time.Time, bool) {
	switch s.spec.Sitemap.Lastmod {
	case "off":
		return time.Time{}, false
	case "now":
		return s.web.time(at).Truncate(time.Second), true
	case "constant":
		return s.web.spec.Epoch.Truncate(time.Second), true
	}
	return s.modified(i, at, truth.Main).Truncate(time.Second), true
}

var freqs = []struct {
	name string
	most float64 // mean gap in hours up to which the name fits
}{{"always", 0.2}, {"hourly", 5}, {"daily", 84}, {"weekly", 420}, {"monthly", 4380}, {"yearly", 87600}, {"never", 0}}

// changefreq is the word for the rate at which the main text changes, or any word when it lies.
func (s *site) changefreq(i int) string {
	switch s.spec.Sitemap.Changefreq {
	case "off":
		return ""
	case "lie":
		return freqs[dice.Below(dice.Mix(s.key, uint64(i), forFreq), len(freqs))].name
	}
	rate := s.rate(i, truth.Main) * float64(time.Hour/time.Millisecond)
	for _, f := range freqs {
		if rate > 0 && 1/rate <= f.most {
			return f.name
		}
	}
	return "never"
}

// feed answers with an RSS feed of the pages that changed last.
func (s *site) feed(at int64) *Answer {
	type item struct {
		i    int
		when time.Time
	}
	var items []item
	for i := range s.html {
		if s.history(i).At(at).State == truth.Live {
			items = append(items, item{i, s.modified(i, at, truth.Main)})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return cmp.Or(b.when.Compare(a.when), a.i-b.i) })
	b := bytes.NewBufferString(xmlHead + "<rss version=\"2.0\"><channel>\n")
	fmt.Fprintf(b, "<title>%s</title><link>%s</link>\n", s.host, s.url("/"))
	for _, it := range items[:min(len(items), s.spec.Feed.Items)] {
		link := escape(s.url(moved(s.paths[it.i], s.history(it.i).At(at).Moves)))
		title := s.anchor(nil, s.ref(it.i, Nav, 0))
		fmt.Fprintf(b, "<item><title>%s</title><link>%s</link><guid>%s</guid><pubDate>%s</pubDate></item>\n",
			title, link, link, it.when.UTC().Format(time.RFC1123Z))
	}
	b.WriteString("</channel></rss>\n")
	return document(http.StatusOK, "application/rss+xml", b.Bytes())
}
