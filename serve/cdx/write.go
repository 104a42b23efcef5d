package cdx

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"varve/archive/cdxj"
)

// Write answers a request. Nothing is written before the first row is known, so that an error that
// comes then can still be told otherwise; wrote tells whether something was.
func (r *Request) Write(ctx context.Context, w io.Writer, ix Index, links Links, allow func(*cdxj.Record) bool) (wrote bool, err error) {
	out := &counted{w: w}
	buf := bufio.NewWriterSize(out, 32<<10)
	switch {
	case r.showNumPages:
		err = r.writeCount(buf, ix)
	case r.showIndex:
		err = r.writeStarts(buf, ix)
	default:
		err = r.writeRows(ctx, buf, ix, links, allow)
	}
	if err == nil {
		err = buf.Flush()
	}
	return out.n > 0, err
}

// counted tells whether something was written.
type counted struct {
	w io.Writer
	n int64
}

// Write passes bytes on.
func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func (r *Request) writeRows(ctx context.Context, buf *bufio.Writer, ix Index, links Links, allow func(*cdxj.Record) bool) error {
	a, err := r.run(ctx, ix, allow)
	if err != nil {
		return err
	}
	p := r.printer(buf, links)
	if err := p.begin(); err != nil {
		return err
	}
	for row, err := range a.rows {
		if err == nil {
			err = p.row(&row)
		}
		if err != nil {
			return err
		}
	}
	resume := ""
	if r.showResume {
		resume = a.resume()
	}
	return p.end(resume)
}

// writeCount answers showNumPages: a bare number, or the object of pywb.
func (r *Request) writeCount(buf *bufio.Writer, ix Index) error {
	p, err := r.Counted(ix)
	if err != nil {
		return err
	}
	if r.Dialect == IA {
		_, err = fmt.Fprintln(buf, p.Pages)
		return err
	}
	return json.NewEncoder(buf).Encode(p)
}

// writeStarts answers showPagedIndex: where the blocks of the page begin.
func (r *Request) writeStarts(buf *bufio.Writer, ix Index) error {
	p, err := r.Counted(ix)
	if err != nil || p.Pages == 0 {
		return err
	}
	_, starts, err := ix.Page(r.query, max(0, r.page), r.pageSize)
	if err != nil {
		return pageError(err)
	}
	for _, s := range starts {
		fmt.Fprintln(buf, s)
	}
	return nil
}
