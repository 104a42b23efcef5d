package media

import (
	"encoding/json"
	"errors"
	"fmt"

	"varve/crawl/media/object"
	"varve/web/links"
)

// page reads what a page says of its media objects: one field of the metadata record each. Streams and files
// become links, also those in scripts and attributes that the parser takes for mere strings; what is behind a
// well-known player goes to the queue.
func (s *stream) page() error {
	a := s.answer
	if !object.Likely(a.Content) {
		return nil
	}
	list, err := object.Extract(a.Content, a.URL, a.Header.Get("Content-Type"))
	var many *object.TooManyError
	if errors.As(err, &many) {
		s.note("media-cut", many.Error())
		s.left += many.Beyond
		err = many.Err // the rest is counted
	}
	var failed error
	for _, o := range list {
		text, jerr := json.Marshal(o)
		if jerr != nil {
			return jerr
		}
		s.note(ObjectField, string(text))
		switch {
		case o.Kind == object.Stream:
			s.note("media-not-http", o.URL) // named, so that somebody may look for it elsewhere
		case o.Kind != object.Player:
			s.link(o.URL, links.MediaObject, o.Title)
		case s.cfg.Queue != nil && (o.Service != "" || s.cfg.AnyPlayer):
			failed = errors.Join(failed, s.cfg.Queue.Add(a.URL, o.URL))
			if s.cfg.TakePlayers {
				s.link(o.URL, links.MediaObject, o.Title)
			}
		}
		if o.Poster != "" {
			s.link(o.Poster, links.MediaPart, o.Title)
		}
		for _, t := range o.Tracks {
			s.link(t, links.MediaPart, o.Title)
		}
	}
	if failed != nil {
		failed = fmt.Errorf("queue of media objects: %w", failed)
	}
	return errors.Join(err, failed)
}

// ObjectField is the field of a page's metadata record that tells a media object, as the JSON of object.Object.
const ObjectField = "media-object"
