package external_test

import (
	"encoding/json"
	"fmt"
	"io"
	gonet "net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/crawl/jail"
)

// The test binary is also the fake downloader: a script of the name yt-dlp runs it with VARVE_FAKE set.
// With -jail before the rest it is the helper of a jail.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-jail" {
		fail("%v", jail.Enter(os.Args[2:]))
	}
	if os.Getenv("VARVE_FAKE") != "" {
		fakeDownloader(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper is the helper of a jail.
func helper(t *testing.T) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, "-jail"}
}

// fakeProgram writes the script.
func fakeProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "yt-dlp")
	if err := os.WriteFile(path, []byte("#!/bin/sh\nVARVE_FAKE=1 exec "+self+" \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "ERROR: "+format+"\n", args...)
	os.Exit(1)
}

// fakeDownloader does what yt-dlp does, for the player of lab/websim/media, and misbehaves as the address says.
func fakeDownloader(args []string) {
	value := func(name string) string {
		for i, a := range args {
			if a == name && i+1 < len(args) {
				return args[i+1]
			}
		}
		return ""
	}
	proxy, err := url.Parse(value("--proxy"))
	if err != nil || proxy.Host == "" {
		fail("no proxy")
	}
	if value("--load-info-json") == "" {
		tell(args[len(args)-1])
		return
	}
	info, err := os.ReadFile(value("--load-info-json"))
	if err != nil {
		fail("%v", err)
	}
	out := strings.ReplaceAll(value("--output"), "%(ext)s", "webm")
	misbehave(string(info), out)
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	req, _ := http.NewRequest("GET", "http://player.sim.test/secret/7.webm", nil)
	req.Header.Set("X-Player", "downloader")
	resp, err := client.Do(req)
	if err != nil {
		fail("%v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 200 {
		fail("HTTP %d", resp.StatusCode)
	}
	f, err := os.Create(out)
	if err != nil {
		fail("%v", err)
	}
	if _, err := io.Copy(f, resp.Body); err != nil {
		fail("%v", err)
	}
	f.Close()
}

// tell answers the probe.
func tell(address string) {
	a := map[string]any{"id": "7", "title": "The vote", "description": "The last minute.", "duration": 4, "extractor": "fake", "webpage_url": address}
	switch {
	case strings.Contains(address, "/long"):
		a["duration"] = 1e6
	case strings.Contains(address, "/live"):
		a["is_live"] = true
	case strings.Contains(address, "/list"):
		a["_type"] = "playlist"
	case strings.Contains(address, "/garbage"):
		fmt.Print("<html>")
		return
	}
	json.NewEncoder(os.Stdout).Encode(a)
}

func misbehave(info, out string) {
	switch {
	case strings.Contains(info, "/fail"):
		fail("This video is private")
	case strings.Contains(info, "/sneak/"):
		_, address, _ := strings.Cut(info, "/sneak/")
		address, _, _ = strings.Cut(address, "\"")
		if _, err := gonet.Dial("tcp", address); err == nil {
			fail("it got out")
		}
	case strings.Contains(info, "/junk"):
		os.WriteFile(out, []byte("<html><script>alert(1)</script>"), 0o644)
		os.Exit(0)
	case strings.Contains(info, "/hang"):
		child := exec.Command("sleep", "600")
		child.Start()
		os.WriteFile(filepath.Join(os.Getenv("HOME"), "..", "child.pid"), []byte(fmt.Sprint(child.Process.Pid)), 0o644)
		time.Sleep(10 * time.Minute)
	case strings.Contains(info, "/huge"):
		f, _ := os.Create(out)
		for range 1 << 20 {
			f.Write(make([]byte, 1<<20))
			time.Sleep(time.Millisecond)
		}
	}
}
