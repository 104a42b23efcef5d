// Package attack counts what tests try against Varve, so that docs/safety.md can say how much was tried.
//
//	tally := attack.Count(t)   // at the start of a test
//	tally.Try(1)               // for each attack
//
// A test that ends prints one line, "attacks: 48, through: 0", and holds the number against docs/attacks.tsv: it fails
// if fewer were tried than the file says. docs/safety_test.go holds the file against the document. After a change that
// tries more, write the number that the test prints into both.
package attack

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// Tally counts the attacks of one test.
type Tally struct{ tried, through atomic.Int64 }

// Count begins to count for a test. An attack that gets through is an error of the test.
func Count(t testing.TB) *Tally {
	t.Helper()
	c := &Tally{}
	t.Cleanup(func() {
		if t.Skipped() {
			return
		}
		through := c.through.Load()
		if t.Failed() {
			through = max(through, 1)
		}
		t.Logf("attacks: %d, through: %d", c.tried.Load(), through)
		want, err := recorded(t.Name())
		if err != nil {
			t.Error(err)
		} else if n := c.tried.Load(); n < want && !t.Failed() {
			t.Errorf("%d attacks were tried, docs/attacks.tsv says %d", n, want)
		}
	})
	return c
}

// Try counts attacks that are tried.
func (c *Tally) Try(n int) { c.tried.Add(int64(n)) }

// Through counts attacks that got through, where a test knows how many; the test reports the error.
func (c *Tally) Through(n int) { c.through.Add(int64(n)) }

// recorded returns the number that docs/attacks.tsv has for a test of the package in the working directory; 0 if none.
func recorded(test string) (int64, error) {
	dir, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	root := dir
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(root) == root {
			return 0, nil // the test runs elsewhere
		}
		root = filepath.Dir(root)
	}
	pkg, err := filepath.Rel(root, dir)
	if err != nil {
		return 0, err
	}
	f, err := os.Open(filepath.Join(root, "docs", "attacks.tsv"))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if col := strings.Split(lines.Text(), "\t"); len(col) == 3 && col[0] == filepath.ToSlash(pkg) && col[1] == test {
			return strconv.ParseInt(col[2], 10, 64)
		}
	}
	return 0, lines.Err()
}
