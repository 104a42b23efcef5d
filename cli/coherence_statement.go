package cli

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/whole"
	"varve/coherence/evidence"
	"varve/coherence/statement"
)

// statementBy is who makes statements.
const statementBy = "varve " + Version

type statementOptions struct {
	captureSelection
	out, keys string
	rotate    bool
	json      bool
}

func newCoherenceStatementCommand() *cobra.Command {
	var o statementOptions
	c := &cobra.Command{
		Use:   "statement [WARC...]",
		Short: "Write a signed statement of how a capture hangs together",
		Long: `Writes a JSON document that says of every page of a crawl when it was visited and revisited, what was
found and how well that is proven, with the figures of the capture and a chain of hashes over all records
of its WARC files; signed with the archive's Ed25519 key. 'varve coherence verify' checks it from the WARC
files alone, and names the record if one byte was changed. docs/formats/statement.md has the fields.

The key is in ARCHIVE/keys and made on first use; --new-key puts another in its place and keeps the old
public one. With a collection the statement goes to crawls/ID/statement.json if -o does not say otherwise.

Exit codes: 0 written, 1 written but the files are damaged, 2 could not.`,
		Example: `  varve coherence statement --collection news
  varve coherence statement -o statement.json crawl-*.warc.gz`,
		RunE: func(c *cobra.Command, args []string) error { return runStatement(c, &o, args) },
	}
	f := c.Flags()
	f.StringVarP(&o.out, "out", "o", "", "file to write; it must not be there ('-' for standard output)")
	f.StringVar(&o.keys, "keys", "", "directory of the keys (default: keys in the archive)")
	f.BoolVar(&o.rotate, "new-key", false, "make a new signing key first")
	f.BoolVar(&o.json, "json", false, "print one JSON object about what was written")
	o.flags(c)
	return c
}

func (o *statementOptions) keyring() statement.Keys {
	return keyring(o.keys, o.archive)
}

func keyring(dir, archive string) statement.Keys {
	if dir == "" {
		dir = filepath.Join(archive, "keys")
	}
	return statement.Keys{Dir: dir, Random: rand.Reader}
}

func runStatement(c *cobra.Command, o *statementOptions, args []string) error {
	if len(args) > 0 && o.out == "" {
		return UsageError(c, "needs -o FILE where WARC files are given")
	}
	o.fromFiles = true // what is signed is read from the bytes that are there
	var chains *statement.Chains
	o.reader.beside = func(dir string) func(evidence.Source) (evidence.Sink, error) {
		if chains != nil {
			_ = chains.Close() // its own files were not enough; the directory is gone
		}
		chains = statement.NewChains(c.Context(), dir, func(path string) bool {
			return o.crawl == "" || strings.HasPrefix(filepath.Base(path), o.crawl+"-") // others are read for their originals alone
		})
		return chains.Open
	}
	err := o.one(c, args, func(set *evidence.Set, col *catalog.Collection, dir string) (err error) {
		keys := o.keyring()
		load := keys.Signing
		if o.rotate {
			load = keys.Rotate
		}
		key, err := load()
		if err != nil {
			return &varve.Error{Kind: varve.KindOf(err), Err: err, Hint: cmp.Or(varve.HintOf(err), "--keys DIR names another place")}
		}
		cfg := statement.Config{
			Capture: statement.Subject{Crawl: o.crawl}, By: statementBy, Made: time.Now().Truncate(time.Second), Key: key, Dir: dir, Workers: workers(), Chains: chains,
		}
		defer func() { err = errors.Join(err, chains.Close()) }()
		if col != nil {
			cfg.Capture.Collection = col.Name
			if o.out == "" {
				folder, err := col.CrawlDir(o.crawl)
				if err != nil {
					return err
				}
				o.out = filepath.Join(folder, "statement.json")
			}
		}
		return o.write(c, set, cfg)
	})
	if err != nil {
		return err
	}
	return o.reader.end(c)
}

func (o *statementOptions) write(c *cobra.Command, set *evidence.Set, cfg statement.Config) error {
	var made *statement.Made
	write := func(w io.Writer) (err error) {
		made, err = statement.Make(c.Context(), set, cfg, w)
		return err
	}
	if o.out == "-" {
		return write(c.OutOrStdout())
	}
	if err := NewFile(o.out, write); err != nil {
		return evidenceError(c, err)
	}
	if o.json {
		return PrintJSON(c.OutOrStdout(), struct {
			File string `json:"file"`
			*statement.Made
		}{o.out, made})
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %s, %s of %s, %s, signed with the key %s\n", o.out, count(made.Pages, "page"),
		count(made.Records, "record"), count(int64(made.Files), "file"), size(made.Bytes), made.KeyID)
	return nil
}

type verifyOptions struct {
	archive, keys, tmp string
	json               bool
}

func newCoherenceVerifyCommand() *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify STATEMENT WARC...",
		Short: "Check a coherence statement from the WARC files alone",
		Long: `Checks the signature of a statement, every record of its WARC files byte by byte, and then judges all pages
again and adds the figures up again. It names each record that differs or is missing, each page of which
the files say something else, and figures that are wrong. WARC may be files or directories; files that the
statement does not name are not read.

The key is looked for in ARCHIVE/keys. Without one there the signature is checked against the key in the
statement, and whose key that is must be known from elsewhere.

Exit codes: 0 the statement holds, 1 it does not (findings are printed), 2 could not check.`,
		Example: `  varve coherence verify statement.json archive/collections/news/warc
  varve coherence verify --json statement.json *.warc.gz | jq '.findings'`,
		Args: needArgs(2, "a statement and WARC files"),
		RunE: func(c *cobra.Command, args []string) error { return runVerify(c, &o, args[0], args[1:]) },
	}
	f := c.Flags()
	f.StringVar(&o.archive, "archive", "archive", "the archive directory, for its keys")
	f.StringVar(&o.keys, "keys", "", "directory of the public keys that are trusted (default: keys in the archive)")
	f.StringVar(&o.tmp, "tmp", "", "directory for temporary files (default: that of the system)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return c
}

func runVerify(c *cobra.Command, o *verifyOptions, name string, warcs []string) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return InputError(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return InputError(name, err)
	}
	sources, err := sourcesOf(warcs, 0)
	if err != nil {
		return err
	}
	folder, err := whole.NewFolder(o.tmp, "verify")
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "make a temporary directory", Err: err, Hint: "--tmp DIR names another place"}
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	check := statement.Check{By: statementBy, Dir: folder.Path, Workers: workers()}
	if check.Known, err = keyring(o.keys, o.archive).Public(); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "read keys", Err: err, Hint: "--keys DIR names another place"}
	}
	check.Files = sources
	v, err := statement.Verify(c.Context(), f, info.Size(), check)
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "verify " + name, Err: err, Hint: "is it a statement that 'varve coherence statement' wrote, and are these its WARC files?"}
	}
	return printVerified(c.OutOrStdout(), v, o.json)
}

func printVerified(w io.Writer, v *statement.Verified, asJSON bool) error {
	if asJSON {
		if err := PrintJSON(w, v); err != nil {
			return err
		}
	} else {
		for _, f := range v.Findings {
			fmt.Fprintln(w, oneLine(f.String()))
		}
		if n := v.Count - int64(len(v.Findings)); n > 0 {
			fmt.Fprintf(w, "... %d more\n", n)
		}
		for _, n := range v.Notes {
			fmt.Fprintln(w, "note:", n)
		}
		verdict := "the statement holds"
		if !v.OK {
			verdict = "the statement does not hold: " + count(v.Count, "finding")
		}
		fmt.Fprintf(w, "%s (%s byte by byte, %s judged again, made %s by %s)\n", verdict, count(v.Records, "record"), count(v.Pages, "page"), stampOf(v.Made), oneLine(v.By))
	}
	if !v.OK {
		return varve.ErrFindings
	}
	return nil
}
