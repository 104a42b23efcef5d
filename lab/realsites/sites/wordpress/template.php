<?php
$_SERVER['HTTP_HOST'] = 'wordpress.realsites.test';
require $argv[1] . '/wp-load.php';
require __DIR__ . '/objects.php';

switch_theme('driftwood');
foreach ([21, 22] as $i) {
	$id = wp_insert_post(['post_title' => "Fog report number $i", 'post_name' => "fog-report-$i", 'post_status' => 'publish', 'post_author' => 1,
		'post_date' => "2025-07-$i 10:00:00", 'post_content' => "<p>Entry $i of the log about fog. The horn was blown every $i seconds.</p>"]);
	wp_insert_comment(['comment_post_ID' => $id, 'comment_author' => "Skipper $i", 'comment_author_email' => "skipper$i@example.org", 'comment_approved' => 1,
		'comment_content' => "We heard the horn of entry $i.", 'comment_date' => "2025-07-$i 12:00:00"]);
}
tell_objects($argv[2]);
