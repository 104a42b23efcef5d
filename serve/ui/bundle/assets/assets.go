// Package assets bundles the scripts and style sheets of the screens with esbuild: one file per
// entry in src, minified, with what it imports. A test compares the result with the files that are
// embedded, so that they cannot grow apart.
package assets

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

// entries are the files that screens ask for.
var entries = []string{"app.js", "graph.js", "knowledge.js", "trends.js", "screen.css"}

// Bundle reads dir/src and dir/vendor and gives the files for dir/built by name.
func Bundle(dir string) (map[string][]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, e := range entries {
		r := api.Build(api.BuildOptions{
			AbsWorkingDir: abs, EntryPoints: []string{filepath.Join("src", e)}, Outdir: "built",
			Bundle: true, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
			Format: api.FormatIIFE, Target: api.ES2020, LegalComments: api.LegalCommentsNone, Charset: api.CharsetUTF8,
		})
		if len(r.Errors) > 0 {
			var all []error
			for _, m := range r.Errors {
				at := ""
				if m.Location != nil {
					at = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
				}
				all = append(all, errors.New(at+m.Text))
			}
			return nil, fmt.Errorf("bundle %s: %w", e, errors.Join(all...))
		}
		for _, f := range r.OutputFiles {
			out[filepath.Base(f.Path)] = f.Contents
		}
	}
	return out, nil
}
