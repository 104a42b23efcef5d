package derive_test

import (
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
)

// Every column is told in the page on formats.
func TestColumnsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../docs/formats/derivatives.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*parquet.Schema{
		parquet.SchemaOf(derive.PageRow{}), parquet.SchemaOf(derive.Link{}), parquet.SchemaOf(derive.Host{}), parquet.SchemaOf(derive.CrawlDay{}), parquet.SchemaOf(derive.VersionRow{}), parquet.SchemaOf(derive.Inlink{}), parquet.SchemaOf(derive.Medium{}), parquet.SchemaOf(derive.Evidence{}), parquet.SchemaOf(derive.FacetRow{}), parquet.SchemaOf(derive.VersionFacetRow{}),
	} {
		for _, f := range s.Fields() {
			if !strings.Contains(string(page), "`"+f.Name()+"`") {
				t.Errorf("%s.%s is not described", s.Name(), f.Name())
			}
		}
	}
}
