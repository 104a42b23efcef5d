package main

import (
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varve"
	"varve/archive/warc"
	"varve/lab/eval/debates"
)

func newSpeechesCommand() *cobra.Command {
	var out string
	var from, to int
	c := &cobra.Command{
		Use:   "speeches FILE... --out FILE.warc.gz",
		Short: "Make a WARC file of speeches, as if each had been a page captured in its year",
		Long: `Reads files of speeches, a JSON object a line with state, session, year and text, packed or not, and writes each as a page
http://STATE.debate.test/YEAR that was captured on 25 September of its year. So a corpus of texts can be looked at like an archive:
'varve import', 'varve derive', 'varve index', 'varve serve'. No web server was asked, and the file says so.

Exit codes: 0 done, 2 could not.`,
		Example: `  varve-lab speeches ../shared/data/evolution/ungdc/1990s.jsonl.gz --from 1990 --to 1993 --out debate.warc.gz`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return &varve.Error{Kind: varve.Invalid, Op: "write " + out, Err: err, Hint: "--out names a file that is not there yet"}
			}
			n, err := writeSpeeches(f, args, from, to)
			if err = errors.Join(err, f.Close()); err != nil {
				return errors.Join(err, os.Remove(out))
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%d speeches of %d to %d: %s\n", n, from, to, out)
			return err
		},
	}
	c.Flags().StringVar(&out, "out", "", "the WARC file, which must not be there yet")
	c.Flags().IntVar(&from, "from", 1946, "the first year")
	c.Flags().IntVar(&to, "to", 2100, "the last year")
	_ = c.MarkFlagRequired("out") // the flag is there
	return c
}

// writeSpeeches writes the speeches of some years as records.
func writeSpeeches(w io.Writer, files []string, from, to int) (n int, err error) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return 0, err
	}
	about := "software: varve-lab speeches\r\ndescription: pages made of a corpus of speeches; no web server was asked\r\n"
	info := warc.New(warc.TypeWarcinfo, "<urn:speeches:info>", time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC), warc.Bytes(about)).With(warc.FieldContentType, "application/warc-fields")
	if err := enc.Encode(w, info); err != nil {
		return 0, err
	}
	for _, name := range files {
		for s, err := range debates.Speeches(name) {
			if err != nil {
				return n, &varve.Error{Kind: varve.Invalid, Op: "read speeches", Err: err}
			}
			if s.Year < from || s.Year > to || s.Text == "" {
				continue
			}
			n++
			if err := enc.Encode(w, record(s)); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// record is a speech as the answer of a server.
func record(s *debates.Speech) *warc.Entry {
	var b strings.Builder
	title := fmt.Sprintf("%s in the General Debate of %d", s.State, s.Year)
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head><meta charset=utf-8><title>%s</title></head><body><article><h1>%s</h1>\n", html.EscapeString(title), html.EscapeString(title))
	for line := range strings.SplitSeq(s.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
		}
	}
	b.WriteString("</article></body></html>\n")
	at := time.Date(s.Year, 9, 25, 12, 0, 0, 0, time.UTC)
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n", b.Len())
	url := fmt.Sprintf("http://%s.debate.test/%d", strings.ToLower(s.State), s.Year)
	return warc.New(warc.TypeResponse, fmt.Sprintf("<urn:speeches:%s:%d>", s.State, s.Session), at, warc.Bytes(head+b.String())).With(warc.FieldTargetURI, url).With(warc.FieldContentType, warc.ContentTypeResponse)
}
