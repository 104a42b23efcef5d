package cli

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/wacz"
)

func newWaczCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "wacz",
		Short: "Check, describe, make and unpack WACZ packages",
		Long: `A WACZ package is a ZIP of WARC files with their index, page list and manifest, which replay tools
such as ReplayWeb.page open directly. Versions 1.0.0 to 1.1.1 are read, 1.1.1 is written.

Where to start:
  varve wacz check FILE...                 is it whole, and does the signature hold
  varve wacz info FILE                     what is in it
  varve wacz export OUT.wacz WARC...       pack WARC files
  varve wacz import FILE... DIR            unpack the WARC files of packages

The findings are explained in docs/formats/wacz.md.`,
	}
	c.AddCommand(newWaczCheckCommand(), newWaczInfoCommand(), newWaczExportCommand(), newWaczImportCommand())
	return c
}

// withPackage opens a package for the time of a function.
func withPackage(name string, do func(*wacz.Package) error) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return InputError(name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return InputError(name, err)
	}
	p, err := wacz.Open(name, f, info.Size(), wacz.Limits{})
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read " + name, Err: err, Hint: "is it really a WACZ file, and whole?"}
	}
	return do(p)
}

// readFileLimited reads a small file that the user names: a key, a list of roots.
func readFileLimited(name string) ([]byte, error) {
	const limit = 16 << 20
	f, err := os.Open(name)
	if err != nil {
		return nil, InputError(name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, InputError(name, err)
	}
	if len(b) > limit {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read " + name, Msg: "more than 16 MiB", Hint: "is it the right file?"}
	}
	return b, nil
}
