package catalog

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// marcField is a data field of MARC 21: its tag, two indicators, and subfields as pairs of code and value.
type marcField struct {
	tag, indicators string
	subfields       []string
}

// MARC writes the description as a bibliographic record of MARC 21 in XML, by the crosswalk of the Library of Congress from
// Dublin Core: an integrating resource that is read online. Entered is the day of the record.
func (m *Metadata) MARC(entered time.Time) ([]byte, error) {
	var list []marcField
	add := func(tag, indicators, code string, values []string, more ...string) {
		for _, v := range values {
			if v != "" {
				list = append(list, marcField{tag, indicators, append([]string{code, v}, more...)})
			}
		}
	}
	add("245", "00", "a", []string{m.Title})
	add("720", "  ", "a", m.Creator, "e", "author")
	add("653", "  ", "a", m.Subject)
	add("520", "  ", "a", []string{m.Description})
	add("264", " 1", "b", m.Publisher)
	add("720", "  ", "a", m.Contributor, "e", "contributor")
	add("264", " 1", "c", m.Date)
	add("655", " 7", "a", m.Type, "2", "local")
	add("347", "  ", "b", m.Format)
	for _, id := range m.Identifier {
		if strings.HasPrefix(id, "http://") || strings.HasPrefix(id, "https://") {
			add("856", "40", "u", []string{id})
		} else {
			add("024", "8 ", "a", []string{id})
		}
	}
	add("786", "0 ", "n", m.Source)
	add("546", "  ", "a", m.Language)
	add("787", "0 ", "n", m.Relation)
	add("500", "  ", "a", m.Coverage)
	add("540", "  ", "a", m.Rights)
	slices.SortStableFunc(list, func(a, b marcField) int { return cmp.Compare(a.tag, b.tag) })

	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<record xmlns="http://www.loc.gov/MARC21/slim">` + "\n")
	b.WriteString("  <leader>00000nmi a2200000 u 4500</leader>\n")
	fmt.Fprintf(&b, "  <controlfield tag=\"008\">%s</controlfield>\n", m.marc008(entered))
	for _, f := range list {
		fmt.Fprintf(&b, "  <datafield tag=%q ind1=%q ind2=%q>", f.tag, f.indicators[:1], f.indicators[1:])
		for s := range slices.Chunk(f.subfields, 2) {
			fmt.Fprintf(&b, "<subfield code=%q>", s[0])
			if err := xml.EscapeText(&b, []byte(s[1])); err != nil {
				return nil, err
			}
			b.WriteString("</subfield>")
		}
		b.WriteString("</datafield>\n")
	}
	b.WriteString("</record>\n")
	return b.Bytes(), nil
}

// marc008 is the field of fixed length: 40 places, most of which nobody filled.
func (m *Metadata) marc008(entered time.Time) string {
	language := "und"
	if len(m.Language) > 0 && len(m.Language[0]) == 3 {
		language = strings.ToLower(m.Language[0]) // a code as MARC has them; others stand in 546 only
	}
	// day entered, dates not known, no place, an online resource, language, not modified, source of the record other
	return entered.UTC().Format("060102") + "nuuuuuuuu" + "xx " + "     " + "o" + "  " + "j" + " " + "|" + "      " + language + " d"
}
