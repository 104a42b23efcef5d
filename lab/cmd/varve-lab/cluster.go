package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"varve/cli"
	"varve/clock"
	"varve/lab/cluster"
	"varve/lab/natsd"
	"varve/lab/s3server"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// clusterOptions are the flags of cluster.
type clusterOptions struct {
	keep                 string
	nodes, nats          int
	sites, pages         int
	plain, noServe, noS3 bool
	addr, replayAddr     string
}

func newClusterCommand() *cobra.Command {
	var o clusterOptions
	c := &cobra.Command{
		Use:   "cluster",
		Short: "A whole cluster on this machine: nodes, NATS, S3, a simulated web, and the screens",
		Long: `Starts NATS servers, an S3 server, nodes of one crawl and a simulated web, each a process in a network namespace of its own, with addresses inside of
127/8. The nodes crawl the web together and send their WARC files to S3; then the screens are served until Ctrl-C, with /health. Ctrl-C takes all of it down.

Namespaces need root and the program ip (iproute2). Where they cannot be made, that is said, and everything runs on plain loopback.

Exit codes: 0 shown, 1 interrupted before it was ready, 2 could not.`,
		Example: `  varve-lab cluster
  varve-lab cluster --nodes 5 --plain --no-serve --keep /tmp/cluster`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runCluster(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.keep, "keep", "", "keep archives and servers' files in this directory, which must be new or empty (default: a temporary one, removed)")
	f.IntVar(&o.nodes, "nodes", 3, "nodes of the crawl")
	f.IntVar(&o.nats, "nats", 3, "NATS servers: 1 or 3")
	f.IntVar(&o.sites, "sites", 12, "sites of the simulated web")
	f.IntVar(&o.pages, "pages", 60, "pages of each site")
	f.BoolVar(&o.plain, "plain", false, "no network namespaces: all on plain loopback")
	f.BoolVar(&o.noS3, "no-s3", false, "no S3 server: WARC files stay in the archives")
	f.BoolVar(&o.noServe, "no-serve", false, "end when the crawl is complete")
	f.StringVar(&o.addr, "addr", "127.0.0.1:0", "address of screens and API of the first node; port 0 takes a free one")
	f.StringVar(&o.replayAddr, "replay-addr", "localhost:0", "address of replay; another host name")
	c.AddCommand(newClusterNATSCommand(), newClusterWebCommand(), newClusterDialCommand())
	return c
}

func runCluster(c *cobra.Command, o clusterOptions) (err error) {
	ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	varve, err := cli.Beside("varve", "'make build' builds it")
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, remove, err := demoDir(o.keep)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	out := &oneAtATime{w: c.OutOrStdout()}
	b := &clusterBuild{o: o, dir: dir, varve: varve, self: self, out: out}
	b.cluster = &cluster.Cluster{Network: cluster.NewNetwork(ctx, b.machines(), o.plain), Log: out}
	defer b.cluster.Stop()
	if why := b.cluster.Network.Why(); why != "" {
		fmt.Fprintf(out, "No network namespaces (%s): everything runs on plain loopback.\n", why)
	}
	begun := time.Now()
	err = b.run(ctx)
	if err == nil {
		fmt.Fprintf(out, "\nThe crawl is complete after %s.\n", time.Since(begun).Round(time.Second))
		err = b.show(ctx)
	}
	if ctx.Err() != nil && !b.shown {
		return cli.Stopped(c)
	}
	return err
}

// clusterBuild is a cluster that is being put together.
type clusterBuild struct {
	o                clusterOptions
	dir, varve, self string
	out              io.Writer
	cluster          *cluster.Cluster
	resolve          []string
	s3               string
	shown            bool
}

func (b *clusterBuild) machines() (names []string) {
	for i := range b.o.nodes {
		names = append(names, fmt.Sprintf("node%d", i+1))
	}
	for i := range b.o.nats {
		names = append(names, fmt.Sprintf("nats%d", i+1))
	}
	return append(names, "s3", "web")
}

// services is the list of what runs, in the order in which it is started. Engines that others make join here: between the stores and the nodes.
func (b *clusterBuild) services(ctx context.Context) (list []cluster.Service, err error) {
	list = append(list, b.natsServices()...)
	if !b.o.noS3 {
		s, err := b.s3Service(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return append(list, b.webService()), nil
}

func (b *clusterBuild) run(ctx context.Context) error {
	list, err := b.services(ctx)
	if err != nil {
		return err
	}
	if err := b.cluster.Start(ctx, list...); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(b.dir, "resolve.json"))
	if err == nil {
		err = json.Unmarshal(text, &b.resolve)
	}
	if err != nil {
		return err
	}
	nodes, err := b.nodeServices()
	if err != nil {
		return err
	}
	if err := b.cluster.Start(ctx, nodes...); err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%d nodes crawl %d sites. Each node has an archive: %s\n", b.o.nodes, b.o.sites, filepath.Join(b.dir, "node*"))
	return b.cluster.Wait(ctx)
}

func (b *clusterBuild) natsURL() string {
	var urls []string
	for i := range b.o.nats {
		name := fmt.Sprintf("nats%d", i+1)
		urls = append(urls, fmt.Sprintf("nats://%s:%d", b.cluster.Network.Addr(name), b.cluster.Network.Port(name, 14222)))
	}
	return strings.Join(urls, ",")
}

func (b *clusterBuild) natsServices() (list []cluster.Service) {
	n := b.cluster.Network
	var routes []string
	for i := range b.o.nats {
		name := fmt.Sprintf("nats%d", i+1)
		routes = append(routes, net.JoinHostPort(n.Addr(name), strconv.Itoa(n.Port(name, 16222))))
	}
	for i := range b.o.nats {
		name := fmt.Sprintf("nats%d", i+1)
		addr := net.JoinHostPort(n.Addr(name), strconv.Itoa(n.Port(name, 14222)))
		args := []string{"cluster", "nats", "--name", name, "--addr", addr, "--dir", filepath.Join(b.dir, name)}
		if b.o.nats > 1 {
			args = append(args, "--cluster", routes[i], "--routes", strings.Join(routes, ","))
		}
		list = append(list, cluster.Service{Name: name, Machine: name, Program: b.self, Args: args, Ready: b.cluster.Dials(name, addr)})
	}
	return list
}

func (b *clusterBuild) s3Service(ctx context.Context) (s cluster.Service, err error) {
	program, err := s3server.Build(ctx)
	if err != nil {
		return s, fmt.Errorf("S3 server (--no-s3 goes without): %w", err)
	}
	n, dir := b.cluster.Network, filepath.Join(b.dir, "s3")
	if err := os.MkdirAll(filepath.Join(dir, s3server.Bucket), 0o755); err != nil {
		return s, err
	}
	addr := net.JoinHostPort(n.Addr("s3"), strconv.Itoa(n.Port("s3", 17070)))
	b.s3 = "http://" + addr
	return cluster.Service{
		Name: "s3", Machine: "s3", Program: program, Args: []string{"--port", addr, "--region", s3server.Region, "--quiet", "posix", dir},
		Env: []string{"ROOT_ACCESS_KEY=" + s3server.AccessKey, "ROOT_SECRET_KEY=" + s3server.SecretKey}, Ready: b.cluster.Dials("s3", addr),
	}, nil
}

func (b *clusterBuild) webService() cluster.Service {
	n, ready := b.cluster.Network, filepath.Join(b.dir, "resolve.json")
	return cluster.Service{
		Name: "web", Machine: "web", Program: b.self, Args: []string{
			"cluster", "web", "--addr", n.Addr("web"), "--sites", strconv.Itoa(b.o.sites), "--pages", strconv.Itoa(b.o.pages), "--to", ready,
		},
		Ready: func(context.Context) error { _, err := os.Stat(ready); return err },
	}
}

func (b *clusterBuild) nodeServices() (list []cluster.Service, err error) {
	for i := range b.o.nodes {
		name := fmt.Sprintf("node%d", i+1)
		archive := filepath.Join(b.dir, name)
		if err := os.MkdirAll(archive, 0o755); err != nil {
			return nil, err
		}
		if b.s3 != "" {
			text := fmt.Sprintf("[store]\nkind = \"s3\"\nendpoint = %q\nregion = %q\nbucket = %q\nprefix = %q\n", b.s3, s3server.Region, s3server.Bucket, name)
			if err := os.WriteFile(filepath.Join(archive, "varve.toml"), []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
		args := []string{
			"node", "http://site01.test/", "--archive", archive, "--join", b.natsURL(), "--crawl", "cluster", "--expect", strconv.Itoa(b.o.nodes), "--name", name,
			"--scope", "web", "--delay", "10ms", "--polite-dir", "none", "--min-disk", "0", "--capture", "parser", "--json", "--quiet",
		}
		for _, r := range b.resolve {
			args = append(args, "--resolve", r)
		}
		list = append(list, cluster.Service{
			Name: name, Machine: name, Program: b.varve, Args: args, Ends: true,
			Env: []string{"VARVE_S3_ACCESS_KEY=" + s3server.AccessKey, "VARVE_S3_SECRET_KEY=" + s3server.SecretKey},
		})
	}
	return list, nil
}

// show serves the screens of the first node's archive, on this machine: files and control sockets are the same in all namespaces, and NATS is reached through a pipe.
func (b *clusterBuild) show(ctx context.Context) error {
	status := b.cluster.Network.Command(ctx, "node1", b.varve, "node", "status", "--join", b.natsURL(), "--crawl", "cluster")
	status.Stdout, status.Stderr = b.out, b.out
	_ = status.Run() // 1 where something is left
	b.shown = true
	if b.o.noServe {
		return nil
	}
	fmt.Fprintf(b.out, "The screens of the first node, with /health; Ctrl-C takes all of it down.\n")
	pipe, err := b.pipe(ctx, "nats1", net.JoinHostPort(b.cluster.Network.Addr("nats1"), strconv.Itoa(b.cluster.Network.Port("nats1", 14222))))
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), b.varve, "serve", "--archive", filepath.Join(b.dir, "node1"), "--addr", b.o.addr, "--replay-addr", b.o.replayAddr, "--join", "nats://"+pipe, "--no-crawls")
	cmd.Env = append(os.Environ(), "VARVE_S3_ACCESS_KEY="+s3server.AccessKey, "VARVE_S3_SECRET_KEY="+s3server.SecretKey)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	cmd.Stdout, cmd.Stderr = b.out, b.out
	if err := cmd.Start(); err != nil {
		return err
	}
	<-ctx.Done()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	return cmd.Wait()
}

// pipe is an address of this machine that leads to one of another: each connection is carried by a process there.
func (b *clusterBuild) pipe(ctx context.Context, machine, to string) (string, error) {
	if b.cluster.Network.Why() != "" {
		return to, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				cmd := b.cluster.Network.Command(ctx, machine, b.self, "cluster", "dial", to)
				cmd.Stdin, cmd.Stdout = conn, conn
				_ = cmd.Run() // the connection is over
			}()
		}
	}()
	return l.Addr().String(), nil
}

// newClusterDialCommand carries one connection.
func newClusterDialCommand() *cobra.Command {
	return &cobra.Command{
		Use: "dial ADDR", Hidden: true, Args: cobra.ExactArgs(1), Short: "Carry input and output to an address",
		RunE: func(c *cobra.Command, args []string) error {
			conn, err := net.Dial("tcp", args[0])
			if err != nil {
				return err
			}
			defer conn.Close()
			go func() {
				_, _ = io.Copy(conn, c.InOrStdin())
				conn.Close()
			}()
			_, err = io.Copy(c.OutOrStdout(), conn)
			return err
		},
	}
}

// newClusterNATSCommand is one NATS server of a cluster.
func newClusterNATSCommand() *cobra.Command {
	var o natsd.ServeOptions
	c := &cobra.Command{
		Use: "nats", Hidden: true, Args: cobra.NoArgs, Short: "One NATS server with JetStream",
		RunE: func(c *cobra.Command, _ []string) error { return natsd.Serve(c.Context(), o) },
	}
	f := c.Flags()
	f.StringVar(&o.Name, "name", "n1", "of the server")
	f.StringVar(&o.Addr, "addr", "127.0.0.1:4222", "for clients")
	f.StringVar(&o.Cluster, "cluster", "", "for the other servers; empty: there are none")
	f.StringSliceVar(&o.Routes, "routes", nil, "of all servers")
	f.StringVar(&o.Dir, "dir", "nats", "where it keeps its things")
	return c
}

// newClusterWebCommand serves the simulated web of a cluster.
func newClusterWebCommand() *cobra.Command {
	var addr, to string
	var sites, pages int
	c := &cobra.Command{
		Use: "web", Hidden: true, Args: cobra.NoArgs, Short: "The simulated web of a cluster",
		RunE: func(c *cobra.Command, _ []string) error {
			spec, err := websim.Load("cluster.toml", fmt.Appendf(nil, "[[site]]\nhost = \"site{n}.test\"\ncount = %d\naddr = %q\naddrs = 1\npages = %d\nfanout = 8\nlinks = 6\nexternal = 0.4\nassets = 6\n", sites, addr, pages))
			if err != nil {
				return err
			}
			web, err := websim.New(spec, 24)
			if err != nil {
				return err
			}
			s, err := server.Listen(web, server.Options{Addr: net.JoinHostPort(addr, "0"), Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0), NoTLS: true})
			if err != nil {
				return err
			}
			defer s.Close()
			b, err := json.Marshal(s.Resolve())
			if err != nil {
				return err
			}
			if err := os.WriteFile(to+".new", b, 0o644); err != nil {
				return err
			}
			if err := os.Rename(to+".new", to); err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			<-ctx.Done()
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&addr, "addr", "127.0.0.1", "of the web")
	f.StringVar(&to, "to", "resolve.json", "file that says how sites are reached")
	f.IntVar(&sites, "sites", 12, "how many")
	f.IntVar(&pages, "pages", 60, "of each site")
	return c
}
