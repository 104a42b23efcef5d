package natsd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// ServeOptions are what one server of a cluster of processes is started with.
type ServeOptions struct {
	Name, Dir string
	Addr      string   // for clients
	Cluster   string   // for the other servers; empty: there are none
	Routes    []string // addresses of all servers for each other
}

// Serve runs one server until ctx ends or the process is told to end.
func Serve(ctx context.Context, o ServeOptions) error {
	host, port, err := hostPort(o.Addr)
	if err != nil {
		return err
	}
	opts := &server.Options{
		ServerName: o.Name, Host: host, Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: o.Dir, SyncAlways: true,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 8 << 30,
	}
	if o.Cluster != "" {
		host, port, err := hostPort(o.Cluster)
		if err != nil {
			return err
		}
		opts.Cluster = server.ClusterOpts{Name: "varve", Host: host, Port: port}
		for _, r := range o.Routes {
			opts.Routes = append(opts.Routes, &url.URL{Scheme: "nats", Host: r})
		}
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return err
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	if !s.ReadyForConnections(30 * time.Second) {
		return errors.New("the NATS server does not get ready")
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	return nil
}

func hostPort(addr string) (string, int, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return "", 0, fmt.Errorf("address %s: %w", addr, err)
	}
	return host, port, nil
}
