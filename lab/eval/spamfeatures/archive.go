package spamfeatures

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/lab/websim"
	"varve/lab/websim/spam"
	"varve/web/links"
)

// archivist writes what the hosts of a world answer into WARC files, one for each instant.
type archivist struct {
	world *spam.World
	dir   string
	pages int // of a host, at most
	links *links.Extractor
	n     int // records so far
}

// visit archives all hosts at an instant.
func (a *archivist) visit(ctx context.Context, crawl string, at time.Time) (file catalog.File, err error) {
	name := crawl + ".warc.gz"
	file = catalog.File{Name: name, Path: filepath.Join(a.dir, name), Kind: catalog.KindWARC}
	f, err := os.Create(file.Path)
	if err != nil {
		return file, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		return file, err
	}
	write := func(e *warc.Entry) error { return enc.Encode(w, e) }
	err = write(warc.New(warc.TypeWarcinfo, a.id(), at, warc.Bytes("isPartOf: "+crawl+"\r\n")).With(warc.FieldContentType, warc.ContentTypeFields))
	if err != nil {
		return file, err
	}
	for _, h := range a.world.Hosts() {
		if _, there := a.world.Label(h.Name, at); !there {
			continue
		}
		if err := a.host(h.Name, at, write); err != nil {
			return file, err
		}
		if err := ctx.Err(); err != nil {
			return file, err
		}
	}
	return file, w.Flush()
}

func (a *archivist) id() string {
	a.n++
	return fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", a.n)
}

// host archives its pages breadth first.
func (a *archivist) host(host string, at time.Time, write func(*warc.Entry) error) error {
	base := "http://" + host
	queue, seen := []string{"/", "/robots.txt"}, map[string]bool{"/": true, "/robots.txt": true}
	for k := 0; k < len(queue) && k < a.pages+1; k++ {
		url := base + queue[k]
		answer := a.world.Answer(&websim.Request{Host: host, Target: queue[k], Header: []websim.Field{{Name: "User-Agent", Value: "varve"}}}, at)
		if answer == nil {
			continue
		}
		const most = 4 << 20
		e := warc.New(warc.TypeResponse, a.id(), at, warc.Bytes(string(answer.Wire("GET", most)))).With(warc.FieldTargetURI, url).
			With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := write(e); err != nil {
			return err
		}
		if !answer.Plain() || answer.Status != 200 {
			continue
		}
		_, _ = a.links.Extract(links.Document{URL: url, MIME: answer.Get("Content-Type"), Body: answer.Body, Brief: true}, func(l links.Link) {
			path, inside := strings.CutPrefix(l.URL, base+"/")
			path, _, _ = strings.Cut("/"+path, "#")
			if inside && l.Hop == links.HopLink && !seen[path] && len(queue) <= a.pages {
				seen[path] = true
				queue = append(queue, strings.Clone(path))
			}
		})
	}
	return nil
}
