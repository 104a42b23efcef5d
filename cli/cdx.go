package cli

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/index/cdx"
	server "varve/serve/cdx"
)

type cdxOptions struct {
	archive, collection string
	params              []string
	json                bool
}

// cdxFlags are flags that stand for parameters of the CDX server.
var cdxFlags = []struct{ flag, param, help string }{
	{"match", "matchType", "exact, prefix, host, domain, range or verbatim"},
	{"from", "from", "first timestamp, 1 to 14 digits"},
	{"to", "to", "last timestamp, 1 to 14 digits"},
	{"sort", "sort", "reverse or closest"},
	{"closest", "closest", "timestamp: captures by their distance from it"},
	{"limit", "limit", "captures at most; negative: the last ones"},
	{"fl", "fl", "fields, separated by commas"},
	{"output", "output", "cdxj, text, json, link or cdx11"},
	{"dialect", "dialect", "ia or pywb"},
	{"resume-key", "resumeKey", "where an earlier answer ended"},
	{"page", "page", "a part of the answer, from 0"},
	{"page-size", "pageSize", "blocks of a page"},
}

func newCDXCommand() *cobra.Command {
	var o cdxOptions
	c := &cobra.Command{
		Use:   "cdx URL",
		Short: "Ask which captures of a URL a collection has",
		Long: `Answers from the index as the CDX server does, with the same parameters. A URL may end in * (all that
begin so) or begin with *. (a domain and those below it).

--param name=value passes any parameter of the server on: --param showNumPages=true. All of them are in
docs/formats/cdx-server.md. The collection must be indexed: 'varve index'.

Exit codes: 0 answered, 1 nothing was found, 2 could not.`,
		Example: `  varve cdx https://example.org/ --collection news
  varve cdx '*.example.org' --filter statuscode:404 --fl original,timestamp --limit 20
  varve cdx https://example.org/ --closest 20140601 --limit 1 --json`,
		Args: needArgs(1, "a URL"),
		RunE: func(c *cobra.Command, args []string) error { return runCDX(c, &o, args[0]) },
	}
	f := c.Flags()
	o.where(c)
	for _, x := range cdxFlags {
		f.String(x.flag, "", x.help)
	}
	f.StringArray("filter", nil, "[!][=|~]field:expression; repeatable")
	f.StringArray("collapse", nil, "field[:N]: neighbours that agree in it become one; repeatable")
	f.Bool("resolve-revisits", false, "add where the original of a revisit lies")
	f.StringArrayVar(&o.params, "param", nil, "name=value of any other parameter; repeatable")
	f.BoolVar(&o.json, "json", false, "the same as --output json")
	c.AddCommand(newCDXExportCommand(), newCDXImportCommand())
	return c
}

// where adds the flags that name a collection.
func (o *cdxOptions) where(c *cobra.Command) {
	c.Flags().StringVar(&o.archive, "archive", "archive", "the archive directory")
	collectionFlag(c.Flags(), &o.collection)
}

func runCDX(c *cobra.Command, o *cdxOptions, target string) error {
	v, err := o.values(c, target)
	if err != nil {
		return err
	}
	req, err := server.Parse(v, server.Defaults{Limit: 1 << 40, MaxLimit: 1 << 40})
	if err != nil {
		return err
	}
	return o.withIndex(func(ix *cdx.Index) error {
		wrote, err := req.Write(c.Context(), c.OutOrStdout(), ix, server.Links{}, nil)
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		if err == nil && !wrote {
			return nothing(c, "the index has no capture of %s", oneLine(target))
		}
		return err
	})
}

// values makes the parameters of a query of the flags.
func (o *cdxOptions) values(c *cobra.Command, target string) (url.Values, error) {
	v := url.Values{"url": {target}}
	f := c.Flags()
	for _, x := range cdxFlags {
		if s, _ := f.GetString(x.flag); s != "" {
			v.Set(x.param, s)
		}
	}
	v["filter"], _ = f.GetStringArray("filter")
	if list, _ := f.GetStringArray("collapse"); len(list) > 0 {
		v["collapse"] = list
	}
	if on, _ := f.GetBool("resolve-revisits"); on {
		v.Set("resolveRevisits", "true")
	}
	if o.json {
		v.Set("output", "json")
	}
	v.Set("notModified", "true") // who asks at the shell is no player
	for _, p := range o.params {
		name, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, UsageError(c, fmt.Sprintf("--param %q: want name=value", p))
		}
		if name == "notModified" {
			v.Del(name)
		}
		v.Add(name, value)
	}
	return v, nil
}

// withIndex opens the index of the collection.
func (o *cdxOptions) withIndex(f func(*cdx.Index) error) error {
	col, err := oneCollection(o.archive, o.collection)
	if err != nil {
		return err
	}
	return withCDX(col, f)
}

// withCDX opens the CDX index of a collection, which must be built.
func withCDX(col *catalog.Collection, f func(*cdx.Index) error) error {
	ix, err := cdx.Open(col.IndexDir("cdx"))
	if err == nil {
		var s cdx.Stats
		if s, err = ix.Stats(); err == nil && s.Generation == 0 {
			err = errors.Join(&varve.Error{
				Kind: varve.NotFound, Op: "index of collection " + col.Name, Msg: "it was not built yet",
				Hint: "varve index --collection " + col.Name,
			}, ix.Close())
			return err
		}
	}
	if err != nil {
		return indexError(col, err)
	}
	defer ix.Close()
	return indexError(col, f(ix))
}

// indexError says what to do about a damaged index.
func indexError(col *catalog.Collection, err error) error {
	var known *varve.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, varve.ErrFindings) {
		return err
	}
	e := &varve.Error{Kind: varve.Unavailable, Op: "index of collection " + col.Name, Err: err}
	switch {
	case errors.Is(err, cdx.ErrDamaged):
		e.Hint = "'varve index --check' finds all that is damaged and builds it anew"
	case errors.Is(err, cdx.ErrVersion):
		e.Hint = "'varve index' builds it anew"
	case errors.Is(err, cdx.ErrQuery):
		e.Kind = varve.Invalid
	}
	return e
}
