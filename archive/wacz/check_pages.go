package wacz

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"varve/archive/warc"
)

// pageLists checks all page lists line by line.
func (c *checker) pageLists(ctx context.Context) error {
	for _, f := range c.p.files {
		if strings.HasPrefix(f.Name, pagesDir) && strings.HasSuffix(f.Name, ".jsonl") {
			if err := c.pageList(ctx, f.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) pageList(ctx context.Context, name string) error {
	r, err := c.p.OpenEntry(name)
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, name, 0, "%v", err)
		return nil
	}
	defer r.Close()
	in := io.LimitReader(&section{ctx: ctx, r: r}, c.p.limits.Unpacked)
	for _, err := range ReadPages(in, c.p.limits.Line) {
		var bad *PageError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			c.rep.Pages++
		case errors.As(err, &bad):
			c.find(warc.Syntax, RulePage, name, bad.Line, "%v", bad.Err)
		default:
			c.find(warc.Damage, RuleUnreadable, name, 0, "%v", err)
		}
	}
	return nil
}

// members checks the packages within a package.
func (c *checker) members(ctx context.Context) error {
	for _, r := range c.manifest.Resources {
		if !strings.HasSuffix(r.Path, ".wacz") || c.p.byPath[r.Path] == nil {
			continue
		}
		if c.depth >= c.p.limits.Nested {
			c.note("%s is nested too deep and was not checked", clip(r.Path))
			continue
		}
		m, err := c.p.Member(r.Path)
		if err != nil {
			c.find(warc.Damage, RuleUnreadable, r.Path, 0, "%v", err)
			continue
		}
		rep, err := check(ctx, m, c.opts, c.depth+1)
		c.rep.Members = append(c.rep.Members, rep)
		if err != nil {
			return err
		}
	}
	return nil
}

// Member opens a package within a package (multi-wacz), which must be stored.
func (p *Package) Member(path string) (*Package, error) {
	s, err := p.Section(path)
	if err != nil {
		return nil, err
	}
	return Open(fmt.Sprintf("%s!%s", p.name, path), s, s.Size(), p.limits)
}
