package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
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
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| threat") || strings.HasPrefix(line, "| fault") {
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
