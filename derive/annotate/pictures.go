package annotate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/crawl/media/object"
	"varve/derive"
	"varve/derive/job"
	"varve/picture"
)

// Pictures is the name of the unit: it makes the tables pictures and captions.
const Pictures = "pictures"

const (
	pictures = Pictures   // mapper and table
	captions = "captions" // likewise
)

// pictureLimits bound one picture. One of picture.MaxPixels takes some seconds and 360 MB at most; the rest is room for the garbage of the one before.
var pictureLimits = scan.Limits{Time: 30 * time.Second, Memory: 768 << 20}

// PictureJobs returns the jobs of the unit Pictures: for derive.Options.More.
func PictureJobs() []job.Job {
	return []job.Job{
		{Name: pictures, Version: 2, Scan: &job.Scan{Mapper: picturesMapper(), Open: open("pictures", pictureRow, nil)}},
		{Name: captions, Version: 1, Scan: &job.Scan{Mapper: captionsMapper(), Open: open("captions", captionRows, nil)}},
	}
}

// Picture is what is known of one picture.
type Picture struct {
	Format  string    `parquet:"format,dict"` // jpeg, png, gif, webp, bmp, tiff; svg and others that are not decoded; empty if it is not known
	Width   int32     `parquet:"width"`
	Height  int32     `parquet:"height"`
	Size    int64     `parquet:"size"`          // bytes of the file
	Hashes  []uint64  `parquet:"hashes"`        // of the whole, then of windows; none if it has no contrast or was not decoded
	Thumb   []byte    `parquet:"thumb,zstd"`    // 32 by 32 cells of grey, with them
	Colours []string  `parquet:"colours,dict"`  // as in style sheets, the largest first
	Shares  []float32 `parquet:"colour_shares"` // of the area, of each colour
	Camera  string    `parquet:"camera,zstd,dict"`
	Taken   time.Time `parquet:"taken,optional,timestamp(microsecond)"` // by the clock of the camera, without a zone
	Place   []float64 `parquet:"place"`                                 // latitude and longitude in degrees; none if the file does not say
	Error   string    `parquet:"error,zstd,dict"`                       // why it was not decoded: what kind of reason, and after a colon which
}

// Print returns what the picture is recognised by; nil if it has nothing.
func (p *Picture) Print() *picture.Print {
	out := &picture.Print{}
	if len(p.Hashes) != len(out.Hashes) || len(p.Thumb) != len(out.Thumb) {
		return nil
	}
	copy(out.Hashes[:], p.Hashes)
	copy(out.Thumb[:], p.Thumb)
	return out
}

// PictureRow is a row of pictures.
type PictureRow struct {
	Version
	Picture
}

func pictureRow(v Version, p Picture) ([]PictureRow, []derive.FacetValue) {
	return []PictureRow{{v, p}}, nil
}

// picturesMapper looks at pictures. All of it is done in workers: decoders are for bytes of anybody.
func picturesMapper() *scan.Mapper {
	met := newMemory[Picture](remembered)
	m := scan.Mapper{Name: pictures, Needs: []string{"pages"}, Limits: pictureLimits, Wants: wantsPicture}
	return scan.New(m, func() func(context.Context, *scan.Item) (*Found[Picture], error) {
		return func(_ context.Context, it *scan.Item) (*Found[Picture], error) {
			row, ok := it.Result("pages").(*derive.Row)
			if !ok {
				return nil, nil
			}
			state := row.Page.State()
			key := digest(sha256.Sum256([]byte(row.Page.DigestBytes)))
			if p, ok := met.find(key); ok {
				return &Found[Picture]{state, p}, nil
			}
			p := lookAt(it)
			met.add(key, p, 2000)
			return &Found[Picture]{state, p}, nil
		}
	})
}

// wantsPicture wants what servers call a picture.
func wantsPicture(it *scan.Item) scan.Part {
	if it.Capture && it.Type != warc.TypeRevisit && it.Status < 300 && strings.HasPrefix(it.MIME, "image/") {
		return scan.Body
	}
	return scan.Nothing
}

// lookAt decodes a picture, or says why not.
func lookAt(it *scan.Item) Picture {
	body, more, err := it.ContentUpTo(pictureContent)
	out := Picture{Size: int64(len(body))}
	if err == nil && more {
		err = fmt.Errorf("long: over %d MiB", pictureContent>>20)
	} else if err != nil {
		err = fmt.Errorf("damaged: %w", err)
	}
	h, r, bad := picture.Decode(body)
	out.Format, out.Width, out.Height = h.Format, int32(h.Width), int32(h.Height)
	out.Camera, out.Taken = h.EXIF.Camera, h.EXIF.Taken
	if h.EXIF.Place {
		out.Place = []float64{h.EXIF.Latitude, h.EXIF.Longitude}
	}
	switch {
	case err != nil:
	case errors.Is(bad, picture.ErrFormat):
		err = fmt.Errorf("format: %s", cmp.Or(h.Format, "not known"))
	case errors.Is(bad, picture.ErrLarge):
		err = fmt.Errorf("large: %d by %d pixels", h.Width, h.Height)
	case bad != nil:
		err = fmt.Errorf("damaged: %w", bad)
	}
	if err != nil {
		out.Error = strings.ToValidUTF8(err.Error()[:min(200, len(err.Error()))], "")
		return out
	}
	if p := r.Print(); p != nil {
		out.Hashes, out.Thumb = slices.Clone(p.Hashes[:]), slices.Clone(p.Thumb[:])
	}
	for _, c := range r.Colours() {
		out.Colours, out.Shares = append(out.Colours, c.String()), append(out.Shares, float32(c.Share))
	}
	return out
}

// pictureContent is how long the file of a picture may be.
const pictureContent = scan.DefaultContent

// Captions are the pictures of a page.
type Captions struct {
	List []object.Picture
	Left int // that are beyond a limit
}

// CaptionRow is a row of captions: a picture on a page.
type CaptionRow struct {
	Version
	Number  int32  `parquet:"number"` // of the picture on the page, from 0
	Picture string `parquet:"picture,zstd,dict"`
	Alt     string `parquet:"alt,zstd,dict"`
	Title   string `parquet:"title,zstd,dict"`
	Caption string `parquet:"caption,zstd,dict"`
	Around  string `parquet:"around,zstd"`
	Left    int32  `parquet:"left"` // pictures of the page that are not in the table: it has too many
}

func captionRows(v Version, c Captions) (rows []CaptionRow, _ []derive.FacetValue) {
	for i, p := range c.List {
		rows = append(rows, CaptionRow{v, int32(i), p.URL, p.Alt, p.Title, p.Caption, p.Around, int32(c.Left)})
	}
	return rows, nil
}

// captionsMapper reads what pages say of their pictures.
func captionsMapper() *scan.Mapper {
	m := scan.Mapper{Name: captions, Needs: []string{"pages"}, Limits: scan.Limits{Time: limits.Time, Memory: limits.Memory}, Wants: wantsCaptions, Trusted: scan.Plain}
	return scan.New(m, func() func(context.Context, *scan.Item) (*Found[Captions], error) {
		return func(_ context.Context, it *scan.Item) (*Found[Captions], error) {
			row, ok := it.Result("pages").(*derive.Row)
			if !ok || row.Page.Detected != "text/html" && row.Page.Detected != "application/xhtml+xml" {
				return nil, nil
			}
			body, _, err := it.ContentUpTo(pictureContent)
			if err != nil && len(body) == 0 {
				return nil, nil // pages says why
			}
			list, err := object.Pictures(body, it.URI, it.ContentType())
			if len(list) == 0 {
				return nil, nil
			}
			found := &Found[Captions]{row.Page.State(), Captions{List: list}}
			if many, ok := errors.AsType[*object.TooManyError](err); ok {
				found.What.Left = many.Beyond
			}
			return found, nil
		}
	})
}

// wantsCaptions wants what may be a page.
func wantsCaptions(it *scan.Item) scan.Part {
	kind, _, _ := strings.Cut(it.MIME, "/")
	if it.Capture && it.Type != warc.TypeRevisit && it.Status < 300 && kind != "image" && kind != "video" && kind != "audio" && kind != "font" {
		return scan.Body
	}
	return scan.Nothing
}

// PicturesSeen is how many pictures there are in the tables of a folder of derivatives, and how many of them were not decoded, by the kind of reason.
type PicturesSeen struct {
	Pictures  int64            `json:"pictures"`
	Undecoded map[string]int64 `json:"undecoded,omitempty"` // format, large, long, damaged; of formats by name
	Flat      int64            `json:"flat,omitempty"`      // without contrast: they are not recognised
	Captions  int64            `json:"captions"`
	Left      int64            `json:"left_out,omitempty"` // pictures on pages that have too many
}

// Seen reads the tables of pictures that jobs make; nil if none of them does.
func Seen(dir string, parts []job.Part, jobs []job.Job) (*PicturesSeen, error) {
	at := func(name string) int { return slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == name }) }
	if at(pictures) < 0 {
		return nil, nil
	}
	out := &PicturesSeen{Undecoded: map[string]int64{}}
	for _, p := range parts {
		if path, ok := job.Table(dir, jobs[at(pictures)], p, pictures); ok {
			err := derive.Rows(path, func(r *PictureRow) (bool, error) {
				out.Pictures++
				if kind, about, _ := strings.Cut(r.Error, ": "); kind == "format" {
					out.Undecoded[about]++
				} else if kind != "" {
					out.Undecoded[kind]++
				} else if len(r.Hashes) == 0 {
					out.Flat++
				}
				return true, nil
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		if path, ok := job.Table(dir, jobs[at(captions)], p, captions); ok {
			err := derive.Rows(path, func(r *CaptionRow) (bool, error) {
				out.Captions++
				if r.Number == 0 {
					out.Left += int64(r.Left)
				}
				return true, nil
			})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
	}
	return out, nil
}
