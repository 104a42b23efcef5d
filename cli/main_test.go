package cli

import (
	"fmt"
	"os"
	"testing"

	"varve/lab/s3server"
	"varve/lab/simscript"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts in testdata/script run the real program. Four commands are theirs: varve; mkwarc,
// which writes small WARC files, whole or with one defect (see fixture_test.go); sim, which
// serves a simulated web while the script runs (lab/simscript); and s3, which runs an S3 server (lab/s3server).
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"varve": func() { os.Exit(Run(New(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
		"mkwarc": func() {
			if err := mkwarc(os.Args[1:]); err != nil {
				fmt.Fprintln(os.Stderr, "mkwarc:", err)
				os.Exit(1)
			}
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:       "testdata/script",
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"sim": simscript.Serve, "s3": s3server.Script()},
		Condition: s3server.Condition,
	})
}
