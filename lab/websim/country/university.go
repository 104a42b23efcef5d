package country

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
)

var halm = &look{
	name: "University of Halm", motto: "veritas in fluctibus", colour: "#3d5a3d", footer: "University of Halm, Tower Hill, Halm, Vestria.",
	nav: [][2]string{{"/", "Home"}, {"/institutes/", "Institutes"}, {"/survey/", "Survey"}, {"/courses/", "Courses"}, {"/library.html", "Library"}},
}

var institutes = [][2]string{
	{"Institute of Housing Research", "Led by Professor Helena Roth. We study rents, repairs and who moves where. Our data show that repairs did not become rarer where rents are limited."},
	{"Institute of Coastal Engineering", "Walls, tides and sand. The institute measured the storm flood of January 2024 at eleven places."},
	{"Institute of Political Science", "Elections, parties, trust. We run the monthly survey of 2,000 voters."},
	{"Institute of Languages", "Vestrian, its dialects on the islands, and their songs."},
}

// university lists the pages of the university.
func (c *Country) university() []websim.Written {
	out := []websim.Written{
		always("/style.css", halm.style()),
		written("/", []time.Time{begin, day("2024-01-23"), day("2024-05-20"), day("2025-02-17")}, c.uniHome),
		always("/institutes/", c.instituteList()),
		written("/survey/", months28(), c.surveyList),
		written("/survey/chart.svg", months28(), chart),
		written("/courses/", c.terms(), c.courseList),
		written("/library.html", []time.Time{begin, day("2023-07-01"), day("2023-10-01"), day("2024-07-01"), day("2024-10-01"), day("2025-07-01"), day("2025-10-01")}, c.library),
	}
	for _, i := range institutes {
		p := halm.page(i[0])
		p.paragraph(i[1])
		p.put("<p><a href=\"/survey/\">Survey</a>, <a href=\"/courses/\">Courses</a></p>\n")
		out = append(out, always("/institutes/"+slug(i[0])+".html", p.bytes()))
	}
	for k, t := range months28() {
		if c.scale < 1 && k%3 != 0 {
			continue
		}
		out = append(out, written(surveyPath(t), []time.Time{t}, func(time.Time) []byte { return c.survey(t) }))
	}
	for _, t := range c.terms() {
		out = append(out, written(termPath(t), []time.Time{t, t.Add(30 * 24 * time.Hour)}, func(at time.Time) []byte { return c.courses(t, at) }))
	}
	return out
}

// terms are the beginnings of terms.
func (c *Country) terms() []time.Time {
	return dates("2023-01-02 2023-03-01 2023-09-01 2024-03-01 2024-09-01 2025-03-01 2025-09-01")
}

func surveyPath(t time.Time) string { return "/survey/" + t.Format("2006-01-02") + ".html" }
func termPath(t time.Time) string   { return "/courses/" + t.Format("2006-01") + ".html" }

func (c *Country) uniHome(at time.Time) []byte {
	p := halm.page("Welcome to the University of Halm")
	p.paragraph("9,400 students, four institutes, one tower.")
	switch {
	case !at.Before(day("2025-02-17")):
		p.paragraph("New: rents rise more slowly, says the Institute of Housing Research.")
	case !at.Before(day("2024-05-20")):
		p.paragraph("New: trust in the Prime Minister has halved, says the monthly survey.")
	case !at.Before(day("2024-01-23")):
		p.paragraph("New: how high the storm flood was, measured at eleven places.")
	}
	p.put("<ul>\n")
	for _, i := range institutes {
		p.link("/institutes/"+slug(i[0])+".html", i[0])
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) instituteList() []byte {
	p := halm.page("Institutes")
	p.put("<ul>\n")
	for _, i := range institutes {
		p.link("/institutes/"+slug(i[0])+".html", i[0])
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) surveyList(at time.Time) []byte {
	p := halm.page("Monthly survey of voters")
	p.paragraph("We ask 2,000 voters every month whom they would vote for and whom they trust.")
	p.put("<p><img src=\"/survey/chart.svg\" alt=\"Shares month by month\"></p>\n<ul>\n")
	all := months28()
	for i := range slices.Backward(all) {
		if t := all[i]; !t.After(at) && (c.scale >= 1 || i%3 == 0) {
			p.link(surveyPath(t), "Survey of "+date(t))
		}
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) survey(t time.Time) []byte {
	o := OpinionAt(t)
	p := halm.page("Survey of " + date(t))
	p.published = t
	p.put("<table><tr><th>Party</th><th>Candidate</th><th>Percent</th></tr>\n")
	for _, r := range []struct {
		party, who string
		share      float64
	}{{"Harbour Alliance", "Ines Calder", o.Calder}, {"Citizens' Union", "Tomas Wren", o.Wren}, {"Green List", "Maren Okafor", o.Okafor}} {
		p.put("<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", r.party, r.who, fmt.Sprintf("%.1f", r.share))
	}
	p.put("</table>\n")
	p.paragraph(fmt.Sprintf("Of 2,000 voters %.0f of a hundred have not decided. The margin of error is 2.2 points.", 100-o.Calder-o.Wren-o.Okafor))
	if t.After(affair) && t.Before(affair.Add(60*24*time.Hour)) {
		p.paragraph("Trust in Prime Minister Ines Calder has fallen by half since the ferry contract became known.")
	}
	return p.bytes()
}

func (c *Country) courseList(at time.Time) []byte {
	p := halm.page("Courses")
	p.put("<ul>\n")
	for _, t := range c.terms() {
		if !t.After(at) {
			p.link(termPath(t), "Term from "+date(t))
		}
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) courses(t, at time.Time) []byte {
	p := halm.page("Courses of the term from " + date(t))
	f := c.fill(forPress, 3000, uint64(t.Unix()))
	p.put("<table><tr><th>Course</th><th>Teacher</th><th>Room</th></tr>\n")
	for _, name := range []string{"Introduction to tides", "Statistics of small towns", "History of the harbour", "Rent law for economists", "Old Vestrian", "Walls and water", "Reading opinion polls"} {
		p.put("<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", name, f.fill("{person}"), strings.ToUpper(string(rune('A'+f.s.IntN(4))))+fmt.Sprint(100+f.s.IntN(60)))
	}
	p.put("</table>\n")
	if at.After(t) {
		p.paragraph("Rooms were changed after the first month; see the board in the tower.")
	}
	return p.bytes()
}

func (c *Country) library(at time.Time) []byte {
	p := halm.page("Library")
	hours := "8 to 22"
	if m := at.Month(); m >= 7 && m < 10 {
		hours = "10 to 16, it is summer"
	}
	p.paragraph("The library is open from " + hours + ". It holds 410,000 books and the newspapers of the islands since 1790.")
	return p.bytes()
}
