package crawl_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"varve/lab/chance"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gather"
)

// scripted has the pages of an appSite collected.
func scripted() gather.Options {
	return gather.Options{Route: new(pagesOnly), Collectors: map[string]collect.Collector{"fake": collectorFunc(script)}, Slots: 3}
}

// SIGKILL at random moments while collectors are at work, each time with resume: all that scripts ask for
// and find is there, once.
func TestKilledCollector(t *testing.T) {
	const pages = 150
	s := newAppSite(t, pages)
	rng := chance.Rand(t, 62)
	for left := max(kills()/3, 10); left > 0; {
		dir := t.TempDir()
		killed := 0
		for ; !collectAndKill(t, s, dir, rng, left > 0 && killed < 10); killed++ {
			left--
		}
		place := placeIn(dir)
		checkCollected(t, place, pages)
		checkTotals(t, place)
		checkAnsweredOnce(t, place, pages)
		t.Logf("killed %d times", killed)
	}
}

// checkAnsweredOnce asks that every request has one answer in the files.
func checkAnsweredOnce(t *testing.T, place crawl.Place, pages int) {
	t.Helper()
	method, answers := map[string]string{}, map[string]string{}
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		switch rec.Type() {
		case warc.TypeResponse, warc.TypeRevisit:
			answers[rec.ID()] = rec.TargetURI()
		case warc.TypeRequest:
			b, err := io.ReadAll(rec.Block)
			if err != nil {
				t.Fatal(err)
			}
			head, body, _ := strings.Cut(string(b), "\r\n\r\n")
			line, _, _ := strings.Cut(head, "\r\n")
			method[rec.Header.Get(warc.FieldConcurrentTo)] = line + " " + body
		}
	})
	count := map[string]int{}
	for id := range answers {
		count[method[id]]++
	}
	hidden := 0
	for line, n := range count {
		if n > 1 && !strings.Contains(line, "/robots.txt") {
			t.Errorf("%s: %d answers", line, n)
		}
		if strings.Contains(line, "/hidden/") {
			hidden++
		}
	}
	if hidden != pages {
		t.Errorf("%d of %d pages that only the collector saw", hidden, pages)
	}
}

// collectAndKill is crawlAndKill with collectors.
func collectAndKill(t *testing.T, s *appSite, dir string, rng *rand.Rand, kill bool) bool {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), killDirEnv+"="+dir, killResolveEnv+"=", killSeedEnv+"="+s.URL+"/", killCollectEnv+"=1")
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if kill {
		timer := time.AfterFunc(time.Duration(50+rng.IntN(500))*time.Millisecond, func() { _ = c.Process.Kill() })
		defer timer.Stop()
	}
	err := c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return false
	}
	if err != nil {
		t.Fatalf("crawler: %v\n%s", err, out.String())
	}
	return true
}
