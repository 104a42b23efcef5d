package opensearch_test

import (
	"testing"

	"varve/cluster/opensearch"
	"varve/index/cdx"
	"varve/index/cdx/cdxtest"
	"varve/index/fulltext"
	"varve/index/fulltext/texttest"
	"varve/lab/opensearchd"
)

func client(t *testing.T, cfg opensearch.Config) *opensearch.Client {
	t.Helper()
	none := 0
	cfg.Replicas = &none
	c, err := opensearch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// loaded loads a table, and opens it.
func loaded(t *testing.T, c *opensearch.Client, collection, versions string, l fulltext.Labels) *opensearch.Text {
	t.Helper()
	engine, err := fulltext.NewEngine()
	if err != nil {
		t.Fatal(err)
	}
	table, err := engine.OpenTable(versions, l)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.LoadText(t.Context(), collection, table, false, nil); err != nil {
		t.Fatal(err)
	}
	text, err := c.Text(t.Context(), collection)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestDrillConformance runs the suite of text indexes on a real OpenSearch.
func TestDrillConformance(t *testing.T) {
	s := opensearchd.Start(t)
	c := client(t, opensearch.Config{Address: s.Address})
	texttest.Run(t, func(t *testing.T, collection, versions string, l fulltext.Labels) fulltext.Text {
		return loaded(t, c, collection, versions, l)
	})
}

// TestDrillCaptures runs the suite of indexes of captures on a real OpenSearch.
func TestDrillCaptures(t *testing.T) {
	s := opensearchd.Start(t)
	c := client(t, opensearch.Config{Address: s.Address})
	cdxtest.Run(t, func(t *testing.T, dir string) cdx.Captures {
		if _, err := c.LoadCaptures(t.Context(), "cdxtest", dir, false, nil); err != nil {
			t.Fatal(err)
		}
		x, err := c.Captures(t.Context(), "cdxtest")
		if err != nil {
			t.Fatal(err)
		}
		return x
	})
}
