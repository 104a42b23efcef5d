package serve

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// hosts are the names under which a listener answers. A page of the web can make its own name point
// to 127.0.0.1 and then talk to us as the same origin; the Host header gives it away.
type hosts map[string]bool

// hostsOf are the names of a listener: the public one, or that of its address.
func hostsOf(public, addr string) hosts {
	out := hosts{}
	if u, err := url.Parse(public); err == nil && u.Host != "" {
		out[strings.ToLower(u.Hostname())] = true
		return out
	}
	host := strings.ToLower(hostOf("", addr))
	out[host] = true
	return out
}

// any tells whether the listener is open to all addresses, so that its names are not known.
func (h hosts) any() bool { return h[""] || h["0.0.0.0"] || h["::"] }

// allow tells whether a Host header names us.
func (h hosts) allow(header string) bool {
	if h.any() {
		return true
	}
	host, _, err := net.SplitHostPort(header)
	if err != nil {
		host = strings.Trim(header, "[]")
	}
	return h[strings.ToLower(host)]
}

// checkHost refuses requests for names that are not ours. Readers who typed the other spelling of
// this machine are sent to the right one.
func checkHost(allowed hosts, origin string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allowed.allow(r.Host) {
			next.ServeHTTP(w, r)
			return
		}
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]")
		}
		if isLoopbackName(host) && (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.HasPrefix(r.URL.Path, "/") {
			http.Redirect(w, r, origin+r.URL.EscapedPath()+queryOf(r.URL), http.StatusTemporaryRedirect)
			return
		}
		http.Error(w, "this server is "+origin+" and answers under no other name", http.StatusMisdirectedRequest)
	})
}

func queryOf(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

func isLoopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
