package websim

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed presets
var presets embed.FS

// Presets lists the names of the built-in descriptions, in order.
func Presets() []string {
	names, _ := fs.Glob(presets, "presets/*.toml") // the pattern is valid, so there is no error
	for i, n := range names {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(n, "presets/"), ".toml")
	}
	return names
}

// Preset gives a built-in description.
func Preset(name string) (*Spec, error) {
	data, err := PresetText(name)
	if err != nil {
		return nil, err
	}
	return Load(name, data)
}

// PresetText gives the TOML of a built-in description.
func PresetText(name string) ([]byte, error) {
	data, err := presets.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return nil, fmt.Errorf("no preset %q; there are %s", name, strings.Join(Presets(), ", "))
	}
	return data, nil
}
