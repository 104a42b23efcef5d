package websim

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestWritten(t *testing.T) {
	spec, err := Load("t", []byte("epoch = 2023-01-01T00:00:00Z\nspan = \"1y\"\n[[site]]\nhost = \"made.sim.test\"\npages = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	page := Written{
		Path: "/law.html", From: []time.Duration{24 * time.Hour, 48 * time.Hour}, Until: 72 * time.Hour,
		Body: func(n int) []byte { return fmt.Appendf(nil, "version %d", n) },
	}
	home := Written{Path: "/", From: []time.Duration{0}, Body: func(int) []byte { return []byte("home") }}
	if err := spec.Write("made.sim.test", page, home); err != nil {
		t.Fatal(err)
	}
	web, err := New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after  time.Duration
		path   string
		status int
		body   string
	}{
		{0, "/", 200, "home"},
		{0, "/law.html", 404, ""},
		{25 * time.Hour, "/law.html", 200, "version 0"},
		{50 * time.Hour, "/law.html", 200, "version 1"},
		{73 * time.Hour, "/law.html", 404, ""},
	} {
		a := web.Get("http://made.sim.test"+c.path, web.Epoch().Add(c.after))
		if a.Status != c.status || c.status == 200 && string(a.Body) != c.body {
			t.Errorf("%s after %v: %d %q, want %d %q", c.path, c.after, a.Status, a.Body, c.status, c.body)
		}
	}
	first, second := web.Get("http://made.sim.test/law.html", web.Epoch().Add(25*time.Hour)), web.Get("http://made.sim.test/law.html", web.Epoch().Add(50*time.Hour))
	if first.Get("ETag") == "" || first.Get("ETag") == second.Get("ETag") || second.Get("Last-Modified") != "Tue, 03 Jan 2023 00:00:00 GMT" {
		t.Errorf("validators: %v, %v", first.Header, second.Header)
	}
}

func TestWrittenRefused(t *testing.T) {
	body := func(int) []byte { return nil }
	day := 24 * time.Hour
	for want, page := range map[string]Written{
		"want a body":     {Path: "/a"},
		"must rise":       {Path: "/a", From: []time.Duration{day, day}, Body: body},
		"vanishes before": {Path: "/a", From: []time.Duration{day}, Until: day, Body: body},
		"want a path":     {Path: "a b", From: []time.Duration{0}, Body: body},
	} {
		spec, err := Load("t", []byte("[[site]]\nhost = \"made.sim.test\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := spec.Write("made.sim.test", page); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want an error with %q", err, want)
		}
	}
	if err := (&Spec{}).Write("none.sim.test"); err == nil {
		t.Error("a site that is not there took pages")
	}
}
