package opensearch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
)

// Text is the texts of a collection. It is safe for concurrent use.
type Text struct {
	client     *Client
	collection string

	mu    sync.Mutex
	state *state

	viewsMu sync.Mutex
	views   []seenState // the newest last
}

var _ fulltext.Text = (*Text)(nil)

// state is the shards that count.
type state struct {
	shards   []*shard
	declared []derive.Facet
	docs     int64
	looked   time.Time
}

type shard struct {
	shardMeta
	index string
}

// stateFor is how long a state is taken for that of now.
const stateFor = 3 * time.Second

// Text returns the texts of a collection. One that was never loaded is a varve.NotFound.
func (c *Client) Text(ctx context.Context, collection string) (*Text, error) {
	t := &Text{client: c, collection: collection}
	_, err := t.now(ctx)
	return t, err
}

// now returns the shards that count now.
func (t *Text) now(ctx context.Context) (*state, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != nil && t.client.cfg.Now().Sub(t.state.looked).Abs() < stateFor {
		return t.state, nil
	}
	list, err := metas[shardMeta](ctx, t.client, t.client.textAlias(t.collection))
	if errors.Is(err, errGone) || err == nil && len(list) == 0 {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "search in " + t.collection, Msg: "OpenSearch has no texts of it", Hint: "varve index --to opensearch --collection " + t.collection,
		}
	}
	if err != nil {
		return nil, err
	}
	next := &state{looked: t.client.cfg.Now()}
	for index, m := range list {
		if m.Format != format {
			return nil, &varve.Error{
				Kind: varve.Unavailable, Op: "search in " + t.collection, Msg: fmt.Sprintf("its texts in OpenSearch are of format %d, and this version reads %d", m.Format, format),
				Hint: "load them anew: varve index --to opensearch --collection " + t.collection,
			}
		}
		next.shards = append(next.shards, &shard{m, index})
		next.docs += int64(m.Docs)
	}
	slices.SortFunc(next.shards, func(a, b *shard) int {
		return cmp.Or(strings.Compare(a.Year, b.Year), strings.Compare(a.index, b.index))
	})
	for _, s := range next.shards {
		for _, d := range s.Declared {
			if !slices.ContainsFunc(next.declared, func(o derive.Facet) bool { return o.Name == d.Name }) {
				next.declared = append(next.declared, d)
			}
		}
	}
	if t.state != nil && slices.EqualFunc(t.state.shards, next.shards, func(a, b *shard) bool { return a.index == b.index }) {
		t.state.looked = next.looked // views of it stay good
		return t.state, nil
	}
	t.state = next
	return next, nil
}

// forget makes the next question look for the shards again.
func (t *Text) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != nil {
		t.state.looked = time.Time{}
	}
}

// known is the last state; what is asked without a context waits as long as a question may.
func (t *Text) known() (*state, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.client.cfg.Timeout)
	defer cancel()
	return t.now(ctx)
}

// Declared returns the facets that analyses brought.
func (t *Text) Declared() []derive.Facet {
	st, err := t.known()
	if err != nil {
		return nil // whoever asks anything is told
	}
	return st.declared
}

// Docs is the number of documents.
func (t *Text) Docs() int64 {
	st, err := t.known()
	if err != nil {
		return 0
	}
	return st.docs
}

// damaged tells that a shard has not what it should.
func damaged(index string, have, want int) error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: "read " + index, Msg: fmt.Sprintf("it has %d documents and should have %d", have, want),
		Hint: "somebody changed it: varve index --to opensearch --rebuild loads it anew",
	}
}

// found is an answer to a search.
type found struct {
	Hits struct {
		Total struct {
			Value int64 `json:"value"`
		} `json:"total"`
		Hits []hit `json:"hits"`
	} `json:"hits"`
	TimedOut bool `json:"timed_out"`
	Shards   struct {
		Failed   int `json:"failed"`
		Failures []struct {
			Reason struct{ Type, Reason string } `json:"reason"`
		} `json:"failures"`
	} `json:"_shards"`
	Aggregations map[string]json.RawMessage `json:"aggregations"`
	Suggest      map[string][]struct {
		Options []struct {
			Text string `json:"text"`
			Freq int64  `json:"freq"`
		} `json:"options"`
	} `json:"suggest"`
	refusal
}

type hit struct {
	Index  string          `json:"_index"`
	Score  float64         `json:"_score"`
	Source json.RawMessage `json:"_source"`
	Sort   []any           `json:"sort"`
	Fields json.RawMessage `json:"fields"`
}

// fields reads the fields of a hit: of each a list with one value at least.
func (h *hit) fields(into map[string]any) error {
	var raw map[string]json.RawMessage
	err := json.Unmarshal(h.Fields, &raw)
	for name, v := range into {
		if err == nil {
			if err = json.Unmarshal(raw[name], v); err == nil && bytes.Equal(raw[name], []byte("[]")) {
				err = errors.New("no value")
			}
		}
	}
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "read " + h.Index, Msg: "a document has not the fields that it should have", Err: err}
	}
	return nil
}

// search asks some indexes. All of them must answer: a part of an answer would be a wrong one.
func (c *Client) search(ctx context.Context, indexes []string, body object) (*found, error) {
	out, err := c.searches(ctx, indexes, body)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// searches asks several questions of the same indexes. The names stand in the body: an address has room for few.
func (c *Client) searches(ctx context.Context, indexes []string, bodies ...object) ([]*found, error) {
	if err := c.check(ctx); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	enc := json.NewEncoder(&raw)
	enc.SetEscapeHTML(false)
	for _, b := range bodies {
		if err := errors.Join(enc.Encode(object{"index": indexes, "allow_partial_search_results": false}), enc.Encode(b)); err != nil {
			return nil, err
		}
	}
	var out struct {
		Responses []*found `json:"responses"`
	}
	if err := c.send(ctx, c.cfg.Timeout, http.MethodPost, "/_msearch", raw.Bytes(), &out); err != nil {
		return nil, err
	}
	if len(out.Responses) != len(bodies) {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "ask OpenSearch", Msg: "it answered another number of questions"}
	}
	for _, f := range out.Responses {
		switch {
		case f.Error.Type != "":
			kind, reason := f.Error.Type, f.Error.Reason
			if len(f.Error.RootCause) > 0 && f.Error.RootCause[0].Type != "" {
				kind, reason = f.Error.RootCause[0].Type, f.Error.RootCause[0].Reason
			}
			return nil, c.wrong(f.Status, kind, reason)
		case f.Shards.Failed > 0:
			r := f.Shards.Failures
			if len(r) == 0 {
				return nil, c.wrong(http.StatusServiceUnavailable, "", "some of its shards did not answer")
			}
			return nil, c.wrong(http.StatusServiceUnavailable, r[0].Reason.Type, r[0].Reason.Reason)
		case f.TimedOut:
			return nil, c.wrong(http.StatusServiceUnavailable, "", "it took too long")
		}
	}
	return out.Responses, nil
}

// part is a shard in a search.
type part struct {
	*shard
	source string
	view   *fulltext.View
	seen   *seenShard
}

// searching is one question under way.
type searching struct {
	client  *Client
	q       *fulltext.Query
	parts   []*part
	indexes []string
	byIndex map[string]*part
	of      int64
	total   int64 // documents, whoever may see them
}

// Ask answers a query of some collections as if they were one.
func (t *Text) Ask(ctx context.Context, sources []fulltext.Source, q fulltext.Query) (*fulltext.Answer, error) {
	out, err := t.once(ctx, sources, q)
	if errors.Is(err, errGone) { // a shard was replaced meanwhile
		for _, s := range sources {
			if x, ok := s.Index.(*Text); ok {
				x.forget()
			}
		}
		out, err = t.once(ctx, sources, q)
	}
	return out, err
}

func (t *Text) once(ctx context.Context, sources []fulltext.Source, q fulltext.Query) (*fulltext.Answer, error) {
	s, declared, err := t.reach(ctx, sources, &q)
	if err != nil {
		return nil, err
	}
	n, err := t.client.engine.Understand(&q, declared)
	if err != nil {
		return nil, err
	}
	if len(s.parts) == 0 {
		return s.none(), nil
	}
	var count func([]fulltext.Term) ([]int64, error)
	if q.Limit > 0 {
		count = func(list []fulltext.Term) ([]int64, error) { return s.counts(ctx, list) }
	}
	w, err := t.client.engine.Weigh(n, s.total, count)
	if err != nil {
		return nil, err
	}
	body, err := s.body(w, n)
	if err != nil {
		return nil, err
	}
	found, err := t.client.search(ctx, s.indexes, body)
	if err != nil {
		return nil, err
	}
	out := &fulltext.Answer{Total: found.Hits.Total.Value, Of: s.of}
	if out.Facets, err = s.facets(ctx, body, found); err != nil {
		return nil, err
	}
	if out.Trend, err = s.trend(found); err != nil {
		return nil, err
	}
	return out, w.Fill(out, n, &q, len(found.Hits.Hits), func(i int) (fulltext.Found, error) { return s.found(&found.Hits.Hits[i]) })
}

// reach finds the shards of the sources that a query is asked of, and the facets that all sources have.
func (t *Text) reach(ctx context.Context, sources []fulltext.Source, q *fulltext.Query) (*searching, []derive.Facet, error) {
	s := &searching{client: t.client, q: q, byIndex: map[string]*part{}}
	for _, src := range sources {
		x, ok := src.Index.(*Text)
		if !ok || x.client != t.client {
			return nil, nil, errors.New("indexes of different engines cannot be asked together")
		}
		st, err := x.now(ctx)
		if err != nil {
			return nil, nil, err
		}
		if !q.Collections(src.Name) {
			continue
		}
		seen, err := x.seen(ctx, st, src.View)
		if err != nil {
			return nil, nil, err
		}
		for i, sh := range st.shards {
			p := &part{sh, src.Name, src.View, seen[i]}
			s.parts = append(s.parts, p)
			s.indexes = append(s.indexes, sh.index)
			s.byIndex[sh.index] = p
			s.of += seen[i].count
			s.total += int64(sh.Docs)
		}
	}
	return s, fulltext.Declared(sources), nil
}

// none is the answer of no index.
func (s *searching) none() *fulltext.Answer {
	out := &fulltext.Answer{}
	if len(s.q.Facets) > 0 {
		out.Facets = map[string][]fulltext.Count{}
		for _, f := range s.q.Facets {
			out.Facets[f] = []fulltext.Count{}
		}
	}
	return out
}

// counts is how many documents have each of some words.
func (s *searching) counts(ctx context.Context, list []fulltext.Term) ([]int64, error) {
	filters := make([]any, len(list))
	for i, t := range list {
		filters[i] = object{"term": object{t.Field: object{"value": word(t.Word)}}}
	}
	found, err := s.client.search(ctx, s.indexes, object{"size": 0, "track_total_hits": false, "aggs": object{"words": object{"filters": object{"filters": filters}}}})
	if err != nil {
		return nil, err
	}
	var a struct {
		Buckets []bucket `json:"buckets"`
	}
	if err := found.aggregation("words", &a); err != nil || len(a.Buckets) != len(list) {
		return nil, errors.Join(err, errors.New("OpenSearch counted another number of words"))
	}
	out := make([]int64, len(list))
	for i, b := range a.Buckets {
		out[i] = b.Count
	}
	return out, nil
}

// visible is a filter of what may be seen; nil if that is all.
func (s *searching) visible() object {
	var list []any
	all := true
	for _, p := range s.parts {
		if p.seen.docs == nil {
			list = append(list, object{"term": object{"_index": p.index}})
			continue
		}
		all = false
		list = append(list, p.seen.only)
	}
	if all {
		return nil
	}
	return either(list...)
}

// mixed is the documents whose anchors are not searched; nil if there are none.
func (s *searching) mixed() object {
	var list []any
	for _, p := range s.parts {
		if p.seen.mixed != nil {
			list = append(list, p.seen.mixes)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return either(list...)
}

// body is the question as OpenSearch is asked.
func (s *searching) body(w *fulltext.Weights, n fulltext.Node) (object, error) {
	t := &translator{weights: w, mixed: s.mixed(), sources: map[string][]string{}}
	for _, p := range s.parts {
		t.sources[p.source] = append(t.sources[p.source], p.index)
	}
	filter := s.conditions()
	if n != nil {
		q, err := t.match(n)
		if err != nil {
			return nil, err
		}
		filter = append(filter, q)
	}
	body := object{"track_total_hits": true, "size": 0, "query": both(filter...)}
	if aggs := s.aggregations(); len(aggs) > 0 {
		body["aggs"] = aggs
	}
	if s.q.Limit == 0 {
		return body, nil
	}
	scores := []any{object{"match_all": object{"boost": 1}}}
	if n != nil {
		var err error
		if scores, err = t.scores(n, nil, false, false); err != nil {
			return nil, err
		}
	}
	links := object{"field_value_factor": object{"field": "links", "missing": 1}}
	if t.mixed != nil {
		links["filter"] = not(t.mixed)
	}
	body["query"] = object{"function_score": object{
		"query":     object{"bool": object{"filter": filter, "should": scores, "minimum_should_match": 0}},
		"functions": []any{links}, "score_mode": "multiply", "boost_mode": "multiply",
	}}
	body["size"], body["sort"], body["_source"] = s.q.Reach(), s.order(), true
	body["track_scores"], body["docvalue_fields"] = true, []string{"number"}
	if s.q.Cursor != "" {
		after, err := parseCursor(s.q.Cursor, len(body["sort"].([]any)))
		if err != nil {
			return nil, err
		}
		body["search_after"] = after
	}
	return body, nil
}

// conditions are view, facets and time.
func (s *searching) conditions() []any {
	out := []any{}
	if v := s.visible(); v != nil {
		out = append(out, v)
	}
	each := func(of map[string][]string, add func(object)) {
		for _, f := range sortedKeys(of) {
			if names := of[f]; f != fulltext.CollectionFacet && len(names) > 0 {
				add(object{"terms": object{"v." + f: names}})
			}
		}
	}
	each(s.q.Filters, func(q object) { out = append(out, q) })
	each(s.q.Without, func(q object) { out = append(out, not(q)) })
	from, until := s.q.Bounds()
	for _, b := range []struct {
		field  string
		bounds [2]int64
	}{{"from", from}, {"until", until}} {
		r := object{}
		if b.bounds[0] > math.MinInt64 {
			r["gte"] = b.bounds[0]
		}
		if b.bounds[1] < math.MaxInt64 {
			r["lte"] = b.bounds[1]
		}
		if b.bounds[0] > b.bounds[1] {
			return []any{nothing}
		}
		if len(r) > 0 {
			out = append(out, object{"range": object{b.field: r}})
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// order is how results are sorted; the ids of documents decide among equal ones.
func (s *searching) order() []any {
	id := object{"id": "asc"}
	facet, about, most := s.q.Sort.Most()
	switch {
	case s.q.Sort == fulltext.ByOldest:
		return []any{object{"from": "asc"}, id}
	case s.q.Sort == fulltext.ByNewest:
		return []any{object{"from": "desc"}, id}
	case most && about == "":
		return []any{object{"m." + facet: object{"order": "desc", "missing": "_last", "unmapped_type": "float"}}, id}
	case most:
		return []any{object{"_script": object{
			"type": "number", "order": "desc",
			"script": object{"lang": "painless", "source": mostScript, "params": object{"field": "n." + facet, "start": fulltext.Fold(about) + sep, "none": lowest}},
		}}, id}
	}
	return []any{object{"_score": "desc"}, id}
}

// lowest comes behind every number.
const lowest = -1

// mostScript finds the highest number about something: its code, which is in the order of numbers.
const mostScript = `
if (!doc.containsKey(params.field)) { return params.none; }
long best = params.none;
for (v in doc[params.field]) {
  if (v.startsWith(params.start)) { best = (long) Math.max(best, Long.parseLong(v.substring(params.start.length()), 16)); }
}
return best;`

// A cursor is what the last hit that was shown was sorted by.
func cursorOf(sort []any) string {
	b, err := json.Marshal(sort)
	if err != nil {
		return ""
	}
	return "o" + base64.RawURLEncoding.EncodeToString(b)
}

func parseCursor(s string, fields int) (out []any, err error) {
	rest, ok := strings.CutPrefix(s, "o")
	b, err := base64.RawURLEncoding.DecodeString(rest)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		err = d.Decode(&out)
	}
	if !ok || err != nil || len(out) != fields {
		return nil, errors.New("the cursor is none that an answer gave")
	}
	return out, nil
}

// found makes of a hit what is shown of it.
func (s *searching) found(h *hit) (out fulltext.Found, err error) {
	p := s.byIndex[h.Index]
	if p == nil {
		return out, fmt.Errorf("a document of %s, which was not asked", h.Index)
	}
	out = fulltext.Found{Source: p.source, Score: h.Score, Cursor: func() string { return cursorOf(h.Sort) }}
	out.Row, err = p.row(h)
	return out, err
}

// row reads the version that a hit is of, as the view lets it be seen.
func (p *part) row(h *hit) (*derive.VersionRow, error) {
	var src struct {
		Row derive.VersionRow `json:"row"`
	}
	var number []int64
	if err := json.Unmarshal(h.Source, &src); err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read " + h.Index, Err: err}
	}
	if p.seen.docs == nil && p.seen.mixed == nil {
		return &src.Row, nil
	}
	if err := h.fields(map[string]any{"number": &number}); err != nil {
		return nil, err
	}
	if p.seen.docs != nil && !p.seen.docs.Contains(uint32(number[0])) {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read " + h.Index, Msg: "OpenSearch gave a document that was not asked for"} // and may not be seen
	}
	if p.seen.mixed != nil && p.seen.mixed.Contains(uint32(number[0])) {
		return &src.Row, p.view.Clear(&src.Row)
	}
	return &src.Row, nil
}

// Versions returns the versions of a page that a view lets through, oldest first.
func (t *Text) Versions(surt string, view *fulltext.View, most int) ([]derive.VersionRow, error) {
	return t.versions(surt, view, most, "asc")
}

// Newest returns the newest version of a page that a view lets through.
func (t *Text) Newest(surt string, view *fulltext.View) (newest derive.VersionRow, ok bool, err error) {
	list, err := t.versions(surt, view, 1, "desc")
	if err != nil || len(list) == 0 {
		return newest, false, err
	}
	return list[0], true, nil
}

func (t *Text) versions(surt string, view *fulltext.View, most int, order string) ([]derive.VersionRow, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.client.cfg.Timeout)
	defer cancel()
	out, err := t.versionsOnce(ctx, surt, view, most, order)
	if errors.Is(err, errGone) {
		t.forget()
		out, err = t.versionsOnce(ctx, surt, view, most, order)
	}
	return out, err
}

func (t *Text) versionsOnce(ctx context.Context, surt string, view *fulltext.View, most int, order string) (out []derive.VersionRow, err error) {
	s, _, err := t.reach(ctx, []fulltext.Source{{Index: t, View: view}}, &fulltext.Query{})
	if err != nil || most <= 0 {
		return nil, err
	}
	filter := []any{object{"term": object{"surt": pageKey(surt)}}}
	if v := s.visible(); v != nil {
		filter = append(filter, v)
	}
	id := order
	var after []any
	for len(out) < most {
		size := min(most-len(out), 500)
		body := object{
			"size": size, "track_total_hits": false, "docvalue_fields": []string{"number"}, "query": both(filter...),
			"sort": []any{object{"from": order}, object{"id": id}},
		}
		if after != nil {
			body["search_after"] = after
		}
		found, err := t.client.search(ctx, s.indexes, body)
		if err != nil {
			return nil, err
		}
		for i := range found.Hits.Hits {
			h := &found.Hits.Hits[i]
			row, err := s.byIndex[h.Index].row(h)
			if err != nil {
				return nil, err
			}
			if row.SURT == surt { // of cut keys the head may be that of another
				out = append(out, *row)
			}
			after = h.Sort
		}
		if len(found.Hits.Hits) < size {
			break
		}
	}
	return out, nil
}

// Rising is not answered: OpenSearch does not keep the words of each document.
func (t *Text) Rising(context.Context, []fulltext.Source, fulltext.Query) (*fulltext.Cloud, error) {
	return nil, &varve.Error{
		Kind: varve.Unavailable, Op: "find words that rise", Msg: "OpenSearch does not answer this question",
		Hint: "'varve serve' without --index opensearch does, on a machine with the text index",
	}
}

// Spelled returns words of all sources that the suggester of OpenSearch finds near a word, by how many documents have them.
func (t *Text) Spelled(ctx context.Context, sources []fulltext.Source, w string, most int) ([]fulltext.Count, error) {
	lower := strings.ToLower(w)
	if n := len([]rune(lower)); n < 3 || n > 40 || most <= 0 {
		return nil, nil
	}
	s, _, err := t.reach(ctx, sources, &fulltext.Query{})
	if err != nil || len(s.parts) == 0 {
		return nil, err
	}
	edits := 1
	if len([]rune(lower)) >= 6 {
		edits = 2
	}
	answer, err := t.client.search(ctx, s.indexes, object{"size": 0, "track_total_hits": false, "suggest": object{"near": object{
		"text": word(lower), "term": object{
			"field": "text", "analyzer": "whitespace", "suggest_mode": "always", "max_edits": edits, "prefix_length": 0, "min_word_length": 3, "size": most, "shard_size": 10 * most,
		},
	}}})
	if err != nil {
		return nil, err
	}
	var out []fulltext.Count
	for _, e := range answer.Suggest["near"] {
		for _, o := range e.Options {
			out = append(out, fulltext.Count{Name: o.Text, Count: o.Freq})
		}
	}
	return out, nil
}
