package statement

import (
	"fmt"
	"reflect"

	"varve/coherence/evidence"
)

// merge compares the pages that are stated with those that the files show. Both come in one order.
type merge struct {
	v      *verifier
	stated *pageReader
	strict bool // made by the same version of the software
	parts  bool // by one that judges pages with their parts
	wait   *Claim
	ended  bool
	noted  bool
}

// page takes a page that the files show.
func (m *merge) page(now *Claim) error {
	m.v.out.Pages++
	for {
		if m.wait == nil && !m.ended {
			next, err := m.stated.next()
			if err != nil {
				return err
			}
			m.wait, m.ended = next, next == nil
		}
		if m.wait == nil || evidence.Order(m.wait.URL) > evidence.Order(now.URL) {
			m.v.out.find(Finding{Kind: PageDiffers, URL: now.URL, Record: now.Visit.Record, Message: "the files have it, the statement does not"})
			return nil
		}
		stated := m.wait
		m.wait = nil
		if stated.URL == now.URL {
			m.compare(stated, now)
			return nil
		}
		m.unknown(stated)
	}
}

// rest tells of pages that are stated and not in the files.
func (m *merge) rest() error {
	for {
		if m.wait != nil {
			m.unknown(m.wait)
		}
		next, err := m.stated.next()
		if err != nil || next == nil {
			return err
		}
		m.wait = next
	}
}

func (m *merge) unknown(p *Claim) {
	m.v.out.find(Finding{Kind: PageDiffers, URL: p.URL, Record: p.Visit.Record, Message: "it is stated, and the files do not have it"})
}

// compare compares one page. What another version of the software says about layers other than bytes
// may differ without anybody having changed anything.
func (m *merge) compare(stated, now *Claim) {
	for _, f := range []struct {
		name        string
		stated, now any
	}{
		{"group", stated.Group, now.Group},
		{"visit", stated.Visit.text(), now.Visit.text()},
		{"revisit", stated.Revisit.text(), now.Revisit.text()},
		{"layer bytes", stated.Layers["bytes"], now.Layers["bytes"]},
	} {
		if f.stated != f.now {
			m.v.out.find(Finding{Kind: PageDiffers, URL: now.URL, Record: now.Visit.Record, Message: fmt.Sprintf("%s: stated %v, the files say %v", f.name, f.stated, f.now)})
			return
		}
	}
	if m.parts {
		if a, b := composed(stated), composed(now); a != b {
			m.judged(now, "with its parts", a, b)
			return
		}
	}
	if !reflect.DeepEqual(stated.Layers, now.Layers) {
		m.judged(now, "layers", stated.Layers, now.Layers)
	}
}

// composed writes what is stated of a page with its parts so that two can be compared.
func composed(c *Claim) string {
	if c.Together == nil {
		return "not judged"
	}
	b, err := canonical(c.Together)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// judged tells of a page that looks different to this software.
func (m *merge) judged(now *Claim, name string, stated, shown any) {
	if m.strict {
		m.v.out.find(Finding{Kind: PageDiffers, URL: now.URL, Record: now.Visit.Record, Message: fmt.Sprintf("%s: stated %v, the files say %v", name, stated, shown)})
	} else if !m.noted {
		m.noted = true
		m.v.out.Notes = append(m.v.out.Notes, "layers other than bytes were judged by another version of the software; some pages look different to this one")
	}
}

// text writes a sight so that two can be compared.
func (s *Sight) text() string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("%s %s %d %s %s", s.Time.UTC().Format("2006-01-02T15:04:05.999999999Z"), s.Record, s.Status, s.Digest, s.From)
}
