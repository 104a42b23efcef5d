<!doctype html>
<html <?php language_attributes(); ?>>
<head><meta charset="utf-8"><?php wp_head(); ?></head>
<body <?php body_class(); ?>>
<p class="mast"><a href="<?php echo home_url('/'); ?>"><?php bloginfo('name'); ?></a></p>
<?php if (is_singular()) : while (have_posts()) : the_post(); ?>
<section class="leaf" data-number="<?php the_ID(); ?>">
	<h2 class="leaf-head"><?php the_title(); ?></h2>
	<?php if (!is_page()) : ?><p class="leaf-sign">put down by <em class="leaf-hand"><?php the_author(); ?></em>, <abbr class="leaf-day" title="<?php echo get_the_date('c'); ?>"><?php echo get_the_date('j. n. Y'); ?></abbr></p><?php endif; ?>
	<div class="leaf-words"><?php the_content(); ?></div>
</section>
<div class="harbour-talk">
	<?php foreach (get_comments(['post_id' => get_the_ID(), 'status' => 'approve', 'order' => 'ASC']) as $c) : ?>
	<div class="voice" id="voice-<?php echo $c->comment_ID; ?>">
		<p><strong class="voice-hand"><?php echo esc_html($c->comment_author); ?></strong> <span class="voice-day" title="<?php echo get_comment_date('c', $c); ?>">some time ago</span></p>
		<div class="voice-words"><?php comment_text($c); ?></div>
	</div>
	<?php endforeach; ?>
</div>
<?php endwhile; else : ?>
<ul class="shelf">
	<?php while (have_posts()) : the_post(); ?><li><a href="<?php the_permalink(); ?>"><?php the_title(); ?></a></li><?php endwhile; ?>
</ul>
<p><?php posts_nav_link(); ?></p>
<p><?php wp_list_categories(['title_li' => '', 'style' => 'none']); wp_tag_cloud(); wp_page_menu(); ?></p>
<?php endif; wp_footer(); ?>
</body>
</html>
