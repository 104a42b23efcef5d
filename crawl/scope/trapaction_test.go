package scope

import (
	"testing"

	"varve/web/canon"
)

func TestAction(t *testing.T) {
	for _, c := range []struct {
		url  string
		does bool
	}{
		{"http://w.example/index.php?title=Port_1&action=edit", true},
		{"http://w.example/index.php?title=Port_1&action=edit&redlink=1", true},
		{"http://w.example/index.php?title=Port_1&oldid=12", true},
		{"http://w.example/index.php?title=Port_1&diff=prev&oldid=12", true},
		{"http://w.example/index.php?title=Special:UserLogin&returnto=Port+1", true},
		{"http://w.example/wiki/Special:WhatLinksHere/Port_1", true},
		{"http://w.example/wiki/Special%3ARecentChangesLinked/Port_1", true},
		{"http://w.example/index.php?title=Special:RecentChanges&days=7&limit=50", true},
		{"http://w.example/index.php?title=Special:RecentChanges", true},
		{"http://w.example/wiki/Special:MyContributions", true},
		{"http://w.example/wiki/Special:FilePath/Chart.png", false},
		{"http://w.example/wiki/Special:AllPages?namespace=1&hideredirects=1&wpFormIdentifier=f", true},
		{"http://w.example/index.php?title=Special:AllPages&from=Port+9", false},
		{"http://w.example/wiki/Special:AllPages", false},
		{"http://w.example/wiki/Port_1", false},
		{"http://w.example/index.php?title=Port_1", false},
		{"http://w.example/index.php?title=MediaWiki:Common.css&action=raw", false},
		{"http://w.example/index.php?title=Category:Ports&pagefrom=M", false},
		{"http://d.example/doku.php?id=birds:bird1&do=edit", true},
		{"http://d.example/doku.php?id=birds:bird1&rev=1700000000", true},
		{"http://d.example/doku.php?id=birds:bird1&do=export_pdf", true},
		{"http://d.example/doku.php?id=birds:bird1", false},
		{"http://b.example/2025/01/a/?replytocom=5", true},
		{"http://b.example/wp-login.php?redirect_to=x", true},
		{"http://b.example/?p=5&rev=2", false},
		{"http://f.example/posting.php?mode=reply&t=5", true},
		{"http://f.example/viewtopic.php?t=5&start=20", false},
		{"http://files.example/?C=N;O=D", false},
		{"http://s.example/list?order=desc&by=price", true},
		{"http://s.example/order?id=7", false},
		{"http://s.example/list?order=42", false},
	} {
		u, err := canon.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		if s, does := Action(u); does != c.does {
			t.Errorf("%s: %t (%s)", c.url, does, s.Why)
		}
	}
}
