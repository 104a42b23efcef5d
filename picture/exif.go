package picture

import (
	"bytes"
	"math"
	"strings"
	"time"

	"github.com/bep/imagemeta"
)

// EXIF is what the file of a picture says of how it was taken. All of it may be wrong: clocks of cameras are, and programs write what they like.
type EXIF struct {
	Taken       time.Time // by the clock of the camera, without a zone; zero if it does not say
	Camera      string    // maker and model
	Place       bool      // Latitude and Longitude are there
	Latitude    float64   // degrees, WGS 84
	Longitude   float64
	Orientation int // 1 to 8 as in the standard; 0 if it does not say
}

// Limits of what is read of it. Files of cameras have some 100 tags.
const (
	maxTags   = 2000
	maxTag    = 1000 // bytes of a value
	maxCamera = 100
)

// exifFormats are those whose files may hold EXIF.
var exifFormats = map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG, "webp": imagemeta.WebP, "tiff": imagemeta.TIFF}

// readEXIF reads what it can: the tags before a damaged one count.
func readEXIF(body []byte, format string) (out EXIF) {
	f, ok := exifFormats[format]
	if !ok {
		return EXIF{}
	}
	var tags imagemeta.Tags
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(body), ImageFormat: f, Sources: imagemeta.EXIF, LimitNumTags: maxTags, LimitTagSize: maxTag,
		Warnf: func(string, ...any) {},
		ShouldHandleTag: func(t imagemeta.TagInfo) bool {
			switch t.Tag {
			case "Make", "Model", "Orientation", "DateTimeOriginal", "DateTime", "ModifyDate", "GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef":
				return !strings.HasPrefix(t.Namespace, "IFD1") // which is of a small copy
			}
			return false
		},
		HandleTag: func(t imagemeta.TagInfo) error {
			if !tags.Has(t) {
				tags.Add(t)
			}
			return nil
		},
	})
	found := tags.EXIF()
	text := func(name string) string {
		s, _ := found[name].Value.(string)
		return strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "")), " ")
	}
	maker, model := text("Make"), text("Model")
	if first, _, _ := strings.Cut(maker, " "); first != "" && strings.HasPrefix(strings.ToLower(model), strings.ToLower(first)) {
		maker = ""
	}
	out.Camera = strings.TrimSpace(maker + " " + model)
	if len(out.Camera) > maxCamera {
		out.Camera = strings.ToValidUTF8(out.Camera[:maxCamera], "")
	}
	for _, name := range []string{"DateTimeOriginal", "DateTime", "ModifyDate"} {
		if at, err := time.Parse("2006:01:02 15:04:05", text(name)); err == nil && at.Year() >= 1826 {
			out.Taken = at
			break
		}
	}
	switch n := found["Orientation"].Value.(type) {
	case uint16:
		out.Orientation = int(n)
	case uint32:
		out.Orientation = int(n)
	}
	if out.Orientation < 0 || out.Orientation > 8 {
		out.Orientation = 0
	}
	if lat, long, err := tags.GetLatLong(); err == nil && math.Abs(lat) <= 90 && math.Abs(long) <= 180 && (lat != 0 || long != 0) {
		out.Place, out.Latitude, out.Longitude = true, lat, long
	}
	return out
}
