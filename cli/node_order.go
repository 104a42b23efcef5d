package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/crawl"
	"varve/crawl/nodes"
	"varve/crawl/scope"
)

// newNodeOrderCommands are the commands that say something to all nodes of a crawl, from any machine that reaches the engine.
func newNodeOrderCommands() []*cobra.Command {
	who := orderedBy()
	return []*cobra.Command{
		newNodeOrderCommand("pause", "Have all nodes of a crawl wait", "Nodes finish what is under way and take nothing new. They keep their sites and their leases.", func(o *crawl.Orders) error {
			o.Paused, o.Stopped, o.Why = true, false, "by "+who
			return nil
		}),
		newNodeOrderCommand("resume", "Have all nodes of a crawl go on", "Ends a pause, or lets nodes be started again after 'varve node stop'.", func(o *crawl.Orders) error {
			o.Paused, o.Stopped, o.Why = false, false, ""
			return nil
		}),
		newNodeOrderCommand("stop", "Have all nodes of a crawl end", "Nodes finish what is under way, hand over what is queued and end. 'varve node resume' lets them be started again.", func(o *crawl.Orders) error {
			o.Stopped, o.Why = true, "by "+who
			return nil
		}),
		newNodeLimitsCommand(),
	}
}

func orderedBy() string {
	host, _ := os.Hostname()
	if u, err := user.Current(); err == nil {
		return u.Username + "@" + host
	}
	return host
}

// order changes the orders of a crawl that is defined.
func (n *nodeOptions) order(ctx context.Context, change func(*crawl.Orders) error) (crawl.Orders, error) {
	e, err := n.open(ctx)
	if err != nil {
		return crawl.Orders{}, err
	}
	defer e.Close()
	o, err := nodes.Look(ctx, e, n.crawl)
	switch {
	case err != nil:
		return crawl.Orders{}, err
	case o.State == "not defined":
		return crawl.Orders{}, &varve.Error{Kind: varve.NotFound, Op: "crawl " + n.crawl, Msg: "no node has defined this crawl", Hint: "see that --crawl names the crawl that you mean"}
	case o.State == "complete":
		return crawl.Orders{}, &varve.Error{Kind: varve.Conflict, Op: "crawl " + n.crawl, Err: nodes.ErrEnded}
	}
	return nodes.Order(ctx, e, orderedBy(), change)
}

func newNodeOrderCommand(use, short, long string, change func(*crawl.Orders) error) *cobra.Command {
	n := &nodeOptions{}
	var asJSON bool
	c := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		Long: long + `

Exit codes: 0 all nodes will know it within a second, and those that start later; 2 could not.`,
		RunE: func(c *cobra.Command, _ []string) error {
			o, err := n.order(c.Context(), change)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(o)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "crawl %s: %s is told to all nodes (order %d)\n", n.crawl, use, o.Serial)
			return err
		},
	}
	n.addFlags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the orders in force as JSON")
	return c
}

func newNodeLimitsCommand() *cobra.Command {
	var pages, urls, bytes int64
	var most time.Duration
	c := newNodeOrderCommand("limits", "Put other limits of a crawl in force", `The limits are of the crawl as a whole: what all its nodes capture together, and for how long nodes run. What is not given has no limit.
A crawl that a limit has ended goes on under a higher one when its nodes are started again.

  varve node limits --join nats://a.lib --crawl country --max-pages 2000000 --max-time 504h`, func(o *crawl.Orders) error {
		l := crawl.Limits{MaxPages: pages, MaxURLs: urls, MaxBytes: bytes, MaxTime: scope.Duration(most)}
		o.Limits = &l
		return l.Check()
	})
	f := c.Flags()
	f.Int64Var(&pages, "max-pages", 0, "HTML pages with status 2xx; 0: no limit")
	f.Int64Var(&urls, "max-urls", 0, "answers of any kind; 0: no limit")
	f.Int64Var(&bytes, "max-bytes", 0, "bytes of answers; 0: no limit")
	f.DurationVar(&most, "max-time", 0, "for how long nodes run; 0: no limit")
	return c
}

// limitsText are limits in words.
func limitsText(l crawl.Limits) string {
	var out []string
	for _, one := range []struct {
		most int64
		what string
	}{{l.MaxPages, "pages"}, {l.MaxURLs, "answers"}, {l.MaxBytes, "bytes"}} {
		if one.most > 0 {
			out = append(out, fmt.Sprintf("%d %s", one.most, one.what))
		}
	}
	if l.MaxTime > 0 {
		out = append(out, time.Duration(l.MaxTime).String())
	}
	return strings.Join(out, ", ")
}
