// Package robots reads what a site says about being crawled: robots.txt (RFC 9309), the
// robots meta tag and the X-Robots-Tag header. It is pure: bytes in, decisions out; fetching,
// caching and clocks belong to the caller.
//
// Terms. A *group* is one or more User-agent lines followed by rules. A *rule* is an Allow or
// Disallow line with a path *pattern*, in which `*` stands for any octets and a final `$` for the
// end. The *target* of a URL is its path and query. The *product token* is the crawler's name
// ("varve"). A *finding* is a line that could not be taken as written, with its number.
//
// The way of a decision:
//
//  1. Parse splits the first MaxBytes of the body into lines (CR, LF or CRLF), drops comments,
//     and collects groups. Blank lines and unknown lines never end a group; a User-agent line
//     after a rule begins a new one.
//  2. File.For(token) merges all groups of that token (case-insensitive) into one Rules; when there
//     is none, the groups of `*`; when there is none either, everything is allowed.
//  3. Rules.Test(target) compares octets after percent-encoding both sides alike (see pattern.go).
//     The rule with the most octets wins, Allow wins a tie, no rule means allowed, and /robots.txt
//     itself is always allowed.
//
// Cost: Parse is linear in the body. Rules without wildcards are found by binary search in
// O(log rules + length); rules with wildcards are tried longest first, each in time linear in
// pattern and target, so that no robots.txt can make a decision exponential or even quadratic in
// one pattern. What a fetch of robots.txt means (Record, section 2.3 of the RFC) is in record.go.
package robots
