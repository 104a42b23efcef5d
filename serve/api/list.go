package api

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"varve"
	"varve/archive/cdxj"
)

// List is a page of items.
type List[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitempty"`  // cursor of the next page; empty at the end
	Total int    `json:"total,omitempty"` // items of all pages, where that is known
	// Problems tells what could not be read and is not among the items.
	Problems []string `json:"problems,omitempty"`
}

// all makes a list that has everything.
func all[T any](items []T) List[T] {
	if items == nil {
		items = []T{}
	}
	return List[T]{Items: items}
}

const (
	defaultLimit = 100
	maxLimit     = 1000
)

func invalid(what, value, hint string) error {
	return &varve.Error{Kind: varve.Invalid, Op: "read the parameter " + what, Msg: fmt.Sprintf("%q cannot be used", value), Hint: hint}
}

func limitOf(r *http.Request, standard, most int) (int, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return standard, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, invalid("limit", text, fmt.Sprintf("a number from 1 to %d", most))
	}
	return n, nil
}

// paged cuts a list that is in memory; its cursor is a number.
func paged[T any](r *http.Request, items []T, standard int) (List[T], error) {
	limit, from, after, err := cursorOf(r, standard)
	if err == nil && after != "" {
		err = invalid("cursor", after, "take next of the page before")
	}
	if err != nil {
		return List[T]{}, err
	}
	from = min(from, len(items))
	to := min(from+limit, len(items))
	out := all(items[from:to])
	out.Total = len(items)
	if to < len(items) {
		out.Next = strconv.Itoa(to)
	}
	return out, nil
}

// cursorOf reads which page is asked for: so many items from a number on, or after a place.
func cursorOf(r *http.Request, standard int) (limit, from int, after string, err error) {
	if limit, err = limitOf(r, standard, maxLimit); err != nil {
		return 0, 0, "", err
	}
	c := r.URL.Query().Get("cursor")
	if c == "" {
		return limit, 0, "", nil
	}
	if from, err = strconv.Atoi(c); err == nil && from < 0 {
		return 0, 0, "", invalid("cursor", c, "take next of the page before")
	}
	if err != nil {
		return limit, 0, c, nil
	}
	return limit, from, "", nil
}

// timeOf reads a time: 4 to 14 digits or RFC 3339. late pads missing digits to the end of the span.
func timeOf(r *http.Request, name string, late bool) (time.Time, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	pad := cdxj.EarliestTimestamp
	if late {
		pad = cdxj.LatestTimestamp
	}
	full, err := pad(text)
	if err != nil {
		return time.Time{}, invalid(name, text, "digits as 2026, 20261108 or 20261108031240, or RFC 3339")
	}
	t, err := cdxj.ParseTimestamp(full)
	if err != nil {
		return time.Time{}, invalid(name, text, "digits as 2026, 20261108 or 20261108031240, or RFC 3339")
	}
	return t, nil
}

func spanOf(r *http.Request) (from, to time.Time, err error) {
	if from, err = timeOf(r, "from", false); err != nil {
		return from, to, err
	}
	to, err = timeOf(r, "to", true)
	return from, to, err
}

func urlOf(r *http.Request) (string, error) {
	if u := r.URL.Query().Get("url"); u != "" {
		return u, nil
	}
	return "", &varve.Error{Kind: varve.Invalid, Op: "read the parameter url", Msg: "it is missing", Hint: "url=https://example.com/"}
}
