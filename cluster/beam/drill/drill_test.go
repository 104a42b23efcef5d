package drill

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/cluster/beam/flinkd"
	"varve/derive/job"
	"varve/lab/s3server"
)

// TestDrillFlink derives an archive of files that others made on a real Flink cluster, and by `varve derive`: undisturbed, with a TaskManager killed, with
// items that fail, with WARC files in a bucket. The tables and receipts must be the same, byte for byte.
func TestDrillFlink(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1 runs it")
	}
	jars, err := flinkd.Jars(t.Context())
	if err != nil {
		t.Skip(err)
	}
	d := &drill{t: t, bin: os.Getenv("VARVE_DRILL_BIN")} // a folder with both programs; else they are built
	if d.bin == "" {
		d.bin = t.TempDir()
		for program, of := range map[string][2]string{"varve": {"../../..", "./cmd/varve"}, "varve-beam": {"..", "./cmd/varve-beam"}} {
			c := exec.Command("go", "build", "-o", filepath.Join(d.bin, program), of[1])
			c.Dir = of[0]
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	}
	archive := d.archive()
	embedded := d.copy(archive)
	units := []string{"--collection", "strange", "--units", "default,opinions", "--mappers", "evidence,wat"}
	here := d.run("varve", append([]string{"derive", "--archive", embedded}, units...)...)
	want := d.tree(embedded, "strange")
	t.Logf("embedded: %d files, %.1f s of CPU", len(want), here.cpu.Seconds())

	start := time.Now()
	if d.flink, err = flinkd.Start(t.Context(), jars, t.TempDir(), 2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(d.flink.Logs())
		}
		if err := d.flink.Stop(); err != nil {
			t.Error(err)
		}
	})
	t.Logf("Flink with two TaskManagers came up in %s", time.Since(start).Round(time.Second))

	t.Run("equal", func(t *testing.T) {
		d := d.in(t)
		dir := d.copy(archive)
		before := d.flink.CPU()
		there := d.run("varve-beam", d.on(dir, units...)...)
		d.same(t, d.tree(dir, "strange"), want)
		total := there.cpu
		for name, cpu := range d.flink.CPU() {
			total += cpu - before[name]
			t.Logf("  %s with its workers: %.1f s of CPU", name, (cpu - before[name]).Seconds())
		}
		t.Logf("Flink: %.1f s of CPU, %.1f times the embedded runner; varve-beam itself %.1f s", total.Seconds(), total.Seconds()/here.cpu.Seconds(), there.cpu.Seconds())
		for name, rss := range d.flink.RSS() {
			t.Logf("  %s: %d MB resident at most", name, rss>>20)
		}
		again := d.run("varve-beam", d.on(dir, units...)...)
		d.same(t, d.tree(dir, "strange"), want)
		t.Logf("once more, with nothing to do: %.1f s of CPU", again.cpu.Seconds())
	})
	t.Run("failures", func(t *testing.T) { // every capture is over its time
		d := d.in(t)
		little := []string{"--collection", "little", "--limit", "1ns"}
		a, b := d.copy(archive), d.copy(archive)
		d.run("varve", append([]string{"derive", "--archive", a}, little...)...)
		d.run("varve-beam", d.on(b, little...)...)
		d.same(t, d.tree(b, "little"), d.tree(a, "little"))
		bad, err := job.Standing(filepath.Join(b, "collections", "little", "derived"))
		if err != nil || len(bad) == 0 {
			t.Errorf("%d failures, %v", len(bad), err)
		}
		t.Logf("%d captures failed in both", len(bad))
	})
	t.Run("bucket", func(t *testing.T) {
		d := d.in(t)
		s := s3server.Start(t)
		dir := d.copy(archive)
		toml := fmt.Sprintf("[store]\nkind = \"s3\"\nendpoint = %q\nregion = %q\nbucket = %q\n", s.Endpoint, s3server.Region, s3server.Bucket)
		if err := os.WriteFile(filepath.Join(dir, "varve.toml"), []byte(toml), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("VARVE_S3_ACCESS_KEY", s3server.AccessKey)
		t.Setenv("VARVE_S3_SECRET_KEY", s3server.SecretKey)
		d.run("varve", "archive", "migrate", "--archive", dir, "--collection", "strange", "--to", "s3")
		if left, _ := filepath.Glob(filepath.Join(dir, "collections", "strange", "warc", "*.warc.gz")); len(left) > 0 {
			t.Fatalf("files are still on the disk: %v", left)
		}
		d.run("varve-beam", append(d.on(dir, units...), "--worker-env", "VARVE_S3_ACCESS_KEY,VARVE_S3_SECRET_KEY")...)
		d.same(t, d.tree(dir, "strange"), want)
	})
	t.Run("killed", func(t *testing.T) { // last: one TaskManager is gone then
		d := d.in(t)
		dir := d.copy(archive)
		c := exec.CommandContext(t.Context(), filepath.Join(d.bin, "varve-beam"), d.on(dir, units...)...)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		began := d.awaitFirst(dir)
		left := d.flink.Left()
		if err := d.flink.Kill(0); err != nil {
			t.Fatal(err)
		}
		killed := time.Now()
		t.Logf("a TaskManager was killed when %d files were done; %d workers there", began, len(left))
		if err := c.Wait(); err != nil && c.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		t.Logf("through %s after the kill", time.Since(killed).Round(time.Second))
		d.same(t, d.tree(dir, "strange"), want)
		for range 60 { // workers end when the engine lets go of them
			if left = d.flink.Left(); len(left) == 0 {
				break
			}
			time.Sleep(500 * time.Millisecond)
		}
		if len(left) > 0 {
			t.Errorf("workers are left: %v", left)
		}
	})
}

type drill struct {
	t     *testing.T
	bin   string
	flink *flinkd.Cluster
}

// in is the drill in a part of the test.
func (d drill) in(t *testing.T) *drill {
	d.t = t
	return &d
}

// on are the arguments of varve-beam.
func (d *drill) on(archive string, more ...string) []string {
	return append([]string{"derive", "--archive", archive, "--runner", "flink", "--endpoint", d.flink.Endpoint}, more...)
}

type ran struct{ cpu time.Duration }

// run runs a program. Exit code 1 says that captures could not be read.
func (d *drill) run(program string, args ...string) ran {
	d.t.Helper()
	c := exec.CommandContext(d.t.Context(), filepath.Join(d.bin, program), args...)
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() > 1 || c.ProcessState.ExitCode() < 0 {
		d.t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return ran{c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
}

// archive makes an archive: the samples of other projects, speeches before the General Assembly, one file of them damaged, a page with more films than are listed.
func (d *drill) archive() string {
	d.t.Helper()
	dir := filepath.Join(d.t.TempDir(), "archive")
	shared := shared(d.t)
	var files []string
	for _, glob := range []string{"*.warc", "*.warc.gz", "*.arc", "*.arc.gz"} {
		found, err := filepath.Glob(filepath.Join(shared, "samples", glob))
		if err != nil {
			d.t.Fatal(err)
		}
		files = append(files, found...)
	}
	made := d.speeches(filepath.Join(shared, "data", "evolution", "ungdc"), 6, 10)
	b, err := os.ReadFile(made[0])
	if err != nil {
		d.t.Fatal(err)
	}
	hurt := filepath.Join(filepath.Dir(made[0]), "damaged.warc.gz")
	if err := os.WriteFile(hurt, slices.Concat(b[:len(b)/3], b[len(b)/3+500:]), 0o644); err != nil {
		d.t.Fatal(err)
	}
	d.run("varve", append([]string{"import", "--archive", dir, "--collection", "strange", "--no-index"}, slices.Concat(files, made, []string{hurt, d.films()})...)...)
	d.run("varve", "import", "--archive", dir, "--collection", "little", "--no-index", filepath.Join(shared, "samples", "test.warc.gz"))
	return dir
}

func shared(t *testing.T) string {
	for dir := "../.."; len(dir) < 60; dir += "/.." {
		if _, err := os.Stat(filepath.Join(dir, "shared", "samples")); err == nil {
			return filepath.Join(dir, "shared")
		}
	}
	t.Skip("the samples of ../shared are not there")
	return ""
}

// speeches writes WARC files of pages, one a speech.
func (d *drill) speeches(from string, files, each int) (out []string) {
	t := d.t
	t.Helper()
	names, err := filepath.Glob(filepath.Join(from, "*.jsonl.gz"))
	if err != nil || len(names) < files {
		t.Skipf("no speeches in %s", from)
	}
	dir := t.TempDir()
	for i := range files {
		f, err := os.Open(names[i])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var pages []page
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 4<<20)
		for len(pages) < each && lines.Scan() {
			var s struct {
				State, Text string
				Year        int
			}
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			body := fmt.Sprintf("<html><title>%s %d</title><article><p>%s</p></article><a href=/%d>next</a></html>", s.State, s.Year, strings.ReplaceAll(html.EscapeString(s.Text), "\n", "</p><p>"), s.Year+1)
			pages = append(pages, page{fmt.Sprintf("http://speeches.test/%s/%d/%d", s.State, s.Year, len(pages)), body})
		}
		out = append(out, write(t, filepath.Join(dir, fmt.Sprintf("speeches-%d.warc.gz", i)), pages))
	}
	return out
}

func (d *drill) films() string {
	var b strings.Builder
	for n := range 230 {
		fmt.Fprintf(&b, "<video src=\"/film%d.mp4\"></video>", n)
	}
	return write(d.t, filepath.Join(d.t.TempDir(), "films.warc.gz"), []page{{"http://films.test/", b.String()}})
}

type page struct{ url, body string }

func write(t *testing.T, path string, pages []page) string {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range pages {
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:%s:%d>", filepath.Base(path), i), time.Unix(1e9+int64(i), 0).UTC(), warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"+p.body))
		if err := enc.Encode(f, e.With(warc.FieldTargetURI, p.url).With(warc.FieldContentType, warc.ContentTypeResponse)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func (d *drill) copy(archive string) string {
	d.t.Helper()
	to := filepath.Join(d.t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(archive)); err != nil {
		d.t.Fatal(err)
	}
	return to
}

// awaitFirst waits until the first file was scanned, while others are, and returns how many were.
func (d *drill) awaitFirst(archive string) int {
	d.t.Helper()
	for range 12000 {
		if made, _ := filepath.Glob(filepath.Join(archive, "collections", "strange", "derived", ".state", "pages", "*.json")); len(made) > 0 {
			return len(made)
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.t.Fatal("nothing was done for ten minutes")
	return 0
}

// tree is everything that derive made of a collection; failures are sorted, without what differs from run to run.
func (d *drill) tree(archive, collection string) map[string]string {
	d.t.Helper()
	dir := filepath.Join(archive, "collections", collection, "derived")
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	bad, err := job.Standing(dir)
	if err != nil {
		d.t.Fatal(err)
	}
	var lines []string
	for _, f := range bad {
		f.Cause, _, _ = strings.Cut(f.Cause, "\n")
		lines = append(lines, fmt.Sprintf("%+v", f))
	}
	slices.Sort(lines)
	out["failures.jsonl"] = strings.Join(lines, "\n")
	return out
}

func (d *drill) same(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) < 10 {
		t.Errorf("only %d files to compare", len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s has %d bytes and is not the same: %.300q, want %.300q", name, len(got[name]), got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s was left behind", name)
		}
	}
}
