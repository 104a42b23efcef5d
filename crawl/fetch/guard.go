package fetch

import (
	"net/netip"
)

// guard keeps a public page from making us reach what only we can reach: this machine, its
// network, the services of its cloud. It judges the address that is dialled, after DNS, so a name
// that changes its address between two lookups gains nothing.
type guard struct {
	allowPrivate bool
}

// check refuses an address, or a port that no web server uses. Loopback may be allowed for
// requests that descend from a loopback seed.
func (g guard) check(a netip.AddrPort, allowLoopback bool) error {
	r := Classify(a.Addr())
	switch {
	case r == Public, r == Loopback && allowLoopback, g.allowPrivate && r.private():
	default:
		return faultf(Guarded, "%s is a %s address", a.Addr(), r)
	}
	if service, bad := badPorts[a.Port()]; bad {
		return faultf(Guarded, "port %d is for %s", a.Port(), service)
	}
	return nil
}

// Range says what an address is for.
type Range string

// The ranges that the guard tells apart.
const (
	Public        Range = "public"
	Loopback      Range = "loopback"
	Private       Range = "private"
	Shared        Range = "shared" // carrier-grade NAT
	LinkLocal     Range = "link-local"
	Metadata      Range = "cloud metadata"
	Multicast     Range = "multicast"
	Unspecified   Range = "unspecified"
	Documentation Range = "documentation"
	Benchmark     Range = "benchmark"
	Reserved      Range = "reserved"
)

// private tells which ranges AllowPrivate opens. Metadata services hand out keys to whoever asks,
// so they stay closed; an Override is the way to reach one on purpose.
func (r Range) private() bool {
	switch r {
	case Loopback, Private, Shared, LinkLocal, Benchmark, Documentation:
		return true
	}
	return false
}

type rangeEntry struct {
	prefix netip.Prefix
	is     Range
}

// ranges are the IANA special-purpose registries (RFC 6890 and its updates), single addresses
// before the ranges around them. The first match counts.
var ranges = []rangeEntry{
	entry("169.254.169.254/32", Metadata), // AWS, Google, Azure, and most others
	entry("169.254.170.2/32", Metadata),   // AWS containers
	entry("169.254.170.23/32", Metadata),  // AWS pods
	entry("100.100.100.200/32", Metadata), // Alibaba
	entry("168.63.129.16/32", Metadata),   // Azure, in the midst of public addresses
	entry("192.0.0.192/32", Metadata),     // Oracle
	entry("fd00:ec2::/32", Metadata),      // AWS
	entry("fd20:ce::254/128", Metadata),   // Google

	entry("0.0.0.0/8", Unspecified),
	entry("10.0.0.0/8", Private),
	entry("100.64.0.0/10", Shared),
	entry("127.0.0.0/8", Loopback),
	entry("169.254.0.0/16", LinkLocal),
	entry("172.16.0.0/12", Private),
	entry("192.0.0.0/24", Reserved),
	entry("192.0.2.0/24", Documentation),
	entry("192.88.99.0/24", Reserved), // 6to4 relays
	entry("192.168.0.0/16", Private),
	entry("198.18.0.0/15", Benchmark),
	entry("198.51.100.0/24", Documentation),
	entry("203.0.113.0/24", Documentation),
	entry("224.0.0.0/4", Multicast),
	entry("240.0.0.0/4", Reserved), // with the broadcast address

	entry("::/128", Unspecified),
	entry("::1/128", Loopback),
	entry("2001:2::/48", Benchmark),
	entry("2001::/23", Reserved), // Teredo, ORCHID and other protocol assignments
	entry("2001:db8::/32", Documentation),
	entry("3fff::/20", Documentation),
	entry("fc00::/7", Private),
	entry("fe80::/10", LinkLocal),
	entry("fec0::/10", Private), // site-local, long withdrawn, still in use
	entry("ff00::/8", Multicast),
}

func entry(prefix string, r Range) rangeEntry { return rangeEntry{netip.MustParsePrefix(prefix), r} }

// globalUnicast is the only part of IPv6 from which public addresses are given out.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// Classify says what an address is for. Addresses that carry an IPv4 address (mapped, NAT64, 6to4,
// ISATAP) are what that address is.
func Classify(a netip.Addr) Range {
	if !a.IsValid() {
		return Reserved
	}
	a = a.Unmap().WithZone("")
	for _, e := range ranges {
		if e.prefix.Contains(a) {
			return e.is
		}
	}
	if a.Is4() {
		return Public
	}
	if v4, ok := embedded(a); ok {
		if r := Classify(v4); r != Public {
			return r
		}
	}
	if !globalUnicast.Contains(a) && !nat64.Contains(a) {
		return Reserved
	}
	return Public
}

// Prefixes behind which a gateway reads an IPv4 address.
var (
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour = netip.MustParsePrefix("2002::/16")
)

// embedded gives the IPv4 address inside an IPv6 address.
func embedded(a netip.Addr) (netip.Addr, bool) {
	b := a.As16()
	switch {
	case nat64.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixToFour.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return netip.AddrFrom4([4]byte(b[12:16])), true
	}
	return netip.Addr{}, false
}

// badPorts are those that the Fetch standard refuses, so no page can have been served there: a
// request to one would talk to some other service.
var badPorts = map[uint16]string{
	0: "nothing", 1: "tcpmux", 7: "echo", 9: "discard", 11: "systat", 13: "daytime", 15: "netstat", 17: "qotd",
	19: "chargen", 20: "ftp-data", 21: "ftp", 22: "ssh", 23: "telnet", 25: "smtp", 37: "time", 42: "name", 43: "whois",
	53: "domain", 69: "tftp", 77: "rje", 79: "finger", 87: "link", 95: "supdup", 101: "hostname", 102: "iso-tsap",
	103: "gppitnp", 104: "acr-nema", 109: "pop2", 110: "pop3", 111: "sunrpc", 113: "auth", 115: "sftp",
	117: "uucp-path", 119: "nntp", 123: "ntp", 135: "epmap", 137: "netbios-ns", 139: "netbios-ssn", 143: "imap",
	161: "snmp", 179: "bgp", 389: "ldap", 427: "svrloc", 465: "submissions", 512: "exec", 513: "login", 514: "shell",
	515: "printer", 526: "tempo", 530: "courier", 531: "chat", 532: "netnews", 540: "uucp", 548: "afp",
	554: "rtsp", 556: "remotefs", 563: "nntps", 587: "submission", 601: "syslog-conn", 636: "ldaps", 989: "ftps-data",
	990: "ftps", 993: "imaps", 995: "pop3s", 1719: "h323gatestat", 1720: "h323hostcall", 1723: "pptp", 2049: "nfs",
	3659: "apple-sasl", 4045: "npp", 4190: "sieve", 5060: "sip", 5061: "sips", 6000: "x11", 6566: "sane-port",
	6665: "ircu", 6666: "ircu", 6667: "ircu", 6668: "ircu", 6669: "ircu", 6679: "osaut", 6697: "ircs-u", 10080: "amanda",
}
