package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"varve/cli"
)

var (
	fenced  = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	command = regexp.MustCompile(`(?m)^(?:\$ )?(?:bin/)?(varve(?:-lab)? +[^\n]+)$`)
	inline  = regexp.MustCompile("`(?:bin/)?(varve(?:-lab)? [a-z][^`]*)`")
	remark  = regexp.MustCompile(`   .*$| #.*$| \| .*$| && .*$| > .*$`)
	quoted  = regexp.MustCompile(`'[^']*'|"[^"]*"`)
)

// Commands that the documents show must exist, with the flags they are shown with.
func TestDocumentedCommands(t *testing.T) {
	seen := 0
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range commandsIn(string(text)) {
			seen++
			if err := parses(remark.ReplaceAllString(line, "")); err != nil {
				t.Errorf("%s: %s: %v", page, line, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were found in the documents: does the test still read them?", seen)
	}
}

// commandsIn returns the commands of both programs in blocks and in running text.
func commandsIn(text string) (out []string) {
	for _, block := range fenced.FindAllStringSubmatch(text, -1) {
		for _, m := range command.FindAllStringSubmatch(block[1], -1) {
			out = append(out, m[1])
		}
	}
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		out = append(out, m[1])
	}
	return out
}

func documents(t *testing.T) []string {
	t.Helper()
	out := []string{"../../../README.md"}
	err := filepath.WalkDir("../../../docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// parses finds the command of a line and reads its flags; nothing is run.
func parses(line string) error {
	words := strings.Fields(quoted.ReplaceAllString(line, "x"))
	root := cli.New()
	if words[0] == "varve-lab" {
		root = newCommand()
	}
	c, rest, err := root.Find(words[1:])
	if err != nil {
		return err
	}
	if !c.Runnable() {
		return cli.UsageError(c, "is no command by itself")
	}
	return c.ParseFlags(rest)
}
