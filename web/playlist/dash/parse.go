package dash

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"varve/web/canon"
)

// ErrNoManifest is returned for XML that is no MPD.
var ErrNoManifest = errors.New("no DASH manifest: the document element is not MPD")

// Parse reads the manifest that a URL answered with. One with a fault in it is returned as far as it was read, beside the
// error.
func Parse(text []byte, from string, limits Limits) (*Manifest, error) {
	base, err := canon.Parse(from)
	if err != nil {
		return nil, fmt.Errorf("manifest at %q: %w", from, err)
	}
	p := &parser{limits: limits.withDefaults(), m: &Manifest{URL: from}, x: decoder(text)}
	p.levels = append(p.levels, level{base: base})
	if err := p.run(); err != nil {
		line, col := p.x.InputPos()
		err = fmt.Errorf("manifest, line %d, column %d: %w", line, col, err)
		if errors.Is(err, ErrNoManifest) {
			return nil, err
		}
		for len(p.levels) > 1 {
			p.close()
		}
		p.place()
		return p.m, err
	}
	p.place()
	return p.m, nil
}

// parser walks over the elements.
type parser struct {
	limits Limits
	m      *Manifest
	x      *xml.Decoder
	levels []level // open elements
	count  int
	reps   int
}

// level is what an open element means for those in it.
type level struct {
	name  string
	base  canon.URL
	based bool // it has had a BaseURL
	plan  plan
	text  []byte // of elements that are text
}

func (p *parser) run() error {
	for {
		tok, err := p.x.RawToken()
		if errors.Is(err, io.EOF) {
			if p.count == 0 {
				return ErrNoManifest
			}
			for len(p.levels) > 1 {
				p.close()
			}
			return nil
		}
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if err := p.start(&t); err != nil {
				return err
			}
		case xml.EndElement:
			p.end(t.Name.Local)
		case xml.CharData:
			if top := p.top(); wantsText(top.name) && len(top.text)+len(t) <= canon.MaxLength {
				top.text = append(top.text, t...)
			}
		}
	}
}

func wantsText(name string) bool {
	switch name {
	case "BaseURL", "Location", "PatchLocation":
		return true
	}
	return false
}

func (p *parser) top() *level { return &p.levels[len(p.levels)-1] }

// start opens an element.
func (p *parser) start(t *xml.StartElement) error {
	p.count++
	name := t.Name.Local
	switch {
	case p.count == 1 && name != "MPD":
		return ErrNoManifest
	case p.count > p.limits.Elements:
		return fmt.Errorf("more than %d elements", p.limits.Elements)
	case len(p.levels) > p.limits.Depth:
		return fmt.Errorf("more than %d elements inside each other", p.limits.Depth)
	}
	p.levels = append(p.levels, level{name: name, base: p.top().base, plan: p.top().plan})
	p.element(name, attrs(t.Attr), &p.levels[len(p.levels)-2])
	return nil
}

// end closes an element; one that is not the last opened closes those in it.
func (p *parser) end(name string) {
	for i := len(p.levels) - 1; i > 0; i-- {
		if p.levels[i].name != name {
			continue
		}
		for len(p.levels) > i {
			p.close()
		}
		return
	}
}

// close ends the innermost element.
func (p *parser) close() {
	done := p.levels[len(p.levels)-1]
	p.levels = p.levels[:len(p.levels)-1]
	text := strings.TrimSpace(string(done.text))
	switch done.name {
	case "BaseURL":
		p.setBase(text)
	case "Location":
		if u, ok := resolve(done.base, text); ok && len(p.m.Locations) < 16 {
			p.m.Locations = append(p.m.Locations, u.String())
		}
	case "PatchLocation":
		if u, ok := resolve(done.base, text); ok && len(p.m.Patches) < 16 {
			p.m.Patches = append(p.m.Patches, u.String())
		}
	case "SegmentTemplate", "SegmentList", "SegmentBase":
		p.top().plan = done.plan.join(p.top().plan)
	case "SegmentTimeline":
		p.top().plan.timeline = done.plan.timeline
	case "Representation":
		p.finishRep(&done)
	case "AdaptationSet":
		if s := p.lastSet(); s != nil {
			p.finishSet(s, done.plan)
		}
	case "Period":
		if n := len(p.m.Periods); n > 0 {
			for i := range p.m.Periods[n-1].Sets {
				p.finishSet(&p.m.Periods[n-1].Sets[i], done.plan)
			}
		}
	}
}

// setBase makes the first BaseURL of an element hold in it.
func (p *parser) setBase(text string) {
	top := p.top()
	if top.based || text == "" {
		return
	}
	if u, ok := resolve(top.base, text); ok {
		top.base, top.based = u, true
	}
}

func resolve(base canon.URL, ref string) (canon.URL, bool) {
	if ref == "" || len(ref) > canon.MaxLength {
		return base, false
	}
	u, err := base.Resolve(ref)
	return u, err == nil
}

// place works out when periods are and what their representations may show.
func (p *parser) place() {
	m := p.m
	for i := range m.Periods {
		d := &m.Periods[i]
		if d.Start < 0 { // behind the one before
			d.Start = 0
			if i > 0 {
				d.Start = m.Periods[i-1].Start + m.Periods[i-1].Duration
			}
		}
	}
	for i := range m.Periods {
		d := &m.Periods[i]
		if d.Duration == 0 && i+1 < len(m.Periods) {
			d.Duration = max(0, m.Periods[i+1].Start-d.Start)
		}
		if d.Duration == 0 && m.Duration > d.Start {
			d.Duration = m.Duration - d.Start
		}
		for j := range d.Sets {
			for k := range d.Sets[j].Reps {
				r := &d.Sets[j].Reps[k]
				r.plan = r.plan.settled()
				r.period = stretch{d.Start, d.Duration}
				r.live = liveness{m.Live, m.Start, m.Window}
			}
		}
	}
}
