# Further pages, if somebody put some there, in the form of MediaWiki's dumps.
php "$WWW/maintenance/importDump.php" --no-updates "$SITE/pages.xml" >&2
chmod -R a+rwX "$WWW/.."
