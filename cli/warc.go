package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc/tool"
)

func newWarcCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "warc",
		Short: "Check, print, count, extract, repair and recompress WARC and ARC files",
		Long: `Tools for WARC files (versions 0.17 to 1.1; gzip, zstd or not packed) and ARC files.
None of them changes a file: repair and recompress write a new one and refuse to overwrite.

Where to start:
  varve warc check FILE...             is it valid, and if not, what is wrong and where
  varve warc stat FILE...              what is in it
  varve warc cat FILE --url PREFIX     look at records
  varve warc extract FILE -d DIR       get the pages out
  varve warc repair BAD -o GOOD        save what can be read of a damaged file

The findings are explained in docs/formats/warc-findings.md and by 'varve warc check --rule-list'.`,
	}
	c.AddCommand(
		newWarcCheckCommand(), newWarcCatCommand(), newWarcStatCommand(), newWarcExtractCommand(),
		newWarcRepairCommand(), newWarcRecompressCommand(), newWarcDedupCommand(),
	)
	return c
}

// workers is how many goroutines read one file.
func workers() int { return runtime.GOMAXPROCS(0) }

// forEachInput opens the files one after the other. A file that cannot be read is told and does
// not stop the others; afterwards the error says how many there were.
func forEachInput(c *cobra.Command, names []string, do func(*tool.Input) error) error {
	var failed int
	var last error
	for _, name := range names {
		if err := oneInput(c, name, do); err != nil {
			if c.Context().Err() != nil {
				return Stopped(c)
			}
			if last != nil {
				tellError(c, last)
			}
			failed, last = failed+1, InputError(name, err)
		}
	}
	if failed == 0 || len(names) == 1 {
		return last
	}
	tellError(c, last)
	return &varve.Error{
		Kind: varve.KindOf(last), Op: c.CommandPath(),
		Msg: fmt.Sprintf("%d of %d files could not be read", failed, len(names)), Hint: "the messages above say which and why",
	}
}

func oneInput(c *cobra.Command, name string, do func(*tool.Input) error) (err error) {
	in, err := tool.Open(name, c.InOrStdin())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return do(in)
}

// openInputs opens all files at once, for tools that go back and forth between them.
func openInputs(c *cobra.Command, names []string) ([]*tool.Input, func(), error) {
	var inputs []*tool.Input
	closeAll := func() {
		for _, in := range inputs {
			_ = in.Close() // they were only read
		}
	}
	for _, name := range names {
		in, err := tool.Open(name, c.InOrStdin())
		if err != nil {
			closeAll()
			return nil, nil, InputError(name, err)
		}
		inputs = append(inputs, in)
	}
	return inputs, closeAll, nil
}

func tellError(c *cobra.Command, err error) {
	fmt.Fprintln(c.ErrOrStderr(), "varve:", err)
	if hint := varve.HintOf(err); hint != "" {
		fmt.Fprintln(c.ErrOrStderr(), "  ", hint)
	}
}

// Stopped is what a command returns that was interrupted.
func Stopped(c *cobra.Command) error {
	fmt.Fprintln(c.ErrOrStderr(), "varve: stopped")
	return varve.ErrFindings
}

// InputError says in words what is wrong with a file and what to do about it.
func InputError(name string, err error) error {
	var known *varve.Error
	if errors.As(err, &known) {
		return err
	}
	e := &varve.Error{Kind: varve.Unavailable, Op: "read " + name, Err: err}
	for _, k := range inputErrors {
		if errors.Is(err, k.is) {
			e.Kind, e.Hint = k.kind, k.hint
			break
		}
	}
	return e
}

var inputErrors = []struct {
	is   error
	kind varve.Kind
	hint string
}{
	{fs.ErrNotExist, varve.NotFound, "is the path right?"},
	{fs.ErrPermission, varve.Forbidden, "who may read it? (ls -l)"},
	{fs.ErrExist, varve.Conflict, "nothing is overwritten: choose another name, or remove the old file"},
	{tool.ErrNoRecords, varve.Invalid, "is it really a WARC or ARC file?"},
	{tool.ErrArc, varve.Invalid, "'varve warc repair --arc-to-warc IN -o OUT.warc.gz' writes it as WARC"},
	{tool.ErrNotExact, varve.Invalid, "'varve warc repair IN -o OUT' saves all that can be read"},
	{tool.ErrShared, varve.Invalid, "'varve warc recompress IN -o OUT' gives every record its own member"},
	{tool.ErrStream, varve.Invalid, "name a file instead of '-'"},
	{tool.ErrNotFound, varve.NotFound, "'varve warc cat --headers FILE' shows what is there"},
	{tool.ErrLimit, varve.Invalid, "raise the limit with --max-size, --max-files or --max-total"},
}
