package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
)

// Sizes of what is sent at once.
const (
	bulkBytes = 4 << 20
	bulkDocs  = 500
	bulkTries = 6
)

// bulk sends documents, some at a time, and waits for each lot to be kept before it sends the next.
type bulk struct {
	client *Client
	index  string
	buf    bytes.Buffer
	docs   int
	sent   int64
	told   func(docs int)
	wait   func(context.Context, time.Duration) error
}

func (c *Client) bulk(index string, told func(int)) *bulk {
	return &bulk{client: c, index: index, told: told, wait: pause}
}

// pause waits, unless the context ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add puts a document in; one with the same id is replaced.
func (b *bulk) add(ctx context.Context, id string, doc any) error {
	for _, x := range []any{object{"index": object{"_index": b.index, "_id": id}}, doc} {
		raw, err := json.Marshal(x)
		if err != nil {
			return err
		}
		b.buf.Write(raw)
		b.buf.WriteByte('\n')
	}
	if b.docs++; b.docs < bulkDocs && b.buf.Len() < bulkBytes {
		return nil
	}
	return b.flush(ctx)
}

// flush sends what was put in. What the server has no room for just now is sent again after a while.
func (b *bulk) flush(ctx context.Context) error {
	if b.docs == 0 {
		return nil
	}
	for try := 0; ; try++ {
		err := b.send(ctx)
		if err == nil {
			break
		}
		if !errors.Is(err, errBusy) || try == bulkTries-1 {
			return err
		}
		if err := b.wait(ctx, 200*time.Millisecond<<try); err != nil {
			return err
		}
	}
	b.sent += int64(b.docs)
	if b.told != nil {
		b.told(b.docs)
	}
	b.buf.Reset()
	b.docs = 0
	return nil
}

// send sends the lot. Documents have ids of their own, so that one that is sent twice is there once.
func (b *bulk) send(ctx context.Context) error {
	var out struct {
		Errors bool `json:"errors"`
		Items  []map[string]struct {
			ID     string `json:"_id"`
			Status int    `json:"status"`
			Error  struct{ Type, Reason string }
		} `json:"items"`
	}
	if err := b.client.check(ctx); err != nil {
		return err
	}
	if err := b.client.send(ctx, 4*b.client.cfg.Timeout, http.MethodPost, "/_bulk?filter_path=errors,items.*._id,items.*.status,items.*.error", b.buf.Bytes(), &out); err != nil {
		return err
	}
	if !out.Errors {
		return nil
	}
	for _, item := range out.Items {
		for _, r := range item {
			if r.Status/100 != 2 {
				return fmt.Errorf("load document %s: %w", r.ID, b.client.wrong(r.Status, r.Error.Type, r.Error.Reason))
			}
		}
	}
	return nil
}

// count is how many documents an index has that a query fits; nil fits all.
func (c *Client) count(ctx context.Context, index string, query object) (int64, error) {
	var out struct {
		Count int64 `json:"count"`
	}
	var body any
	if query != nil {
		body = object{"query": query}
	}
	if err := c.ask(ctx, http.MethodPost, path(index, "/_refresh"), nil, nil); err != nil {
		return 0, err
	}
	err := c.ask(ctx, http.MethodPost, path(index, "/_count"), body, &out)
	return out.Count, err
}

// TextReport is what LoadText did.
type TextReport struct {
	Shards int   `json:"shards"`
	Loaded int   `json:"loaded"` // shards; the others were as they should be
	Docs   int64 `json:"docs"`
	Sent   int64 `json:"sent"`           // documents
	Left   int64 `json:"left,omitempty"` // values of facets that are too long
}

// LoadText brings the texts of a collection in OpenSearch up to a table of versions. Shards that are there as they should be stay; others are loaded beside
// those that answer, which all at once they replace. A load that was stopped is gone on with. told gets how many documents are done.
func (c *Client) LoadText(ctx context.Context, collection string, t *fulltext.Table, rebuild bool, told func(docs int)) (rep TextReport, err error) {
	if err := c.putTemplates(ctx); err != nil {
		return rep, err
	}
	years, err := t.Years(ctx)
	if err != nil {
		return rep, err
	}
	alias := c.textAlias(collection)
	have, err := metas[shardMeta](ctx, c, alias+"-*")
	if err != nil && !errors.Is(err, errGone) {
		return rep, err
	}
	if rebuild {
		for index := range have {
			if err := c.drop(ctx, index); err != nil {
				return rep, err
			}
		}
		have = nil
	}
	var wanted []string
	stale := map[string]*shardLoad{}
	for _, y := range years {
		index := c.shardIndex(collection, y.Name, y.Mark)
		wanted = append(wanted, index)
		rep.Docs += int64(y.Docs)
		l, err := c.openShard(ctx, index, shardMeta{Format: format, Collection: collection, Year: y.Name, Mark: y.Mark, Docs: y.Docs, Declared: t.Declared()}, have)
		if err != nil {
			return rep, err
		}
		if l != nil {
			l.bulk.told = told
			stale[y.Name] = l
		}
	}
	rep.Shards, rep.Loaded = len(years), len(stale)
	if err := c.loadShards(ctx, t, stale); err != nil {
		return rep, err
	}
	for _, l := range stale {
		rep.Sent += l.bulk.sent
		rep.Left += l.left
	}
	return rep, c.commit(ctx, alias, wanted, have)
}

// shardLoad is a shard that is being loaded.
type shardLoad struct {
	meta  shardMeta
	index string
	from  int // number of the first document that is sent
	left  int64
	bulk  *bulk
}

// openShard makes the index of a shard, or finds how far it was loaded; nil if it is whole.
func (c *Client) openShard(ctx context.Context, index string, m shardMeta, have map[string]shardMeta) (*shardLoad, error) {
	l := &shardLoad{meta: m, index: index, bulk: c.bulk(index, nil)}
	if old, ok := have[index]; ok {
		if old.Format == m.Format && old.Mark == m.Mark {
			n, err := c.count(ctx, index, nil)
			if err != nil || n == int64(m.Docs) {
				return nil, err
			}
			// Lots are sent one after the other, so that at most the last one is there in part.
			l.from = max(0, int(n)-bulkDocs)
			return l, nil
		}
		if err := c.drop(ctx, index); err != nil {
			return nil, err
		}
	}
	return l, c.create(ctx, index, m)
}

// create makes an index; how is told by its template. While it is loaded nobody asks it.
func (c *Client) create(ctx context.Context, index string, meta any) error {
	return c.ask(ctx, http.MethodPut, path(index, ""), object{"settings": object{"index": object{"refresh_interval": "-1"}}, "mappings": object{"_meta": meta}}, nil)
}

// drop deletes an index, if it is there.
func (c *Client) drop(ctx context.Context, index string) error {
	err := c.ask(ctx, http.MethodDelete, path(index, ""), nil, nil)
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

// loadShards sends the documents of some shards in one pass over the table, and looks that all are there.
func (c *Client) loadShards(ctx context.Context, t *fulltext.Table, stale map[string]*shardLoad) error {
	if len(stale) == 0 {
		return nil
	}
	years := map[string]bool{}
	for y := range stale {
		years[y] = true
	}
	kinds := map[string]derive.FacetKind{}
	for _, d := range t.Declared() {
		kinds[d.Name] = d.Kind
	}
	err := t.Documents(ctx, years, func(d *fulltext.Document) error {
		l := stale[d.Year]
		if d.Number < l.from {
			return nil
		}
		doc, left := documentOf(l.meta.Collection, d, kinds)
		l.left += left
		return l.bulk.add(ctx, strconv.Itoa(d.Number), doc)
	})
	if err != nil {
		return err
	}
	for _, l := range stale {
		if err := l.bulk.flush(ctx); err != nil {
			return err
		}
		n, err := c.count(ctx, l.index, nil)
		if err != nil {
			return err
		}
		if n != int64(l.meta.Docs) {
			return errors.Join(damaged(l.index, int(n), l.meta.Docs), c.drop(ctx, l.index))
		}
		l.meta.Left = l.left
		err = errors.Join(c.putMeta(ctx, l.index, l.meta), c.ask(ctx, http.MethodPut, path(l.index, "/_settings"), object{"index": object{"refresh_interval": nil}}, nil))
		if err != nil {
			return err
		}
	}
	return nil
}

// commit makes the alias lead to the shards that count, and deletes the others.
func (c *Client) commit(ctx context.Context, alias string, wanted []string, have map[string]shardMeta) error {
	var actions []any
	for _, index := range wanted {
		actions = append(actions, object{"add": object{"index": index, "alias": alias}})
	}
	var old []string
	for index := range have {
		if !slices.Contains(wanted, index) {
			old = append(old, index)
			actions = append(actions, object{"remove": object{"index": index, "alias": alias, "must_exist": false}})
		}
	}
	if len(actions) == 0 {
		return nil
	}
	if err := c.ask(ctx, http.MethodPost, "/_aliases", object{"actions": actions}, nil); err != nil {
		return err
	}
	for _, index := range old {
		if err := c.drop(ctx, index); err != nil {
			return err
		}
	}
	return nil
}

// documentOf is a document as it is sent, and how many values of facets were too long for it.
func documentOf(collection string, d *fulltext.Document, kinds map[string]derive.FacetKind) (out object, left int64) {
	v := d.Row
	until := int64(fulltext.Endless)
	if !v.Until.IsZero() {
		until = v.Until.UnixMicro()
	}
	norm := object{}
	out = object{
		"id": fmt.Sprintf("%s/%s/%010d", collection, d.Year, d.Number), "number": d.Number, "surt": pageKey(v.SURT),
		"from": v.From.UnixMicro(), "last": v.Last.UnixMicro(), "until": until, "seen": floorMilli(v.From), "links": fulltext.LinkedBy(int(v.Inlinks)),
		"norm": norm, "row": v,
	}
	for f, list := range d.Words {
		if len(list) > 0 {
			out[f], norm[f] = words(list), fulltext.Norm(len(list))
		}
	}
	has := valuesOf{v: map[string][]string{}, w: map[string][]string{}, n: map[string][]string{}, m: map[string]float64{}}
	for f, name := range d.Facets {
		left += has.add(f, name)
	}
	for _, r := range d.Values {
		left += has.add(r.Facet, r.Value)
		if kinds[r.Facet] == derive.FacetNumbers && len(r.Value) <= mostValue {
			has.number(r.Facet, r.Value, float32(r.Number))
		}
	}
	out["v"], out["w"], out["n"], out["m"] = has.v, has.w, has.n, has.m
	return out, left
}

// floorMilli is the millisecond of an instant.
func floorMilli(t time.Time) int64 {
	micro := t.UnixMicro()
	if micro < 0 {
		micro -= 999
	}
	return micro / 1000
}

// valuesOf are the values of a document: v as they are written, w folded and as they are written, n numbers with what they are about, m those of the whole document.
type valuesOf struct {
	v, w, n map[string][]string
	m       map[string]float64
}

func (h *valuesOf) add(facet, name string) (left int64) {
	if len(name) > mostValue || !utf8.ValidString(name) {
		return 1
	}
	h.v[facet] = append(h.v[facet], name)
	if name != "" {
		h.w[facet] = append(h.w[facet], fulltext.Fold(name)+sep+name)
	}
	return 0
}

func (h *valuesOf) number(facet, about string, x float32) {
	if x != x {
		return // no number compares with it
	}
	about = fulltext.Fold(about)
	h.n[facet] = append(h.n[facet], about+sep+hex8(code(x)))
	if old, ok := h.m[facet]; about == "" && (!ok || float64(x) > old) {
		h.m[facet] = float64(x)
	}
}

// Forget deletes what OpenSearch has of a collection.
func (c *Client) Forget(ctx context.Context, collection string) error {
	have, err := metas[shardMeta](ctx, c, c.textAlias(collection)+"-*")
	if err != nil && !errors.Is(err, errGone) {
		return err
	}
	for index := range have {
		if err := c.drop(ctx, index); err != nil {
			return err
		}
	}
	return c.drop(ctx, c.capturesIndex(collection))
}

// LoadError says what to do about a load that ended early.
func LoadError(collection string, err error) error {
	if err == nil {
		return nil
	}
	hint := "run it again: it goes on where it was"
	if own := varve.HintOf(err); own != "" && !strings.Contains(own, "run the command again") {
		hint = own + "; then run it again: it goes on where it was"
	} else if own != "" {
		hint = own
	}
	return &varve.Error{Kind: varve.KindOf(err), Op: "load " + collection + " into OpenSearch", Err: err, Hint: hint}
}
