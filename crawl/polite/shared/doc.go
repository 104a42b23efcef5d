// Package shared keeps politeness between processes: while one is at a host, the others are not, and what a host asks
// of one (Crawl-delay, Retry-After) all give it. It implements polite.Shared twice, over one set of rules: File for the
// processes of a machine, Memory for several registries of one process (tests, simulations).
//
// Terms. A *member* is a process, or more exactly one opening of the registry. A *slot* is what is known of a key (a
// host or an address): who is there, and until when it must be left alone. The *heir* is the member that was refused
// first and comes next.
//
//	enter(member, claims):  for every key:
//	    all places taken?            those of dead members are vacated, each leaving a rest behind; else: busy
//	    too early?                   resting until next
//	    an heir, and not we?         others first, for a short grace after its time
//	  all free: take a place at each; refused: be heir, if there is none
//	leave(member, stays):            vacate, next = max(next, what the request brought)
//
// No member waits inside: a refusal says when to ask again. Who was refused because another is there asks again after
// an eighth of the rest, or of the time that the other has been there, so a host loses little and nobody asks often.
// A member that dies anywhere leaves at most places behind, and the next who wants one finds out that it is dead; the
// host then rests from that moment, since nobody knows when the dead one's last request ended.
//
// Instants are those of the machine's clock. When it is set back, rests keep their length.
package shared
