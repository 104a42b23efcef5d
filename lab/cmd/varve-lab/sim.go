package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/cli"
	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/country"
	"varve/lab/websim/difficult"
	"varve/lab/websim/media"
	"varve/lab/websim/modern"
	"varve/lab/websim/server"
	"varve/lab/websim/spam"
)

func newSimCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sim",
		Short: "A simulated web whose every change is known",
		Long: `The simulated web is a set of sites that change by known rules. It is for tests, benchmarks
and demonstrations: the same seed gives the same bytes everywhere. docs/websim.md tells how to describe a site.`,
	}
	c.AddCommand(newSimServeCommand(), newSimPresetsCommand(), newSimLabelsCommand())
	return c
}

// simOptions are the flags of sim serve.
type simOptions struct {
	spec, preset string
	seed         uint64
	addr         string
	speed        float64
	at           string
	log, ca      string
	noDigest     bool
	cacheMB      int64
	json         bool
}

func newSimServeCommand() *cobra.Command {
	var o simOptions
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve a simulated web on loopback",
		Long: `Serves the sites of a description (--spec) or of a preset (--preset) by HTTP and HTTPS on one port
of loopback, each under its own host name, until it is interrupted. It prints the --resolve rules by
which 'varve crawl' finds the hosts, and the seed URLs. Requests to the address itself reach control
pages: /, /log, /truth?url=, /clock (POST ?advance=24h).

  varve-lab sim serve --preset news --seed 7 --json
  varve-lab sim serve --spec my.toml --speed 3600 --log requests.jsonl

Exit codes: 0 served until interrupted, 2 could not.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runSimServe(c.Context(), &o, c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.StringVar(&o.spec, "spec", "", "description of the sites: a TOML or txtar file")
	f.StringVar(&o.preset, "preset", "", "a built-in description: "+strings.Join(websim.Presets(), ", ")+"; made by hand: country, difficult, media, modern, spam (default tiny)")
	f.Uint64Var(&o.seed, "seed", 1, "the seed: same seed, same bytes")
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "loopback address and port; port 0 takes a free one")
	f.Float64Var(&o.speed, "speed", 1, "simulated seconds per second; 0 stands still")
	f.StringVar(&o.at, "at", "", "simulated instant to begin at: RFC 3339, or a duration after the epoch such as 30d")
	f.StringVar(&o.log, "log", "", "write one line of JSON per request to this file")
	f.StringVar(&o.ca, "ca", "", "write the certificate of the TLS authority to this file (PEM)")
	f.BoolVar(&o.noDigest, "no-digest", false, "leave the digests of the bytes sent out of the log")
	f.Int64Var(&o.cacheMB, "cache", 128, "megabytes of bodies kept in memory")
	f.BoolVar(&o.json, "json", false, "print one JSON object when ready")
	c.MarkFlagsMutuallyExclusive("spec", "preset")
	return c
}

// runSimServe serves until the context ends.
func runSimServe(ctx context.Context, o *simOptions, out io.Writer) (err error) {
	fail := func(kind varve.Kind, hint string, err error) error {
		return &varve.Error{Kind: kind, Op: "serve simulated web", Err: err, Hint: hint}
	}
	spec, err := o.load()
	if err != nil {
		return fail(varve.Invalid, "see docs/websim.md, or 'varve-lab sim presets NAME' for an example", err)
	}
	web, err := websim.New(spec, o.seed, append(o.handlers(), websim.WithCache(o.cacheMB<<20))...)
	if err != nil {
		return fail(varve.Invalid, "", err)
	}
	start, err := simInstant(o.at, web.Epoch())
	if err != nil {
		return fail(varve.Invalid, "want something like 2025-03-01T00:00:00Z or 30d", err)
	}
	lines, err := cli.OpenLines(o.log)
	if err != nil {
		return fail(varve.Unavailable, "", err)
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	real := clock.Real()
	s, err := server.Listen(web, server.Options{
		Addr: o.addr, Clock: real, Timeline: server.NewTimeline(real, start, o.speed),
		Log: websim.NewLog(0, lines.Writer()), NoDigest: o.noDigest,
	})
	if err != nil {
		return fail(varve.Unavailable, "is the port taken? --addr 127.0.0.1:0 takes a free one", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.ca != "" {
		if err := os.WriteFile(o.ca, s.CA(), 0o644); err != nil {
			return fail(varve.Unavailable, "", err)
		}
	}
	if err := printSim(out, s, o.json); err != nil {
		return err
	}
	lines.FlushUntil(ctx, real)
	return nil
}

func (o *simOptions) load() (*websim.Spec, error) {
	if o.spec == "" {
		name := o.preset
		if name == "" {
			name = "tiny"
		}
		switch name {
		case "country":
			land, err := country.New(country.Config{}, o.seed)
			if err != nil {
				return nil, err
			}
			return land.Spec()
		case "difficult":
			sites, err := difficult.Load(o.seed, difficult.Plain)
			if err != nil {
				return nil, err
			}
			return websim.Load(name, []byte(difficult.Spec(sites)))
		case "media":
			return websim.Load(name, []byte(media.Spec))
		case "modern":
			return websim.Load(name, []byte(modern.Spec))
		case "spam":
			world, err := spam.New(spam.Small(), o.seed)
			if err != nil {
				return nil, err
			}
			return world.Spec()
		}
		return websim.Preset(name)
	}
	data, err := os.ReadFile(o.spec)
	if err != nil {
		return nil, err
	}
	return websim.Load(o.spec, data)
}

// simInstant reads --at.
func simInstant(s string, epoch time.Time) (time.Time, error) {
	if s == "" {
		return epoch, nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	d, err := websim.ParseDuration(s)
	return epoch.Add(d), err
}

func printSim(out io.Writer, s *server.Server, asJSON bool) error {
	st := s.Status()
	if asJSON {
		return json.NewEncoder(out).Encode(st)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d pages at http://%s, now %s\n", st.Pages, st.Addr, st.At.Format(time.RFC3339))
	for _, r := range st.Resolve {
		fmt.Fprintf(&b, "--resolve '%s'\n", r)
	}
	for _, u := range st.Seeds {
		fmt.Fprintln(&b, u)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// handlers are the pages of sites that are made by hand.
func (o *simOptions) handlers() []websim.Option {
	if o.spec != "" {
		return nil
	}
	switch o.preset {
	case "difficult":
		sites, err := difficult.Load(o.seed, difficult.Plain)
		if err != nil {
			return nil // load has told
		}
		return difficult.Options(sites)
	case "media":
		return media.Options()
	case "modern":
		return modern.Options()
	case "spam":
		world, err := spam.New(spam.Small(), o.seed)
		if err != nil {
			return nil // load has told
		}
		return world.Options()
	}
	return nil
}

func newSimPresetsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the built-in descriptions, or print one",
		Long: `Without a name, lists the built-in descriptions with their first line; with one, prints its TOML.

Exit codes: 0 printed, 2 no such description.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runSimPresets(c.OutOrStdout(), args, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per description")
	return c
}

func runSimPresets(out io.Writer, args []string, asJSON bool) error {
	names := websim.Presets()
	if len(args) == 1 {
		names = args
	}
	for _, name := range names {
		text, err := websim.PresetText(name)
		if err != nil {
			return &varve.Error{Kind: varve.NotFound, Op: "print preset", Err: err}
		}
		about, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		switch {
		case asJSON:
			err = json.NewEncoder(out).Encode(map[string]string{"name": name, "about": about, "toml": string(text)})
		case len(args) == 1:
			_, err = out.Write(text)
		default:
			_, err = fmt.Fprintf(out, "%-10s %s\n", name, about)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
