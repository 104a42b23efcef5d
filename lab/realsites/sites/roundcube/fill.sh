# Roundcube out of Debian's package on SQLite: a wall. Nobody sees more of it than the page that asks for a password, with its parts.
cp -rL /usr/share/roundcube/. "$WWW" 2> /dev/null || true # some links lead nowhere before the first set-up
cp -rL /var/lib/roundcube/{plugins,program,skins} "$WWW/" 2> /dev/null || true
sed -i "s|'/var/lib/roundcube/'|'$WWW/'|" "$WWW/program/include/iniset.php"
rm -rf "$WWW/installer" "$WWW/config"
mkdir -p "$WWW/config" "$SITE/mail/temp" "$SITE/mail/logs"
cp /etc/roundcube/{defaults.inc.php,mimetypes.php} "$WWW/config/"
sqlite3 "$SITE/mail/mail.sqlite" < "$WWW/SQL/sqlite.initial.sql" >&2
cat > "$WWW/config/config.inc.php" <<PHP
<?php
\$config['db_dsnw'] = 'sqlite:///$SITE/mail/mail.sqlite?mode=0646';
\$config['imap_host'] = '127.0.0.1:1';
\$config['product_name'] = 'Harbour Post';
\$config['des_key'] = 'no secrets here, 24 char';
\$config['plugins'] = [];
\$config['skin'] = 'elastic';
\$config['temp_dir'] = '$SITE/mail/temp/';
\$config['log_dir'] = '$SITE/mail/logs/';
\$config['enable_installer'] = false;
PHP
sqlite3 "$SITE/mail/mail.sqlite" "INSERT INTO users (username, mail_host, created) VALUES ('keeper', '127.0.0.1', '2025-01-01 00:00:00')"
chmod -R a+rwX "$SITE/mail"
echo "page /"
