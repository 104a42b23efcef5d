package memento_test

import (
	"strings"
	"testing"
	"time"

	"varve/serve/memento"
)

func TestCitation(t *testing.T) {
	c := memento.Citation{
		Title: " 100 % of the\n bridge & more_. ", URL: "https://www.town.example/a{b}", Time: time.Date(2024, 5, 3, 12, 0, 9, 0, time.UTC),
		Archive: "archive.example.org", Memento: "https://archive.example.org/town/20240503120009/https://www.town.example/a{b}",
	}
	if got, want := c.APA(), "100 % of the bridge & more_. (n.d.). www.town.example. Captured May 3, 2024, 12:00:09 UTC, by archive.example.org. "+c.Memento; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want := `@misc{wwwtownexample20240503120009,
  title = {100 \% of the bridge \& more\_.},
  year = {2024},
  howpublished = {\url{https://archive.example.org/town/20240503120009/https://www.town.example/a%7Bb%7D}},
  note = {Capture of \url{https://www.town.example/a%7Bb%7D} of 2024-05-03 12:00:09 UTC in archive.example.org},
  pwid = {urn:pwid:archive.example.org:2024-05-03T12:00:09Z:page:https://www.town.example/a%7Bb%7D}
}`
	if got := c.BibTeX(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, evil := range []string{"}\n@misc{x,", `\input{/etc/passwd}`, "", "}}}"} {
		c.Title, c.URL, c.Memento = evil, "http://h/"+evil, "http://m/"+evil
		if got := c.BibTeX(); strings.Count(strings.NewReplacer(`\{`, "", `\}`, "").Replace(got), "{") != strings.Count(strings.NewReplacer(`\{`, "", `\}`, "").Replace(got), "}") {
			t.Errorf("%q breaks out of its field:\n%s", evil, got)
		}
	}
}
