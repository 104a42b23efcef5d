package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varve/archive/warc"
	"varve/archive/warc/tool"
	"varve/web/canon"
)

// outcome is what came of one file.
type outcome struct {
	exit     int
	packing  string
	records  map[string]int64
	byOffset int64
	findings []string
	in       *tool.Input
	places   []place
	origins  *warc.MemoryOriginals
}

// place is where a record lies, and a sum of its header and block.
type place struct {
	offset, inner int64
	sum           [32]byte
}

// examine reads a file in every way that the expectations are about.
func examine(ctx context.Context, in *tool.Input) (*outcome, error) {
	o := &outcome{in: in, records: map[string]int64{}, origins: warc.NewMemoryOriginals()}
	var found []warc.Finding
	checker := tool.NewChecker(tool.CheckOptions{Workers: 2, OnFinding: func(f warc.Finding) { found = append(found, f) }})
	sum, err := checker.File(ctx, in)
	sums := []tool.FileCheck{sum}
	checker.Finish(sums)
	switch {
	case errors.Is(err, tool.ErrNoRecords):
		o.exit = 2
	case err != nil:
		return nil, err
	case sums[0].Total() > 0:
		o.exit = 1
	}
	o.packing = string(sum.Packing)
	o.findings = findingTexts(found)
	if err := o.readAll(); err != nil {
		return nil, err
	}
	return o, o.readByOffset()
}

// findingTexts groups findings: "rule@offset,offset", in the order of the rules' first appearance.
func findingTexts(found []warc.Finding) []string {
	var order []warc.Rule
	offsets := map[warc.Rule][]string{}
	for _, f := range found {
		if _, there := offsets[f.Rule]; !there {
			order = append(order, f.Rule)
		}
		offsets[f.Rule] = append(offsets[f.Rule], strconv.FormatInt(f.Offset, 10))
	}
	out := make([]string, 0, len(order))
	for _, rule := range order {
		out = append(out, string(rule)+"@"+strings.Join(offsets[rule], ","))
	}
	return out
}

// readAll reads in sequence.
func (o *outcome) readAll() error {
	r, err := o.in.File.ReaderAt(0, warc.Options{Policy: warc.Silent()})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		o.records[rec.Type()]++
		if t := rec.Type(); t == warc.TypeResponse || t == warc.TypeResource {
			date, _ := rec.Date()
			o.origins.Add(warc.Ref{
				RecordID: rec.ID(), URI: rec.TargetURI(), Key: canon.SURT(rec.TargetURI()), Date: date,
				Digest: rec.Header.Get(warc.FieldPayloadDigest), File: rec.File, Offset: rec.Offset,
			})
		}
		o.places = append(o.places, place{rec.Offset, rec.Inner, sumRecord(rec)})
	}
}

func sumRecord(rec *warc.Record) (sum [32]byte) {
	h := sha256.New()
	io.WriteString(h, rec.Raw)
	_, _ = io.Copy(h, rec.Block) // damaged blocks are summed as far as they go
	h.Sum(sum[:0])
	return sum
}

// readByOffset reads every record again by its offset alone and counts those that are the same.
func (o *outcome) readByOffset() error {
	for _, p := range o.places {
		r, err := o.in.File.ReaderAt(p.offset, warc.Options{Policy: warc.Silent()})
		if err != nil {
			return err
		}
		rec, err := r.Next()
		if err == nil && rec.Offset == p.offset && sumRecord(rec) == p.sum {
			o.byOffset++
		}
		if err := r.Close(); err != nil {
			return err
		}
	}
	return nil
}

// fact gives what the file says to the left side of a fact: "what offset".
func (o *outcome) fact(question string) string {
	words := strings.Fields(question)
	if len(words) < 2 {
		return "not a fact: " + question
	}
	where := words[len(words)-1]
	rec, done, err := o.record(where)
	if err != nil {
		return err.Error()
	}
	defer done()
	name := ""
	if len(words) > 2 {
		name = words[1]
	}
	return o.tell(rec, words[0], name)
}

// record opens the record at "offset" or "offset+inner".
func (o *outcome) record(where string) (*warc.Record, func(), error) {
	offset, inner, _ := strings.Cut(where, "+")
	at, err := strconv.ParseInt(offset, 10, 64)
	if err != nil {
		return nil, nil, err
	}
	var in int64
	if inner != "" {
		if in, err = strconv.ParseInt(inner, 10, 64); err != nil {
			return nil, nil, err
		}
	}
	r, err := o.in.File.ReaderAt(at, warc.Options{Policy: warc.Silent(), Verify: true})
	if err != nil {
		return nil, nil, err
	}
	for {
		rec, err := r.Next()
		if err != nil || rec.Offset != at {
			r.Close()
			return nil, nil, fmt.Errorf("no record at %s", where)
		}
		if rec.Inner == in {
			return rec, func() { r.Close() }, nil
		}
	}
}

func (o *outcome) tell(rec *warc.Record, what, name string) string {
	switch what {
	case "uri":
		return rec.TargetURI()
	case "surt":
		return canon.SURT(rec.TargetURI())
	case "field":
		return strings.Join(rec.Header.Values(name), " | ")
	case "date":
		date, err := rec.Date()
		if err != nil {
			return "unreadable"
		}
		return date.Format("2006-01-02T15:04:05.999999999Z")
	case "form":
		_, _ = rec.Finish() // findings were told by check
		return string(rec.PayloadForm())
	case "content":
		return contentText(rec)
	case "revisit":
		ref, step, ok := warc.Resolve(rec, canon.SURT(rec.TargetURI()), o.origins)
		if !ok {
			return "no original"
		}
		return fmt.Sprintf("%s %d", step, ref.Offset)
	}
	return tellHTTP(rec, what, name)
}

// tellHTTP answers questions about the HTTP message.
func tellHTTP(rec *warc.Record, what, name string) string {
	h, err := rec.HTTP()
	if err != nil {
		return err.Error()
	}
	switch what {
	case "status":
		return strconv.Itoa(h.Status)
	case "http":
		return strings.Join(h.Header.Values(name), " | ")
	case "key":
		var body bytes.Buffer
		if _, err := io.Copy(&body, h.Payload()); err != nil {
			return err.Error()
		}
		key, _ := canon.RequestKey(h.Method, rec.TargetURI(), h.Header.Get("Content-Type"), body.Bytes())
		return key
	}
	return "nobody knows what " + what + " is"
}

// contentText gives length and sum of the decoded content.
func contentText(rec *warc.Record) string {
	c, err := rec.Content()
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	h := sha256.New()
	n, err := io.Copy(h, c)
	text := fmt.Sprintf("%d %s", n, hex.EncodeToString(h.Sum(nil)[:4]))
	if err != nil {
		text += " short"
	}
	return text
}
