package robots

import (
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
)

// TestVerdict holds the examples of RFC 9309 sections 2.2.1-2.2.3, 5.1, 5.2 and the published
// meaning of rules at the large search engines, in our own words.
func TestVerdict(t *testing.T) {
	tests := []struct {
		name, file, agent string
		allow, deny       []string
	}{
		{
			"simple example of the RFC", // section 5.1
			"User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n" +
				"User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n" +
				"User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n",
			"foobot",
			[]string{"/example/page.html", "/example/allowed.gif", "/robots.txt"},
			[]string{"/", "/x", "/example/", "/publications/"},
		},
		{
			"same file, two agents of one group", "User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n",
			"BazBot",
			[]string{"/", "/example/"},
			[]string{"/example/page.html", "/example/page.html?x"},
		},
		{
			"agent without rules may go everywhere", "User-agent: *\nDisallow: /\n\nUser-agent: quxbot\n", "quxbot",
			[]string{"/", "/a"},
			nil,
		},
		{
			"longest match of the RFC", // section 5.2
			"User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n", "foobot",
			[]string{"/example/page/", "/example/page/x"},
			[]string{"/example/page/disallowed.gif"},
		},
		{
			"groups of one agent are merged, wherever they stand",
			"User-agent: a\nDisallow: /c\n\nUser-agent: *\nDisallow: /d\n\nUser-agent: a\nDisallow: /e\n", "A",
			[]string{"/d"},
			[]string{"/c", "/e"},
		},
		{
			"star counts only without own group", "User-agent: *\nDisallow: /d\nUser-agent: b\nDisallow: /e\n", "a",
			[]string{"/e"},
			[]string{"/d"},
		},
		{"no group for us", "User-agent: b\nDisallow: /\n", "a", []string{"/", "/x"}, nil},
		{
			"version and rest of the agent line do not count", "User-agent: Varve/1.0 (x)\nDisallow: /p\n", "varve",
			[]string{"/"},
			[]string{"/p"},
		},
		{"name with digits", "User-agent: MJ12bot\nDisallow: /p\n", "mj12bot", []string{"/"}, []string{"/p"}},
		{"a longer name is another crawler", "User-agent: varve-news\nDisallow: /\n", "varve", []string{"/"}, nil},
		{"allow wins a tie", "User-agent: *\nDisallow: /page\nAllow: /page\n", "a", []string{"/page"}, nil},
		{
			"more octets win over order", "User-agent: *\nAllow: /p\nDisallow: /\n", "a",
			[]string{"/page", "/p"},
			[]string{"/", "/x"},
		},
		{
			"wildcard counts its octets", "User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "a",
			[]string{"/page", "/page.x"},
			[]string{"/page.htm", "/x.html"},
		},
		{
			"end anchor", "User-agent: *\nAllow: /$\nDisallow: /\n", "a",
			[]string{"/"},
			[]string{"/page.htm", "/?x"},
		},
		{
			"fish", "User-agent: *\nDisallow: /fish\n", "a",
			[]string{"/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"},
			[]string{"/fish", "/fish.html", "/fish/salmon.html", "/fishheads", "/fish.php?id=anything"},
		},
		{
			"fish with a star", "User-agent: *\nDisallow: /fish*\n", "a",
			[]string{"/Fish.asp", "/catfish"},
			[]string{"/fish", "/fishheads/yummy.html"},
		},
		{
			"fish folder", "User-agent: *\nDisallow: /fish/\n", "a",
			[]string{"/fish", "/fish.html", "/animals/fish/"},
			[]string{"/fish/", "/fish/?id=anything", "/fish/salmon.htm"},
		},
		{
			"suffix", "User-agent: *\nDisallow: /*.php\n", "a",
			[]string{"/", "/windows.PHP"},
			[]string{"/index.php", "/folder/filename.php?parameters", "/x.php.y/", "/filename.php5"},
		},
		{
			"suffix at the end", "User-agent: *\nDisallow: /*.php$\n", "a",
			[]string{"/filename.php?p", "/filename.php/", "/filename.php5"},
			[]string{"/filename.php", "/a/b.php"},
		},
		{
			"star inside and end", "User-agent: *\nDisallow: /a*b*c$\n", "a",
			[]string{"/abcd", "/acb", "/ab"},
			[]string{"/abc", "/aXbYc", "/abcc", "/aabbcc"},
		},
		{
			"suffix may not overlap the prefix", "User-agent: *\nDisallow: /aba*ba$\n", "a",
			[]string{"/aba"},
			[]string{"/ababa"},
		},
		{"percent encoding of octets", "User-agent: *\nDisallow: /foo/bar/ツ\n", "a", []string{"/foo/bar/"}, []string{"/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84", "/foo/bar/ツ"}},
		{"encoded rule, plain target", "User-agent: *\nDisallow: /foo/bar/%E3%83%84\n", "a", nil, []string{"/foo/bar/ツ"}},
		{"needless encoding is undone", "User-agent: *\nDisallow: /foo/bar/%62%61%7A\n", "a", nil, []string{"/foo/bar/baz", "/foo/bar/b%61z"}},
		{
			"encoded slash is no slash in a path", "User-agent: *\nDisallow: /a/b\n", "a",
			[]string{"/a%2Fb"},
			[]string{"/a/b"},
		},
		{
			"but the same in a query", "User-agent: *\nDisallow: /foo/bar?baz=https://foo.bar\n", "a",
			nil,
			[]string{"/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"},
		},
		{"and the other way", "User-agent: *\nDisallow: /foo?b=https%3A%2F%2Fx\n", "a", nil, []string{"/foo?b=https://x", "/foo?b=https%3a%2f%2fx"}},
		{"encoded query in a wildcard", "User-agent: *\nDisallow: /*u=%2Fa\n", "a", nil, []string{"/x?u=%2Fa"}},
		{
			"verbatim special characters", "User-agent: *\nDisallow: /path/file-with-a-%2A.html\nDisallow: /path/foo-%24\n", "a",
			[]string{"/path/file-with-a-x.html"},
			[]string{"/path/file-with-a-*.html", "/path/foo-$", "/path/foo-%24x"},
		},
		{"dollar inside is an octet", "User-agent: *\nDisallow: /a$b\n", "a", []string{"/a"}, []string{"/a$bc"}},
		{"longer text, fewer octets", "User-agent: *\nDisallow: /x***\nAllow: /xy\n", "a", nil, []string{"/xyz"}},
		{"bare star", "User-agent: *\nDisallow: *\n", "a", []string{"/robots.txt"}, []string{"/", "/x"}},
		{"empty disallow", "User-agent: *\nDisallow:\n", "a", []string{"/"}, nil},
		{"empty disallow ends the agents", "User-agent: a\nDisallow:\nUser-agent: b\nDisallow: /\n", "a", []string{"/"}, nil},
		{"relative path is ignored", "User-agent: *\nDisallow: private\n", "a", []string{"/private"}, nil},
		{
			"sitemap and unknown lines do not end a group", "User-agent: a\nSitemap: http://x/s.xml\nNoodle: 3\n\nUser-agent: b\nDisallow: /x\n", "a",
			nil,
			[]string{"/x"},
		},
		{"BOM, CR only, comments", "\xef\xbb\xbfuser-agent: a # us\rDISALLOW : /x # y\r", "a", []string{"/y"}, []string{"/x"}},
		{"CRLF and tabs", "User-agent:\ta\r\n\tDisallow:\t/x\t\r\n", "a", []string{"/y"}, []string{"/x"}},
		{"misspelt and without colon", "useragent: a\nDisallow /x\ndissalow: /y\n", "a", []string{"/z"}, []string{"/x", "/y"}},
		{"rules before an agent are nobody's", "Disallow: /\nUser-agent: *\nAllow: /x\n", "a", []string{"/", "/x"}, nil},
		{"bad agent line takes its rules with it", "User-agent: a\nDisallow: /a\nUser-agent:\nDisallow: /\n", "a", []string{"/b"}, []string{"/a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := Parse([]byte(tt.file)).For(tt.agent)
			for _, target := range tt.allow {
				if v := r.Test(target); !v.Allowed {
					t.Errorf("%s is forbidden by %v", target, v.Rule)
				}
			}
			for _, target := range tt.deny {
				if v := r.Test(target); v.Allowed {
					t.Errorf("%s is allowed by %v", target, v.Rule)
				}
			}
		})
	}
}

func TestFindings(t *testing.T) {
	f := Parse([]byte("<html>\nDisallow: /x\nUser-agent:\nUser-agent: a\nAllow: x\nCrawl-delay: soon\nSitemap:\nHost: example.org\nallow /y\n"))
	want := []string{
		`line 1: not of the form name: value: "<html>"`,
		`line 2: rule before any user-agent: "Disallow: /x"`,
		`line 3: user-agent without product token: "User-agent:"`,
		`line 5: path does not begin with / or *, ignored: "Allow: x"`,
		`line 6: not a number of seconds: "Crawl-delay: soon"`,
		`line 7: sitemap without address: "Sitemap:"`,
		`line 9: colon missing, read as allow: "allow /y"`,
	}
	var got []string
	for _, x := range f.Findings {
		got = append(got, x.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("findings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(f.Other) != 1 || f.Other[0] != (Line{"host", "example.org", 8}) {
		t.Errorf("other lines: %v", f.Other)
	}
	many := Parse([]byte(strings.Repeat("<p>\n", 1000)))
	if len(many.Findings) != maxFindings || many.Unlisted != 1000-maxFindings {
		t.Errorf("findings are not bounded: %d, %d", len(many.Findings), many.Unlisted)
	}
}

func TestSizeLimit(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(2)
	head := "User-agent: *\nDisallow: /kept\n"
	pad := strings.Repeat("#"+strings.Repeat("x", 98)+"\n", (MaxBytes-len(head))/100)
	body := head + pad
	body += strings.Repeat("#", MaxBytes-len(body)-len("\nDisallow: /a")) + "\nDisallow: /abcdef\nDisallow: /beyond\n"
	f := Parse([]byte(body))
	r := f.For("a")
	if !f.Truncated || r.Test("/kept").Allowed || !r.Test("/beyond").Allowed {
		t.Error("limit not applied")
	}
	if !r.Test("/a").Allowed {
		t.Error("the cut line made a rule")
	}
}

func TestPace(t *testing.T) {
	f := Parse([]byte("User-agent: a\nCrawl-delay: 2.5\nUser-agent: b\nRequest-rate: 1/30s\nRequest-rate: 2/1m 0800-1000\nVisit-time: 2200-0400\nDisallow: /x\n" +
		"Clean-param: ref&sid /forum/\nSitemap: https://x/1.xml\nsite-map: /2.xml\n"))
	at := func(h int) time.Time { return time.Date(2026, 1, 2, h, 0, 0, 0, time.UTC) }
	for _, tt := range []struct {
		agent string
		hour  int
		want  time.Duration
		open  bool
	}{
		{"a", 9, 30 * time.Second, false},
		{"b", 9, 30 * time.Second, false},
		{"b", 23, 30 * time.Second, true},
		{"b", 3, 30 * time.Second, true},
	} {
		d, ok := f.For(tt.agent).Delay(at(tt.hour))
		if d != tt.want || !ok {
			t.Errorf("delay of %s at %d: %v %v", tt.agent, tt.hour, d, ok)
		}
		if w := f.For(tt.agent).Welcome(at(tt.hour)); w != tt.open {
			t.Errorf("welcome of %s at %d: %v", tt.agent, tt.hour, w)
		}
	}
	only := Parse([]byte("User-agent: a\nCrawl-delay: 2.5\n\nUser-agent: *\nDisallow: /x\n"))
	if d, ok := only.For("a").Delay(at(1)); d != 2500*time.Millisecond || !ok {
		t.Errorf("delay of a: %v", d)
	}
	if _, ok := only.For("z").Delay(at(1)); ok {
		t.Error("the delay of a counts for *")
	}
	if only.For("a").Test("/x").Allowed {
		t.Error("Crawl-delay ended the list of agents")
	}
	if len(f.CleanParams) != 1 || f.CleanParams[0].Prefix != "/forum/" || len(f.Sitemaps) != 2 {
		t.Errorf("clean-param %v, sitemaps %v", f.CleanParams, f.Sitemaps)
	}
}

func TestTarget(t *testing.T) {
	for in, want := range map[string]string{
		"http://h": "/", "http://h?q": "/?q", "https://h:8/a?b#c": "/a?b", "/a#b": "/a", "http://h#x": "/", "a": "/a",
	} {
		if got := Target(in); got != want {
			t.Errorf("Target(%q) = %q, want %q", in, got, want)
		}
	}
}
