package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/catalog"
	"varve/archive/whole"
	"varve/clock"
	"varve/cluster/nats"
	"varve/crawl"
	"varve/crawl/nodes"
	"varve/crawl/nodes/engine"
)

// nodeOptions are the flags of a node, and what it has joined.
type nodeOptions struct {
	url, crawl, creds  string
	name               string
	partitions, expect int
	lease              time.Duration

	engine *nats.Engine
	node   *nodes.Node
	id     string
}

// nodeFile is what a node keeps in its collection about a crawl of several nodes.
type nodeFile struct {
	Node  string `json:"node"`  // its name among the others, for good
	Crawl string `json:"crawl"` // id of its part of the crawl in this collection
}

func newNodeCommand() *cobra.Command {
	n := &nodeOptions{}
	o := &crawlOptions{clock: clock.Real(), node: n}
	c := newCrawlCommandOf(o)
	c.ResetCommands()
	c.Use, c.Short = "node [URL...] --join nats://HOST", "Take part in a crawl that several machines make together"
	c.Long = `Makes this process a node of a crawl. The first node gives the seeds and everything else that 'varve crawl' can be told; the others
need only --join and --crawl: they take the definition from the first.

  varve node --join nats://a.lib,b.lib,c.lib --crawl country --seeds list.txt --scope web --contact https://my.library/crawler
  varve node --join nats://a.lib,b.lib,c.lib --crawl country          on the other machines
  varve node status --join nats://a.lib --crawl country               who has what
  varve node pause --join nats://a.lib --crawl country                all nodes wait, until 'varve node resume'
  varve node report --join nats://a.lib --crawl country               one report of all nodes

A site (pay-level domain) belongs to one node. What others find of it is sent to that node through NATS JetStream (servers of version 2.11 or later, with
sync_interval: always). Each node writes WARC files into its own archive directory (--archive), which must not be another's.

A node that is stopped (Ctrl-C) hands its sites over to the others; one that dies loses its lease after ten seconds, and they go on with what it had.
Started again on the same directory, it takes part again. When all nodes have nothing left, the crawl is complete and all of them end.
Limits (--max-pages and the like) are of the crawl as a whole; time is that in which nodes run. Pausing, other limits, rules and
priorities hold for all nodes, whichever is told: 'varve crawl control', the screens of 'varve serve', or 'varve node pause'. docs/scale.md says how many nodes, servers and disks a crawl needs.

Exit codes: 0 the crawl is complete; 1 this node stopped early, or something is missing; 2 could not (wrong credentials, an engine of another
version, a directory in use, a crawl that is defined otherwise).`
	c.RunE = func(c *cobra.Command, args []string) error {
		o.flags = c.Flags()
		if o.due || o.resume || o.definitionName != "" {
			return &varve.Error{Kind: varve.Invalid, Op: "node", Msg: "--due, --resume and --definition are of crawls of one process", Hint: "a node that is started again resumes by itself"}
		}
		return runNode(c.Context(), o, args, c.OutOrStdout(), c.ErrOrStderr())
	}
	f := c.Flags()
	n.addFlags(c)
	f.StringVar(&n.name, "name", "", "name of this node for people (default: the name of the machine)")
	f.IntVar(&n.partitions, "partitions", nodes.DefaultPartitions, "of a new crawl: into how many parts its sites are divided; at least ten for each node that will ever take part")
	f.IntVar(&n.expect, "expect", 0, "of a new crawl: wait, for a minute at most, until so many nodes have joined, so that sites need not move at once")
	f.DurationVar(&n.lease, "lease", 10*time.Second, "how long a node that does not answer keeps its sites; the same on all nodes, at least 8s")
	c.AddCommand(newNodeStatusCommand(), newNodeReportCommand())
	c.AddCommand(newNodeOrderCommands()...)
	return c
}

func (n *nodeOptions) addFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&n.url, "join", "", "NATS servers: nats://[user:password@]HOST[:PORT], several joined by commas (default $VARVE_NATS)")
	f.StringVar(&n.crawl, "crawl", "default", "name of the crawl that the nodes make together")
	f.StringVar(&n.creds, "creds", "", "file with NATS credentials")
}

// open connects to the engine.
func (n *nodeOptions) open(ctx context.Context) (*nats.Engine, error) {
	url := cmp.Or(n.url, os.Getenv("VARVE_NATS"))
	if url == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "node", Msg: "no engine is given", Hint: "--join nats://HOST names the NATS servers"}
	}
	return nats.Open(ctx, nats.Config{URL: url, Creds: n.creds, Crawl: n.crawl, Name: n.name})
}

func runNode(ctx context.Context, o *crawlOptions, args []string, out, progress io.Writer) error {
	if o.node.lease < 8*time.Second && os.Getenv("VARVE_TEST_LEASE") == "" {
		return &varve.Error{Kind: varve.Invalid, Op: "--lease", Msg: "a lease shorter than 8s would be lost whenever the NATS servers choose a new leader"}
	}
	col, err := catalog.Open(o.archive).Collection(o.collection)
	if err != nil {
		return err
	}
	def := crawl.Definition{}
	if len(args) > 0 || o.seedFile != "" || o.posts != "" {
		if def, err = o.definition(args); err != nil {
			return err
		}
	}
	return o.run(ctx, col, def, "", out, progress)
}

// join makes the process a node, and returns the definition of the crawl and the id of its part in the collection, whose lock is ours.
func (n *nodeOptions) join(ctx context.Context, o *crawlOptions, col *catalog.Collection, def crawl.Definition, log *slog.Logger) (crawl.Definition, string, error) {
	if err := inlineSeeds(&def); err != nil {
		return def, "", err
	}
	e, err := n.open(ctx)
	if err != nil {
		return def, "", err
	}
	n.engine = e
	d, created, err := nodes.Define(ctx, e, def, n.partitions)
	if err == nil && !created && len(def.Seeds) > 0 && def.Digest() != d.Definition.Digest() {
		err = &varve.Error{
			Kind: varve.Conflict, Op: "join " + n.crawl, Msg: "the crawl is already defined, and otherwise than here",
			Hint: "join without seeds and settings to take part in it, or choose another name with --crawl",
		}
	}
	if errors.Is(err, nodes.ErrEnded) {
		err = &varve.Error{Kind: varve.Conflict, Op: "join " + n.crawl, Err: err, Hint: "'varve node report' has its report; --crawl names a new one"}
	}
	if err != nil {
		e.Close()
		return def, "", err
	}
	def = d.Definition
	if _, err := o.reach(&def); err != nil { // how this machine reaches the web may differ
		e.Close()
		return def, "", err
	}
	file, err := n.identity(col, o.clock.Now())
	if err != nil {
		e.Close()
		return def, "", err
	}
	host, _ := os.Hostname()
	n.id = file.Node
	n.node, err = nodes.Join(ctx, nodes.Config{
		Engine: e, Crawl: n.crawl, ID: file.Node, Name: cmp.Or(n.name, host), Expect: n.expect, Timing: nodes.Timing{TTL: n.lease}, Clock: o.clock, Log: log,
	}, d)
	if err != nil {
		e.Close()
		return def, "", &varve.Error{Kind: varve.Unavailable, Op: "join " + n.crawl, Err: err, Hint: "see 'varve node status'"}
	}
	return def, file.Crawl, nil
}

// identity finds or makes the name of this node, and the id of its part of the crawl.
func (n *nodeOptions) identity(col *catalog.Collection, now time.Time) (file nodeFile, err error) {
	path := filepath.Join(col.Dir(), "crawls", "node-"+n.crawl+".json")
	b, err := os.ReadFile(path)
	if err == nil {
		return file, json.Unmarshal(b, &file)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	var word [4]byte
	_, _ = rand.Read(word[:])
	file.Node = hex.EncodeToString(word[:])
	id, _, err := col.NewCrawlID(now)
	if err != nil {
		return file, err
	}
	file.Crawl = id
	return file, whole.JSON(path, 0o644, file)
}

// inlineSeeds puts the seeds of a file into the definition: other machines do not have the file.
func inlineSeeds(def *crawl.Definition) error {
	if def.SeedList == nil {
		return nil
	}
	f, err := os.Open(def.SeedList.From)
	if err != nil {
		return err
	}
	defer f.Close()
	more, err := crawl.ReadSeeds(f)
	def.Seeds, def.SeedList = append(def.Seeds, more...), nil
	return err
}

// close leaves where no run has done it, and ends the connection.
func (n *nodeOptions) close() {
	ctx, end := context.WithTimeout(context.Background(), 5*time.Second)
	defer end()
	_ = n.node.Leave(ctx) // over already, or ended by the others in time
	n.engine.Close()
}

// tell keeps the report of this node with the others, and says what the crawl has come to.
func (n *nodeOptions) tell(ctx context.Context, rep *crawl.Report, progress io.Writer) error {
	if err := nodes.KeepReport(ctx, n.engine, n.id, rep); err != nil {
		return err
	}
	reps, err := nodes.Reports(ctx, n.engine)
	if err != nil {
		return err
	}
	all := nodes.Merge(n.crawl, reps)
	fmt.Fprintf(progress, "crawl %s, the %d nodes that have reported: %d pages, %d answers, %d bytes\n", n.crawl, len(reps), all.Pages, all.URLs, all.Bytes)
	return nil
}

func newNodeStatusCommand() *cobra.Command {
	n := &nodeOptions{}
	var asJSON bool
	c := &cobra.Command{
		Use: "status", Short: "Who takes part in a crawl, and what each node has", Args: cobra.NoArgs,
		Long: `Prints the nodes of a crawl, their partitions, what they have captured and what waits, and partitions that nobody has.

Exit codes: 0 all is well; 1 the crawl is not complete and no node runs, or a dead node's sites wait for a new owner; 2 could not.`,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := n.open(c.Context())
			if err != nil {
				return err
			}
			defer e.Close()
			o, err := nodes.Look(c.Context(), e, n.crawl)
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(c.OutOrStdout()).Encode(o)
			} else {
				err = printOverview(c.OutOrStdout(), o, e.Server())
			}
			if err == nil && (o.Orphans > 0 && len(o.Nodes) > 0 || o.State == "no node runs") {
				return varve.ErrFindings
			}
			return err
		},
	}
	n.addFlags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

func printOverview(out io.Writer, o nodes.Overview, server string) error {
	fmt.Fprintf(out, "crawl %s: %s; %d partitions: %d owned, %d released, %d of nodes that are gone; %d messages so far; NATS server %s\n", o.Crawl, o.State, o.Partitions, o.Owned, o.Released, o.Orphans, o.Log, server)
	t := &o.Together
	fmt.Fprintf(out, "together: %d pages, %d answers, %.1f MB, %.0f/s; %d queued; %d failed; %d messages wait; nodes have run for %s\n", t.Pages, t.URLs, float64(t.Bytes)/1e6, t.Rate, t.Queued, t.Failed, o.Waiting, o.Age.Round(time.Second))
	if o.Limits != (crawl.Limits{}) {
		fmt.Fprintf(out, "limits of the crawl: %s\n", limitsText(o.Limits))
	}
	if t.Reached != "" {
		fmt.Fprintf(out, "%s; 'varve node limits' raises it\n", t.Reached)
	}
	if len(t.Nodes) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "NODE\tMACHINE\tSTATE\tPARTITIONS\tMOVING\tPAGES\tANSWERS\tQUEUED\tSENT\tRECEIVED")
	for _, s := range o.Nodes {
		state := s.State
		if s.Why != "" {
			state += ": " + s.Why
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", s.Node, cmp.Or(s.Name, s.Host), state, s.Partitions, s.Moving, s.Pages, s.URLs, s.Queued, s.Routed, s.Received)
	}
	for _, s := range t.Nodes {
		if s.State == nodes.Gone {
			fmt.Fprintf(w, "%s\t%s\t%s\t\t\t%d\t%d\t\t\t\n", s.Node, s.Name, s.State, s.Pages, s.URLs)
		}
	}
	return w.Flush()
}

func newNodeReportCommand() *cobra.Command {
	n := &nodeOptions{}
	c := &cobra.Command{
		Use: "report", Short: "One report of a crawl, merged from those of its nodes", Args: cobra.NoArgs,
		Long: `Prints the report of a crawl of several nodes as JSON (docs/formats/crawl-files.md), merged from the reports of the nodes that have ended.

Exit codes: 0 the crawl is complete; 1 it is not, or something is missing; 2 could not.`,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := n.open(c.Context())
			if err != nil {
				return err
			}
			defer e.Close()
			rep, err := mergedReport(c.Context(), e, n.crawl)
			if err != nil {
				return err
			}
			enc := json.NewEncoder(c.OutOrStdout())
			enc.SetIndent("", "  ")
			if err := enc.Encode(rep); err != nil {
				return err
			}
			if !rep.Complete {
				return varve.ErrFindings
			}
			return nil
		},
	}
	n.addFlags(c)
	c.Flags().Bool("json", true, "print JSON, which is all that there is")
	return c
}

func mergedReport(ctx context.Context, e engine.Engine, name string) (*crawl.Report, error) {
	reps, err := nodes.Reports(ctx, e)
	if err != nil {
		return nil, err
	}
	if len(reps) == 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "report of " + name, Msg: "no node has ended yet", Hint: "'varve node status' says what they do"}
	}
	o, err := nodes.Look(ctx, e, name)
	if err != nil {
		return nil, err
	}
	rep := nodes.Merge(name, reps)
	if o.Together.Reached != "" {
		rep.Why = o.Together.Reached
	}
	rep.Finished = o.State == "complete"
	rep.Complete = rep.Finished && len(crawl.Missing(rep.Gaps)) == 0
	return rep, nil
}
