package fetch

import (
	"bytes"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Answer is what the lookup of a name gave. It is shared and not to be changed.
type Answer struct {
	Host    string
	Addrs   []netip.Addr // in the order to try
	Time    time.Time    // when it was looked up
	TTL     time.Duration
	Server  string      // who answered: "ip:port", or "hosts" for this machine's own table
	Records []DNSRecord // as received, aliases included; none from the table

	good atomic.Int32 // index of the address that last let us connect
}

// DNSRecord is one resource record of an answer.
type DNSRecord struct {
	Name string // with a dot at its end
	TTL  uint32
	Type string // "A", "AAAA", "CNAME"
	Data string
}

// Text writes the answer as a dns: record holds it (text/dns, RFC 4501 and RFC 2540): the date
// and one line per resource record.
func (a *Answer) Text() []byte {
	var b bytes.Buffer
	b.WriteString(a.Time.UTC().Format("20060102150405") + "\n")
	for _, r := range a.Records {
		fmt.Fprintf(&b, "%s\t%d\tIN\t%s\t%s\n", r.Name, r.TTL, r.Type, r.Data)
	}
	if len(a.Records) == 0 {
		for _, addr := range a.Addrs {
			kind := "A"
			if addr.Is6() {
				kind = "AAAA"
			}
			fmt.Fprintf(&b, "%s.\t%d\tIN\t%s\t%s\n", strings.TrimSuffix(a.Host, "."), int(a.TTL.Seconds()), kind, addr)
		}
	}
	return b.Bytes()
}

// order gives the addresses to try, the one that last worked first.
func (a *Answer) order(i int) netip.Addr {
	good := int(a.good.Load())
	switch {
	case i == 0:
		return a.Addrs[good]
	case i <= good:
		return a.Addrs[i-1]
	}
	return a.Addrs[i]
}

// parseRecords takes the records out of a DNS message. A message that is cut or malformed gives
// those before the fault: the addresses come from the resolver itself, this is their evidence.
func parseRecords(msg []byte) []DNSRecord {
	var p dnsmessage.Parser
	if _, err := p.Start(msg); err != nil {
		return nil
	}
	if err := p.SkipAllQuestions(); err != nil {
		return nil
	}
	var out []DNSRecord
	for len(out) < maxRecords {
		r, err := p.Answer()
		if err != nil {
			break
		}
		rec := DNSRecord{Name: r.Header.Name.String(), TTL: r.Header.TTL}
		switch body := r.Body.(type) {
		case *dnsmessage.AResource:
			rec.Type, rec.Data = "A", netip.AddrFrom4(body.A).String()
		case *dnsmessage.AAAAResource:
			rec.Type, rec.Data = "AAAA", netip.AddrFrom16(body.AAAA).String()
		case *dnsmessage.CNAMEResource:
			rec.Type, rec.Data = "CNAME", body.CNAME.String()
		default:
			continue
		}
		out = append(out, rec)
	}
	return out
}

// maxRecords bounds what is kept of one message.
const maxRecords = 64
