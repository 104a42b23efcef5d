package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/cli"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// TestSimServe runs the command as a user would: start, ask, interrupt, read the log.
func TestSimServe(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "site.toml")
	if err := os.WriteFile(spec, []byte("[[site]]\nhost='cli.sim.test'\npages=5\n[[site.change]]\nevery='1d'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := &simOptions{
		spec: spec, seed: 3, addr: "127.0.0.1:0", at: "30d", json: true, cacheMB: 1,
		log: filepath.Join(dir, "log.jsonl"), ca: filepath.Join(dir, "ca.pem"),
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- runSimServe(ctx, o, w) }()
	var st server.Status
	line, err := bufio.NewReader(r).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(line, &st); err != nil || st.Pages != 5 || st.Seeds[0] != "http://cli.sim.test/" {
		t.Fatalf("%s: %v", line, err)
	}
	if got := askSim(t, st.Addr, "cli.sim.test"); got != http.StatusOK {
		t.Fatalf("status %d", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(o.log)
	if err != nil {
		t.Fatal(err)
	}
	var e websim.Entry
	if err := json.Unmarshal(raw, &e); err != nil || e.Host != "cli.sim.test" || !strings.HasPrefix(e.Version, "p0:c") || strings.HasPrefix(e.Version, "p0:c0.") {
		t.Errorf("log %s: %v; after thirty days the home page has changed", raw, err)
	}
	if ca, err := os.ReadFile(o.ca); err != nil || !bytes.Contains(ca, []byte("CERTIFICATE")) {
		t.Error("no certificate", err)
	}
}

func askSim(t *testing.T, addr, host string) int {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func TestSimErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sim", "serve", "--preset", "nosuch"}, "no preset"},
		{[]string{"sim", "serve", "--spec", "/nosuch.toml"}, "no such file"},
		{[]string{"sim", "serve", "--at", "soon"}, "duration"},
		{[]string{"sim", "serve", "--addr", "8.8.8.8:80"}, "loopback only"},
		{[]string{"sim", "serve", "--spec", "x", "--preset", "y"}, "none of the others"},
		{[]string{"sim", "presets", "nosuch"}, "no preset"},
	} {
		var out, errs bytes.Buffer
		if code := cli.Run(newCommand(), c.args, nil, &out, &errs); code != 2 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs.String())
		}
	}
	var out, errs bytes.Buffer
	if code := cli.Run(newCommand(), []string{"sim", "presets"}, nil, &out, &errs); code != 0 || !strings.Contains(out.String(), "flat5000") {
		t.Errorf("exit %d, %s", code, out.String())
	}
}
