<?php
$_SERVER['HTTP_HOST'] = 'wordpress.realsites.test';
require $argv[1] . '/wp-load.php';
require __DIR__ . '/objects.php';
switch_theme($argv[2]);
tell_objects($argv[3]);
foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'publish', 'numberposts' => -1]) as $p) {
	echo 'page ', parse_url(get_permalink($p), PHP_URL_PATH), "\n";
}
