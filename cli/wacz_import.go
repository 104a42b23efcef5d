package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/wacz"
)

type waczImportOptions struct {
	json  bool
	all   bool
	force bool
}

func newWaczImportCommand() *cobra.Command {
	var opts waczImportOptions
	c := &cobra.Command{
		Use:   "import FILE... DIR",
		Short: "Unpack the WARC files of packages into a directory or collection",
		Long: `Writes the WARC files of the packages into DIR. If DIR is a collection (ARCHIVE/collections/NAME, or a folder with
a collection.toml), they go to its folder warc, and no other process may write to it meanwhile. Each file is compared with the hash in the manifest before it gets its name.
Nothing is overwritten: a file that is there with the same content is left alone, and a WARC file whose name
is taken by another gets the first digits of its SHA-256 before its name. Of a multi-WACZ the WARC files of
all packages in it are written.

With --all every file of a package is written under its path: archive/, indexes/, pages/, logs/, ...

Exit codes: 0 all files are there, 1 files with a wrong hash or an unsafe path, or packages that are not there, were left out, 2 could not.`,
		Example: `  varve wacz import site.wacz archive/collections/news
  varve wacz import --all site.wacz unpacked/`,
		Args: needArgs(2, "packages and a directory"),
		RunE: func(c *cobra.Command, args []string) error {
			return runWaczImport(c, opts, args[:len(args)-1], args[len(args)-1])
		},
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print one line a file as JSON")
	f.BoolVar(&opts.all, "all", false, "write all files, not only the WARC files")
	f.BoolVar(&opts.force, "force", false, "keep files whose hash is wrong")
	return c
}

func runWaczImport(c *cobra.Command, opts waczImportOptions, files []string, dir string) (err error) {
	if col := collectionAt(dir); col != nil {
		lock, err := col.Lock("varve wacz import")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, lock.Unlock()) }()
	}
	if !opts.all && isCollection(dir) {
		dir = filepath.Join(dir, "warc")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return WriteError(dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return WriteError(dir, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	left := 0
	tell := func(u wacz.Unpacked) {
		if u.Outcome != wacz.UnpackWritten && u.Outcome != wacz.UnpackPresent {
			left++
		}
		printUnpacked(c, opts.json, dir, u)
	}
	for _, name := range files {
		err := withPackage(name, func(p *wacz.Package) error {
			return p.Unpack(c.Context(), root, wacz.UnpackOptions{All: opts.all, Force: opts.force, OnFile: tell})
		})
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if err != nil {
			return InputError(name, err)
		}
	}
	if left > 0 {
		return varve.ErrFindings
	}
	return nil
}

// collectionAt gives the collection that a folder is, by its place in an archive; nil if it is none.
func collectionAt(dir string) *catalog.Collection {
	full, err := filepath.Abs(dir)
	if err != nil || filepath.Base(filepath.Dir(full)) != "collections" {
		return nil
	}
	col, err := catalog.Open(filepath.Dir(filepath.Dir(full))).Collection(filepath.Base(full))
	if err != nil {
		return nil
	}
	return col
}

// isCollection also knows collections that lie elsewhere, by their definition.
func isCollection(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "collection.toml"))
	return err == nil || collectionAt(dir) != nil
}

func printUnpacked(c *cobra.Command, asJSON bool, dir string, u wacz.Unpacked) {
	if asJSON {
		_ = json.NewEncoder(c.OutOrStdout()).Encode(u) // a closed pipe ends the program anyway
		return
	}
	line := fmt.Sprintf("%s  %s  %s", filepath.Join(dir, filepath.FromSlash(u.Name)), size(u.Bytes), u.Outcome)
	if u.Detail != "" {
		line += ": " + u.Detail
	}
	fmt.Fprintln(c.OutOrStdout(), oneLine(line))
}
