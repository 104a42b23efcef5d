package sparqlspeed

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
)

// A person has about ten triples. Names, cities and ages are drawn, the boss is a person with a tenth of the number: a tree
// with six levels at a million people.
const perPerson = 10

const prefix = "PREFIX : <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"

// write writes about the triples that are asked for, and returns how many people there are.
func write(path string, cfg Config, res *Result) (int, error) {
	people := max(20, cfg.Triples/perPerson)
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	r := rand.New(rand.NewPCG(cfg.Seed, 1))
	const ns, typed = "http://example.org/", "\"^^<http://www.w3.org/2001/XMLSchema#"
	say := func(s, p, o string) {
		res.Triples++
		fmt.Fprintf(w, "<%s%s> <%s%s> %s .\n", ns, s, ns, p, o)
	}
	cities := max(5, people/500)
	for c := range cities {
		say(fmt.Sprintf("city/%d", c), "in", fmt.Sprintf("<%scountry/%d>", ns, c%40))
	}
	given := []string{"Ann", "Bob", "Cid", "Dora", "Emil", "Fatima", "Goran", "Hana", "Igor", "Jun"}
	for i := range people {
		s := fmt.Sprintf("person/%d", i)
		say(s, "type", "<"+ns+"Person>")
		say(s, "name", fmt.Sprintf("\"%s %s%x\"", given[r.IntN(len(given))], given[r.IntN(len(given))], r.IntN(1<<16)))
		say(s, "age", fmt.Sprintf("\"%d%sinteger>", r.IntN(100), typed))
		say(s, "born", fmt.Sprintf("\"%d-%02d-%02d%sdate>", 1920+r.IntN(100), 1+r.IntN(12), 1+r.IntN(28), typed))
		say(s, "city", fmt.Sprintf("<%scity/%d>", ns, r.IntN(cities)))
		for range 3 {
			say(s, "knows", fmt.Sprintf("<%sperson/%d>", ns, r.IntN(people)))
		}
		if i > 0 {
			say(s, "boss", fmt.Sprintf("<%sperson/%d>", ns, i/10))
		}
		if i%3 == 0 {
			say(s, "mail", fmt.Sprintf("\"p%d@example.org\"", i))
		}
	}
	return people, w.Flush()
}

// shape is a query, asked some times for people of different numbers.
type shape struct {
	name  string
	times int
	query func(person int) string
}

func fixed(text string) func(int) string { return func(int) string { return text } }

func of(format string) func(int) string {
	return func(n int) string { return fmt.Sprintf(format, n) }
}

var shapes = []shape{
	{"all of a person", 500, of("SELECT ?p ?o { :person\\/%d ?p ?o }")},
	{"star: people of a city", 20, of("SELECT ?n ?a ?b { :person\\/%d :city ?c . ?x :city ?c ; :name ?n ; :age ?a ; :born ?b }")},
	{"chain: friends of friends", 100, of("SELECT DISTINCT ?n { :person\\/%d :knows/:knows ?f . ?f :name ?n }")},
	{"join of two properties, counted", 1, fixed("SELECT (COUNT(*) AS ?n) { ?p :city ?c ; :age ?a }")},
	{"filter on a number", 1, fixed("SELECT (COUNT(*) AS ?n) { ?p :age ?a FILTER(?a > 30 && ?a <= 40) }")},
	{"groups with a mean", 1, fixed("SELECT ?c (COUNT(*) AS ?n) (AVG(?a) AS ?m) { ?p :city ?c ; :age ?a } GROUP BY ?c")},
	{"first ten by date", 1, fixed("SELECT ?p ?b { ?p :born ?b } ORDER BY ?b ?p LIMIT 10")},
	{"distinct cities", 1, fixed("SELECT DISTINCT ?c { ?p :city ?c }")},
	{"regular expression", 1, fixed("SELECT (COUNT(*) AS ?n) { ?p :name ?n FILTER REGEX(?n, \"^Ann .*f$\") }")},
	{"optional mail", 20, of("SELECT ?n ?m { :person\\/%d :city ?c . ?x :city ?c ; :name ?n OPTIONAL { ?x :mail ?m } }")},
	{"path: all below a boss", 5, func(n int) string { return fmt.Sprintf("SELECT (COUNT(?x) AS ?n) { ?x :boss+ :person\\/%d }", n%50) }},
	{"not exists", 20, of("SELECT ?x { :person\\/%d :city ?c . ?x :city ?c FILTER NOT EXISTS { ?x :mail ?m } }")},
}
