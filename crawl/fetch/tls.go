package fetch

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// TLSInfo is what there is to say about an encrypted connection. It is shared by the exchanges on
// it and not to be changed.
type TLSInfo struct {
	Version string        `json:"version"` // "tls/1.3", as WARC-Protocol has it
	Cipher  string        `json:"cipher"`  // standard name, as WARC-Cipher-Suite has it
	ALPN    string        `json:"alpn,omitempty"`
	Resumed bool          `json:"resumed,omitempty"`
	Chain   []Certificate `json:"chain"`           // as sent, the server's own first
	Fault   string        `json:"fault,omitempty"` // why it should not be trusted; only with AcceptBad
}

// Certificate names one certificate of a chain.
type Certificate struct {
	SHA256    string    `json:"sha256"` // of its bytes, in hex
	Subject   string    `json:"subject"`
	Issuer    string    `json:"issuer"`
	NotBefore time.Time `json:"not_before"`
	NotAfter  time.Time `json:"not_after"`
}

// tlsSettings are shared by all connections.
type tlsSettings struct {
	cfg      TLS
	sessions tls.ClientSessionCache
	ciphers  []uint16 // nil: the library's
}

func newTLSSettings(cfg *TLS) tlsSettings {
	s := tlsSettings{cfg: *cfg}
	if cfg.Sessions > 0 {
		s.sessions = tls.NewLRUClientSessionCache(cfg.Sessions)
	}
	if cfg.Legacy {
		for _, c := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
			s.ciphers = append(s.ciphers, c.ID)
		}
	}
	return s
}

// config makes the settings for one handshake. A fault that is accepted goes to fault.
func (s *tlsSettings) config(host, alpn string, fault *error) *tls.Config {
	c := &tls.Config{
		ServerName:         strings.TrimSuffix(host, "."),
		RootCAs:            s.cfg.Roots,
		NextProtos:         []string{alpn},
		ClientSessionCache: s.sessions,
		MinVersion:         tls.VersionTLS12,
		CipherSuites:       s.ciphers,
	}
	if s.cfg.Legacy {
		c.MinVersion = tls.VersionTLS10
	}
	if alpn != "http/1.1" {
		c.ClientSessionCache = nil // a session remembers its protocol
	}
	if s.cfg.AcceptBad {
		c.InsecureSkipVerify = true
		c.VerifyConnection = func(st tls.ConnectionState) error {
			*fault = verify(&st, s.cfg.Roots)
			return nil
		}
	}
	return c
}

// verify does what the library does where it is not told to skip it.
func verify(st *tls.ConnectionState, roots *x509.CertPool) error {
	if len(st.PeerCertificates) == 0 {
		return errors.New("no certificate")
	}
	opts := x509.VerifyOptions{DNSName: st.ServerName, Roots: roots, Intermediates: x509.NewCertPool()}
	for _, c := range st.PeerCertificates[1:] {
		opts.Intermediates.AddCert(c)
	}
	_, err := st.PeerCertificates[0].Verify(opts)
	return err
}

// handshake puts TLS on a connection and records its details.
func (k *call) handshake(c *conn, alpn string) error {
	start := k.client.cfg.Clock.Now()
	ctx, cancel := context.WithDeadline(k.ctx, k.until(k.client.cfg.Timeouts.TLS))
	defer cancel()
	var fault error
	t := tls.Client(c.raw, k.client.tls.config(c.key.host, alpn, &fault))
	err := t.HandshakeContext(ctx)
	k.x.Timings.TLS += k.client.cfg.Clock.Now().Sub(start)
	if err != nil {
		return tlsFault(ctx, err)
	}
	st := t.ConnectionState()
	c.nc, c.tls = t, newTLSInfo(&st, fault)
	return nil
}

func tlsFault(ctx context.Context, err error) error {
	if ctx.Err() != nil || isTimeout(err) {
		return as(TLSTimeout, err)
	}
	if classIn(broken(err, TLSTimeout)) == Reset {
		return as(Reset, err)
	}
	return as(BadTLS, err)
}

func newTLSInfo(st *tls.ConnectionState, fault error) *TLSInfo {
	info := &TLSInfo{
		Version: versionName(st.Version), Cipher: tls.CipherSuiteName(st.CipherSuite),
		ALPN: st.NegotiatedProtocol, Resumed: st.DidResume,
	}
	if fault != nil {
		info.Fault = fault.Error()
	}
	for _, c := range st.PeerCertificates {
		sum := sha256.Sum256(c.Raw)
		info.Chain = append(info.Chain, Certificate{
			SHA256: hex.EncodeToString(sum[:]), Subject: c.Subject.String(), Issuer: c.Issuer.String(),
			NotBefore: c.NotBefore, NotAfter: c.NotAfter,
		})
	}
	return info
}

// versionName writes a version as WARC-Protocol has it.
func versionName(v uint16) string {
	switch v {
	case tls.VersionTLS10:
		return "tls/1.0"
	case tls.VersionTLS11:
		return "tls/1.1"
	case tls.VersionTLS12:
		return "tls/1.2"
	case tls.VersionTLS13:
		return "tls/1.3"
	}
	return strings.ToLower(tls.VersionName(v))
}
