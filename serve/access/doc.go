// Package access decides who may see and do what.
//
// Terms. A *visitor* is who asks: from loopback, with a session, with a token, or nobody. A *role*
// is what a visitor may do: viewer, curator, admin. A *rule* withholds captures: of a collection, of
// a URL prefix, from some visitors, for some time (embargo). A *takedown* is a rule that holds for
// everybody at once; a *purge* removes the bytes and leaves a *tombstone*. The *audit log* tells who
// did what; it only grows, and each line has the hash of the line before it.
//
// On disk, in <archive>/access/:
//
//	users.json    names, roles, argon2id hashes, hashes of tokens     0600, replaced as a whole
//	rules.jsonl   decisions: rule added, rule lifted                  append-only
//	audit.jsonl   what was done, by whom, chained by hashes           append-only
//
// A request becomes a visitor in this order: token in the Authorization header; session cookie;
// loopback (the listener, the peer and the Host header must all be of this machine, and no proxy may
// have passed it on); else nobody. State-changing requests from browsers must come from our own
// origin (Origin, Sec-Fetch-Site) and carry the token of the session.
//
// Which rule holds for a capture: among those that match its collection, key and time, the one with
// the longest prefix; of several such, the strictest. Embargo and access are decided apart.
//
// Cost: rules are kept in memory, sorted by prefix; a capture is checked by binary search for each
// of the prefixes of its key that are in use, so in microseconds with thousands of rules.
package access
