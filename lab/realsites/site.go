package realsites

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Site is a web application that can be installed and filled.
type Site struct {
	Name  string
	Apt   []string // packages of Debian
	NPM   []string // packages of npm, with their versions
	PyPI  []string // packages of Python, with their versions
	SQL   bool     // it needs a database server
	Acts  bool     // its pages link to much that shows nothing new: a plain crawl of it is counted, too
	Run   runner   // of its programs
	Serve string   // how nginx finds its pages, in nginx's words; "" serves files as they are
}

// runner is what runs the programs of a site behind nginx.
type runner int

const (
	nobody runner = iota // its pages are files
	php
	cgi  // programs that are run anew for each request
	wsgi // a program of Python: application of wsgi.py in the folder app
)

// How nginx serves applications: one program of PHP behind all addresses, one of the common gateway interface, and one that runs in the
// browser.
const (
	servePHP = `location / { try_files $uri $uri/ /index.php?$args; }
location ~ \.php(/|$) { fastcgi_split_path_info ^(.+\.php)(/.*)$; include run.conf; }`
	serveGitweb = `location = / { return 302 /gitweb.cgi; }
location ~ \.cgi$ { include run.conf; fastcgi_param GITWEB_CONFIG $document_root/gitweb_config.perl; }`
	servePython = `location /static/ { }
location / { include run.conf; }`
	serveFilms = "types { application/vnd.apple.mpegurl m3u8; application/dash+xml mpd; video/mp2t ts; text/html html; text/javascript js; application/json json; video/mp4 mp4 m4s; audio/mpeg mp3; }"
	serveApp   = `location / { try_files $uri /index.html; }`
)

// Sites are all of them, in the order in which they are measured.
func Sites() []Site {
	needs := func(more ...string) []string {
		return append([]string{"nginx-light", "php-fpm", "php-cli", "php-xml", "php-mbstring", "php-intl", "php-gd"}, more...)
	}
	nginx := []string{"nginx-light"}
	python := []string{"nginx-light", "python3-venv"}
	return []Site{
		{Name: "wordpress", Apt: needs("mariadb-server", "php-mysql", "wordpress", "wordpress-theme-twentytwentyone", "wordpress-theme-twentytwentytwo", "wordpress-theme-twentytwentythree"), SQL: true, Run: php, Serve: servePHP},
		{Name: "mediawiki", Acts: true, Apt: needs("php-sqlite3", "sqlite3", "mediawiki"), Run: php, Serve: `location /wiki/ { rewrite ^/wiki/(.*)$ /index.php?title=$1 last; }
` + servePHP},
		{Name: "dokuwiki", Acts: true, Apt: needs("dokuwiki"), Run: php, Serve: servePHP},
		{Name: "machina", Acts: true, Apt: python, PyPI: []string{"django-machina==1.3.1", "gunicorn==27.0.0"}, Run: wsgi, Serve: servePython},
		{Name: "spirit", Acts: true, Apt: python, PyPI: []string{"django-spirit==0.14.3", "gunicorn==27.0.0"}, Run: wsgi, Serve: servePython},
		// The interface of Mastodon by a program of ours, see its fill.sh.
		{Name: "fediverse", Apt: python, PyPI: []string{"gunicorn==27.0.0"}, Run: wsgi, Serve: "location = /client.js { }\nlocation / { include run.conf; }"},
		{Name: "roundcube", Apt: needs("php-sqlite3", "sqlite3", "roundcube-core", "roundcube-sqlite3"), Run: php, Serve: "location / { try_files $uri $uri/ =404; }\nlocation ~ \\.php$ { include run.conf; }"},
		{Name: "gitweb", Acts: true, Apt: []string{"nginx-light", "gitweb", "fcgiwrap", "git"}, Run: cgi, Serve: serveGitweb},
		{Name: "sphinx", Apt: []string{"nginx-light", "python3-doc"}},
		{Name: "vitepress", Apt: nginx, NPM: []string{"vitepress@1.6.4"}},
		{Name: "docusaurus", Apt: nginx, NPM: []string{"@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "@docsearch/react@4.7.0", "react@19.3.1", "react-dom@19.3.1"}},
		{Name: "mkdocs", Apt: python, PyPI: []string{"mkdocs-material==9.8.1"}},
		{Name: "docsify", Apt: nginx, NPM: []string{"docsify@4.13.1"}},
		{Name: "swagger", Apt: nginx, NPM: []string{"swagger-ui-dist@5.17.14"}},
		{Name: "react", Apt: nginx, NPM: []string{"react@19.3.1", "react-dom@19.3.1", "react-router-dom@7.18.5", "vite@6.4.6"}, Serve: serveApp},
		{Name: "vue", Apt: nginx, NPM: []string{"vue@3.5.45", "vue-router@4.6.3", "@vitejs/plugin-vue@6.0.11", "vite@6.4.6"}, Serve: serveApp},
		{Name: "photoswipe", Apt: nginx, NPM: []string{"photoswipe@5.4.4"}},
		{Name: "films", Apt: []string{"nginx-light", "ffmpeg"}, NPM: []string{"hls.js@1.7.4", "dashjs@5.2.1"}, Serve: serveFilms},
		{Name: "hls", Apt: []string{"nginx-light", "ffmpeg"}, NPM: []string{"hls.js@1.7.4"}, Serve: serveFilms},
	}
}

// Names are those of all sites.
func Names() (list []string) {
	for _, s := range Sites() {
		list = append(list, s.Name)
	}
	return list
}

// domain holds all sites; the name leads nowhere but where a crawl is told it does.
const domain = "realsites.test"

// URL is the address of a site's first page.
func (s Site) URL() string { return "http://" + s.Name + "." + domain + "/" }

// Page is a page that a site has.
type Page struct {
	URL   string // as a reader's browser shows it
	Needs string // what the archive must hold for it
}

// Truth is what a site says it has.
type Truth struct {
	Pages []Page
	Parts []string // further addresses that the archive must hold
	Films []Film
	Told  []string // streams that cannot be got, and must be named
}

// Film is something that plays, with all that must be in the archive for it to play.
type Film struct {
	Name  string
	Needs []string
}

//go:embed sites
var sources embed.FS

// fill makes a site in a folder of its own, which has its files in www, and returns what it has.
func (s Site) fill(ctx context.Context, dir string, env []string) (*Truth, error) {
	src, err := fs.Sub(sources, "sites/"+s.Name)
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(filepath.Join(dir, "fill"), src); err != nil {
		return nil, err
	}
	www := filepath.Join(dir, "www")
	if err := os.MkdirAll(www, 0o755); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, "bash", "-e", "-u", "-o", "pipefail", "fill.sh")
	c.Dir = filepath.Join(dir, "fill")
	c.Env = append(os.Environ(), env...)
	said, err := output(c)
	if err != nil {
		return nil, fmt.Errorf("fill %s: %w", s.Name, err)
	}
	return s.parse(said)
}

// parse reads what a site says it has.
func (s Site) parse(said string) (*Truth, error) {
	var t Truth
	base := strings.TrimSuffix(s.URL(), "/")
	for line := range strings.Lines(said) {
		switch f := strings.Fields(line); {
		case len(f) == 2 && f[0] == "page":
			t.Pages = append(t.Pages, Page{base + f[1], base + f[1]})
		case len(f) == 3 && f[0] == "page":
			t.Pages = append(t.Pages, Page{base + f[1], base + f[2]})
		case len(f) == 2 && f[0] == "part":
			t.Parts = append(t.Parts, base+f[1])
		case len(f) >= 3 && f[0] == "film":
			film := Film{Name: f[1]}
			for _, path := range f[2:] {
				film.Needs = append(film.Needs, base+path)
			}
			t.Films = append(t.Films, film)
		case len(f) == 3 && f[0] == "told":
			t.Told = append(t.Told, f[2])
		default:
			return nil, fmt.Errorf("site %s says %q: want 'page PATH [NEEDED]', 'part PATH', 'film NAME PATH...' or 'told NAME ADDRESS'", s.Name, strings.TrimSpace(line))
		}
	}
	if len(t.Pages) == 0 {
		return nil, fmt.Errorf("site %s names no page", s.Name)
	}
	return &t, nil
}

// output runs a program and returns what it prints; an error has the end of what it complained about.
func output(c *exec.Cmd) (string, error) { return outputWhile(c, func(*os.Process) {}) }

// outputWhile does it and tells which process is at work, nil when it has ended.
func outputWhile(c *exec.Cmd, work func(*os.Process)) (string, error) {
	var said, complained strings.Builder
	c.Stdout, c.Stderr = &said, &complained
	err := c.Start()
	if err == nil {
		work(c.Process)
		err = c.Wait()
		work(nil)
	}
	if err != nil {
		text := complained.String()
		return "", fmt.Errorf("%w: %s", err, text[max(0, len(text)-1500):])
	}
	return said.String(), nil
}
