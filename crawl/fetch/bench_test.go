//go:build unix

package fetch

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The server of the benchmarks runs in another process, so that the CPU time measured is that of
// the client alone.

const childEnv = "VARVE_FETCH_BENCH_SERVER"

const benchPage = 15 << 10

// runChild serves pages of 15 KB on loopback until its standard input is closed.
func runChild() bool {
	if os.Getenv(childEnv) == "" {
		return false
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	page := []byte(fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: Mon, 02 Jan 2006 15:04:05 GMT\r\nServer: bench\r\nContent-Type: text/html; charset=utf-8\r\n"+
		"Cache-Control: max-age=60\r\nETag: \"abcdef\"\r\nVary: Accept-Encoding\r\nContent-Length: %d\r\n\r\n", benchPage) + strings.Repeat("lorem ip", benchPage/8))
	for {
		c, err := l.Accept()
		if err != nil {
			return true
		}
		go func() {
			defer c.Close()
			r := bufio.NewReader(c)
			for {
				for line := "x"; strings.TrimSpace(line) != ""; {
					if line, err = r.ReadString('\n'); err != nil {
						return
					}
				}
				if _, err := c.Write(page); err != nil {
					return
				}
			}
		}()
	}
}

func startChild(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(addr)
}

// cpu gives the CPU time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func measure(b *testing.B, fetch func()) {
	for range 20 {
		fetch()
	}
	b.ReportAllocs()
	b.SetBytes(benchPage)
	b.ResetTimer()
	start := cpu()
	for b.Loop() {
		fetch()
	}
	b.ReportMetric(float64((cpu()-start).Microseconds())/float64(b.N), "cpu-µs/op")
}

// BenchmarkFetch fetches pages of 15 KB with keep-alive and all digests.
func BenchmarkFetch(b *testing.B) {
	c := newClient(b, Config{UserAgent: "bench"})
	r := &Request{URL: "http://" + startChild(b) + "/page", AllowLoopback: true}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	measure(b, func() {
		x, err := c.Fetch(ctx, r)
		if err != nil || x.BodySize != benchPage {
			b.Fatal(err)
		}
		_ = x.Release()
	})
}

// BenchmarkNetHTTP does the same with the standard client.
func BenchmarkNetHTTP(b *testing.B) {
	t := &http.Transport{DisableCompression: true}
	defer t.CloseIdleConnections()
	hc := &http.Client{Transport: t}
	url := "http://" + startChild(b) + "/page"
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	block, pay, pay2 := sha1.New(), sha1.New(), sha256.New()
	buf := make([]byte, 32<<10)
	measure(b, func() {
		req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
		if err != nil {
			b.Fatal(err)
		}
		resp, err := hc.Do(req)
		if err != nil {
			b.Fatal(err)
		}
		block.Reset()
		pay.Reset()
		pay2.Reset()
		n, err := io.CopyBuffer(struct{ io.Writer }{io.MultiWriter(block, pay, pay2)}, resp.Body, buf)
		if err != nil || n != benchPage {
			b.Fatal(err)
		}
		resp.Body.Close()
		block.Sum(nil)
		pay.Sum(nil)
		pay2.Sum(nil)
	})
}

// BenchmarkFloor writes a request and reads the answer on a bare connection, with the digests.
func BenchmarkFloor(b *testing.B) {
	conn, err := net.Dial("tcp", startChild(b))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	req := []byte("GET /page HTTP/1.1\r\nHost: x\r\n\r\n")
	buf := make([]byte, 32<<10)
	block, pay, pay2 := sha1.New(), sha1.New(), sha256.New()
	measure(b, func() {
		if _, err := conn.Write(req); err != nil {
			b.Fatal(err)
		}
		block.Reset()
		pay.Reset()
		pay2.Reset()
		for got := 0; got < benchPage; {
			n, err := conn.Read(buf)
			if err != nil {
				b.Fatal(err)
			}
			got += n
			block.Write(buf[:n])
			pay.Write(buf[:n])
			pay2.Write(buf[:n])
		}
		block.Sum(nil)
		pay.Sum(nil)
		pay2.Sum(nil)
	})
}

// BenchmarkResolve asks for a name whose answer is kept.
func BenchmarkResolve(b *testing.B) {
	o, err := ParseOverride("*.sim.test=127.0.0.1:8080")
	if err != nil {
		b.Fatal(err)
	}
	c := newClient(b, Config{Overrides: []Override{o}})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Resolve(b.Context(), "www.sim.test"); err != nil {
			b.Fatal(err)
		}
	}
}
