package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"varve"
)

// newDocsCommand makes documents out of the help texts. It is hidden: people who pack Varve need
// it, people who use it do not.
func newDocsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:    "docs",
		Short:  "Make documents out of the help texts",
		Hidden: true,
	}
	c.AddCommand(newDocsManCommand())
	return c
}

func newDocsManCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write a man page for each command",
		Long: `Writes the man pages of all commands (section 1) into DIR, which is made if it is not there. Their
date is today's, or that of the environment variable SOURCE_DATE_EPOCH (seconds since 1970).

  varve docs man dist/man
  man dist/man/varve-warc-check.1

Exit codes: 0 written, 2 could not.`,
		Args: cobra.MatchAll(needArgs(1, "a directory"), cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			n, err := writeMan(New(), args[0])
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "man pages in " + args[0], Err: err}
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d man pages\n", args[0], n)
			return err
		},
	}
}

// writeMan writes the pages of a command and of all below it, and counts the pages in dir. It
// changes the help texts of root, which should be of no other use.
func writeMan(root *cobra.Command, dir string) (int, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	root.CompletionOptions.DisableDefaultCmd = true // its help is long and the same for all programs
	prepareMan(root)
	head := &doc.GenManHeader{Section: "1", Source: "Varve " + Version, Manual: "Varve"}
	if err := doc.GenManTree(root, head, dir); err != nil {
		return 0, err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	return len(pages), err
}

// prepareMan makes Markdown of the help texts, which is what the generator takes them for.
func prepareMan(c *cobra.Command) {
	c.DisableAutoGenTag = true
	c.Long = markdown(c.Long)
	for _, sub := range c.Commands() {
		prepareMan(sub)
	}
}

// markdown keeps the lines of a help text as they are: indented ones stand in a block of their own,
// signs that mean something in Markdown lose their meaning.
func markdown(help string) string {
	var b strings.Builder
	block := false
	for line := range strings.Lines(help) {
		text := strings.TrimRight(line, "\n")
		if indented := strings.HasPrefix(text, "  "); indented != block {
			b.WriteString("\n```\n")
			if block {
				b.WriteString("\n")
			}
			block = indented
		}
		if !block {
			text = markdownSigns.Replace(text)
		}
		b.WriteString(text + "\n")
	}
	if block {
		b.WriteString("```\n")
	}
	return b.String()
}

var markdownSigns = strings.NewReplacer(
	`\`, `\\`, `*`, `\*`, `_`, `\_`, `<`, `\<`, `>`, `\>`, `[`, `\[`, `]`, `\]`, "`", "\\`",
)
