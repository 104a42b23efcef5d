package country

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/asset"
)

var lantern = &look{
	name: "Lantern & Sons", motto: "everything for rain and sea", colour: "#4a3b2a", footer: "Lantern & Sons, Rope Lane 9, Halm. We send to all islands.",
	nav: [][2]string{{"/", "Shop"}, {"/terms", "Terms"}, {"/shipping", "Shipping"}, {"/privacy", "Privacy"}},
}

// clause is a version of the terms: what they say, and the date they bear.
type clause struct {
	from, says string // says: the date on the page, which need not be that of the change
	returns    int    // days
	disputes   string
	partners   bool
}

// clauses are the terms of the shop. The last change was not announced: the page goes on to bear the old date.
var clauses = []clause{
	{"2023-01-02", "2022-11-01", 30, "Disputes are heard by the court of Halm.", false},
	{"2024-06-03", "2024-06-03", 14, "Disputes are heard by the court of Halm.", false},
	{"2024-12-02", "2024-12-02", 14, "Disputes are settled by an arbitrator whom Lantern & Sons names.", false},
	{"2025-06-02", "2024-12-02", 14, "Disputes are settled by an arbitrator whom Lantern & Sons names.", true},
}

func clauseAt(at time.Time) *clause {
	out := &clauses[0]
	for i := range clauses {
		if !at.Before(day(clauses[i].from)) {
			out = &clauses[i]
		}
	}
	return out
}

// product is something to buy.
type product struct {
	n          int
	name, text string
	priced     []time.Time // when the price changed
	sold       []time.Time
}

func (p *product) path() string { return fmt.Sprintf("/p/%d-%s", p.n, slug(p.name)) }

func (c *Country) products() []*product {
	var out []*product
	kinds := c.say["product"]
	for i := range c.few(32) {
		f := c.fill(forProduct, uint64(i))
		name, text, _ := strings.Cut(f.fill(kinds[i%len(kinds)]), "|")
		p := &product{n: i + 1, name: name, text: text, priced: []time.Time{begin}, sold: nowAndThen(c.fill(forSale, uint64(i)), 60*time.Hour)}
		for t := begin; ; {
			if t = t.Add(time.Duration(40+f.s.IntN(260)) * 24 * time.Hour); t.After(end) {
				break
			}
			p.priced = append(p.priced, t)
		}
		out = append(out, p)
	}
	return out
}

// price is in crowns.
func (c *Country) price(p *product, at time.Time) int {
	at = p.priced[before(p.priced, at)-1]
	base := 10 + c.fill(forPrice, uint64(p.n)).s.IntN(90)
	return base + c.fill(forPrice, uint64(p.n), uint64(at.Unix())).s.IntN(1+base/4) + (at.Year()-2023)*base/12
}

// left is how many the shop has; when one is left, twenty more come.
func (p *product) left(at time.Time) int { return 20 - (7*p.n+before(p.sold, at))%20 }

// before counts the instants that are not after one.
func before(list []time.Time, at time.Time) int {
	n, _ := slices.BinarySearchFunc(list, at, func(t, at time.Time) int {
		if t.After(at) {
			return 1
		}
		return -1
	})
	return n
}

// shop lists the pages of the shop.
func (c *Country) shop() []websim.Written {
	list := c.products()
	var changes []time.Time
	for _, k := range clauses {
		changes = append(changes, day(k.from))
	}
	out := []websim.Written{
		always("/style.css", lantern.style()),
		written("/", every(14*24*time.Hour), func(at time.Time) []byte { return c.shopHome(list, at) }),
		written("/terms", changes, c.shopTerms),
		written("/privacy", []time.Time{begin, day("2025-06-02")}, c.privacy),
		written("/shipping", []time.Time{begin, day("2023-10-02"), day("2024-11-04")}, c.shipping),
	}
	for _, p := range list {
		out = append(out, written(p.path(), slices.Concat(p.priced, p.sold), func(at time.Time) []byte { return c.productPage(p, at) }))
		if p.n%4 != 0 { // of every fourth the picture is missing
			picture := asset.JPEG(nil, uint64(p.n), 4000)
			out = append(out, always(fmt.Sprintf("/img/%d.jpg", p.n), picture))
		}
	}
	return out
}

func (c *Country) shopHome(list []*product, at time.Time) []byte {
	p := lantern.page("Everything for rain and sea")
	f := c.fill(forPrice, 77, uint64(at.Unix()))
	p.put("<p class=\"note\">Offer of the fortnight: %s</p>\n<ul>\n", list[f.s.IntN(len(list))].name)
	for _, x := range list {
		p.link(x.path(), x.name)
	}
	p.put("</ul>\n")
	return p.bytes()
}

func (c *Country) productPage(x *product, at time.Time) []byte {
	p := lantern.page(x.name)
	p.put("<p><img src=\"/img/%s.jpg\" alt=\"%s\" width=\"320\"></p>\n", fmt.Sprint(x.n), x.name)
	p.paragraph(x.text)
	p.put("<p><b>%s crowns</b>, %s left</p>\n", fmt.Sprint(c.price(x, at)), fmt.Sprint(x.left(at)))
	p.paragraph(fmt.Sprintf("You can send it back within %d days, see our terms.", clauseAt(at).returns))
	return p.bytes()
}

func (c *Country) shopTerms(at time.Time) []byte {
	k := clauseAt(at)
	p := lantern.page("Terms")
	p.put("<p class=\"by\">Version of %s</p>\n", date(day(k.says)))
	for i, t := range []string{
		"A contract comes about when we send the goods.",
		fmt.Sprintf("You can send goods back within %d days. We pay the price back within two weeks.", k.returns),
		"We answer for defects for two years.",
		k.disputes,
	} {
		p.heading(fmt.Sprintf("%d.", i+1))
		p.paragraph(t)
	}
	if k.partners {
		p.heading("5.")
		p.paragraph("We may pass on your name, address and what you bought to partners, who may write to you.")
	}
	return p.bytes()
}

func (c *Country) privacy(at time.Time) []byte {
	p := lantern.page("Privacy")
	if at.Before(day("2025-06-02")) {
		p.paragraph("We never pass on what we know about you.")
	} else {
		p.paragraph("What we pass on is in our terms.")
	}
	return p.bytes()
}

func (c *Country) shipping(at time.Time) []byte {
	p := lantern.page("Shipping")
	price := 4
	if at.After(day("2023-10-01")) {
		price = 6
	}
	if at.After(day("2024-11-03")) {
		price = 7
	}
	p.paragraph(fmt.Sprintf("Shipping costs %d crowns, to the islands one crown more. Ferries permitting.", price))
	return p.bytes()
}
