<?php
$_SERVER['HTTP_HOST'] = 'wordpress.realsites.test';
require $argv[1] . '/wp-load.php';

foreach (['weather-report-1', 'birds-report-8'] as $name) {
	$p = get_page_by_path($name, OBJECT, 'post');
	wp_update_post(['ID' => $p->ID, 'post_content' => str_replace('The lamp was lit at sunset', 'The lamp was lit an hour late', $p->post_content)]);
}
$p = get_page_by_path('weather-report-10', OBJECT, 'post');
$c = get_comments(['post_id' => $p->ID])[0];
wp_update_comment(['comment_ID' => $c->comment_ID, 'comment_content' => 'I was mistaken and saw nothing.']);
$p = get_page_by_path('weather-report-4', OBJECT, 'post');
echo 'delete ', parse_url(get_permalink($p), PHP_URL_PATH), "\n";
wp_delete_post($p->ID, true);
