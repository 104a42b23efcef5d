package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"varve"
	"varve/derive/quads"
	"varve/entity/base"
	"varve/entity/dump"
	"varve/entity/inquiry"
	"varve/kb/client"
	"varve/kb/endpoint"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
)

func newKBCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "kb",
		Short: "Keep and ask a knowledge base: RDF and SPARQL",
		Long: `A knowledge base holds statements (RDF quads) and answers SPARQL 1.1. It is a folder, by default archive/kb; one process has it open
at a time. Formats: N-Triples (.nt), N-Quads (.nq), Turtle (.ttl), TriG (.trig), RDF/XML (.rdf) in and out, JSON-LD (.jsonld) out. 'varve kb export NAME' tells what
is known of a collection, in the words of 'varve kb model'. docs/kb.md tells more.`,
	}
	c.AddCommand(newKBLoadCommand(), newKBQueryCommand(), newKBUpdateCommand(), newKBExportCommand(), newKBModelCommand(), newKBServeCommand())
	return c
}

// kbPlace says where the knowledge base is: a folder, or an endpoint elsewhere.
type kbPlace struct {
	store, endpoint, updates string
	services                 []string
}

func (p *kbPlace) flags(f *pflag.FlagSet) {
	kbStore(f, &p.store)
	f.StringVar(&p.endpoint, "endpoint", "", "ask this SPARQL endpoint instead, such as https://example.org/sparql; VARVE_KB_TOKEN is sent as a bearer token")
	f.StringArrayVar(&p.services, "service", nil, "an endpoint that SERVICE in a query may ask; may be repeated (default: none)")
}

// open opens the knowledge base; a store that must be there is not made.
func (p *kbPlace) open(l *kbLimits, must bool) (client.Base, error) {
	if p.endpoint != "" {
		r, err := client.NewRemote(p.endpoint)
		if err != nil {
			return nil, err
		}
		r.Updates, r.Token, r.Timeout, r.MaxBytes = p.updates, os.Getenv("VARVE_KB_TOKEN"), l.timeout, l.memory<<20
		return r, nil
	}
	services, err := kbServices(p.services)
	if err != nil {
		return nil, err
	}
	s, err := openKB(p.store, must)
	if err != nil {
		return nil, err
	}
	o := l.options(s.Scratch())
	o.Services, o.Functions = services, kbFunctions(p.store)
	return &client.Local{Store: s, Options: o}, nil
}

// kbServices returns the endpoints that queries may ask; nil if none may.
func kbServices(list []string) (sparql.Services, error) {
	if len(list) == 0 {
		return nil, nil
	}
	return client.NewServices(list)
}

// kbFunctions are those that ask the base of entities of the archive in which the knowledge base lies.
func kbFunctions(store string) sparql.Functions {
	return inquiry.File(base.InArchive(filepath.Dir(store)))
}

// kbStore is the flag that names the folder of the knowledge base.
func kbStore(f *pflag.FlagSet, dir *string) {
	f.StringVar(dir, "store", filepath.Join("archive", "kb"), "the folder of the knowledge base")
}

// openKB opens the knowledge base; where it must be there, it is not made.
func openKB(dir string, must bool) (*triplestore.Store, error) {
	if must && !triplestore.Exists(vfs.Default, dir) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "open knowledge base " + dir, Msg: "there is none", Hint: "'varve kb load FILE' makes one; --store says where it is"}
	}
	return triplestore.Open(vfs.Default, dir, triplestore.DefaultConfig(), kbRandom(), nil)
}

func kbRandom() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

// purgeKB takes all that was told of a collection out of the knowledge base, if there is one, and returns how many statements that were.
func purgeKB(ctx context.Context, dir, collection string) (int64, error) {
	if !triplestore.Exists(vfs.Default, dir) {
		return 0, nil
	}
	return triplestore.Keep(ctx, vfs.Default, dir, triplestore.DefaultConfig(), kbRandom(), nil, func(graph rdf.Term) bool {
		name, ok := model.ParseName(graph.Value)
		return !ok || name.Collection != collection
	})
}

type kbReadOptions struct {
	format, graph, base string
	skipBad             bool
}

func (o *kbReadOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.format, "format", "", "format of the files, such as turtle or nq (default: by the ending of each)")
	f.StringVar(&o.base, "base", "", "IRI that relative ones are resolved against (default: the file's own)")
}

// kbReport is what a load prints.
type kbReport struct {
	Quads int64 `json:"quads"`
	Terms int64 `json:"terms"`
	Bad   int64 `json:"bad_lines"`
}

func newKBLoadCommand() *cobra.Command {
	var o kbReadOptions
	var place kbPlace
	var limits kbLimits
	var asJSON bool
	c := &cobra.Command{
		Use:   "load FILE...",
		Short: "Load files of RDF",
		Long: `Loads files in one step: when the command ends without error all of them are in the knowledge base, else none. Files may be packed (gzip, bzip2,
Zstandard); - is standard input. Blank nodes of a load meet no others. To load what is known of a collection, take 'varve kb export NAME' in between.

Exit codes: 0 loaded, 1 loaded without some bad lines (--skip-bad), 2 could not.`,
		Example: `  varve kb load people.ttl facts.nq.gz
  varve kb load --graph http://example.org/source dump.nt --skip-bad
  varve kb export news --output news.nq && varve kb load news.nq`,
		Args: needArgs(1, "files to load"),
		RunE: func(c *cobra.Command, args []string) error {
			var r kbReport
			stdin := &rereadInput{in: c.InOrStdin()}
			defer stdin.close()
			told := int64(0)
			read := func(scope string) iter.Seq2[rdf.Quad, error] {
				return func(yield func(rdf.Quad, error) bool) { // a store may ask twice
					in, err := stdin.reader(slices.Contains(args, "-") && place.endpoint == "")
					if err != nil {
						yield(rdf.Quad{}, err)
						return
					}
					r.Bad = 0
					o.read(args, in, scope, func(e *rdf.Error) bool {
						if r.Bad++; r.Bad <= 20 && r.Bad > told {
							told = r.Bad
							fmt.Fprintf(c.ErrOrStderr(), "left out: %v\n", e)
						}
						return true
					})(yield)
				}
			}
			var err error
			if place.endpoint != "" {
				var base client.Base
				if base, err = place.open(&limits, false); err == nil {
					r.Quads, err = base.Insert(c.Context(), read("b"))
					err = errors.Join(err, base.Close())
				}
			} else {
				var s *triplestore.Store
				if s, err = openKB(place.store, false); err != nil {
					return err
				}
				loaded, loadErr := s.Load(c.Context(), read)
				r.Quads, r.Terms = loaded.Quads, loaded.Terms
				err = errors.Join(loadErr, s.Close())
			}
			if err != nil {
				return kbError("load", err)
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), r)
			} else {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d quads loaded, %d terms; %d bad lines left out\n", r.Quads, r.Terms, r.Bad)
			}
			if err == nil && r.Bad > 0 {
				err = varve.ErrFindings
			}
			return err
		},
	}
	f := c.Flags()
	kbStore(f, &place.store)
	f.StringVar(&place.endpoint, "endpoint", "", "send the statements to this SPARQL endpoint instead, in one update; VARVE_KB_TOKEN is sent as a bearer token")
	f.DurationVar(&limits.timeout, "timeout", 10*time.Minute, "of --endpoint: how long that may take")
	o.flags(f)
	f.StringVar(&o.graph, "graph", "", "named graph for statements that name none")
	f.BoolVar(&o.skipBad, "skip-bad", false, "leave out lines of N-Triples and N-Quads that cannot be read")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// kbError says of a fault of a document or a query that the input is wrong.
func kbError(op string, err error) error {
	_, document := errors.AsType[*rdf.Error](err)
	_, query := errors.AsType[*sparql.Error](err)
	if document || query {
		return &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
	}
	return err
}

// read returns the quads of files, one file after the other; scope and the number of the file keep their blank nodes apart.
func (o *kbReadOptions) read(files []string, stdin io.Reader, scope string, bad func(*rdf.Error) bool) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for i, name := range files {
			if !o.readFile(name, stdin, fmt.Sprintf("%s%d_", scope, i+1), bad, yield) {
				return
			}
		}
	}
}

func (o *kbReadOptions) readFile(name string, stdin io.Reader, scope string, bad func(*rdf.Error) bool, yield func(rdf.Quad, error) bool) bool {
	named := o.format
	if named == "" {
		named = dump.Bare(name)
	}
	f := rdf.FormatOf(named)
	if f == 0 || !f.Readable() {
		return yield(rdf.Quad{}, &varve.Error{Kind: varve.Invalid, Op: "read " + name, Msg: "its format is not known, or not read", Hint: "--format ntriples, nq, turtle, trig or rdf/xml"}) && false
	}
	in := stdin
	options := rdf.Options{Base: o.base, Scope: scope}
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return yield(rdf.Quad{}, &varve.Error{Kind: varve.NotFound, Op: "read " + name, Err: err}) && false
		}
		defer file.Close()
		in = file
		if path, err := filepath.Abs(name); err == nil && o.base == "" {
			options.Base = (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
		}
	}
	in, err := dump.Unpack(in)
	if err != nil {
		return yield(rdf.Quad{}, fmt.Errorf("read %s: %w", name, err)) && false
	}
	if o.skipBad {
		options.Bad = bad
	}
	for q, err := range rdf.Read(in, f, options) {
		if err != nil {
			return yield(q, fmt.Errorf("%s: %w", name, err)) && false
		}
		if o.graph != "" && q.Graph.Kind == rdf.None {
			q.Graph = rdf.NewIRI(o.graph)
		}
		if !yield(q, nil) {
			return false
		}
	}
	return true
}

// rereadInput is standard input that can be read again from its begin: what was read of it is in a temporary file without a name.
type rereadInput struct {
	in   io.Reader
	file *os.File
}

// reader returns the whole input; keep says whether it is to be read again.
func (k *rereadInput) reader(keep bool) (io.Reader, error) {
	if !keep {
		return k.in, nil
	}
	if k.file != nil {
		if _, err := k.file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		return io.MultiReader(k.file, io.TeeReader(k.in, k.file)), nil
	}
	f, err := os.CreateTemp("", "varve-kb-")
	if err != nil {
		return nil, err
	}
	k.file = f
	return io.TeeReader(k.in, f), os.Remove(f.Name())
}

func (k *rereadInput) close() {
	if k.file != nil {
		_ = k.file.Close()
	}
}

// kbText returns a query from the arguments or from a file.
func kbText(c *cobra.Command, args []string, file string) (string, error) {
	switch {
	case file == "-":
		b, err := io.ReadAll(c.InOrStdin())
		return string(b), err
	case file != "" && len(args) == 0:
		b, err := os.ReadFile(file)
		if err != nil {
			return "", &varve.Error{Kind: varve.NotFound, Op: "read " + file, Err: err}
		}
		return string(b), nil
	case len(args) == 1 && file == "":
		return args[0], nil
	}
	return "", UsageError(c, "needs one query, or --file")
}

// kbLimits are flags that bound a query.
type kbLimits struct {
	timeout time.Duration
	rows    int64
	memory  int64
	disk    int64
	union   bool
}

func (l *kbLimits) flags(f *pflag.FlagSet) {
	f.DurationVar(&l.timeout, "timeout", endpoint.DefaultTimeout, "end a query after this time")
	f.Int64Var(&l.rows, "max-rows", sparql.DefaultRows, "end a query after so many solutions")
	f.Int64Var(&l.memory, "max-memory", sparql.DefaultMemory>>20, "memory of a query in MB; what it must hold beyond goes to temporary files")
	f.Int64Var(&l.disk, "max-disk", sparql.DefaultDisk>>20, "end a query whose temporary files need more than this, in MB; 0 to have none")
	f.BoolVar(&l.union, "union", false, "the default graph is the union of all graphs")
}

// options returns the limits of a query, which puts what it cannot hold into scratch.
func (l *kbLimits) options(scratch sparql.Scratch) sparql.Options {
	if l.disk == 0 {
		scratch = nil
	}
	return sparql.Options{MaxRows: l.rows, MaxMemory: l.memory << 20, Scratch: scratch, MaxDisk: l.disk << 20, UnionDefault: l.union, Now: time.Now(), Rand: kbRandom()}
}

func newKBQueryCommand() *cobra.Command {
	var o kbReadOptions
	var limits kbLimits
	var place kbPlace
	var file, format string
	var data []string
	var asJSON, explain bool
	c := &cobra.Command{
		Use:   "query QUERY",
		Short: "Ask a SPARQL query",
		Long: `Asks a query and prints the answer: solutions of SELECT and the answer of ASK as tsv, csv, json or xml, graphs of CONSTRUCT and DESCRIBE as RDF. With
--data files are asked instead of the knowledge base, with --endpoint an endpoint elsewhere. SERVICE asks the endpoints that --service names, and no others. --explain prints how the query would run, with the number of solutions that is expected of each step.

Exit codes: 0 answered, 2 could not (query wrong, limit reached).`,
		Example: `  varve kb query 'SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s ORDER BY DESC(?n) LIMIT 10'
  varve kb query --file offices.rq --output csv
  varve kb query --data people.ttl 'ASK { ?s ?p "Ann" }'
  varve kb query --endpoint https://query.wikidata.org/sparql 'SELECT ?p { wd:Q183 wdt:P35 ?p }'
  varve kb query --service https://query.wikidata.org/sparql --file joined.rq`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			text, err := kbText(c, args, file)
			if err != nil {
				return err
			}
			if _, err := sparql.Parse(text, o.base); err != nil {
				return kbError("read query", err)
			}
			if asJSON && format == "" {
				format = "json"
			}
			ctx, cancel := context.WithTimeout(c.Context(), limits.timeout)
			defer cancel()
			var r *client.Answer
			switch {
			case len(data) > 0 && place.endpoint != "":
				return UsageError(c, "--data and --endpoint are two things to ask")
			case explain && place.endpoint != "":
				return UsageError(c, "an endpoint elsewhere does not say how it would run a query")
			case len(data) > 0:
				r, err = o.askFiles(ctx, c, data, text, &limits, place.services)
			default:
				base, openErr := place.open(&limits, true)
				if openErr != nil {
					return openErr
				}
				defer func() { err = errors.Join(err, base.Close()) }()
				r, err = base.Query(ctx, text, o.base)
			}
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			if explain {
				_, err := io.WriteString(c.OutOrStdout(), r.Explain())
				return err
			}
			return printResult(c, r, format)
		},
	}
	f := c.Flags()
	place.flags(f)
	o.flags(f)
	limits.flags(f)
	f.StringVar(&file, "file", "", "file with the query; - is standard input")
	f.StringSliceVar(&data, "data", nil, "files of RDF to ask instead of the knowledge base")
	f.StringVar(&format, "output", "", "tsv, csv, json, xml; for graphs turtle, nt, rdf/xml, json-ld (default: tsv, turtle)")
	f.BoolVar(&explain, "explain", false, "print the plan")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// askFiles asks files instead of a knowledge base.
func (o *kbReadOptions) askFiles(ctx context.Context, c *cobra.Command, files []string, text string, l *kbLimits, allowed []string) (*client.Answer, error) {
	services, err := kbServices(allowed)
	if err != nil {
		return nil, err
	}
	var quads []rdf.Quad
	for quad, err := range o.read(files, c.InOrStdin(), "d", nil) {
		if err != nil {
			return nil, kbError("read data", err)
		}
		quads = append(quads, quad)
	}
	limits := l.options(sparql.TempDir(os.TempDir()))
	limits.Services = services
	return client.Ask(ctx, sparql.NewMemory(quads), text, o.base, limits)
}

func printResult(c *cobra.Command, r *client.Answer, format string) error {
	if r.Triples == nil {
		f := sparql.ResultTSV
		if format != "" {
			f = sparql.ResultFormatOf(format)
		}
		if f == 0 {
			return UsageError(c, "solutions are printed as tsv, csv, json or xml")
		}
		_, err := r.Write(c.OutOrStdout(), f)
		return err
	}
	f := rdf.Turtle
	switch format {
	case "":
	case "json":
		f = rdf.JSONLD
	default:
		f = rdf.FormatOf(format)
	}
	if f == 0 {
		return UsageError(c, "a graph is printed as turtle, nt, nq, trig, rdf/xml or json-ld")
	}
	return writeRDF(c.OutOrStdout(), f, r.Prefixes, r.Triples)
}

// writeRDF writes quads as they come.
func writeRDF(w io.Writer, f rdf.Format, prefixes map[string]string, quads iter.Seq2[rdf.Quad, error]) error {
	out := rdf.NewWriter(w, f, prefixes)
	for q, err := range quads {
		if err == nil {
			err = out.Write(q)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

func newKBUpdateCommand() *cobra.Command {
	var limits kbLimits
	var place kbPlace
	var file string
	var asJSON bool
	c := &cobra.Command{
		Use:   "update UPDATE",
		Short: "Change the knowledge base by a SPARQL update",
		Long: `Does an update, all of its operations or none.

Exit codes: 0 done, 2 could not (update wrong, limit reached).`,
		Example: `  varve kb update 'INSERT DATA { <http://example.org/ann> <http://example.org/name> "Ann" }'
  varve kb update --file clean.ru`,
		RunE: func(c *cobra.Command, args []string) error {
			text, err := kbText(c, args, file)
			if err != nil {
				return err
			}
			ops, err := sparql.ParseUpdate(text, "")
			if err != nil {
				return kbError("read update", err)
			}
			base, err := place.open(&limits, false)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(c.Context(), limits.timeout)
			defer cancel()
			if err = errors.Join(base.Update(ctx, text, ""), base.Close()); err != nil {
				return err
			}
			if asJSON {
				return PrintJSON(c.OutOrStdout(), map[string]int{"operations": len(ops)})
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d operations done\n", len(ops))
			return err
		},
	}
	f := c.Flags()
	place.flags(f)
	f.StringVar(&place.updates, "update-endpoint", "", "where updates are sent, if that is not --endpoint")
	limits.flags(f)
	f.StringVar(&file, "file", "", "file with the update; - is standard input")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// kbExport is what is written as RDF, and how.
type kbExport struct {
	place                        kbPlace
	limits                       kbLimits
	archive, graph, format, file string
	json                         bool
}

func newKBExportCommand() *cobra.Command {
	var o kbExport
	c := &cobra.Command{
		Use:   "export [COLLECTION]",
		Short: "Write the knowledge base, or what is known of a collection, as RDF",
		Long: `Without a collection: writes all quads of the knowledge base, or those of one graph, as they are at one moment.
With one: writes what is known of it in the words of 'varve kb model': crawls, captures, versions, verdicts of coherence, and what its texts say (names, terms, times,
opinions, events, facts) as far as 'varve derive' found it. Each capture is a named graph, so the format must hold graphs: nq, trig, json-ld.

Exit codes: 0 written, 1 written without captures of files that have no tables yet, 2 could not.`,
		Example: `  varve kb export --output all.nq
  varve kb export --graph http://example.org/source --format turtle
  varve kb export news --output news.nq`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return o.collection(c, args[0])
			}
			return o.all(c)
		},
	}
	f := c.Flags()
	kbStore(f, &o.place.store)
	f.StringVar(&o.place.endpoint, "endpoint", "", "write what this SPARQL endpoint has instead; VARVE_KB_TOKEN is sent as a bearer token")
	f.DurationVar(&o.limits.timeout, "timeout", 10*time.Minute, "of --endpoint: how long that may take")
	f.Int64Var(&o.limits.memory, "max-memory", 1024, "of --endpoint: MB that are taken of its answer")
	f.StringVar(&o.archive, "archive", "archive", "the archive directory, for a collection")
	f.StringVar(&o.graph, "graph", "", "only this named graph")
	f.StringVar(&o.format, "format", "", "nt, nq, turtle, trig, rdf/xml, json-ld (default: by --output, else nq)")
	f.StringVar(&o.file, "output", "", "file to write (default: standard output)")
	f.BoolVar(&o.json, "json", false, "print JSON-LD")
	return c
}

// formatOf returns the format that was asked for.
func (o *kbExport) formatOf(c *cobra.Command) (rdf.Format, error) {
	f := rdf.NQuads
	switch {
	case o.format != "":
		f = rdf.FormatOf(o.format)
	case o.file != "":
		f = rdf.FormatOf(o.file)
	case o.json:
		f = rdf.JSONLD
	}
	if f == 0 {
		return 0, UsageError(c, "the format is not known: nt, nq, turtle, trig, rdf/xml, json-ld")
	}
	return f, nil
}

// write writes quads to the file or to standard output.
func (o *kbExport) write(c *cobra.Command, f rdf.Format, prefixes map[string]string, quads iter.Seq2[rdf.Quad, error]) error {
	if o.file == "" {
		return writeRDF(c.OutOrStdout(), f, prefixes, quads)
	}
	return NewFile(o.file, func(w io.Writer) error { return writeRDF(w, f, prefixes, quads) })
}

// all writes the knowledge base.
func (o *kbExport) all(c *cobra.Command) (err error) {
	f, err := o.formatOf(c)
	if err != nil {
		return err
	}
	base, err := o.place.open(&o.limits, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	return o.write(c, f, nil, func(yield func(rdf.Quad, error) bool) {
		for q, err := range base.Quads(c.Context(), o.graph) {
			if o.graph != "" && !f.HasGraphs() {
				q.Graph = rdf.Term{}
			}
			if !yield(q, err) {
				return
			}
		}
	})
}

// collection writes what is known of a collection.
func (o *kbExport) collection(c *cobra.Command, name string) error {
	f, err := o.formatOf(c)
	if err != nil {
		return err
	}
	if !f.HasGraphs() || o.graph != "" {
		return &varve.Error{Kind: varve.Invalid, Op: "export " + name, Msg: "each capture is a graph of its own: rules of access are asked by it", Hint: "--format nq, trig or json-ld, without --graph"}
	}
	cols, err := chosenCollections(o.archive, name)
	if err != nil {
		return err
	}
	e := &quads.Export{Collection: cols[0], Dir: derivedDir(cols[0])}
	if err := o.write(c, f, model.Vocabularies(), e.Quads(c.Context())); err != nil {
		if c.Context().Err() != nil {
			return Stopped(c)
		}
		return err
	}
	for _, u := range slices.Sorted(maps.Keys(e.Absent)) {
		fmt.Fprintf(c.ErrOrStderr(), "%d files have no table of %s: 'varve derive --units %s' makes it\n", e.Absent[u], u, u)
	}
	if e.NoPages > 0 {
		fmt.Fprintf(c.ErrOrStderr(), "captures of %d files are missing: run 'varve derive --collection %s' first\n", e.NoPages, name)
		return varve.ErrFindings
	}
	return nil
}

func newKBModelCommand() *cobra.Command {
	var o kbExport
	c := &cobra.Command{
		Use:   "model",
		Short: "Print the ontology in which collections are told",
		Long: `Prints the classes and properties of 'varve kb export COLLECTION' as OWL, in Turtle or another format of RDF. docs/formats/vocabulary.md is made from it.

Exit codes: 0 printed, 2 could not.`,
		Example: `  varve kb model
  varve kb model --format rdf/xml --output varve.owl`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.format == "" && o.file == "" && !o.json {
				_, err := c.OutOrStdout().Write(model.Source)
				return err
			}
			f, err := o.formatOf(c)
			if err != nil {
				return err
			}
			return o.write(c, f, model.Vocabularies(), rdf.Read(bytes.NewReader(model.Source), rdf.Turtle, rdf.Options{}))
		},
	}
	f := c.Flags()
	f.StringVar(&o.format, "format", "", "nt, nq, turtle, trig, rdf/xml, json-ld (default: by --output, else turtle)")
	f.StringVar(&o.file, "output", "", "file to write (default: standard output)")
	f.BoolVar(&o.json, "json", false, "print JSON-LD")
	return c
}

func newKBServeCommand() *cobra.Command {
	var limits kbLimits
	var store, addr string
	var services []string
	var updates, asJSON bool
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the knowledge base as a SPARQL endpoint",
		Long: `Answers the SPARQL 1.1 protocol at /sparql and the graph store protocol at /graphs, on this machine only: there is no login. Updates are
refused unless --updates is given, and always when a page of another site sends them.

Exit codes: 0 ended by a signal, 2 could not (address in use, knowledge base not readable).`,
		Example: `  varve kb serve --addr 127.0.0.1:8082
  curl -H 'Accept: text/csv' --data-urlencode 'query=SELECT * { ?s ?p ?o } LIMIT 5' http://127.0.0.1:8082/sparql`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			host, _, err := net.SplitHostPort(addr)
			if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
				return &varve.Error{Kind: varve.Invalid, Op: "serve", Msg: addr + " can be reached from other machines, and this endpoint has no login", Hint: "use an address such as 127.0.0.1:8082"}
			}
			s, err := openKB(store, true)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			l, err := (&net.ListenConfig{}).Listen(c.Context(), "tcp", addr)
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "serve", Err: err}
			}
			o := limits.options(s.Scratch())
			o.Rand, o.Functions = nil, kbFunctions(store)
			if o.Services, err = kbServices(services); err != nil {
				return errors.Join(err, l.Close())
			}
			server := &http.Server{
				Handler:           endpoint.New(s, endpoint.Config{Updates: updates, Timeout: limits.timeout, Limits: o, Hosts: []string{"localhost", "127.0.0.1", "::1", host}, Rand: kbRandom()}),
				ReadHeaderTimeout: 10 * time.Second,
			}
			if asJSON {
				err = PrintJSON(c.OutOrStdout(), map[string]string{"endpoint": "http://" + l.Addr().String() + "/sparql"})
			} else {
				_, err = fmt.Fprintf(c.OutOrStdout(), "SPARQL at http://%s/sparql, graphs at /graphs; Ctrl-C ends\n", l.Addr())
			}
			if err != nil {
				return errors.Join(err, l.Close())
			}
			done := make(chan error, 1)
			go func() { done <- server.Serve(l) }()
			select {
			case err = <-done:
				return err
			case <-c.Context().Done():
			}
			ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), 10*time.Second)
			defer cancel()
			if err := server.Shutdown(ctx); err != nil {
				return errors.Join(err, server.Close())
			}
			return nil
		},
	}
	f := c.Flags()
	kbStore(f, &store)
	limits.flags(f)
	f.StringVar(&addr, "addr", "127.0.0.1:8082", "address to listen on")
	f.StringArrayVar(&services, "service", nil, "an endpoint that SERVICE in queries may ask; may be repeated (default: none)")
	f.BoolVar(&updates, "updates", false, "let clients change the knowledge base")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
