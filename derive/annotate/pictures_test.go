package annotate_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/picture"
)

// stripes draws a picture of coloured stripes, some broader than others.
func stripes(w, h, of int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			at := x*37/w*(y*11/h+of) + y*29/h
			m.SetRGBA(x, y, color.RGBA{uint8(at * at * 31), uint8(at * 57), uint8(at * at * 7), 255})
		}
	}
	return m
}

func asJPEG(t *testing.T, m image.Image, quality int) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bomb is a small file that promises a picture of many pixels.
func bomb(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	body := b.Bytes()
	binary.BigEndian.PutUint32(body[16:], 60_000)
	binary.BigEndian.PutUint32(body[20:], 50_000)
	binary.BigEndian.PutUint32(body[29:], crc32.ChecksumIEEE(body[12:29]))
	return string(body)
}

// Pictures and what pages say of them become tables; what cannot be decoded has a row that says why, and is counted. In workers all is the same, to the byte.
func TestPictures(t *testing.T) {
	body := `<html><body><article><p>The mayor opened the bridge.</p><figure><img src="/bridge.jpg" alt="A bridge"><figcaption>The new bridge</figcaption></figure></article></body></html>`
	in := files(t, []capture{
		{path: "/", body: body},
		{path: "/bridge.jpg", body: asJPEG(t, stripes(320, 200, 3), 90), mime: "image/jpeg"},
		{path: "/small.jpg", body: asJPEG(t, stripes(160, 100, 3), 50), mime: "image/jpeg"},
		{path: "/other.jpg", body: asJPEG(t, stripes(320, 200, 8), 90), mime: "image/jpeg"},
		{path: "/bridge.jpg", body: asJPEG(t, stripes(320, 200, 3), 90), mime: "image/jpeg"},
		{path: "/bomb.png", body: bomb(t), mime: "image/png"},
		{path: "/logo.svg", body: "<svg xmlns='http://www.w3.org/2000/svg'/>", mime: "image/svg+xml"},
		{path: "/cut.jpg", body: asJPEG(t, stripes(320, 200, 3), 90)[:2000], mime: "image/jpeg"},
		{path: "/spacer.png", body: spacer(t), mime: "image/png"},
		{path: "/gone.jpg", body: "<p>not here</p>", mime: "image/jpeg"},
		{path: "/", body: body},
	})
	dir, there := t.TempDir(), t.TempDir()
	o := derive.Options{More: annotate.PictureJobs()}
	run(t, job.Config{Dir: dir, Cores: 1}, in, o)
	found := map[string]*annotate.PictureRow{}
	for _, r := range all[annotate.PictureRow](t, filepath.Join(dir, "pictures", in[0].Name+".parquet")) {
		path := strings.TrimPrefix(r.URL, "http://news.test")
		if found[path] != nil {
			t.Errorf("%s has two rows", path)
		}
		found[path] = &r
	}
	for path, want := range map[string]string{
		"/bridge.jpg": "jpeg", "/small.jpg": "jpeg", "/other.jpg": "jpeg", "/spacer.png": "png",
		"/bomb.png": "png large: 60000 by 50000 pixels", "/logo.svg": "svg format: svg", "/cut.jpg": "jpeg damaged: invalid JPEG format: short Huffman data", "/gone.jpg": " format: not known",
	} {
		r := found[path]
		if r == nil || strings.TrimRight(r.Format+" "+r.Error, " ") != want || r.State == "" || r.SURT == "" || r.Size == 0 {
			t.Errorf("%s: %+v, want %q", path, r, want)
		}
	}
	if len(found) != 8 {
		t.Fatalf("%d pictures", len(found))
	}
	if b := found["/bridge.jpg"]; len(b.Place) > 0 || !b.Taken.IsZero() || b.Width != 320 || b.Height != 200 || len(b.Colours) == 0 || len(b.Colours) != len(b.Shares) || !picture.Same(b.Print(), found["/small.jpg"].Print()) || picture.Same(b.Print(), found["/other.jpg"].Print()) {
		t.Errorf("%+v; likeness to the small one %.3f, to another %.3f", b, picture.Likeness(b.Print(), found["/small.jpg"].Print()), picture.Likeness(b.Print(), found["/other.jpg"].Print()))
	}
	captions := all[annotate.CaptionRow](t, filepath.Join(dir, "captions", in[0].Name+".parquet"))
	if len(captions) != 1 || captions[0].Picture != "http://news.test/bridge.jpg" || captions[0].Alt != "A bridge" || captions[0].Caption != "The new bridge" || captions[0].URL != "http://news.test/" {
		t.Errorf("%+v", captions)
	}
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := annotate.Seen(dir, parts, o.More)
	if want := map[string]int64{"large": 1, "svg": 1, "damaged": 1, "not known": 1}; err != nil || seen.Pictures != 8 || seen.Flat != 1 || seen.Captions != 1 || !maps.Equal(seen.Undecoded, want) {
		t.Errorf("%+v, %v", seen, err)
	}
	if none, err := annotate.Seen(dir, parts, nil); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}

	sum := run(t, job.Config{Dir: there, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), workerEnv+"=1")
		return c
	}}, in, o)
	if sum.Scan.Workers == 0 {
		t.Error("pictures were decoded without a worker")
	}
	for _, name := range []string{"pictures", "captions"} {
		a, errA := os.ReadFile(filepath.Join(dir, name, in[0].Name+".parquet"))
		b, errB := os.ReadFile(filepath.Join(there, name, in[0].Name+".parquet"))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: %d and %d bytes, %v, %v", name, len(a), len(b), errA, errB)
		}
	}
}

// spacer is a picture that shows nothing.
func spacer(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
