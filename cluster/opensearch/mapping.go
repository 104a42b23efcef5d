package opensearch

import (
	"context"
	"net/http"

	"varve/derive"
	"varve/index/fulltext"
)

// shardMeta is what a shard tells of itself, in the _meta of its mapping.
type shardMeta struct {
	Format     int            `json:"format"`
	Collection string         `json:"collection"`
	Year       string         `json:"year"`
	Mark       string         `json:"mark"`
	Docs       int            `json:"docs"`
	Declared   []derive.Facet `json:"declared,omitempty"`
	Left       int64          `json:"left,omitempty"` // values that were too long
}

// capturesMeta is what an index of captures tells of itself.
type capturesMeta struct {
	Format     int    `json:"format"`
	Collection string `json:"collection"`
	Content    uint64 `json:"content"` // of the embedded index that it was loaded from
	Lines      int64  `json:"lines"`
	Loading    bool   `json:"loading"` // a load has begun and not ended
}

// similarity scores a word by the root of how often it is there. Its weight is the boost, its norm a number of the document: Lucene's own is too coarse.
const similarity = "return query.boost * Math.sqrt(doc.freq);"

// textTemplate is how texts are indexed.
func (c *Client) textTemplate() object {
	props := object{}
	norms := object{}
	for _, f := range fulltext.Fields() {
		props[f] = object{"type": "text", "analyzer": "whitespace", "norms": false, "similarity": "root"}
		norms[f] = object{"type": "float", "index": false}
	}
	keyword := object{"type": "keyword"}
	dynamic := object{"type": "object", "dynamic": true}
	for name, of := range map[string]object{
		"norm": {"properties": norms}, "links": {"type": "double", "index": false}, "id": keyword, "number": {"type": "integer"}, "surt": keyword,
		"from": {"type": "long"}, "last": {"type": "long"}, "until": {"type": "long"}, "seen": {"type": "date", "format": "epoch_millis"},
		"v": dynamic, "w": dynamic, "n": dynamic, "m": dynamic, "row": {"type": "object", "enabled": false},
	} {
		props[name] = of
	}
	var templates []any
	for name, of := range map[string]object{"v": keyword, "w": keyword, "n": keyword, "m": {"type": "float", "index": false}} {
		templates = append(templates, object{name: object{"path_match": name + ".*", "mapping": of}})
	}
	return c.template("text", object{
		"similarity": object{"root": object{"type": "scripted", "script": object{"source": similarity}}},
		"codec":      "best_compression", "mapping": object{"total_fields": object{"limit": 4000}},
	}, object{
		"dynamic": "strict", "_source": object{"includes": []string{"row"}}, "properties": props, "dynamic_templates": templates,
	})
}

// capturesTemplate is how captures are indexed.
func (c *Client) capturesTemplate() object {
	keyword := object{"type": "keyword"}
	return c.template("captures", object{"codec": "best_compression"}, object{
		"dynamic": "strict",
		"properties": object{
			"line": keyword, "id": keyword, "time": keyword, "of": keyword, "block": object{"type": "boolean"},
			"more": object{"type": "keyword", "index": false, "doc_values": false},
		},
	})
}

func (c *Client) template(kind string, settings, mappings object) object {
	settings["number_of_shards"], settings["number_of_replicas"] = c.cfg.Shards, *c.cfg.Replicas
	settings["max_result_window"] = pageSize
	return object{
		"index_patterns": []string{c.cfg.Prefix + "-" + kind + "-*"}, "version": format, "priority": 200,
		"template": object{"settings": object{"index": settings}, "mappings": mappings},
	}
}

// pageSize is how many documents an answer has at most.
const pageSize = 10_000

// putTemplates tells OpenSearch how indexes of these names are made.
func (c *Client) putTemplates(ctx context.Context) error {
	if err := c.ask(ctx, http.MethodPut, "/_index_template/"+c.cfg.Prefix+"-text", c.textTemplate(), nil); err != nil {
		return err
	}
	return c.ask(ctx, http.MethodPut, "/_index_template/"+c.cfg.Prefix+"-captures", c.capturesTemplate(), nil)
}

// metas reads what indexes tell of themselves, by their names; none if there are none.
func metas[M any](ctx context.Context, c *Client, name string) (map[string]M, error) {
	var out map[string]struct {
		Mappings struct {
			Meta M `json:"_meta"`
		} `json:"mappings"`
	}
	err := c.ask(ctx, http.MethodGet, path(name, "/_mapping?filter_path=*.mappings._meta"), nil, &out)
	list := map[string]M{}
	for index, m := range out {
		list[index] = m.Mappings.Meta
	}
	return list, err
}

// putMeta changes what an index tells of itself.
func (c *Client) putMeta(ctx context.Context, index string, meta any) error {
	return c.ask(ctx, http.MethodPut, path(index, "/_mapping"), object{"_meta": meta}, nil)
}
