package chromium

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
)

func TestFind(t *testing.T) {
	_, err := Find(filepath.Join(t.TempDir(), "none"))
	if !errors.Is(err, ErrMissing) || varve.KindOf(err) != varve.Unavailable || !strings.Contains(varve.HintOf(err), "apt-get install chromium") {
		t.Errorf("%v, hint %q", err, varve.HintOf(err))
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(""); !errors.Is(err, ErrMissing) {
		t.Errorf("empty search path: %v", err)
	}
	own := filepath.Join(t.TempDir(), "my-chromium")
	if err := os.WriteFile(own, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(own); err != nil || got != own {
		t.Errorf("%s %v", got, err)
	}
}

// A program that is no browser is told with what it said.
func TestNoBrowser(t *testing.T) {
	dir := t.TempDir()
	fake := filepath.Join(dir, "fake")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho cannot open display >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Path: fake, Dir: dir, Proxy: "127.0.0.1:1"})
	if err == nil || !strings.Contains(err.Error(), "cannot open display") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, prefix+"*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := Start(t.Context(), Config{Path: filepath.Join(dir, "none"), Dir: dir}); err == nil {
		t.Error("a program that is not there starts")
	}
}

func TestUsage(t *testing.T) {
	proc := t.TempDir()
	page := int64(os.Getpagesize())
	for pid, files := range map[string][2]string{
		"10":  {"10 (chromium) S 1 10 10 0 -1 0 0 0 0 0 100 50 7 3 20 0 1 0 5 0 0", "900 500 400 1 0 1 0"},
		"11":  {"11 (a) b) c) S 10 10 10 0 -1 0 0 0 0 0 10 0 0 0 20 0 1 0 5 0 0", "900 1000 200 1 0 1 0"},
		"12":  {"12 (other) S 1 12 12 0 -1 0 0 0 0 0 10 0 0 0 20 0 1 0 5 0 0", "900 1000 200 1 0 1 0"},
		"13":  {"13 (short) S 1", ""},
		"xyz": {"", ""},
	} {
		if err := os.MkdirAll(filepath.Join(proc, pid), 0o755); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"stat", "statm"} {
			if err := os.WriteFile(filepath.Join(proc, pid, name), []byte(files[i]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := Usage{CPU: 1700 * time.Millisecond, Memory: (100 + 800 + 400) * page, Processes: 2, Largest: 11, Heaviest: 800 * page}
	if got := groupUsage(proc, 10); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := groupUsage(filepath.Join(proc, "none"), 10); got != (Usage{}) {
		t.Errorf("without /proc: %+v", got)
	}
}

func TestSweep(t *testing.T) {
	root := t.TempDir()
	now := time.Now()
	used, err := newProfile(root)
	if err != nil {
		t.Fatal(err)
	}
	left, err := newProfile(root)
	if err != nil {
		t.Fatal(err)
	}
	left.lock.Close() // as when its process is killed
	if err := os.Mkdir(filepath.Join(root, prefix+"young"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "other"), 0o755); err != nil {
		t.Fatal(err)
	}
	if n := Sweep(root, now); n != 1 {
		t.Errorf("%d swept", n)
	}
	if n := Sweep(root, now.Add(2*young)); n != 1 {
		t.Errorf("%d swept later", n)
	}
	if _, err := os.Stat(used.dir); err != nil {
		t.Error("a profile in use is gone")
	}
	if err := used.remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(root, "other")); err != nil {
		t.Error("another folder is gone")
	}
}

// The flags that keep a page inside are there.
func TestFlags(t *testing.T) {
	c := Config{Proxy: "127.0.0.1:9", SPKI: "abc=", Heap: 100}
	c.withDefaults()
	args := strings.Join(c.arguments("/p"), "\n")
	for _, want := range []string{
		"--remote-debugging-pipe", "--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-quic",
		"--webrtc-ip-handling-policy=disable_non_proxied_udp", "--ignore-certificate-errors-spki-list=abc=", "--user-data-dir=/p", "--max-old-space-size=100",
	} {
		if !strings.Contains(args, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(args, "--remote-debugging-port") || strings.Contains(args, "--ignore-certificate-errors\n") {
		t.Error("a flag that opens a door")
	}
}

func FuzzStat(f *testing.F) {
	f.Add([]byte("10 (chromium) S 1 10 10 0 -1 0 0 0 0 0 100 50 7 3 20 0 1 0 5 0 0"))
	f.Add([]byte(")"))
	f.Fuzz(func(t *testing.T, b []byte) {
		parseStat(b)
		if own, shared := parseStatm(b); own < 0 && shared >= 0 {
			t.Errorf("%d %d", own, shared)
		}
	})
}
