package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"varve"
)

// newDemoCommand starts the demonstration, which is a program of its own: the simulated web that it needs is no part of an archive.
func newDemoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "What Varve does, on a simulated web",
		Long: `Starts 'varve-lab demo', the program beside this one: it crawls three years of a simulated country, builds
everything, and serves the screens on loopback. All flags and the exit code are those of 'varve-lab demo'.`,
		DisableFlagParsing: true,
		RunE: func(c *cobra.Command, args []string) error {
			lab, err := Beside("varve-lab", "'make demo' in the source builds and runs it; 'go build ./lab/cmd/varve-lab' builds it alone")
			if err != nil {
				return err
			}
			run := exec.CommandContext(c.Context(), lab, append([]string{"demo"}, args...)...)
			run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
			run.Stdin, run.Stdout, run.Stderr = c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()
			err = run.Run()
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ExitCode() == varve.ExitFindings {
				return varve.ErrFindings
			}
			if err != nil {
				return &varve.Error{Kind: varve.Unavailable, Op: "run " + lab, Err: err}
			}
			return nil
		},
	}
}

// Beside finds a program in the folder of this one, or in the path.
func Beside(name, hint string) (string, error) {
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), name)
		if _, err := os.Stat(beside); !errors.Is(err, fs.ErrNotExist) {
			return beside, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &varve.Error{Kind: varve.NotFound, Op: "start " + name, Msg: "it is neither beside this program nor in the path", Hint: hint}
	}
	return path, nil
}
