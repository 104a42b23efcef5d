package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"varve/archive/wacz"
)

func newWaczInfoCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info FILE",
		Short: "Tell what is in a package",
		Long: `Prints the manifest, the files and the signature of a package. Nothing is verified but the
signature; 'varve wacz check' does that.

Exit codes: 0 printed, 2 could not.`,
		Args: cobra.MatchAll(needArgs(1, "a file"), cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return withPackage(args[0], func(p *wacz.Package) error {
				info, err := readWaczInfo(p)
				if err != nil {
					return InputError(args[0], err)
				}
				if asJSON {
					return json.NewEncoder(c.OutOrStdout()).Encode(info)
				}
				printWaczInfo(c.OutOrStdout(), info)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

type waczInfo struct {
	File      string          `json:"file"`
	Bytes     int64           `json:"bytes"`
	Manifest  *wacz.Manifest  `json:"manifest"`
	Entries   []wacz.Entry    `json:"entries"`
	Signature *wacz.Signature `json:"signature"`
}

func readWaczInfo(p *wacz.Package) (*waczInfo, error) {
	m, err := p.Manifest()
	if err != nil {
		return nil, err
	}
	s, err := p.Signature(wacz.Trust{})
	if err != nil {
		return nil, err
	}
	return &waczInfo{File: p.Name(), Bytes: p.Size(), Manifest: m, Entries: p.Entries(), Signature: s}, nil
}

func printWaczInfo(w io.Writer, i *waczInfo) {
	m := i.Manifest
	fmt.Fprintf(w, "%s: WACZ %s, %s, %s\n", i.File, oneLine(m.Version), size(i.Bytes), count(int64(len(i.Entries)), "file"))
	for _, f := range []struct{ name, value string }{
		{"title", m.Title},
		{"description", m.Description},
		{"created", m.Created},
		{"modified", m.Modified},
		{"software", m.Software},
		{"main page", strings.TrimSpace(m.MainPageURL + " " + m.MainPageDate)},
	} {
		if f.value != "" {
			fmt.Fprintf(w, "  %-12s %s\n", f.name, oneLine(f.value))
		}
	}
	for _, e := range i.Entries {
		how := "deflate"
		if e.Stored {
			how = "stored"
		}
		fmt.Fprintf(w, "  %10s  %-7s  %s\n", size(e.Size), how, oneLine(e.Path))
	}
	printSignature(w, i.Signature)
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
