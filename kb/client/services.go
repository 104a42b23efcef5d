package client

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/kb/rdf"
)

// Services are the endpoints that queries may ask by SERVICE.
type Services struct {
	list []*Remote
}

// Limits of one request that a query sends elsewhere.
const (
	serviceBytes = 16 << 20
	serviceTime  = 20 * time.Second
)

// NewServices returns the endpoints of a list of addresses. No other is asked, whatever a query says; with an empty list nobody is.
func NewServices(allowed []string) (*Services, error) {
	s := &Services{}
	for _, a := range allowed {
		r, err := NewRemote(a)
		if err != nil {
			return nil, err
		}
		r.MaxBytes, r.Timeout = serviceBytes, serviceTime
		s.list = append(s.list, r)
	}
	return s, nil
}

// Select asks an endpoint of the list.
func (s *Services) Select(ctx context.Context, endpoint, query string, each func(vars []string, solution []rdf.Term) bool) error {
	i := slices.IndexFunc(s.list, func(r *Remote) bool { return r.URL == endpoint })
	if i < 0 {
		names := make([]string, len(s.list))
		for i, r := range s.list {
			names[i] = r.URL
		}
		return &varve.Error{
			Kind: varve.Forbidden, Op: "evaluate query", Msg: fmt.Sprintf("SERVICE names %.200s, which may not be asked", endpoint), Hint: "allowed are: " + strings.Join(names, ", ") + "; SERVICE SILENT goes on without",
		}
	}
	a, err := s.list[i].Query(ctx, query, "")
	if err != nil {
		return err
	}
	defer a.Close()
	for solution, err := range a.Solutions {
		if err != nil {
			return s.list[i].told(ctx, err)
		}
		if !each(a.Vars, solution) {
			return nil
		}
	}
	return nil
}
