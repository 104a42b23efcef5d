package wacz

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"

	"varve/archive/cdxj"
	"varve/archive/warc"
	"varve/web/canon"
)

// defaultRecords is how many captures are looked up if nobody says otherwise.
const defaultRecords = 1000

// indexes checks all lines of all indexes, and follows some or all to their records.
func (c *checker) indexes(ctx context.Context) error {
	all, err := c.p.allIndexes()
	if err != nil {
		c.find(warc.Damage, RuleUnreadable, indexDir, 0, "%v", err)
		return nil
	}
	for _, ix := range all {
		n, err := c.indexLines(ctx, ix)
		if err != nil {
			return err
		}
		c.rep.Captures += n
		if err := c.follow(ctx, ix, n); err != nil {
			return err
		}
	}
	return nil
}

// indexLines checks form and order, and counts.
func (c *checker) indexLines(ctx context.Context, ix index) (n int64, err error) {
	var before []byte
	var r cdxj.Record
	line := int64(0)
	for text, err := range ix.lines.Range("", "") {
		if err != nil {
			c.find(warc.Damage, RuleUnreadable, ix.path, line+1, "%v", err)
			return n, nil
		}
		if line++; line%1000 == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		if len(text) == 0 || text[0] == '!' || bytes.HasPrefix(text, cdxHeader) {
			continue
		}
		if bytes.Compare(before, text) > 0 {
			c.find(warc.Framing, RuleIndexOrder, ix.path, line, "the line is less than the one before it")
		}
		before = append(before[:0], text...)
		if err := r.Parse(string(text)); err != nil {
			c.find(warc.Syntax, RuleIndexLine, ix.path, line, "%v", err)
			continue
		}
		n++
	}
	return n, nil
}

// place is a line of an index and what is wrong with the record it points to.
type place struct {
	line    int64
	rec     cdxj.Record
	class   warc.Class
	rule    Rule
	message string
}

// follow looks captures up, in batches so that findings come in the order of the index.
func (c *checker) follow(ctx context.Context, ix index, captures int64) error {
	step := int64(1)
	if want := int64(first64(c.opts.Records, defaultRecords)); want > 0 && captures > want {
		step = (captures + want - 1) / want
	}
	batch := make([]place, 0, 256)
	var n, line int64
	for text, err := range ix.lines.Range("", "") {
		if err != nil {
			break // told by indexLines
		}
		line++
		var r cdxj.Record
		if len(text) == 0 || text[0] == '!' || bytes.HasPrefix(text, cdxHeader) || r.Parse(string(text)) != nil {
			continue
		}
		if n++; (n-1)%step != 0 {
			continue
		}
		batch = append(batch, place{line: line, rec: r})
		if len(batch) == cap(batch) {
			if err := c.lookUp(ctx, ix.path, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return c.lookUp(ctx, ix.path, batch)
}

func first64(values ...int) int {
	for _, v := range values {
		if v != 0 {
			return v
		}
	}
	return 0
}

func (c *checker) lookUp(ctx context.Context, path string, batch []place) error {
	var wg sync.WaitGroup
	next := make(chan *place)
	for range max(1, c.opts.Workers) {
		wg.Go(func() {
			for p := range next {
				p.class, p.rule, p.message = c.record(&p.rec)
			}
		})
	}
	for i := range batch {
		if ctx.Err() != nil {
			break
		}
		next <- &batch[i]
	}
	close(next)
	wg.Wait()
	for i := range batch {
		c.rep.Looked++
		if p := &batch[i]; p.message != "" {
			c.find(p.class, p.rule, path, p.line, "%s", p.message)
		}
	}
	return ctx.Err()
}

// record compares an index line with the record it points to; an empty message means that all is
// well.
func (c *checker) record(r *cdxj.Record) (warc.Class, Rule, string) {
	if message := c.pointsTo(r); message != "" {
		return warc.Damage, RuleRecord, message
	}
	want, ok := r.Get("recordDigest")
	if !ok || r.Length < 0 {
		return "", "", ""
	}
	file, err := c.p.WARC(r.Filename)
	if err != nil || r.Offset+r.Length > file.Size() {
		return warc.Damage, RuleRecord, fmt.Sprintf("%s: %d bytes at %d are not in the file", clip(r.Filename), r.Length, r.Offset)
	}
	s, err := c.p.Section(c.p.warcPath(r.Filename))
	if err != nil {
		return warc.Damage, RuleRecord, err.Error()
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(s, r.Offset, r.Length)); err != nil {
		return warc.Damage, RuleUnreadable, err.Error()
	}
	if got := formatSHA256(h.Sum(nil)); !cdxj.SameDigest(got, want) {
		return warc.Digest, RuleRecordSum, fmt.Sprintf("the record has %s, the index says %s", got, clip(want))
	}
	return "", "", ""
}

// pointsTo tells what is not as the line says.
func (c *checker) pointsTo(r *cdxj.Record) string {
	file, err := c.p.WARC(r.Filename)
	if err != nil {
		return err.Error()
	}
	// What lies at the offset, whatever the line says of it.
	in, err := file.ReaderAt(r.Offset, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return err.Error()
	}
	defer in.Close()
	where := fmt.Sprintf("%s at %d", clip(r.Filename), r.Offset)
	rec, err := in.Next()
	if err != nil {
		return fmt.Sprintf("%s: no record: %v", where, err)
	}
	if rec.Offset != r.Offset {
		return fmt.Sprintf("%s: no record; the next one is at %d", where, rec.Offset)
	}
	if uri := rec.TargetURI(); uri != r.URL && canon.SURT(uri) != canon.SURT(r.URL) {
		return fmt.Sprintf("%s: a record of %s, the index says %s", where, clip(uri), clip(r.URL))
	}
	if date, err := rec.Date(); err == nil && len(r.Timestamp) >= 14 && warc.Timestamp(date) != r.Timestamp[:14] {
		return fmt.Sprintf("%s: a record of %s, the index says %s", where, warc.Timestamp(date), r.Timestamp)
	}
	if r.IsRevisit() != (rec.Type() == warc.TypeRevisit) {
		return fmt.Sprintf("%s: a %s record, the index says %s", where, clip(rec.Type()), clip(r.MIME))
	}
	if digest := rec.Header.Get(warc.FieldPayloadDigest); digest != "" && r.Digest != "" && r.Digest != "-" && !cdxj.SameDigest(digest, r.Digest) {
		return fmt.Sprintf("%s: payload digest %s, the index says %s", where, clip(digest), clip(r.Digest))
	}
	if size, err := rec.Finish(); err == nil && r.Length >= 0 && size != r.Length && in.Compression() != warc.Plain {
		return fmt.Sprintf("%s: a record of %d bytes, the index says %d", where, size, r.Length)
	}
	return ""
}
