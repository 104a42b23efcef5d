<?php
// Installs WordPress, writes posts, pages and comments, and tells which addresses its database has.
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = 'wordpress.realsites.test';
require $argv[1] . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
require __DIR__ . '/objects.php';

wp_install('The Lighthouse', 'keeper', 'keeper@example.org', true, '', 'secret');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('posts_per_page', 5);
switch_theme('twentytwentyone');
global $wp_rewrite;
$wp_rewrite->init();
$wp_rewrite->flush_rules(false);

$topics = ['Harbour', 'Weather', 'Birds'];
foreach ($topics as $t) {
	$category[$t] = wp_create_category($t);
}
for ($i = 1; $i <= 14; $i++) {
	$topic = $topics[$i % 3];
	$id = wp_insert_post([
		'post_title' => "$topic report number $i", 'post_name' => strtolower("$topic-report-$i"), 'post_status' => 'publish', 'post_author' => 1,
		'post_date' => sprintf('2025-%02d-%02d 10:00:00', 1 + intdiv($i, 4), 1 + $i),
		'post_category' => [$category[$topic]], 'tags_input' => [$i % 2 ? 'odd' : 'even', 'log'],
		'post_content' => "<!-- wp:paragraph --><p>Entry $i of the log about $topic. The lamp was lit at sunset &amp; put out at dawn; visibility was $i miles.</p><!-- /wp:paragraph -->",
	]);
	for ($k = 0; $k < $i % 4; $k++) {
		wp_insert_comment([
			'comment_post_ID' => $id, 'comment_author' => "Reader $k", 'comment_author_email' => "reader$k@example.org", 'comment_approved' => 1,
			'comment_content' => "Remark $k on entry $i: I saw it too.", 'comment_date' => sprintf('2025-06-%02d 12:00:0%d', $i, $k),
		]);
	}
}
foreach (['About the keeper', 'How to get here', 'Opening hours'] as $title) {
	wp_insert_post(['post_type' => 'page', 'post_title' => $title, 'post_status' => 'publish', 'post_author' => 1, 'post_content' => "<p>$title: ask at the door.</p>"]);
}

// What is there, by the database: posts and pages, and the lists that have something in them.
foreach (get_posts(['post_type' => ['post', 'page'], 'post_status' => 'publish', 'numberposts' => -1]) as $p) {
	tell(get_permalink($p));
}
foreach (get_terms(['taxonomy' => ['category', 'post_tag'], 'hide_empty' => true]) as $term) {
	tell(get_term_link($term));
}
tell(home_url('/'));

tell_objects($argv[2]);

function tell($url) {
	echo 'page ', parse_url($url, PHP_URL_PATH), "\n";
}
