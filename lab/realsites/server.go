package realsites

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is nginx with what stands behind it, for one site, all below one folder and on loopback.
type server struct {
	dir  string
	venv string // of programs of Python
	addr string // of nginx
	sql  string // socket of the database
	run  []*exec.Cmd

	mu      sync.Mutex
	crawler *os.Process // that is at work
}

// startSQL starts a database server with nothing in it, if the site needs one.
func (h *server) startSQL(ctx context.Context, s Site) error {
	if !s.SQL {
		return nil
	}
	data := filepath.Join(h.dir, "sql")
	h.sql = filepath.Join(h.dir, "sql.sock")
	if _, err := output(exec.CommandContext(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")); err != nil {
		return err
	}
	args := []string{"--no-defaults", "--datadir=" + data, "--socket=" + h.sql, "--skip-networking", "--pid-file=" + filepath.Join(h.dir, "sql.pid"), "--innodb-flush-log-at-trx-commit=0"}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	return h.start(ctx, "unix", h.sql, "mariadbd", args...)
}

// startWeb starts nginx on a free port of loopback, and behind it what runs the programs of the site.
func (h *server) startWeb(ctx context.Context, s Site) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	h.addr = listener.Addr().String()
	if err := listener.Close(); err != nil {
		return err
	}
	socket := filepath.Join(h.dir, "run.sock")
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;\n"
	}
	files := map[string]string{
		"nginx.conf": user + `daemon off; pid ` + h.dir + `/nginx.pid; error_log ` + h.dir + `/nginx.err;
events { worker_connections 256; }
http {
	include /etc/nginx/mime.types;
	types { text/markdown md; }
	default_type application/octet-stream;
	log_format told '$status $request_uri';
	access_log ` + h.dir + `/access.log told;
	client_body_temp_path ` + h.dir + `/body; fastcgi_temp_path ` + h.dir + `/fastcgi; proxy_temp_path ` + h.dir + `/proxy; uwsgi_temp_path ` + h.dir + `/uwsgi; scgi_temp_path ` + h.dir + `/scgi;
	server {
		listen ` + h.addr + `; server_name _; root ` + h.dir + `/www; index index.html index.php doku.php; port_in_redirect off;
		` + s.Serve + `
	}
}
`,
		"run.conf": `include /etc/nginx/fastcgi_params; fastcgi_pass unix:` + socket + `; fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name; fastcgi_param PATH_INFO $fastcgi_path_info;
fastcgi_param HTTP_HOST $host; fastcgi_param SERVER_NAME $host; fastcgi_param SERVER_PORT 80;
`,
		"php-fpm.conf": `[global]
error_log = ` + h.dir + `/php.err
daemonize = no
[www]
user = root
group = root
listen = ` + socket + `
pm = static
pm.max_children = 3
`,
	}
	if s.Run == wsgi {
		files["run.conf"] = "proxy_pass http://unix:" + socket + "; proxy_set_header Host $host;\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(h.dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	switch s.Run {
	case php:
		programs, err := filepath.Glob("/usr/sbin/php-fpm*")
		if err != nil || len(programs) == 0 {
			return fmt.Errorf("%w: no php-fpm in /usr/sbin", errNotHere)
		}
		if err := h.start(ctx, "unix", socket, programs[len(programs)-1], "-R", "-y", filepath.Join(h.dir, "php-fpm.conf")); err != nil {
			return err
		}
	case wsgi:
		if err := h.start(ctx, "unix", socket, filepath.Join(h.venv, "bin", "gunicorn"), "--chdir", filepath.Join(h.dir, "app"), "--bind", "unix:"+socket, "--threads", "3", "wsgi:application"); err != nil {
			return err
		}
	case cgi:
		if err := h.start(ctx, "unix", socket, "/usr/sbin/fcgiwrap", "-c", "3", "-s", "unix:"+socket); err != nil {
			return err
		}
	}
	return h.start(ctx, "tcp", h.addr, "/usr/sbin/nginx", "-c", filepath.Join(h.dir, "nginx.conf"), "-e", filepath.Join(h.dir, "nginx.err"))
}

// start starts a program that ends with us, whatever ends us, and waits until it listens.
func (h *server) start(ctx context.Context, network, address, program string, args ...string) error {
	said, err := os.OpenFile(filepath.Join(h.dir, filepath.Base(program)+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer said.Close()
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = said, said
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := c.Start(); err != nil {
		return err
	}
	h.run = append(h.run, c)
	return h.await(ctx, network, address)
}

// await waits until somebody listens.
func (h *server) await(ctx context.Context, network, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for {
		c, err := net.Dial(network, address)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("nobody listens at %s (logs are in %s): %w", address, h.dir, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop ends everything, the last first.
func (h *server) stop() {
	for len(h.run) > 0 {
		c := h.run[len(h.run)-1]
		h.run = h.run[:len(h.run)-1]
		_ = c.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) })
		_ = c.Wait() // ended by our signal
		kill.Stop()
	}
}

// requests are the answers that nginx gave, but the first ones, by status.
func (h *server) requests(but int) (total int, byStatus map[string]int, err error) {
	byStatus = map[string]int{}
	err = h.eachRequest(but, func(status, _ string) {
		total++
		byStatus[status]++
	})
	return total, byStatus, err
}

// eachRequest calls each with status and path of the answers that nginx gave, but the first ones.
func (h *server) eachRequest(but int, each func(status, path string)) error {
	f, err := os.Open(filepath.Join(h.dir, "access.log"))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		if n >= but {
			status, path, _ := strings.Cut(lines.Text(), " ")
			each(status, path)
		}
	}
	return lines.Err()
}
