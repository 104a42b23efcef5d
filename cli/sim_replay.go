package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/clock"
	"varve/serve/recorded"
)

// simReplayOptions are the flags of sim replay.
type simReplayOptions struct {
	addr, at, log, ca string
	maxMB             int64
	json              bool
}

func newSimReplayCommand() *cobra.Command {
	o := &simReplayOptions{}
	c := &cobra.Command{
		Use:   "replay FILE...",
		Short: "Serve recorded sites from WARC files as if they were live",
		Long: `Reads the answers of WARC or ARC files and serves them on loopback, each under its own host name, as if the sites
were live: the way to crawl a real site again, for a test or an exercise, without the internet. A request gets
what its address answered last at the instant of --at (default: after the last record); what was
not recorded is 404. It prints the --resolve rules for 'varve crawl' and an address of each host to begin from.

Damaged records are passed over and counted; revisit records, requests and metadata are left out.

Exit codes: 0 served until interrupted, 2 could not.`,
		Example: `  varve sim replay site.warc.gz --ca ca.pem
  varve crawl https://site.example/ --resolve 'site.example=127.0.0.1:40001' --ca ca.pem --revisit plan`,
		Args: needArgs(1, "a WARC or ARC file"),
		RunE: func(c *cobra.Command, files []string) error {
			return o.run(c.Context(), files, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "loopback address and port; port 0 takes a free one")
	f.StringVar(&o.at, "at", "", "instant whose web is served, RFC 3339 (default: after the last record)")
	f.StringVar(&o.log, "log", "", "write one line of JSON per request to this file")
	f.StringVar(&o.ca, "ca", "", "write the certificate of the TLS authority to this file (PEM)")
	f.Int64Var(&o.maxMB, "max-size", 512, "megabytes of bodies at most; they are kept in memory")
	f.BoolVar(&o.json, "json", false, "print one JSON object when ready")
	return c
}

func (o *simReplayOptions) run(ctx context.Context, files []string, out io.Writer) (err error) {
	fail := func(kind varve.Kind, hint string, err error) error {
		return &varve.Error{Kind: kind, Op: "serve recorded sites", Err: err, Hint: hint}
	}
	list, damaged, err := readResponses(ctx, files, o.maxMB<<20)
	if err != nil {
		return err
	}
	rec, err := recorded.New(list)
	if err != nil {
		return fail(varve.Invalid, "'varve warc stat FILE' tells what is in a file", err)
	}
	_, start := rec.Span()
	if o.at != "" {
		if start, err = parseTime(o.at); err != nil {
			return fail(varve.Invalid, "want something like 2025-03-01T00:00:00Z", err)
		}
	}
	lines, err := OpenLines(o.log)
	if err != nil {
		return fail(varve.Unavailable, "", err)
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	real := clock.Real()
	s, err := recorded.Listen(rec, recorded.Options{Addr: o.addr, Clock: real, At: start, Log: lines.Writer()})
	if err != nil {
		return fail(varve.Unavailable, "is the port taken? --addr 127.0.0.1:0 takes a free one", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.ca != "" {
		if err := os.WriteFile(o.ca, s.CA(), 0o644); err != nil {
			return fail(varve.Unavailable, "", err)
		}
	}
	if err := o.tell(out, rec, s, damaged); err != nil {
		return err
	}
	lines.FlushUntil(ctx, real)
	return nil
}

// tell says what is served, and where.
func (o *simReplayOptions) tell(out io.Writer, rec *recorded.Recording, s *recorded.Server, damaged int) error {
	first, last := rec.Span()
	if o.json {
		return json.NewEncoder(out).Encode(map[string]any{
			"addr": s.Addr(), "resolve": s.Resolve(), "entries": rec.Entries(), "addresses": rec.Addresses(), "hosts": rec.Hosts(),
			"skipped": rec.Skipped(), "damaged": damaged, "first": first, "last": last,
		})
	}
	fmt.Fprintf(out, "%d addresses of %d hosts at http://%s, recorded %s to %s; %d answers cannot be served, %d places are damaged\n",
		rec.Addresses(), rec.Hosts(), s.Addr(), first.Format(time.RFC3339), last.Format(time.RFC3339), rec.Skipped(), damaged)
	for _, r := range s.Resolve() {
		fmt.Fprintf(out, "--resolve '%s'\n", r)
	}
	for _, u := range rec.Entries() {
		if _, err := fmt.Fprintln(out, u); err != nil {
			return err
		}
	}
	return nil
}

// readResponses reads the answers of WARC and ARC files into memory.
func readResponses(ctx context.Context, files []string, most int64) (list []recorded.Response, damaged int, err error) {
	for _, name := range files {
		n, err := readResponsesOf(ctx, name, &most, &list)
		if err != nil {
			return nil, 0, err
		}
		damaged += n
	}
	return list, damaged, nil
}

func readResponsesOf(ctx context.Context, name string, left *int64, list *[]recorded.Response) (damaged int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, InputError(name, err)
	}
	defer f.Close()
	r, err := warc.NewReader(f, warc.Options{Name: name, Policy: warc.Lenient(), OnFinding: func(warc.Finding) { damaged++ }})
	if err != nil {
		return 0, InputError(name, err)
	}
	defer r.Close()
	for ctx.Err() == nil {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return damaged, nil
		}
		if err != nil {
			return damaged, InputError(name, err)
		}
		one, ok := recordedAnswer(rec, *left)
		if !ok {
			continue
		}
		if *left -= int64(len(one.Body)); *left <= 0 {
			return damaged, &varve.Error{Kind: varve.Invalid, Op: name, Msg: "its bodies are larger than --max-size", Hint: "serve fewer files, or allow more"}
		}
		*list = append(*list, one)
	}
	return damaged, ctx.Err()
}

// recordedAnswer reads the answer of a record, if it has one.
func recordedAnswer(rec *warc.Record, most int64) (recorded.Response, bool) {
	if rec.Type() != "response" || !rec.IsHTTP() {
		return recorded.Response{}, false
	}
	h, err := rec.HTTP()
	if err != nil {
		return recorded.Response{}, false
	}
	date, err := rec.Date()
	if err != nil {
		return recorded.Response{}, false
	}
	body, err := io.ReadAll(io.LimitReader(h.Payload(), most+1))
	if err != nil {
		return recorded.Response{}, false // a body that is cut is no answer to give again
	}
	out := recorded.Response{URL: rec.TargetURI(), Time: date, Status: h.Status, Body: body}
	out.Header = append(out.Header, h.Header...)
	return out, true
}
