package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	testGroup = regexp.MustCompile("((?:`Test[A-Za-z0-9]+`(?:, )?)+) in `([a-z0-9/]+)`")
	testName  = regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
)

// A threat is covered by a test that exists.
func TestThreatsAreCovered(t *testing.T) {
	n := 0
	for line := range strings.Lines(read(t, "docs/safety.md")) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), " |"), " | ")
		if len(cells) != 3 && len(cells) != 4 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| threat") || strings.HasPrefix(line, "| fault") {
			continue
		}
		groups := testGroup.FindAllStringSubmatch(cells[2], -1)
		if len(groups) == 0 {
			t.Errorf("no test covers %s", strings.TrimPrefix(cells[0], "| "))
		}
		for _, g := range groups {
			code := testsOf(t, g[2])
			for _, name := range testName.FindAllStringSubmatch(g[1], -1) {
				n++
				if !strings.Contains(code, "func "+name[1]+"(") {
					t.Errorf("%s has no test %s", g[2], name[1])
				}
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d tests were found: does this test still read the page?", n)
	}
}

// Every class of attacks says how many were tried and how many got through: the sum of what its tests count, which is in
// attacks.tsv, and to which each of them holds itself when it runs (lab/attack).
func TestAttacksAreCounted(t *testing.T) {
	counts := map[string]int{}
	for line := range strings.Lines(read(t, "docs/attacks.tsv")) {
		col := strings.Split(strings.TrimSpace(line), "\t")
		if n, err := strconv.Atoi(col[len(col)-1]); err == nil && len(col) == 3 {
			counts[col[0]+" "+col[1]] = n
			if !strings.Contains(testsOf(t, col[0]), "func "+col[1]+"(") {
				t.Errorf("attacks.tsv: %s has no test %s", col[0], col[1])
			}
		}
	}
	classes, all := 0, 0
	for line := range strings.Lines(read(t, "docs/safety.md")) {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), " |"), " | ")
		if len(cells) != 4 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| threat") || !strings.Contains(cells[2], "`Test") {
			continue
		}
		classes++
		sum := 0
		for _, g := range testGroup.FindAllStringSubmatch(cells[2], -1) {
			for _, name := range testName.FindAllStringSubmatch(g[1], -1) {
				sum += counts[g[2]+" "+name[1]]
			}
		}
		all += sum
		if want := fmt.Sprintf("%d: 0 through", sum); sum == 0 || cells[3] != want {
			t.Errorf("%s: the document says %q, its tests count %q", strings.TrimPrefix(cells[0], "| "), cells[3], want)
		}
	}
	if classes < 35 {
		t.Errorf("only %d classes were found: does this test still read the page?", classes)
	}
	t.Logf("%d classes, %d attacks", classes, all)
}

// testsOf gives the code of a package's tests.
func testsOf(t *testing.T, pkg string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return all.String()
}
