<?php
// edit.php FOLDER ROUND
$_SERVER['HTTP_HOST'] = 'wordpress.realsites.test';
require $argv[1] . '/wp-load.php';

[$posts, $remark, $gone] = [
	1 => [['weather-report-1', 'birds-report-8'], 'weather-report-10', 'weather-report-4'],
	2 => [['harbour-report-3', 'birds-report-11'], 'birds-report-14', 'harbour-report-9'],
][(int)$argv[2]];
foreach ($posts as $name) {
	$p = get_page_by_path($name, OBJECT, 'post');
	wp_update_post(['ID' => $p->ID, 'post_content' => str_replace('The lamp was lit at sunset', 'The lamp was lit an hour late', $p->post_content)]);
}
$p = get_page_by_path($remark, OBJECT, 'post');
$c = get_comments(['post_id' => $p->ID])[0];
wp_update_comment(['comment_ID' => $c->comment_ID, 'comment_content' => 'I was mistaken and saw nothing.']);
$p = get_page_by_path($gone, OBJECT, 'post');
echo 'delete ', parse_url(get_permalink($p), PHP_URL_PATH), "\n";
wp_delete_post($p->ID, true);
