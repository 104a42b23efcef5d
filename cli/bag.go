package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/bag"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/crawl"
)

func newBagCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "bag",
		Short: "Hand collections over as bags (BagIt)",
		Long: `A bag (BagIt 1.0, RFC 8493) is a folder with files, their digests and a description: the form in which
libraries hand collections to each other and to preservation stores.`,
	}
	c.AddCommand(newBagExportCommand(), newBagCheckCommand())
	return c
}

type bagExportOptions struct {
	archive, collection string
	organisation        string
	contact             string
	json                bool
}

func newBagExportCommand() *cobra.Command {
	var o bagExportOptions
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "Write a collection as a bag",
		Long: `Copies all originals of a collection into a new bag: its WARC, ARC and CDX files, also those that were
imported in place, its plan, the folders of its crawls, the decisions of its curators, its ledger and
its events. Indexes and derivatives are left out: they are made anew from these.

Every file is compared with the ledger (see 'varve audit') while it is copied: a file that is not what
was recorded ends the export, so a bag never passes damage on. bag-info.txt and the records for catalogues,
metadata/dublin-core.xml and metadata/marc.xml, come from the table [metadata] of collection.toml.

DIR must not be there yet; it has its name only once the bag is whole and on disk.

To take a bag in elsewhere: 'varve bag check DIR', then 'varve import --collection NAME DIR/data/warc'.

Exit codes: 0 written, 1 stopped early, 2 could not.`,
		Example: `  varve bag export --collection news --organisation "Library of the region" /mnt/handover/news-2026`,
		Args:    needArgs(1, "the folder to write"),
		RunE:    func(c *cobra.Command, args []string) error { return runBagExport(c, &o, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(f, &o.collection)
	f.StringVar(&o.organisation, "organisation", "", "Source-Organization (default: the publisher of the collection)")
	f.StringVar(&o.contact, "contact", "", "Contact-Email")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runBagExport(c *cobra.Command, o *bagExportOptions, dir string) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	lock, err := col.Lock("varve bag export")
	if err != nil {
		return err
	}
	defer lock.Unlock()
	// What came in by other means is recorded first, so that every file of the bag is in the ledger.
	rep, err := fixity.Audit(c.Context(), col, fixity.Config{NewOnly: true, By: operator(), Now: time.Now})
	if err != nil {
		return err
	}
	if rep.Bad() {
		return &varve.Error{
			Kind: varve.Conflict, Op: "export " + col.Name, Msg: "the ledger is damaged, so it is not known whether all files are what they were",
			Hint: "varve audit --collection " + col.Name + " tells what is disputed",
		}
	}
	items, expect, err := bagItems(col)
	if err != nil {
		return err
	}
	cfg, err := o.config(col)
	if err != nil {
		return err
	}
	cfg.Expect = expect
	progress, clear := newProgress(c)
	cfg.Progress = progress
	sum, err := bag.Write(c.Context(), filepath.Clean(dir), items, cfg)
	clear()
	switch {
	case c.Context().Err() != nil:
		return Stopped(c)
	case errors.Is(err, fs.ErrExist):
		return &varve.Error{Kind: varve.Conflict, Op: "write bag " + dir, Err: err, Hint: "choose another folder: nothing is written over"}
	case err != nil:
		return &varve.Error{Kind: varve.Unavailable, Op: "write bag " + dir, Err: err, Hint: "'varve audit' tells which files are not what they were"}
	}
	err = col.Note(catalog.Event{
		Time: time.Now().UTC(), Type: "replication", Outcome: "success", Agent: agent(), By: operator(),
		Detail: fmt.Sprintf("bag of %d files, %d bytes", sum.Files, sum.Bytes), Objects: []string{sum.Path},
	})
	if err == nil && o.json {
		return PrintJSON(c.OutOrStdout(), sum)
	}
	if err == nil {
		_, err = fmt.Fprintf(c.OutOrStdout(), "%s: %d files, %s\n", sum.Path, sum.Files, size(sum.Bytes))
	}
	return err
}

// config takes the description from the collection's plan.
func (o *bagExportOptions) config(col *catalog.Collection) (bag.Config, error) {
	plan, err := crawl.ReadPlan(col)
	var e *varve.Error
	if errors.As(err, &e) && e.Kind == varve.NotFound {
		plan, err = &crawl.Plan{Metadata: catalog.Metadata{Title: col.Name}}, nil
	}
	if err != nil {
		return bag.Config{}, err
	}
	m := &plan.Metadata
	dc, err := m.DublinCore()
	if err != nil {
		return bag.Config{}, err
	}
	marc, err := m.MARC(time.Now())
	if err != nil {
		return bag.Config{}, err
	}
	organisation := o.organisation
	if organisation == "" {
		organisation = strings.Join(m.Publisher, "; ")
	}
	return bag.Config{
		Date: time.Now(),
		Tags: []bag.Tag{{Name: "metadata/dublin-core.xml", Content: dc}, {Name: "metadata/marc.xml", Content: marc}},
		Info: []bag.Field{
			{Label: "Source-Organization", Value: organisation},
			{Label: "Contact-Email", Value: o.contact},
			{Label: "External-Description", Value: strings.TrimSpace(m.Title + ". " + m.Description)},
			{Label: "External-Identifier", Value: strings.Join(m.Identifier, "; ")},
			{Label: "Internal-Sender-Identifier", Value: col.Name},
			{Label: "Bag-Software-Agent", Value: agent()},
		},
	}, nil
}

// bagItems lists the originals of a collection, with the digests that the ledger has.
func bagItems(col *catalog.Collection) ([]bag.Item, map[string]string, error) {
	known, err := fixity.Known(col)
	if err != nil {
		return nil, nil, err
	}
	objects, err := fixity.Objects(col)
	if err != nil {
		return nil, nil, err
	}
	var items []bag.Item
	expect := map[string]string{}
	for _, o := range objects {
		name := o.File
		if filepath.IsAbs(name) {
			name = "warc/" + filepath.Base(name)
		}
		if !o.Grows {
			expect[name] = known[o.File]
		}
		items = append(items, bag.Item{Name: name, Path: o.Path, From: o.From, Size: o.Size})
	}
	add := func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "frontier" { // of a crawl that can be resumed
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(col.Dir(), path)
		items = append(items, bag.Item{Name: filepath.ToSlash(rel), Path: path, Size: info.Size()})
		return err
	}
	for _, path := range []string{col.DefinitionFile(), col.EventsFile(), fixity.LedgerFile(col), filepath.Join(col.Dir(), "crawls")} {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if err := filepath.WalkDir(path, add); err != nil {
			return nil, nil, err
		}
	}
	return items, expect, nil
}

func newBagCheckCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check DIR",
		Short: "Tell whether a bag is whole and unchanged",
		Long: `Reads every file of a bag, of any tool, and compares it with the bag's manifests (MD5, SHA-1, SHA-256,
SHA-512). Findings are printed one a line with their rule: declaration, manifest, missing, digest,
unlisted, oxum, path, fetch.

Exit codes: 0 valid, 1 findings, 2 could not be read.`,
		Example: `  varve bag check /mnt/handover/news-2026`,
		Args:    needArgs(1, "the folder of a bag"),
		RunE: func(c *cobra.Command, args []string) error {
			progress, clear := newProgress(c)
			rep, err := bag.Check(c.Context(), args[0], progress)
			clear()
			if c.Context().Err() != nil {
				return Stopped(c)
			}
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "check bag " + args[0], Err: err, Hint: "name the folder that holds bagit.txt"}
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), rep)
			} else {
				for _, f := range rep.Findings {
					fmt.Fprintf(c.OutOrStdout(), "%s %s: %s\n", f.Rule, oneLine(f.File), oneLine(f.Message))
				}
				_, err = fmt.Fprintf(c.OutOrStdout(), "%s: BagIt %s, %d files, %s: %s\n", args[0], rep.Version, rep.Files, size(rep.Bytes), validOr(len(rep.Findings)))
			}
			if err == nil && len(rep.Findings) > 0 {
				err = varve.ErrFindings
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func validOr(findings int) string {
	if findings == 0 {
		return "valid"
	}
	return count(int64(findings), "finding")
}
