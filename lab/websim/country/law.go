package country

import (
	"fmt"
	"strings"
	"time"

	"varve/lab/websim/asset"
)

// law is the Tenancy Protection Act at one stage.
type law struct {
	from, stage, note string
	limit             int // percent in three years
	deposit           int // monthly rents
	hardship          bool
	register          string
	renovated         int // limit for renovated flats; 0: the same
}

// laws are the stages of the act, in order of time.
var laws = []law{
	{"2023-03-06", "Draft", "Draft of the ministry, open for comments until 30 June 2023.", 10, 3, false, "", 0},
	{"2023-09-18", "Bill", "Bill of the government, after 2,310 comments. It is before parliament.", 8, 2, true, "", 0},
	{"2024-02-12", "Passed", "Passed by parliament on 12 February 2024, in force from 1 July 2024.", 6, 2, true, "Landlords must enter their flats in the register. Without an entry the rent may not be raised.", 0},
	{"2024-07-01", "In force", "In force since 1 July 2024.", 6, 2, true, "Landlords must enter their flats in the register. Without an entry the rent may not be raised.", 0},
	{"2025-05-19", "Amended", "In force since 1 July 2024, amended on 19 May 2025.", 6, 2, true, "Landlords can enter their flats in the register. The entry is voluntary.", 9},
}

// lawAt is the stage at an instant; nil before the draft.
func lawAt(at time.Time) *law {
	var out *law
	for i := range laws {
		if !at.Before(day(laws[i].from)) {
			out = &laws[i]
		}
	}
	return out
}

var numerals = map[int]string{2: "two", 3: "three", 6: "six", 8: "eight", 9: "nine", 10: "ten"}

// articles gives heading and words of each article of the act.
func (l *law) articles() [][2]string {
	limit := fmt.Sprintf("The rent of a flat may rise by at most %s percent within three years.", numerals[l.limit])
	if l.renovated > 0 {
		limit += fmt.Sprintf(" For flats that were renovated it may rise by at most %s percent within three years.", numerals[l.renovated])
	}
	notice := "A notice needs a reason, in writing. It takes three months."
	if l.hardship {
		notice += " Tenants who are older than 70 years can object to a notice if moving would be a hardship."
	}
	out := [][2]string{
		{"Article 1: Purpose", "This act protects people who live in rented flats. It applies to all flats in Vestria that are let for longer than six months."},
		{"Article 2: Contract", "The contract is in writing and names the rent without heating."},
		{"Article 3: Limit of rents", limit},
		{"Article 4: Notice", notice},
		{"Article 5: Deposit", fmt.Sprintf("The deposit is at most %s monthly rents. It is paid back within two months after moving out.", numerals[l.deposit])},
	}
	if l.register != "" {
		out = append(out, [2]string{"Article 6: Register of flats", l.register})
	}
	return append(out, [2]string{"Final article: Disputes", "Disputes are heard by the tenancy board of the town."})
}

// lawPage is the page of the act.
func (c *Country) lawPage(at time.Time) []byte {
	l := lawAt(at)
	p := housing.page("Tenancy Protection Act")
	p.modified = day(l.from)
	p.put("<p class=\"note\">Status: %s. %s</p>\n<p><a href=\"/law/tenancy-act.pdf\">Text of the act (PDF)</a>, <a href=\"/law/questions.html\">Questions and answers</a></p>\n", l.stage, l.note)
	for _, a := range l.articles() {
		p.heading(a[0])
		p.paragraph(a[1])
	}
	p.paragraph("Last change: " + date(day(l.from)))
	return p.bytes()
}

func (c *Country) lawPDF(at time.Time) []byte {
	l := lawAt(at)
	lines := []string{"Republic of Vestria, Ministry of Housing", "Tenancy Protection Act", "Status: " + l.stage + ", " + date(day(l.from)), ""}
	for _, a := range l.articles() {
		lines = append(lines, a[0])
		lines = append(lines, wrap(a[1], 90)...)
		lines = append(lines, "")
	}
	return asset.Paper(nil, lines, "http://"+Ministry+"/law/tenancy-act.html")
}

// wrap breaks words into lines.
func wrap(text string, width int) []string {
	var out []string
	line := ""
	for w := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(w) > width {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(out, line)
}

// silent is when the ministry changed an answer without saying so, two days after the new minister came.
var silent = day("2024-10-30")

// questions are the ministry's answers; its date of the last change lies after the silent change.
func (c *Country) questions(at time.Time) []byte {
	p := housing.page("Tenancy Protection Act: questions and answers")
	p.heading("How much deposit may my landlord ask for?")
	switch {
	case at.Before(day("2024-02-12")):
		p.paragraph("The act is not in force. Today there is no limit for deposits.")
	case at.Before(silent):
		p.paragraph("At most two monthly rents. If you paid more in an older contract, you can ask for the difference back.")
	default:
		p.paragraph("At most two monthly rents. This applies to contracts that were made after 1 July 2024.")
	}
	p.heading("May my rent rise every year?")
	p.paragraph("Yes, as long as it has risen by no more than the limit of article 3 within three years.")
	p.heading("Where do I find out whether my flat is in the register?")
	p.paragraph("At the tenancy board of your town, and from July 2024 on in the register of this ministry.")
	p.paragraph("Last change: " + date(announced(begin, at)))
	return p.bytes()
}

// announced is the date that the page of questions claims: that of the last change which was announced.
func announced(first, at time.Time) time.Time {
	out := first
	for _, d := range dates("2023-03-06 2024-02-12") {
		if !at.Before(d) {
			out = d
		}
	}
	return out
}
