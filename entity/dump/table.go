package dump

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"varve/entity"
)

// columns are the columns of a table, and what they say. Those with several values have | between them.
var columns = map[string]entity.Says{
	"id": 0, "label": entity.HasLabel, "description": entity.Describes, "kinds": entity.IsA, "names": entity.HasAlias, "same": entity.SameAs,
	"from": entity.Begins, "until": entity.Ends, "place": entity.LiesAt, "popularity": entity.Counts, "phrases": entity.HasPhrase, "links": entity.LinkedFrom,
}

// table reads CSV, or TSV by the name of the file, the first line of which names the columns. "links" are ids of entities that this one links to, "same" other ids of it.
func (d *reading) table(r io.Reader) error {
	lines := &allowance{r: r}
	in := csv.NewReader(lines)
	in.FieldsPerRecord, in.ReuseRecord, in.LazyQuotes = -1, true, true
	if path.Ext(Bare(d.o.Name)) == ".tsv" {
		in.Comma = '\t'
	}
	lines.left = maxLine
	head, err := in.Read()
	if err != nil {
		return &Error{"line 1", fmt.Errorf("no names of columns: %w", err)}
	}
	var says []entity.Says
	id := -1
	for i, name := range head {
		name = strings.ToLower(strings.Trim(name, " \ufeff"))
		s, known := columns[name]
		if !known {
			d.to.Bug(fmt.Sprintf("line 1: column %q is not known: left out", name))
			s = 255
		}
		if name == "id" {
			id = i
		}
		says = append(says, s)
	}
	if id < 0 {
		return &Error{"line 1", errors.New("there is no column id; known are id, label, description, kinds, names, same, from, until, place, popularity, phrases, links")}
	}
	for {
		lines.left = maxLine
		row, err := in.Read()
		line, _ := in.FieldPos(0)
		place := fmt.Sprintf("line %d", line)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			if _, ok := errors.AsType[*csv.ParseError](err); !ok {
				return &Error{fmt.Sprintf("byte %d", in.InputOffset()), err}
			}
			d.to.Bug(fmt.Sprintf("%v: left out", err))
			continue
		case d.ctx.Err() != nil:
			return d.ctx.Err()
		case d.skip():
			continue
		}
		if id < len(row) && strings.TrimSpace(row[id]) != "" {
			d.row(strings.TrimSpace(row[id]), says, row, place)
		} else {
			d.to.Bug(place + ": no id: left out")
		}
		if err := d.to.Unit(); err != nil {
			return err
		}
	}
}

// maxLine bounds a line of a table: a quote that is never closed would take the rest of the file into memory.
const maxLine = 16 << 20

// allowance reads no more than is left.
type allowance struct {
	r    io.Reader
	left int
}

// Read reads what is left at most.
func (a *allowance) Read(b []byte) (int, error) {
	if a.left == 0 {
		return 0, fmt.Errorf("a line of more than %d MB: is a quote not closed?", maxLine>>20)
	}
	n, err := a.r.Read(b[:min(len(b), a.left)])
	a.left -= n
	return n, err
}

func (d *reading) row(id string, says []entity.Says, row []string, place string) {
	d.to.Add(entity.Statement{Subject: id, Says: entity.Exists})
	for i, text := range row {
		if i >= len(says) || text == "" {
			continue
		}
		switch s := says[i]; s {
		case 0, 255:
		case entity.Begins, entity.Ends:
			d.date(id, s, text, place)
		case entity.LiesAt:
			d.place(id, text, place)
		case entity.Counts:
			var n int64
			if _, err := fmt.Sscan(text, &n); err != nil || n < 0 {
				d.to.Bug(fmt.Sprintf("%s: %s: popularity %q is no number", place, id, text))
			} else {
				d.to.Add(entity.Statement{Subject: id, Says: s, Count: n})
			}
		case entity.HasLabel, entity.Describes:
			d.say(id, s, text)
		default:
			for part := range strings.SplitSeq(text, "|") {
				switch part = strings.TrimSpace(part); s {
				case entity.SameAs:
					d.say(part, s, id)
				case entity.LinkedFrom:
					d.say(part, s, id)
				default:
					d.say(id, s, part)
				}
			}
		}
	}
}
