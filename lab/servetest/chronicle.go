package servetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"varve/derive"
)

// subject is something that a town talks about, more in some months than in others.
type subject struct {
	name  string
	usual float64         // stories a month
	peaks map[int]float64 // month from January 2020 -> stories more
	says  []string        // sentences
}

var subjects = []subject{
	{"council", 3, nil, []string{
		"The council met on Tuesday and heard the report of the mayor.", "Two members asked for the minutes of the last meeting.", "The matter goes back to the committee for traffic.",
		"Citizens may speak at the next meeting of the council.", "The deputy mayor thanked the staff of the town hall.",
	}},
	{"museum", 1.5, map[int]float64{29: 3}, []string{
		"The museum shows paintings of the harbour from three centuries.", "School classes visit the exhibition for free.", "A donor gave the museum eleven drawings.", "The exhibition stays open until the end of the season.",
	}},
	{"lockdown", 0.3, map[int]float64{2: 9, 3: 12, 4: 6, 9: 4, 10: 9, 11: 10, 12: 8, 13: 5}, []string{
		"During the lockdown the town hall is open by appointment only.", "Masks are required in shops and on buses.", "The number of infections fell for the third week.", "Schools teach from a distance until further notice.",
		"Vaccination of people above seventy begins in the sports hall.",
	}},
	{"flood", 0.2, map[int]float64{18: 16, 19: 7, 20: 2, 30: 2}, []string{
		"The river rose by three metres in one night.", "Volunteers filled sandbags at the old bridge.", "The flood destroyed forty cellars in the lower town.", "Streets near the river were evacuated by the fire brigade.",
		"Donations for the victims of the flood are taken at the town hall.",
	}},
	{"election", 0.6, map[int]float64{19: 4, 20: 13, 21: 5, 7: 3, 8: 6}, []string{
		"Six candidates stand for election in this constituency.", "Postal voting begins four weeks before the election.", "Turnout was higher than four years ago.", "The coalition needs two more seats for a majority.",
		"Ballots were counted until midnight in the gymnasium.",
	}},
	{"tram", 0.8, map[int]float64{24: 3, 25: 5, 26: 6, 27: 5, 28: 3}, []string{
		"Work on the tram begins at the station in spring.", "Buses take a detour while the rails are laid.", "Shopkeepers fear for their customers during construction.", "The tram will run every ten minutes.",
	}},
	{"heating", 0.4, map[int]float64{31: 3, 32: 8, 33: 10, 34: 11, 35: 9}, []string{
		"The price of gas has doubled within a year.", "Public pools lower the temperature of the water.", "The town advises owners on insulation and heat pumps.", "Heating in offices is limited to nineteen degrees.",
	}},
}

// Chronicle is a collection of texts without captures, "chronicle": what a town and its paper wrote in three years, 2020 to
// 2022. It is for pictures: there is a lockdown, a flood, an election, a tram. The paper reprints some of what the town says.
func Chronicle(ctx context.Context, dir string) error {
	return WriteTexts(ctx, dir, "chronicle", "Town chronicle", chronicleVersions(), derive.FacetTable{}, func(*derive.VersionRow) []derive.FacetValue { return nil })
}

func chronicleVersions() (out []derive.VersionRow) {
	dice := rand.New(rand.NewPCG(7, 11))
	for m := range 36 {
		month := time.Date(2020, 1+time.Month(m), 1, 6, 0, 0, 0, time.UTC)
		var heads []string
		for _, s := range subjects {
			for i := range dicePoisson(dice, s.usual+s.peaks[m]) {
				at := month.Add(time.Duration(dice.IntN(27*24)) * time.Hour)
				text := story(dice, s, at)
				title := headline(s, at, i)
				heads = append(heads, title)
				path := fmt.Sprintf("/%d/%02d/%s-%d", at.Year(), at.Month(), s.name, i+1)
				out = append(out, pressVersion("http://www.town.test"+path, title+" | Town", text, at, time.Time{}))
				if dice.IntN(4) == 0 {
					out = append(out, pressVersion("http://courier.test"+path, title+" | The Courier", text+" As the town told the Courier.", at.Add(26*time.Hour), time.Time{}))
				}
			}
		}
		front := "News of the town in " + month.Format("January 2006") + ". " + strings.Join(heads, ". ") + "."
		out = append(out, pressVersion("http://www.town.test/", "Welcome | Town", front, month, month.AddDate(0, 1, 0)))
	}
	return out
}

func headline(s subject, at time.Time, i int) string {
	forms := []string{"%s: what you need to know", "News on the %s", "The %s and the town", "Questions about the %s", "More on the %s"}
	name := fmt.Sprintf(forms[i%len(forms)], s.name)
	return strings.ToUpper(name[:1]) + name[1:] + at.Format(", 2 January")
}

func story(dice *rand.Rand, s subject, at time.Time) string {
	text := []string{at.Format("2 January 2006") + "."}
	for _, i := range dice.Perm(len(s.says)) {
		text = append(text, s.says[i])
	}
	other := subjects[dice.IntN(2)] // something usual beside it
	text = append(text, other.says[dice.IntN(len(other.says))], fmt.Sprintf("The next report follows in %d days.", 2+dice.IntN(9)))
	return strings.Join(text, " ")
}

// dicePoisson throws how many there are, if so many are expected.
func dicePoisson(dice *rand.Rand, expected float64) (n int) {
	for t := dice.ExpFloat64(); t < expected; t += dice.ExpFloat64() {
		n++
	}
	return n
}
