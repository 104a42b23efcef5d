package access

import (
	"context"
	"slices"
	"time"
)

// Role is what a person may do. Each role includes those before it.
type Role string

// The roles.
const (
	Nobody  Role = ""        // not logged in
	Viewer  Role = "viewer"  // looks at everything that rules do not withhold
	Curator Role = "curator" // also steers crawls, imports, embargoes; sees what is embargoed
	Admin   Role = "admin"   // also users, takedown, purge
)

// ranks orders the roles.
var ranks = map[Role]int{Viewer: 1, Curator: 2, Admin: 3}

// Known tells whether there is such a role.
func (r Role) Known() bool { return ranks[r] > 0 }

// Includes tells whether r may do what o may do.
func (r Role) Includes(o Role) bool { return ranks[r] >= ranks[o] }

// Visitor is who asks.
type Visitor struct {
	Name        string // of the user; empty on loopback without login
	Role        Role
	Loopback    bool // from this machine: no login needed
	ReadingRoom bool // from an address of the reading room
	Token       bool // a program with an API token
	CSRF        string
	Only        []string  // collections that a ticket was for; nil: all
	From, Till  time.Time // of captures that the role counts for, Till inclusive; zero: all. Of others the visitor sees what everybody may
	AsReader    bool      // the visitor could do more, and asked to see what readers see
	Network     string    // of addresses that the request came from, for limits of rate; "" from this machine
	session     string
	byClaim     bool // the role is the word of the provider of OpenID Connect, and of no user
}

// reads tells whether the visitor may read a collection at all; of one that is not known, it may be.
func (v Visitor) reads(collection string) bool {
	return v.Only == nil || collection == "" || slices.Contains(v.Only, collection)
}

// Covers reports whether the role of the visitor counts for captures of an instant; for what is asked without one it does.
func (v Visitor) Covers(at time.Time) bool {
	return v.Till.IsZero() || at.IsZero() || !at.Before(v.From) && !at.After(v.Till)
}

// bounded reports whether there are captures that the role does not count for.
func (v Visitor) bounded() bool { return !v.Till.IsZero() }

// anybody returns the visitor with the rights of everybody who reads.
func (v Visitor) anybody() Visitor { return Visitor{Name: v.Name, Role: Viewer, Only: v.Only} }

// asReader returns the visitor with what is needed to come back, and the rights of a reader who is not in the reading room.
func (v Visitor) asReader() Visitor {
	v.Role, v.ReadingRoom, v.AsReader = Viewer, false, true
	return v
}

// guest returns the visitor with no more than the rights of a reader, and nothing to change anything with: another origin asks.
func (v Visitor) guest() Visitor {
	if v.Role.Includes(Viewer) {
		v.Role = Viewer
	}
	v.CSRF, v.session, v.ReadingRoom = "", "", false
	return v
}

// claimed is the role for notes that are signed; Nobody of users, whose role is looked up.
func (v Visitor) claimed() Role {
	if v.byClaim {
		return v.Role
	}
	return Nobody
}

// Can tells whether the visitor has a role, or one that includes it.
func (v Visitor) Can(r Role) bool { return v.Role.Includes(r) }

// Outside reports whether the visitor is a reader from outside: no curator, and not in the reading room.
func (v Visitor) Outside() bool { return !v.Can(Curator) && !v.ReadingRoom }

// Label names the visitor for the top line and the audit log.
func (v Visitor) Label() string {
	if v.Name == "" && v.Loopback {
		return "this machine"
	}
	return v.Name
}

type visitorKey struct{}

// With puts the visitor into a context.
func With(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// From gives the visitor of a request; one that nobody put there may do nothing.
func From(ctx context.Context) Visitor {
	v, _ := ctx.Value(visitorKey{}).(Visitor)
	return v
}
