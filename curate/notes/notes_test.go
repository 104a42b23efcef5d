package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"varve"
	"varve/curate/notes"
	"varve/lab/attack"
)

const page = "https://ministry.example/law"

// book is a new book whose clock goes a second further with each look.
func book(t testing.TB) (*notes.Book, string) {
	t.Helper()
	dir := t.TempDir()
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return notes.Open(dir, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}), dir
}

func said(by, text string, change ...func(*notes.Line)) notes.Line {
	l := notes.Line{Kind: notes.Remark, By: by, Text: text}
	for _, c := range change {
		c(&l)
	}
	return l
}

func about(s notes.Subject) func(*notes.Line) { return func(l *notes.Line) { l.Subject = s } }

func texts(t *testing.T, b *notes.Book, q notes.Query) string {
	t.Helper()
	list, err := b.List(q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, x := range list {
		out = append(out, x.Text)
	}
	return strings.Join(out, " ")
}

func TestThreads(t *testing.T) {
	b, dir := book(t)
	capture := time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC)
	var ids []string
	for _, l := range []notes.Line{
		said("eva", "whole"),
		said("eva", "crawl", about(notes.Subject{Crawl: "20260301T030000Z"})),
		said("eva", "page", about(notes.Subject{URL: page}), func(l *notes.Line) { l.Kind, l.Public = notes.Question, true }),
		said("max", "capture", about(notes.Subject{URL: page + "#annex", Time: capture}), func(l *notes.Line) { l.Kind, l.Link = notes.Rights, "https://law.example/" }),
	} {
		x, err := b.Add(l)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, x.ID)
	}
	for i, q := range []struct {
		notes.Query
		want string
	}{
		{notes.Query{}, "capture page crawl whole"},
		{notes.Query{Subject: &notes.Subject{}}, "whole"},
		{notes.Query{Subject: &notes.Subject{Crawl: "20260301T030000Z"}}, "crawl"},
		{notes.Query{Subject: &notes.Subject{URL: "http://MINISTRY.example/law"}}, "capture page"},
		{notes.Query{Subject: &notes.Subject{URL: page, Time: capture}}, "capture"},
		{notes.Query{Kind: notes.Rights}, "capture"},
		{notes.Query{Open: true}, "page"},
		{notes.Query{Public: true}, "page"},
		{notes.Query{Closed: true}, ""},
		{notes.Query{May: func(x *notes.Thread) bool { return x.URL == "" }}, "crawl whole"},
	} {
		if got := texts(t, b, q.Query); got != q.want {
			t.Errorf("query %d: %q, want %q", i, got, q.want)
		}
	}
	act := func(do notes.Act, re, text string) (notes.Thread, error) {
		return b.Act(notes.Line{Do: do, Re: re, By: "max", Text: text})
	}
	if x, err := act(notes.Answer, ids[2], "It was, until April."); err != nil || len(x.Answers) != 1 || !x.Open() {
		t.Errorf("answered: %+v, %v", x, err)
	}
	if x, err := act(notes.Close, ids[2], "answered"); err != nil || x.Open() || !x.Closed {
		t.Errorf("closed: %+v, %v", x, err)
	}
	if got := texts(t, b, notes.Query{}); got != "page capture crawl whole" {
		t.Errorf("the newest word comes first: %q", got)
	}
	if _, err := act(notes.Close, ids[2], ""); varve.KindOf(err) != varve.Conflict {
		t.Errorf("closed twice: %v", err)
	}
	if x, err := act(notes.Reopen, ids[2], ""); err != nil || !x.Open() {
		t.Errorf("open again: %+v, %v", x, err)
	}
	if x, err := act(notes.Withdraw, ids[2], ""); err != nil || x.Public {
		t.Errorf("withdrawn: %+v, %v", x, err)
	}
	if x, err := act(notes.Publish, ids[0], ""); err != nil || !x.Public {
		t.Errorf("published: %+v, %v", x, err)
	}
	if _, err := act(notes.Answer, "0123456789abcdef", "x"); varve.KindOf(err) != varve.NotFound {
		t.Errorf("about nothing: %v", err)
	}
	// Another process reads the same.
	other := notes.Open(dir, time.Now)
	if a, c := texts(t, b, notes.Query{}), texts(t, other, notes.Query{}); a != c {
		t.Errorf("here %q, there %q", a, c)
	}
	if _, err := other.Act(notes.Line{Do: notes.Answer, Re: ids[1], By: "tom", Text: "seen"}); err != nil {
		t.Fatal(err)
	}
	if list, err := b.List(notes.Query{Subject: &notes.Subject{Crawl: "20260301T030000Z"}}); err != nil || len(list[0].Answers) != 1 {
		t.Errorf("what another wrote is not seen: %+v, %v", list, err)
	}
}

func TestBadNotesAreRefused(t *testing.T) {
	tally := attack.Count(t)
	b, dir := book(t)
	for name, l := range map[string]notes.Line{
		"nobody":            said("", "x"),
		"no text":           said("eva", " \n "),
		"too long":          said("eva", strings.Repeat("x", notes.MaxText+1)),
		"no UTF-8":          said("eva", "a\xff"),
		"control":           said("eva", "a\x00b"),
		"escape":            said("eva", "a\x1b[31mred"),
		"unknown kind":      said("eva", "x", func(l *notes.Line) { l.Kind = "rumour" }),
		"script as page":    said("eva", "x", about(notes.Subject{URL: "javascript:alert(1)"})),
		"no host":           said("eva", "x", about(notes.Subject{URL: "http:///x"})),
		"two subjects":      said("eva", "x", about(notes.Subject{URL: page, Crawl: "20260301T030000Z"})),
		"path as crawl":     said("eva", "x", about(notes.Subject{Crawl: "../../etc"})),
		"time without page": said("eva", "x", about(notes.Subject{Time: time.Now()})),
		"script as link":    said("eva", "x", func(l *notes.Line) { l.Link = "javascript:alert(1)" }),
		"data as link":      said("eva", "x", func(l *notes.Line) { l.Link = "data:text/html,x" }),
		"long link":         said("eva", "x", func(l *notes.Line) { l.Link = "https://a.example/" + strings.Repeat("x", 2000) }),
		"line as name":      said("eva\nmax", "x"),
	} {
		tally.Try(1)
		if _, err := b.Add(l); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, l := range map[string]notes.Line{
		"unknown act":  {Do: "burn", Re: "0123456789abcdef", By: "eva"},
		"say by act":   {Do: notes.Say, Kind: notes.Remark, By: "eva", Text: "x"},
		"no id":        {Do: notes.Close, Re: "x", By: "eva"},
		"with subject": {Do: notes.Close, Re: "0123456789abcdef", By: "eva", Subject: notes.Subject{URL: page}},
		"empty answer": {Do: notes.Answer, Re: "0123456789abcdef", By: "eva"},
	} {
		tally.Try(1)
		if _, err := b.Act(l); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(notes.File(dir)); err == nil {
		t.Error("something was written")
	}
	if x, err := b.Add(said("eva", strings.Repeat("ü", notes.MaxText/2)+"\n")); err != nil || len(x.Text) != notes.MaxText {
		t.Errorf("the longest text: %v", err)
	}
}

// Lines that cannot be read are told and hide nothing else; writing goes on.
func TestDamagedLines(t *testing.T) {
	b, dir := book(t)
	x, err := b.Add(said("eva", "first"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(notes.File(dir), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "{\n%s\n%s\n{\"torn", `{"id":"0123456789abcdef","do":"close","re":"fedcba9876543210","by":"eva","at":"2026-05-01T00:00:00Z"}`,
		`{"id":"`+x.ID+`","do":"say","kind":"note","by":"eva","text":"the same id","at":"2026-05-01T00:00:00Z"}`)
	f.Close()
	list, err := b.List(notes.Query{})
	if err == nil || len(list) != 1 || !strings.Contains(err.Error(), "4 lines") {
		t.Errorf("%d threads, %v", len(list), err)
	}
	if _, err := b.Add(said("eva", "second")); err != nil {
		t.Fatal(err)
	}
	if list, _ := b.List(notes.Query{}); len(list) != 2 {
		t.Errorf("%d threads after the damage", len(list))
	}
}

func TestShelf(t *testing.T) {
	dir := t.TempDir()
	s := notes.OpenShelf(dir, time.Now)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := range 5 {
				if _, err := s.Of("a").Add(said("eva", fmt.Sprint(i, j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if list, err := s.Of("a").List(notes.Query{}); err != nil || len(list) != 20 {
		t.Errorf("%d notes, %v", len(list), err)
	}
	if list, err := s.Of("b").List(notes.Query{}); err != nil || len(list) != 0 {
		t.Errorf("%d notes of another, %v", len(list), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "collections", "a", "labels", "notes.jsonl")); err != nil {
		t.Error(err)
	}
}
