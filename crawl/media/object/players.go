package object

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"varve/web/canon"
)

//go:embed players.toml
var playersText string

// player is one rule of players.toml.
type player struct {
	Name  string `toml:"name"`
	Match string `toml:"match"`
	Page  string `toml:"page"`
	form  *regexp.Regexp
}

// players are the rules, read once; they are part of the program, so they are right.
var players = sync.OnceValue(func() []player {
	list, err := parsePlayers(playersText)
	if err != nil {
		panic(err)
	}
	return list
})

func parsePlayers(text string) ([]player, error) {
	var file struct {
		Player []player `toml:"player"`
	}
	meta, err := toml.Decode(text, &file)
	if err != nil {
		return nil, fmt.Errorf("players: %w", err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("players: unknown key %s", keys[0])
	}
	for i := range file.Player {
		p := &file.Player[i]
		if p.form, err = regexp.Compile(p.Match); err != nil || p.Name == "" {
			return nil, fmt.Errorf("players: rule %d (%s): %w", i+1, p.Name, err)
		}
	}
	return file.Player, nil
}

// Service names the well-known player behind an address, and gives the page that external programs know
// best; "" and the address itself for others.
func Service(url string) (name, page string) {
	u, err := canon.Parse(url)
	if err != nil || !u.IsHTTP() {
		return "", url
	}
	at := strings.TrimPrefix(u.Host(), "www.") + u.Path()
	for _, p := range players() {
		m := p.form.FindStringSubmatchIndex(at)
		if m == nil {
			continue
		}
		if p.Page == "" {
			return p.Name, url
		}
		return p.Name, string(p.form.ExpandString(nil, p.Page, at, m))
	}
	return "", url
}

// looksLikePlayer tells frames that probably show a film though nobody knows whose player it is.
var playerPath = regexp.MustCompile(`(?i)/(embed|player|video|videos|watch|stream|live|media)(/|\.|$|-)`)

func looksLikePlayer(url string) bool {
	u, err := canon.Parse(url)
	return err == nil && u.IsHTTP() && (playerPath.MatchString(u.Path()) || strings.HasPrefix(u.Host(), "player."))
}
