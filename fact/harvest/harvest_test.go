package harvest_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/fact"
	"varve/fact/harvest"
	"varve/page"
	"varve/web/markup"
	"varve/web/markup/tree"
)

func relations(t testing.TB) []fact.Relation {
	t.Helper()
	list, err := fact.Relations()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// rowsOf returns what the rows of a page say, a line each.
func rowsOf(t testing.TB, body, subject string) (out []string) {
	t.Helper()
	var b tree.Builder
	_, err := page.NewReader().Read(page.Input{URL: "http://x.test/", MIME: "text/html; charset=utf-8", Body: []byte("<!doctype html><body>" + body)}, page.Want{With: []markup.Subscriber{&b}})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range harvest.Facts(b.Root, subject, relations(t)) {
		relation := o.Relation
		if o.Role != "" {
			relation += "/" + o.Role
		}
		out = append(out, fmt.Sprintf("%s %s %s %s %s", o.Subject, relation, o.Object, o.Aspect, o.Time))
	}
	return out
}

// What rows of infoboxes, tables and lists say of the page that has them.
func TestFacts(t *testing.T) {
	const lopez = "Diego Lopez"
	for _, c := range []struct{ name, subject, body, want string }{
		{"infobox", lopez, `<table class="infobox"><tr><th colspan=2>Diego Lopez</th></tr><tr><th>Born</th><td>1975</td></tr>
			<tr><th scope=row>Spouse(s)</th><td><a>Victoria Adams</a><br>(m. 1999; div. 2007)<br>Carla Weber (m. 2012)</td></tr></table>`, "Diego Lopez spouse Victoria Adams begin 1999|Diego Lopez spouse Victoria Adams end 2007|Carla Weber spouse Diego Lopez begin 2012"},
		{"one line", lopez, `<table><tr><th>Spouse</th><td>Victoria Adams (m. 1999; div. 2007)</td></tr></table>`, "Diego Lopez spouse Victoria Adams begin 1999|Diego Lopez spouse Victoria Adams end 2007"},
		{
			"career", lopez, `<table><tr><th colspan=3>Senior career*</th></tr><tr><th>Years</th><th>Team</th><th>Apps</th></tr><tr><td>1992–2003</td><td>Manchester United</td><td>265</td></tr>
			<tr><td>1994–95</td><td>→ Preston North End (loan)</td><td>5</td></tr><tr><th>2003–</th><td>Real Madrid</td><td>116</td></tr></table>`,
			"Diego Lopez works_for_club Manchester United begin 1992|Diego Lopez works_for_club Manchester United end 2003|Diego Lopez works_for_club Preston North End begin 1994|Diego Lopez works_for_club Preston North End end 1995|Diego Lopez works_for_club Real Madrid begin 2003",
		},
		{
			"two columns of times", "Anna Keller", `<table><thead><tr><th>Office</th><th>Took office</th><th>Left office</th></tr></thead><tbody><tr><td>Minister of Health</td><td>1 July 1994</td><td>26 October 1998</td></tr>
			<tr><td>President of Norland</td><td>2005-11-22</td><td></td></tr></tbody></table>`,
			"Anna Keller holds_office/health minister Minister of Health begin 1994-07-01|Anna Keller holds_office/health minister Minister of Health end 1998-10-26|Anna Keller holds_office/president Norland begin 2005-11-22",
		},
		{
			"list", lopez, `<h2>Career</h2><ul><li>2001 nothing</li></ul><h2>Clubs</h2><p>He had:</p><ul><li>1992–2003: Manchester United</li><li>Real Madrid (2003 to 2007)</li><li>others, for a while</li><li>LA Galaxy, since July 2007</li></ul>`,
			"Diego Lopez works_for_club Manchester United begin 1992|Diego Lopez works_for_club Manchester United end 2003|Diego Lopez works_for_club Real Madrid begin 2003|Diego Lopez works_for_club Real Madrid end 2007|Diego Lopez works_for_club LA Galaxy begin 2007-07",
		},
		{
			"terms of offices", "Anna Keller", `<table class="infobox"><tr><th colspan=2>Anna Keller</th></tr><tr><th colspan=2>Mayor of Vestria</th></tr><tr><td colspan=2>In office<br>1 May 2003 – 2 June 2007</td></tr><tr><th>Born</th><td>1960</td></tr>
			<tr><th colspan=2>Minister of Finance of Norland</th></tr><tr><td colspan=2><b>Assumed office</b> 3 July 2008</td></tr></table>`,
			"Anna Keller holds_office/mayor Vestria begin 2003-05-01|Anna Keller holds_office/mayor Vestria end 2007-06-02|Anna Keller holds_office/finance minister Norland begin 2008-07-03",
		},
		{"terms", lopez, `<dl><dt>Party</dt><dd>Green Party (1990–1999)</dd><dd>no party (2000)</dd></dl>`, "Diego Lopez member_of Green Party begin 1990|Diego Lopez member_of Green Party end 1999"},
		{
			"holders", "Ministry of Housing", `<table><tr><th>Minister</th><th>Took office</th><th>Left office</th></tr><tr><td>Kara Ode</td><td>1 March 2019</td><td>14 May 2024</td></tr><tr><td>Jon Vale</td><td>15 May 2024</td><td></td></tr></table>`,
			"Kara Ode leads_organisation Ministry of Housing begin 2019-03-01|Kara Ode leads_organisation Ministry of Housing end 2024-05-14|Jon Vale leads_organisation Ministry of Housing begin 2024-05-15",
		},
		{"reversed", "Sahara", `<table><tr><th>Starring</th><td>Matthew McConaughey (2005)</td></tr></table>`, "Matthew McConaughey cast_of Sahara during 2005"},
		{"until now", lopez, `<table><tr><th>Club</th><td>Inter Miami (2013 – present)</td></tr></table>`, "Diego Lopez works_for_club Inter Miami begin 2013"},
		{"no time, no fact", lopez, `<table><tr><th>Club</th><td>Inter Miami</td></tr></table>`, ""},
		{"an end before its begin", lopez, `<table><tr><th>Club</th><td>Inter Miami (2013–2003)</td></tr></table>`, ""},
		{"no label", lopez, `<table><tr><th>Years</th><th>Colour</th></tr><tr><td>2003–2007</td><td>Red</td></tr></table>`, ""},
		{"no subject", "", `<table><tr><th>Club</th><td>Inter Miami (2013–2014)</td></tr></table>`, ""},
	} {
		if got := strings.Join(rowsOf(t, c.body, c.subject), "|"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// No page makes more of it than its bounds, or breaks it.
func FuzzFacts(f *testing.F) {
	for _, s := range []string{"<table><tr><th>Club<td>A (2003–2007)", "<h2>Clubs</h2><ul><li>–2007 X<li>m. 1999", "<dl><dt>Spouse<dd>1 July 2003 – ", "<table><tr><th>Years<th>Team<tr><td>31 February 2003<td>Ä"} {
		f.Add(s)
	}
	list := relations(f)
	f.Fuzz(func(t *testing.T, body string) {
		var b tree.Builder
		if _, err := page.NewReader().Read(page.Input{URL: "http://x.test/", MIME: "text/html", Body: []byte("<body>" + body)}, page.Want{With: []markup.Subscriber{&b}}); err != nil || b.Root == nil {
			return
		}
		for _, o := range harvest.Facts(b.Root, "Subject", list) {
			if o.Object == "" || len(o.Object) > 200 || !o.Time.Known() || o.Time.Last < o.Time.First || len(o.Evidence[0].Said) > 400 {
				t.Errorf("%+v", o)
			}
		}
	})
}
