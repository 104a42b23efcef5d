package derive_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varve/derive"
	"varve/derive/job"
)

// readers are programs that read Parquet without our library; each prints columns and rows of files as JSON.
var readers = []struct{ name, probe, script string }{
	{"pyarrow", "import pyarrow.parquet", `
import json, sys, pyarrow.parquet as pq
for path in sys.argv[1:]:
  t = pq.read_table(path)
  print(json.dumps({"columns": t.schema.names, "rows": t.num_rows, "urls": t.column("url").to_pylist() if "url" in t.schema.names else []}))`},
	{"duckdb", "import duckdb", `
import json, sys, duckdb
for path in sys.argv[1:]:
  f = "read_parquet('%s')" % path
  names = [x[0] for x in duckdb.sql("describe select * from " + f).fetchall()]
  rows = duckdb.sql("select * from " + f + " where true").count("*").fetchall()[0][0]
  print(json.dumps({"columns": names, "rows": rows, "urls": [x[0] for x in duckdb.sql("select url from " + f).fetchall()] if "url" in names else []}))`},
}

// read is what a reader says of a file.
type read struct {
	Columns, URLs []string
	Rows          int
}

// Programs of others read the tables: the same columns, rows and addresses.
func TestIndependentReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here: tables are read by our own library only")
	}
	dir := t.TempDir()
	if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, collection(t, 1, 5), derive.Options{}); err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, name := range []string{"versions", "pages/f0.warc.gz", "links/f0.warc.gz", "hosts", "crawls"} {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)+".parquet"))
	}
	asked := 0
	for _, r := range readers {
		if exec.Command(python, "-c", r.probe).Run() != nil {
			continue
		}
		asked++
		cmd := exec.Command(python, append([]string{"-c", r.script}, paths...)...)
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s", r.name, err, said.String())
		}
		compareTables(t, r.name, paths, json.NewDecoder(strings.NewReader(string(out))))
	}
	if asked == 0 {
		t.Skip("python3 has neither pyarrow nor duckdb here: tables are read by our own library only")
	}
}

func compareTables(t *testing.T, reader string, paths []string, dec *json.Decoder) {
	t.Helper()
	for i, path := range paths {
		var got read
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%s: %s: %v", reader, path, err)
		}
		if got.Rows == 0 || len(got.Columns) < 7 {
			t.Errorf("%s: %s: %d rows, columns %v", reader, path, got.Rows, got.Columns)
		}
		if i > 0 {
			continue
		}
		want := all[derive.VersionRow](t, path)
		if len(got.URLs) != len(want) || got.Rows != len(want) {
			t.Fatalf("%s: %d rows, want %d", reader, got.Rows, len(want))
		}
		for i := range want {
			if got.URLs[i] != want[i].URL {
				t.Errorf("%s: row %d: %q, want %q", reader, i, got.URLs[i], want[i].URL)
			}
		}
	}
}
