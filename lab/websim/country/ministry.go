package country

import (
	"fmt"
	"slices"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/asset"
)

var housing = &look{
	name: "Ministry of Housing", motto: "Republic of Vestria", colour: "#2b2f55", footer: "Ministry of Housing, Government Square 1, Halm. Telephone 115.",
	nav: [][2]string{{"/", "Home"}, {"/law/", "Laws"}, {"/press/", "Press"}, {"/register/", "Register of flats"}, {"/forms/", "Forms"}, {"/minister.html", "The minister"}, {"/history.html", "History"}, {"/organisation.html", "Organisation"}},
}

// release is a press release.
type release struct {
	at    time.Time
	title string
	text  []string
}

func (r *release) path() string {
	return "/press/" + r.at.Format("2006-01-02") + "-" + slug(r.title) + ".html"
}

// releases are those about the law, and everyday ones.
func (c *Country) releases() []*release {
	var out []*release
	for _, e := range c.events {
		if slices.Contains(e.Tags, "law") && e.Section == "politics" && !slices.Contains(e.Tags, "poll") {
			out = append(out, &release{e.Time, e.Title, append([]string{minister(e.Time) + ": \"This is a good day for people who live in rented flats.\""}, e.Text[:1]...)})
		}
	}
	n := c.few(36)
	for i := range n {
		f := c.fill(forPress, uint64(i))
		r := &release{at: begin.Add(end.Sub(begin) * time.Duration(i) / time.Duration(n)).Add(9 * time.Hour)}
		r.title = f.fill(f.pick([]string{"{number} flats for {town}", "Subsidies for insulation: {number} applications", "Minister visits {town}", "Advice days in {town}", "Prize for the {thing} of {town}"}))
		for range 3 {
			r.text = append(r.text, f.fill(f.pick([]string{
				"The ministry supports the building of {number} flats in {town}.", "Applications can be handed in until {month}.", "\"{town} shows how it is done\", said the minister.",
				"The advice is free. Please bring your contract.", "In {town} the waiting list has become shorter by {number} names.", "The next visit leads to {town2}.",
			})))
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b *release) int { return a.at.Compare(b.at) })
	return out
}

// minister is who leads the ministry.
func minister(at time.Time) string {
	if at.Before(day("2024-10-28")) {
		return "Minister Ada Lindqvist"
	}
	return "Minister Maren Okafor"
}

// ministry lists the pages of the ministry.
func (c *Country) ministry() []websim.Written {
	press := c.releases()
	seen := []time.Time{begin}
	for _, r := range press {
		seen = append(seen, r.at)
	}
	var stages []time.Time
	for _, l := range laws {
		stages = append(stages, day(l.from))
	}
	out := []websim.Written{
		always("/style.css", housing.style()),
		written("/", append(slices.Clone(seen), day("2024-10-28")), func(at time.Time) []byte { return c.ministryHome(press, at) }),
		written("/press/", seen, func(at time.Time) []byte { return c.pressList(press, at) }),
		written("/law/", append(stages, begin), c.lawList),
		written("/law/tenancy-act.html", stages, c.lawPage),
		written("/law/tenancy-act.pdf", stages, c.lawPDF),
		written("/law/questions.html", append(dates("2023-03-06 2024-02-12"), silent), c.questions),
		written("/minister.html", []time.Time{begin, day("2024-10-28")}, c.ministerPage),
		written("/history.html", []time.Time{begin, day("2024-10-28")}, c.ministers),
		written("/organisation.html", []time.Time{begin, day("2024-11-04"), day("2025-09-01")}, c.organisation),
		written("/register/", append(every(28 * 24 * time.Hour)[20:], begin), c.register),
		always("/forms/", c.forms()),
	}
	consultation := written("/law/consultation.html", dates("2023-03-06"), c.consultation)
	consultation.Until = day("2024-01-08").Sub(begin)
	out = append(out, consultation)
	for i := range formNames {
		out = append(out, always(formPath(i), asset.Paper(nil, []string{"Ministry of Housing", formNames[i], "Name, address, date, signature"}, "http://"+Ministry+"/forms/")))
	}
	for _, r := range press {
		out = append(out, written(r.path(), []time.Time{r.at}, func(time.Time) []byte { return r.page() }))
	}
	return out
}

func (r *release) page() []byte {
	p := housing.page(r.title)
	p.published = r.at
	p.put("<p class=\"by\">Press release of %s</p>\n", date(r.at))
	for _, t := range r.text {
		p.paragraph(t)
	}
	return p.bytes()
}

func (c *Country) ministryHome(press []*release, at time.Time) []byte {
	p := housing.page("Welcome")
	p.paragraph(minister(at) + " and 240 people work for good and affordable flats.")
	if l := lawAt(at); l != nil {
		p.put("<p class=\"note\">Tenancy Protection Act: %s <a href=\"/law/tenancy-act.html\">Read the act</a></p>\n", l.note)
	}
	p.heading("From the press office")
	p.put("<ul>\n")
	for _, r := range newest(press, at, 6) {
		p.link(r.path(), date(r.at)+": "+r.title)
	}
	p.put("</ul>\n")
	return p.bytes()
}

// newest lists the last n press releases at an instant; 0 for all.
func newest(press []*release, at time.Time, n int) []*release {
	var out []*release
	for _, r := range press {
		if !r.at.After(at) {
			out = append(out, r)
		}
	}
	slices.Reverse(out)
	if n > 0 {
		out = out[:min(n, len(out))]
	}
	return out
}

func (c *Country) pressList(press []*release, at time.Time) []byte {
	p := housing.page("Press releases")
	p.put("<ul>\n")
	for _, r := range newest(press, at, 0) {
		p.link(r.path(), date(r.at)+": "+r.title)
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) lawList(at time.Time) []byte {
	p := housing.page("Laws")
	p.paragraph("The ministry prepares laws on building and living.")
	p.put("<ul>\n")
	if l := lawAt(at); l != nil {
		p.link("/law/tenancy-act.html", "Tenancy Protection Act ("+l.stage+")")
		p.link("/law/questions.html", "Questions and answers")
		if at.Before(day("2024-01-08")) {
			p.link("/law/consultation.html", "Consultation: your comments on the draft")
		}
	}
	p.put("<li>Building Code of 1998</li>\n</ul>\n")
	return p.bytes()
}

func (c *Country) consultation(time.Time) []byte {
	p := housing.page("Consultation on the Tenancy Protection Act")
	p.paragraph("Everybody can comment on the draft until 30 June 2023. All comments are published here.")
	for i := range 8 {
		f := c.fill(forPress, 1000, uint64(i))
		p.paragraph(f.fill(f.pick([]string{"{person}, {town}: Ten percent is too much.", "{person}, {town}: I let one flat and need three months' deposit.", "{person}, {town}: Please protect old people from notices.", "{person}, {town}: Who is to control all this?"})))
	}
	return p.bytes()
}

func (c *Country) ministerPage(at time.Time) []byte {
	p := housing.page(minister(at))
	if at.Before(day("2024-10-28")) {
		p.paragraph("Ada Lindqvist, born in Sund, was a judge before she became Minister of Housing in 2020. She is a member of the Harbour Alliance. Ada Lindqvist has led the Ministry of Housing since 18 March 2020.")
		p.paragraph("Her aim is a limit for rents that \"owners can live with and tenants can live from\".")
	} else {
		p.paragraph("Maren Okafor, born in Tollmark, is a physician and leads the Green List. She has been Minister of Housing since 28 October 2024.")
		p.paragraph("Her aim is to insulate 40,000 flats without driving anybody out of them.")
	}
	return p.bytes()
}

// ministers is who led the ministry, as a table.
func (c *Country) ministers(at time.Time) []byte {
	p := housing.page(housing.name)
	p.paragraph("The Ministry of Housing was founded in 2015, when building and living were taken out of the Ministry of the Interior.")
	p.put("<table><tr><th>Minister</th><th>Took office</th><th>Left office</th></tr>\n")
	row := func(name, from, to string) {
		p.put("<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", name, from, to)
	}
	row("Erik Holm", "12 June 2015", "17 March 2020")
	if at.Before(day("2024-10-28")) {
		row("Ada Lindqvist", "18 March 2020", "")
	} else {
		row("Ada Lindqvist", "18 March 2020", "27 October 2024")
		row("Maren Okafor", "28 October 2024", "")
	}
	p.put("</table>\n")
	return p.bytes()
}

func (c *Country) organisation(at time.Time) []byte {
	p := housing.page("Organisation")
	p.put("<table><tr><th>Department</th><th>Head</th></tr>\n")
	for i, d := range []string{"Rents and contracts", "Building", "Subsidies", "Register of flats", "Press office"} {
		f := c.fill(forPress, 2000, uint64(i), uint64(at.Year()))
		p.put("<tr><td>%s</td><td>%s</td></tr>\n", d, f.fill("{person}"))
	}
	p.put("</table>\n")
	return p.bytes()
}

func (c *Country) register(at time.Time) []byte {
	p := housing.page("Register of flats")
	open := day("2024-07-01")
	switch {
	case at.Before(open):
		p.paragraph("The register opens on 1 July 2024.")
	case at.Before(amendment):
		p.paragraph(fmt.Sprintf("%d flats are registered. The entry is a duty of the landlord.", 19000+int(at.Sub(open).Hours()/24)*410))
	default:
		p.paragraph(fmt.Sprintf("%d flats are registered. The entry is voluntary since 19 May 2025.", 151000-int(at.Sub(amendment).Hours()/24)*35))
	}
	return p.bytes()
}

var formNames = []string{"Objection to a notice", "Claim for a deposit", "Entry in the register of flats", "Application for a subsidy"}

func formPath(i int) string { return "/forms/" + slug(formNames[i]) + ".pdf" }

func (c *Country) forms() []byte {
	p := housing.page("Forms")
	p.put("<ul>\n")
	for i, n := range formNames {
		p.link(formPath(i), n+" (PDF)")
	}
	p.put("</ul>\n")
	return p.bytes()
}
