package cli

import (
	"bufio"
	"crypto"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/wacz"
	"varve/archive/warc"
	"varve/crawl"
)

type waczExportOptions struct {
	json      bool
	seedFile  string
	created   string
	modified  string
	mainDate  string
	extras    []string
	keyFile   string
	temporary string
	cfg       wacz.Config
}

func newWaczExportCommand() *cobra.Command {
	var opts waczExportOptions
	c := &cobra.Command{
		Use:   "export OUT.wacz WARC...",
		Short: "Pack WARC files into a package",
		Long: `Packs WARC files (gzip, zstd or not packed) with their index, page list and manifest into one WACZ
file, version 1.1.1. The files go in byte for byte.

Pages are found by themselves: HTML answers with status 200 that were not loaded as a part of another
page. With --seed the pages of the seeds, also after redirects, go to pages.jsonl and the others to
extraPages.jsonl. --extra logs=DIR puts the files of DIR under logs/.

--sign KEY.pem signs the package with a private key (PKCS #8, ECDSA or Ed25519). ReplayWeb.page verifies
signatures of P-384 keys: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out KEY.pem

The same files with the same --created give the same bytes (ECDSA signatures too).

Exit codes: 0 written, 1 written but the WARC files have findings, 2 could not.`,
		Example: `  varve wacz export site.wacz crawl-*.warc.gz --title "Our site" --seed https://example.com/
  varve wacz export --extra logs=crawls/7/logs --sign key.pem site.wacz *.warc.gz`,
		Args: needArgs(2, "the package to write and WARC files"),
		RunE: func(c *cobra.Command, args []string) error { return runWaczExport(c, opts, args[0], args[1:]) },
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print one JSON object")
	f.StringVar(&opts.cfg.Title, "title", "", "title of the package")
	f.StringVar(&opts.cfg.Description, "description", "", "description, in Markdown")
	f.StringArrayVar(&opts.cfg.Seeds, "seed", nil, "an address the crawl began with; may be repeated")
	f.StringVar(&opts.seedFile, "seeds", "", "a file with one seed a line; # starts a comment")
	f.StringVar(&opts.cfg.MainPageURL, "main-page", "", "address to open first (default: the page of the first seed)")
	f.StringVar(&opts.mainDate, "main-page-date", "", "which capture of it")
	f.BoolVar(&opts.cfg.Text, "text", false, "keep the text of pages, for searching")
	f.StringArrayVar(&opts.extras, "extra", nil, "NAME=DIR: put the files of DIR under NAME/; may be repeated")
	f.StringVar(&opts.created, "created", "", "date of the package, RFC 3339 (default: now)")
	f.StringVar(&opts.modified, "modified", "", "date of its last change, RFC 3339")
	f.StringVar(&opts.keyFile, "sign", "", "sign with this private key (PEM, PKCS #8)")
	f.BoolVar(&opts.cfg.NotModified, "not-modified", false, "index revisits by which a server said that nothing changed (304) too; other players show blank pages for them")
	f.StringVar(&opts.temporary, "tmp", "", "directory for temporary files (default: that of the package)")
	return c
}

func runWaczExport(c *cobra.Command, opts waczExportOptions, out string, warcs []string) error {
	if err := opts.complete(c, out); err != nil {
		return err
	}
	var findings int64
	opts.cfg.OnFinding = func(f warc.Finding) {
		findings++
		printFinding(c.ErrOrStderr(), false)(f)
	}
	var sum *wacz.Summary
	err := NewFile(out, func(w io.Writer) (err error) {
		buf := bufio.NewWriterSize(w, 1<<20)
		if sum, err = packWacz(c, &opts, buf, warcs); err != nil {
			return err
		}
		return buf.Flush()
	})
	if c.Context().Err() != nil {
		return Stopped(c)
	}
	if err != nil {
		return exportError(out, err)
	}
	if err := printExport(c.OutOrStdout(), out, sum, opts.json); err != nil {
		return err
	}
	if findings > 0 {
		return varve.ErrFindings
	}
	return nil
}

func exportError(out string, err error) error {
	var known *varve.Error
	if errors.As(err, &known) {
		return err
	}
	e := &varve.Error{Kind: varve.Unavailable, Op: "write " + out, Err: err}
	switch {
	case errors.Is(err, wacz.ErrArc):
		e.Kind, e.Hint = varve.Invalid, "'varve warc repair --arc-to-warc IN -o OUT.warc.gz' writes it as WARC"
	case errors.Is(err, wacz.ErrSharedMember):
		e.Kind, e.Hint = varve.Invalid, "'varve warc recompress IN -o OUT' gives every record its own member"
	}
	return e
}

func packWacz(c *cobra.Command, opts *waczExportOptions, out io.Writer, warcs []string) (sum *wacz.Summary, err error) {
	w, err := wacz.NewWriter(out, opts.cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	progress, clear := newProgress(c)
	defer clear()
	for i, name := range warcs {
		if progress != nil {
			progress(name, int64(i), int64(len(warcs)))
		}
		if err := packOne(c, w, name); err != nil {
			return nil, err
		}
	}
	for _, e := range opts.extras {
		name, dir, _ := strings.Cut(e, "=")
		if err := packExtra(w, name, dir); err != nil {
			return nil, err
		}
	}
	return w.Finish(c.Context())
}

func packOne(c *cobra.Command, w *wacz.Writer, name string) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return InputError(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return InputError(name, err)
	}
	return w.AddWARC(c.Context(), name, f, info.Size())
}

// packExtra puts the files of a directory under a name, sorted.
func packExtra(w *wacz.Writer, name, dir string) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return InputError(dir, err)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return InputError(file, err)
		}
		defer f.Close()
		return w.AddFile(path.Join(name, filepath.ToSlash(rel)), f)
	})
}

// complete fills what the flags say in words.
func (o *waczExportOptions) complete(c *cobra.Command, out string) error {
	if !strings.HasSuffix(out, ".wacz") {
		return UsageError(c, fmt.Sprintf("%s must end in .wacz", out))
	}
	o.cfg.Software, o.cfg.Workers, o.cfg.Created = "varve "+Version, workers(), time.Now().Truncate(time.Second)
	if o.cfg.Dir = o.temporary; o.cfg.Dir == "" {
		o.cfg.Dir = filepath.Dir(out)
	}
	for _, t := range []struct {
		flag, value string
		to          *time.Time
	}{{"created", o.created, &o.cfg.Created}, {"modified", o.modified, &o.cfg.Modified}, {"main-page-date", o.mainDate, &o.cfg.MainPageDate}} {
		if t.value == "" {
			continue
		}
		at, err := parseTime(t.value)
		if err != nil {
			return UsageError(c, "--"+t.flag+": "+err.Error())
		}
		*t.to = at
	}
	for _, e := range o.extras {
		if name, dir, ok := strings.Cut(e, "="); !ok || name == "" || dir == "" {
			return UsageError(c, fmt.Sprintf("--extra %s: want NAME=DIR", e))
		}
	}
	return errors.Join(o.readSeeds(), o.readKey())
}

func (o *waczExportOptions) readSeeds() error {
	if o.seedFile == "" {
		return nil
	}
	b, err := readFileLimited(o.seedFile)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(b)) {
		if line = crawl.SeedLine(line); line != "" {
			o.cfg.Seeds = append(o.cfg.Seeds, line)
		}
	}
	return nil
}

func (o *waczExportOptions) readKey() error {
	if o.keyFile == "" {
		return nil
	}
	b, err := readFileLimited(o.keyFile)
	if err != nil {
		return err
	}
	bad := func(msg string) error {
		return &varve.Error{
			Kind: varve.Invalid, Op: "read key " + o.keyFile, Msg: msg,
			Hint: "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out KEY.pem makes one",
		}
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return bad("no PEM in it")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return bad(err.Error())
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return bad("not a key to sign with")
	}
	o.cfg.Key = signer
	return nil
}

func printExport(w io.Writer, out string, s *wacz.Summary, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(s)
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s, %s and %s\n", out, size(s.Bytes), count(s.Records, "record"),
		count(s.Captures, "capture"), count(s.Pages, "page"), count(s.Extra, "extra page"))
	return err
}
