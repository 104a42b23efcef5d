package cli

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/wacz"
)

type waczCheckOptions struct {
	json        bool
	all         bool
	deep        bool
	noHashes    bool
	sample      int
	roots       string
	systemRoots bool
	stampRoots  string
	keys        []string
}

func newWaczCheckCommand() *cobra.Command {
	var opts waczCheckOptions
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Tell whether packages are whole, and what their signature proves",
		Long: `Checks the ZIP, the manifest with all sizes and hashes, the page lists, the index, the records
that the index points to (a sample, or all with --all), and the signature. With --deep the WARC files are
read record by record as well, as 'varve warc check' does, and captures that are not in the index are told.

  $ varve wacz check site.wacz
  site.wacz!archive/a.warc.gz: digest hash: hash is sha256:0a1b..., the manifest says sha256:9f8e...
  site.wacz: WACZ 1.1.1, 12 captures (12 looked up), 3 pages: 1 finding (1 digest)
    signature: anonymous, unproven
      signature  verified  the hash was signed with the public key
      identity   unproven  anonymous: whose key it is must be known from elsewhere

Signatures are verified offline; what that cannot prove is told as unproven, which is no finding.
With --json one finding is printed a line, then one line with the report.

Exit codes: 0 valid, 1 findings, 2 a file could not be read. The worst wins.`,
		Example: `  varve wacz check --all --deep site.wacz
  varve wacz check --system-roots --timestamp-roots freetsa.pem signed.wacz`,
		Args: needArgs(1, "a file"),
		RunE: func(c *cobra.Command, args []string) error { return runWaczCheck(c, opts, args) },
	}
	f := c.Flags()
	f.BoolVar(&opts.json, "json", false, "print findings and reports as JSON, one a line")
	f.BoolVar(&opts.all, "all", false, "look up all records of the index")
	f.IntVar(&opts.sample, "sample", 1000, "look up so many records, spread over the index")
	f.BoolVar(&opts.deep, "deep", false, "read the WARC files record by record")
	f.BoolVar(&opts.noHashes, "no-hashes", false, "leave out the hashes of the WARC files")
	f.StringVar(&opts.roots, "roots", "", "trust the certificates in this PEM file for domains")
	f.BoolVar(&opts.systemRoots, "system-roots", false, "trust the roots of this machine for domains")
	f.StringVar(&opts.stampRoots, "timestamp-roots", "", "trust the certificates in this PEM file for time stamps")
	f.StringSliceVar(&opts.keys, "key", nil, "SHA-256 (hex) of a public key whose owner you know")
	c.MarkFlagsMutuallyExclusive("roots", "system-roots")
	return c
}

func runWaczCheck(c *cobra.Command, opts waczCheckOptions, args []string) error {
	trust, err := opts.trust()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	check := wacz.CheckOptions{
		Records: opts.sample, Deep: opts.deep, NoHashes: opts.noHashes, Trust: trust,
		Workers: workers(), OnFinding: printWaczFinding(out, opts.json),
	}
	if opts.all {
		check.Records = -1
	}
	var findings int64
	for _, name := range args {
		fileErr := withPackage(name, func(p *wacz.Package) error {
			rep, err := wacz.Check(c.Context(), p, check)
			if err != nil {
				return err
			}
			findings += rep.Total()
			return printWaczReport(out, rep, opts.json)
		})
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if fileErr != nil {
			if err != nil {
				tellError(c, err)
			}
			err = fileErr
		}
	}
	if err == nil && findings > 0 {
		err = varve.ErrFindings
	}
	return err
}

func (o *waczCheckOptions) trust() (wacz.Trust, error) {
	t := wacz.Trust{Keys: o.keys}
	var err error
	if o.systemRoots {
		if t.Domains, err = x509.SystemCertPool(); err != nil {
			return t, &varve.Error{Kind: varve.Unavailable, Op: "read the roots of this machine", Err: err}
		}
	}
	if o.roots != "" {
		if t.Domains, err = readCertPool(o.roots); err != nil {
			return t, err
		}
	}
	if o.stampRoots != "" {
		t.Timestamps, err = readCertPool(o.stampRoots)
	}
	return t, err
}

func readCertPool(name string) (*x509.CertPool, error) {
	b, err := readFileLimited(name)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(b) {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read roots from " + name, Msg: "no certificate in it", Hint: "it must be PEM"}
	}
	return pool, nil
}

func printWaczFinding(w io.Writer, asJSON bool) func(wacz.Finding) {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return func(f wacz.Finding) { _ = enc.Encode(f) } // a closed pipe ends the program anyway
	}
	return func(f wacz.Finding) {
		place := f.File
		if f.Path != "" {
			place += "!" + f.Path
		}
		if f.Line > 0 {
			place += fmt.Sprintf(":%d", f.Line)
		}
		fmt.Fprintf(w, "%s: %s %s: %s\n", oneLine(place), f.Class, f.Rule, oneLine(f.Message))
	}
}

// printWaczReport prints the summary of a package and of those within it.
func printWaczReport(w io.Writer, rep *wacz.Report, asJSON bool) error {
	if asJSON {
		short := *rep
		short.Findings = nil // each was printed already
		return json.NewEncoder(w).Encode(map[string]*wacz.Report{"report": &short})
	}
	fmt.Fprintf(w, "%s: WACZ %s, %s (%d looked up), %s: ", rep.File, oneLine(rep.Version),
		count(rep.Captures, "capture"), rep.Looked, count(rep.Pages, "page"))
	if rep.Total() == 0 {
		fmt.Fprintln(w, "valid")
	} else {
		var parts []string
		for class, n := range rep.Counts {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
		fmt.Fprintf(w, "%s (%s)\n", count(rep.Total(), "finding"), strings.Join(sorted(parts), ", "))
	}
	for _, n := range rep.Notes {
		fmt.Fprintf(w, "  note: %s\n", oneLine(n))
	}
	printSignature(w, rep.Signature)
	for _, m := range rep.Members {
		if err := printWaczReport(w, m, false); err != nil {
			return err
		}
	}
	return nil
}

func printSignature(w io.Writer, s *wacz.Signature) {
	if s == nil || s.Kind == wacz.Unsigned {
		fmt.Fprintln(w, "  signature: none")
		return
	}
	fmt.Fprintf(w, "  signature: %s, %s; signer %s, %s\n", s.Kind, s.Outcome(), oneLine(s.Signer), oneLine(s.Time))
	for _, p := range s.Proofs {
		fmt.Fprintf(w, "    %-20s %-9s %s\n", p.Step, p.Outcome, oneLine(p.Detail))
	}
}
