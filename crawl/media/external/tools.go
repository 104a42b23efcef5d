package external

import (
	"cmp"
	"errors"
	"os/exec"
	"strings"
	"time"

	"varve"
	"varve/crawl/collect"
)

// ErrMissing is wrapped where a program is not installed.
var ErrMissing = errors.New("not installed")

// Tools are the programs that were found; "" is missing.
type Tools struct {
	YTDLP   string
	FFmpeg  string
	FFprobe string
}

// Find looks for the programs on the path.
func Find() Tools {
	look := func(name string) string {
		path, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return path
	}
	return Tools{YTDLP: look("yt-dlp"), FFmpeg: look("ffmpeg"), FFprobe: look("ffprobe")}
}

// Missing says what is not installed and how to get it; nil where all is there.
func (t Tools) Missing() error {
	var names []string
	if t.YTDLP == "" {
		names = append(names, "yt-dlp")
	}
	if t.FFmpeg == "" || t.FFprobe == "" {
		names = append(names, "ffmpeg")
	}
	if len(names) == 0 {
		return nil
	}
	return missing(names...)
}

func missing(names ...string) error {
	what := map[string]string{
		"yt-dlp": "what is behind players of others cannot be got", "ffmpeg": "old films cannot be converted, and the best pictures of some players not joined with their sound",
	}
	var lacks []string
	for _, n := range names {
		lacks = append(lacks, what[n])
	}
	return &varve.Error{
		Kind: varve.Unavailable, Op: strings.Join(names, " and "), Msg: strings.Join(lacks, "; "), Err: ErrMissing,
		Hint: "install them (Debian: apt-get install " + strings.Join(names, " ") + "); everything else works without",
	}
}

// Config says how the programs are used. Zero fields mean the default named at the field.
type Config struct {
	Tools   Tools
	Dir     string        // for scratch folders; the system's
	Time    time.Duration // for one object; 30 min
	Length  time.Duration // of a film, at most; 4 h
	Live    time.Duration // that live streams are taken for; 0: they are refused
	Size    int64         // bytes on disk; 2 GiB
	Height  int           // of pictures, at most; 1080
	Nice    int           // niceness; 10
	Refresh time.Duration // how often the bytes on disk are looked at; 1 s
	// Jail is a command that calls jail.Enter: yt-dlp then has a network of its own, with our proxy as the only
	// door. None: it is only told to use the proxy.
	Jail []string
	// Unjailed is told, once, why programs run in the network of the machine; nobody if nil.
	Unjailed func(why error)
	// Of gives the address that an object is known by, and the page it was found on; the answer's own if nil.
	Of  func(a *collect.Answer) (url, page string)
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Time <= 0 {
		c.Time = 30 * time.Minute
	}
	if c.Length <= 0 {
		c.Length = 4 * time.Hour
	}
	if c.Size <= 0 {
		c.Size = 2 << 30
	}
	if c.Height <= 0 {
		c.Height = 1080
	}
	if c.Nice == 0 {
		c.Nice = 10
	}
	if c.Refresh <= 0 {
		c.Refresh = time.Second
	}
	if c.Of == nil {
		c.Of = func(a *collect.Answer) (string, string) { return a.URL, cmp.Or(a.Via, a.URL) }
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}
