package scope

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// way compiles the conditions on how a URL was found.
func (b *compiler) way(r *Rule) {
	var kinds []byte
	for _, h := range r.Hop {
		k, ok := hopNames[strings.ToLower(h)]
		if !ok {
			b.fail("hop", fmt.Errorf("%q is no hop; there are link, form, listed, embed, redirect, speculative", h))
		}
		kinds = append(kinds, k)
	}
	b.add(len(kinds) > 0, "hop", words(r.Hop), func(c *Candidate, _ *Seeds) answer {
		return say(c.Hops != "" && slices.Contains(kinds, c.Hops[len(c.Hops)-1]))
	})
	if r.HopsOver != nil {
		most := *r.HopsOver
		if most < 0 {
			b.fail("hops-over", errors.New("a number of hops must not be negative"))
		}
		b.add(true, "hops-over", fmt.Sprint(most), func(c *Candidate, _ *Seeds) answer { return say(c.Hops.Links() > most) })
	}
	b.embed(r)
	b.add(r.Stray, "stray-guess", "", func(c *Candidate, s *Seeds) answer {
		return say(c.Hops.guessed() && c.URL.Host() != c.Via.Host() && !s.host(c.URL))
	})
	if re := b.regex("hop-path", nonEmpty(r.HopPath)); len(re) > 0 {
		b.add(true, "hop-path", r.HopPath, func(c *Candidate, _ *Seeds) answer { return say(re.match(string(c.Hops))) })
	}
	b.add(r.NoFollow, "nofollow", "", func(c *Candidate, _ *Seeds) answer { return say(c.NoFollow) })
	if r.Robots != "" && r.Robots != RobotsAllow && r.Robots != RobotsForbid {
		b.fail("robots", fmt.Errorf("%q is neither allowed nor forbidden", r.Robots))
	}
	b.add(r.Robots != "", "robots", string(r.Robots), func(c *Candidate, _ *Seeds) answer {
		if c.Robots == RobotsUnknown {
			return unknown
		}
		return say(c.Robots == r.Robots)
	})
}

// embed compiles embed-within with its allowance of guesses.
func (b *compiler) embed(r *Rule) {
	guesses := 1
	if r.Guesses != nil {
		guesses = *r.Guesses
		if r.EmbedWithin == 0 || guesses < 0 {
			b.fail("guesses", errors.New("guesses goes with embed-within and must not be negative"))
		}
	}
	if r.EmbedWithin < 0 {
		b.fail("embed-within", errors.New("a number of hops must not be negative"))
	}
	b.add(r.EmbedWithin > 0, "embed-within", fmt.Sprint(r.EmbedWithin), func(c *Candidate, _ *Seeds) answer {
		return say(c.Hops.embedded(r.EmbedWithin, guesses))
	})
}

// content compiles the conditions on what a URL holds.
func (b *compiler) content(r *Rule) {
	b.add(len(r.MIME) > 0, "mime", words(r.MIME), mimeTest(r.MIME))
	b.add(len(r.Language) > 0, "language", words(r.Language), languageTest(r.Language))
	b.add(r.LargerThan > 0, "larger-than", fmt.Sprint(int64(r.LargerThan)),
		compare(size, func(n int64) bool { return n > int64(r.LargerThan) }))
	b.add(r.SmallerThan > 0, "smaller-than", fmt.Sprint(int64(r.SmallerThan)),
		compare(size, func(n int64) bool { return n < int64(r.SmallerThan) }))
	b.share("spam-over", r.SpamOver, spam, func(v, limit float64) bool { return v > limit })
	b.share("relevance-under", r.RelevanceUnder, relevance, func(v, limit float64) bool { return v < limit })
	b.share("relevance-over", r.RelevanceOver, relevance, func(v, limit float64) bool { return v > limit })
	for _, k := range r.Trap {
		if k != "any" && !slices.Contains(TrapKinds, TrapKind(k)) {
			b.fail("trap", fmt.Errorf("%q is no kind of trap; there are any, %s", k, trapNames()))
		}
	}
	b.add(len(r.Trap) > 0, "trap", words(r.Trap), trapTest(r.Trap))
}

// share compiles a limit on a value from 0 to 1.
func (b *compiler) share(field string, limit *float64, get func(*Candidate) Known[float64], holds func(v, limit float64) bool) {
	if limit == nil {
		return
	}
	l := *limit
	if !(l >= 0 && l <= 1) {
		b.fail(field, fmt.Errorf("%g is not between 0 and 1", l))
	}
	b.add(true, field, fmt.Sprint(l), compare(get, func(v float64) bool { return holds(v, l) }))
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
