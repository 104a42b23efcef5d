package crawl

import (
	"sync"

	"varve/archive/warc"
	"varve/crawl/fetch"
)

// maxDNSSeen bounds the answers remembered as recorded; beyond it a record may be written twice.
const maxDNSSeen = 50_000

// dnsSeen remembers which DNS answers have a record, so that each gets one.
type dnsSeen struct {
	mu   sync.Mutex
	seen map[*fetch.Answer]struct{}
}

func newDNSSeen() *dnsSeen { return &dnsSeen{seen: map[*fetch.Answer]struct{}{}} }

// first tells whether an answer is met for the first time.
func (d *dnsSeen) first(a *fetch.Answer) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.seen[a]; there {
		return false
	}
	if len(d.seen) >= maxDNSSeen {
		clear(d.seen)
	}
	d.seen[a] = struct{}{}
	return true
}

// dnsEntry makes the dns: record of a new answer. Addresses that did not come from DNS have none.
func (w *Worker) dnsEntry(x *fetch.Exchange) (*warc.Entry, error) {
	if x.DNS == nil || len(x.DNS.Records) == 0 || !w.r.dns.first(x.DNS) {
		return nil, nil
	}
	id, err := warc.NewID(w.ids)
	if err != nil {
		return nil, err
	}
	return warc.New(warc.TypeResource, id, x.DNS.Time, warc.Bytes(x.DNS.Text())).
		With(warc.FieldTargetURI, "dns:"+x.DNS.Host).With(warc.FieldContentType, "text/dns").
		With(warc.FieldIPAddress, serverAddress(x.DNS.Server)), nil
}

// serverAddress is the address part of "ip:port", or nothing for this machine's own table.
func serverAddress(server string) string {
	if name := hostName(server); name != server {
		return name
	}
	return ""
}
