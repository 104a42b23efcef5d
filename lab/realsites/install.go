package realsites

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// errNotHere is why a site is left out: something it needs cannot be had on this machine.
var errNotHere = errors.New("left out")

// install gets what a site needs. Packages of Debian are installed where we are root, those of npm into the folder node, which may be
// kept for the next time, and those of Python into the folder venv, likewise.
func (s Site) install(ctx context.Context, node, venv string) error {
	if err := installDebian(ctx, s.Apt); err != nil {
		return err
	}
	if err := installNode(ctx, node, s.NPM); err != nil {
		return err
	}
	return installPython(ctx, venv, s.PyPI)
}

func installDebian(ctx context.Context, packages []string) error {
	var missing []string
	for _, p := range packages {
		status, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f", "${db:Status-Status}", p).Output()
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%w: this is no Debian (no dpkg-query), and it takes its packages: %s", errNotHere, strings.Join(packages, " "))
		}
		if string(status) != "installed" {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if os.Geteuid() != 0 {
		return fmt.Errorf("%w: needs root once, for 'apt-get install %s'", errNotHere, strings.Join(missing, " "))
	}
	c := exec.CommandContext(ctx, "apt-get", append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...)
	c.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1") // no service of theirs is started
	if _, err := output(c); err != nil {
		return fmt.Errorf("%w: 'apt-get install %s' failed ('apt-get update' may help): %w", errNotHere, strings.Join(missing, " "), err)
	}
	return nil
}

func installNode(ctx context.Context, dir string, packages []string) error {
	var missing []string
	for _, p := range packages {
		name := p[:strings.LastIndexByte(p, '@')]
		if _, err := os.Stat(filepath.Join(dir, "node_modules", name, "package.json")); err != nil {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("%w: needs Node with npm for %s", errNotHere, strings.Join(missing, " "))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	c := exec.CommandContext(ctx, "npm", append([]string{"install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel", "error"}, missing...)...)
	if _, err := output(c); err != nil {
		return fmt.Errorf("%w: 'npm install %s' failed: %w", errNotHere, strings.Join(missing, " "), err)
	}
	return nil
}

func installPython(ctx context.Context, dir string, packages []string) error {
	done := filepath.Join(dir, "installed")
	if have, err := os.ReadFile(done); len(packages) == 0 || err == nil && string(have) == strings.Join(packages, " ") {
		return nil
	}
	if _, err := output(exec.CommandContext(ctx, "python3", "-m", "venv", "--clear", dir)); err != nil {
		return fmt.Errorf("%w: 'python3 -m venv' failed: %w", errNotHere, err)
	}
	if _, err := output(exec.CommandContext(ctx, filepath.Join(dir, "bin", "pip"), append([]string{"install", "--quiet", "--disable-pip-version-check"}, packages...)...)); err != nil {
		return fmt.Errorf("%w: 'pip install %s' failed: %w", errNotHere, strings.Join(packages, " "), err)
	}
	return os.WriteFile(done, []byte(strings.Join(packages, " ")), 0o644)
}
