package dates

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

//go:embed htmldate.py
var script string

// peer asks Python's htmldate for the days of the same pages. It is no dependency: an error says why it is not there.
func peer(ctx context.Context, python string, pages []Page) (days []string, version string, err error) {
	if python == "" {
		return nil, "", errors.New("htmldate was not asked")
	}
	var in strings.Builder
	for _, p := range pages {
		fmt.Fprintf(&in, "%s\t%s\n", strings.NewReplacer("\t", "%09", "\n", "").Replace(p.URL), p.File)
	}
	c := exec.CommandContext(ctx, python, "-c", script)
	c.Stdin = strings.NewReader(in.String())
	out, err := c.Output()
	if err != nil {
		return nil, "", fmt.Errorf("htmldate is not there (%s -m pip install htmldate): %w", python, err)
	}
	days = strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(days) != len(pages)+1 {
		return nil, "", fmt.Errorf("htmldate answered with %d lines for %d pages", len(days), len(pages))
	}
	return days[1:], days[0], nil
}
