package country

import (
	"strconv"
	"strings"

	"varve/lab/websim/dice"
)

// Names that slots of sentences are filled with.
var (
	towns   = []string{"Halm", "Osterby", "Lysa", "Sund", "Grenn", "Tollmark", "Aasund", "Brinkholm", "Merrow", "Kelvik"}
	first   = []string{"Anna", "Bertil", "Clara", "David", "Elsa", "Finn", "Greta", "Henrik", "Ida", "Jakob", "Karin", "Lars", "Mira", "Nils", "Oda", "Per", "Rosa", "Sten", "Tove", "Ulla"}
	last    = []string{"Ahlborg", "Berg", "Dahlin", "Ekman", "Falk", "Grund", "Holt", "Iversen", "Krog", "Lund", "Moberg", "Nyman", "Ost", "Quist", "Rask", "Strand", "Torv", "Vik"}
	things  = []string{"playground", "footbridge", "market hall", "swimming pool", "bus stop", "fire station", "bicycle path", "library", "bandstand", "clock tower"}
	goods   = []string{"herring", "butter", "candles", "firewood", "apples", "coffee", "wool", "paint", "potatoes"}
	plays   = []string{"The Lighthouse Keeper", "A Winter in Lysa", "The Drowned Bell", "Three Sisters and a Boat"}
	months  = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
	quality = []string{"Old", "Small", "Large", "Fisherman's", "Captain's", "Blue", "Plain", "Winter", "Pilot's", "Island"}
	authors = []string{"Nora Feld", "Simon Achterberg", "Petra Voss", "Emil Sander"}
)

// slots fills the places {name} of a sentence by draws from a stream.
type slots struct {
	s     *dice.Stream
	given map[string]string
	town  string
}

func (f *slots) pick(list []string) string { return list[f.s.IntN(len(list))] }

// fill writes a sentence with its places filled.
func (f *slots) fill(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("{" + rest)
			return b.String()
		}
		b.WriteString(f.value(name))
		text = after
	}
}

func (f *slots) value(name string) string {
	if v, ok := f.given[name]; ok {
		return v
	}
	switch name {
	case "town":
		if f.town == "" {
			f.town = f.pick(towns)
		}
		return f.town
	case "town2":
		return f.pick(towns)
	case "person":
		return f.pick(first) + " " + f.pick(last)
	case "thing":
		return f.pick(things)
	case "goods":
		return f.pick(goods)
	case "play":
		return f.pick(plays)
	case "month":
		return f.pick(months)
	case "adj":
		return f.pick(quality)
	case "number":
		return strconv.Itoa(20 + f.s.IntN(480))
	case "small", "small2":
		return strconv.Itoa(2 + f.s.IntN(7))
	}
	return "{" + name + "}"
}
