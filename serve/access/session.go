package access

import (
	"sync"
	"time"
)

// How long a session lasts.
const (
	sessionLasts = 12 * time.Hour
	sessionIdle  = 2 * time.Hour
	maxSessions  = 10_000
)

// session is a login. Sessions live in memory: a restart ends them.
type session struct {
	user          string
	hash          string       // of the password when it began: another password ends it
	oidc          *oidcSession // nil: by password
	csrf          string
	began, active time.Time
}

// sessions are kept by the hash of their secret, so that memory that leaks gives nobody a session.
type sessions struct {
	mu sync.Mutex
	by map[string]*session
}

func newSessions() *sessions { return &sessions{by: map[string]*session{}} }

// begin makes a session and gives its secret.
func (s *sessions) begin(x session, now time.Time) string {
	secret := randomText(32)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.by) >= maxSessions {
		s.sweep(now)
	}
	if len(s.by) >= maxSessions {
		clear(s.by) // a flood of logins of real users: all log in again
	}
	x.csrf, x.began, x.active = randomText(18), now, now
	s.by[hashToken(secret)] = &x
	return secret
}

func (s *sessions) sweep(now time.Time) {
	for k, x := range s.by {
		if x.over(now) {
			delete(s.by, k)
		}
	}
}

// of reports whether the session is still one of a user.
func (x *session) of(u User) bool {
	if x.oidc != nil {
		return u.OIDC == x.oidc.key
	}
	return u.Hash == x.hash
}

func (x *session) over(now time.Time) bool {
	return now.Sub(x.began) > sessionLasts || now.Sub(x.active) > sessionIdle
}

// get gives the session with that secret and notes that it is in use.
func (s *sessions) get(secret string, now time.Time) (key string, x session, ok bool) {
	key = hashToken(secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.by[key]
	if found == nil {
		return "", session{}, false
	}
	if found.over(now) {
		delete(s.by, key)
		return "", session{}, false
	}
	found.active = now
	return key, *found, true
}

// lives reports whether the session of a key, as get returns it, goes on; used notes that it is in use.
func (s *sessions) lives(key string, used bool, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.by[key]
	if x == nil || x.over(now) {
		return false
	}
	if used {
		x.active = now
	}
	return true
}

func (s *sessions) end(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.by, key)
}
