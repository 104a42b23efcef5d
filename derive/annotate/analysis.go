package annotate

import (
	"context"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/entity"
	"varve/entity/kind"
	"varve/language"
)

// Content is something to be analysed by itself: a file, what somebody sends, a capture.
type Content struct {
	URL      string
	MIME     string // as its server or sender says; "" if nobody does
	Body     []byte
	Time     time.Time // of the capture, or now
	Language string    // ISO 639-1; "" for what the text looks like
	Date     time.Time // of the document; zero for what it says of itself, else Time
	Linker   *Linker   // says which entities the names mean; nil for nothing
	Types    string    // taxonomy of the types of names (varve/entity/kind); "" for none
	Rejected bool      // tell also which types were tested and rejected
	// Hide takes out of the text what whoever asks may not see, before it is analysed, so that places are right; nil for nothing.
	Hide func(text string) string
}

// Analysis is what a content says. Places are bytes of Text.
type Analysis struct {
	URL   string    `json:"url,omitempty"`
	Time  time.Time `json:"time,omitzero"` // of the capture
	Title string    `json:"title,omitempty"`
	Date  time.Time `json:"date,omitzero"`  // of the document
	Text  string    `json:"text"`           // the main text of a page, or all text of what is none
	Note  string    `json:"note,omitempty"` // what was left out
	*language.Document
	Entities []Linked     `json:"entities,omitempty"` // what the names mean, if a Linker was given
	Types    []kind.Typed `json:"types,omitempty"`    // what kinds of things the names are, if a taxonomy was given
}

// Types is the unit that says what kinds of things names are. It is made of mentions.
const Types = "types"

// Above are the units that are asked for and are not of varve/language.
type Above struct{ Entities, Types bool }

// ParseUnits returns units of language by their names, and which of those above them are among these; both need the unit of mentions.
func ParseUnits(names []string) (units []language.Unit, above Above, err error) {
	above = Above{slices.Contains(names, Entities), slices.Contains(names, Types)}
	units, err = language.ParseUnits(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == Entities || n == Types }))
	if (above.Entities || above.Types) && !slices.Contains(units, language.Mentions) {
		units = append(units, language.Mentions)
	}
	return units, above, err
}

// UnitNames lists the names of all units of texts.
func UnitNames() string {
	var names []string
	for _, u := range language.Units() {
		names = append(names, string(u))
	}
	return strings.Join(append(names, Entities, Types), ", ")
}

// Analyse finds what a content says. It reads it as derive reads captures, so the text is that of the table of pages.
func Analyse(ctx context.Context, c Content, o derive.Options, units []language.Unit) (*Analysis, error) {
	p, err := derive.ReadPage(ctx, o, c.URL, c.MIME, c.Time, c.Body)
	if err != nil {
		return nil, err
	}
	if c.Hide != nil {
		p.Text = c.Hide(p.Text)
	}
	if p.Text == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "analyse text", Msg: "there is no text in it", Hint: "text, HTML and documents have some; what was found is of type " + p.Detected}
	}
	out := &Analysis{URL: c.URL, Time: c.Time, Title: p.Title, Date: c.Date, Text: p.Text, Note: p.Error}
	if out.Date.IsZero() {
		out.Date = dateOf(p)
	}
	if c.Language != "" {
		p.Language = c.Language
	}
	a := language.New()
	a.Confidence = true
	out.Document, err = a.Analyse(ctx, language.Text{Text: p.Text, Language: p.Language, Date: out.Date}, units...)
	if err == nil && c.Linker != nil {
		out.Entities, err = c.Linker.Link(ctx, p.Text, out.Mentions, entity.DayOf(out.Date))
	}
	if err == nil && c.Types != "" && language.Tags.Known(p.Language) == nil { // kinds are learned from tagged text
		var m *kind.Model
		if m, err = kind.Default(c.Types); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "type names", Msg: err.Error()}
		}
		out.Types, err = m.Document(ctx, out.Document)
		for i := range out.Types {
			if c.Rejected {
				out.Types[i].Rejected = m.RejectedOf(out.Types[i].Verdict)
			}
		}
	}
	return out, err
}
