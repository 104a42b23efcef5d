# WordPress out of Debian's package, with its three themes, on a database of its own.
cp -rL /usr/share/wordpress/. "$WWW"
rm -f "$WWW/wp-config.php"
cp wp-config.php "$WWW/.."
cat > "$WWW/wp-config.php" <<PHP
<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:$SQL');
define('WP_HOME', '${URL%/}'); define('WP_SITEURL', '${URL%/}');
require '$WWW/../wp-config.php';
PHP
mariadb --socket="$SQL" -u root -e 'CREATE DATABASE wordpress CHARACTER SET utf8mb4'
php fill.php "$WWW" "$SITE/objects.jsonl"
