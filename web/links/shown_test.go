package links

import "testing"

func TestShown(t *testing.T) {
	const doc = `<html><head><link rel=stylesheet href=/must.css><link rel=icon href=/not.ico><meta property=og:image content=/not.png>
<script src=/must.js></script><style>@import "/must2.css"; p { background: url(/may.png) }</style></head>
<body style="background: url(/must3.png)"><a href=/not.html>x</a><img src=/must.png srcset="/may2.png 2x"><iframe src=/must.html></iframe>
<noscript><img src=/may3.png></noscript><!-- <img src=/not2.png> --><video src=/may.mp4 poster=/must.jpg></video></body></html>`
	words := map[Shown]string{NotShown: "/not", MayShow: "/may", MustShow: "/must"}
	seen := map[Shown]int{}
	_, err := New(Limits{}).Extract(Document{URL: "http://a.test/", MIME: "text/html", Body: []byte(doc)}, func(l Link) {
		s := l.Shown()
		if seen[s]++; len(l.URL) < len("http://a.test"+words[s]) || l.URL[len("http://a.test"):][:len(words[s])] != words[s] {
			t.Errorf("%s %s: shown %d", l.Kind, l.URL, s)
		}
	})
	if err != nil || seen[MustShow] != 7 || seen[MayShow] != 4 || seen[NotShown] < 3 {
		t.Errorf("%v, %v", seen, err)
	}
}
