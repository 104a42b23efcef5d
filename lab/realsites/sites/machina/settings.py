# A site of Django with nothing but the forum.
import os

from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

SITE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECRET_KEY = 'a laboratory keeps no secrets'
ALLOWED_HOSTS = ['*']
ROOT_URLCONF = 'urls'
USE_TZ = True
TIME_ZONE = 'UTC'
STATIC_URL = '/static/'
STATIC_ROOT = SITE + '/www/static'
STATICFILES_DIRS = [MACHINA_MAIN_STATIC_DIR]
MEDIA_ROOT = SITE + '/media'
DEFAULT_AUTO_FIELD = 'django.db.models.AutoField'
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': SITE + '/forum.sqlite'}}
CACHES = {
    'default': {'BACKEND': 'django.core.cache.backends.locmem.LocMemCache'},
    'machina_attachments': {'BACKEND': 'django.core.cache.backends.filebased.FileBasedCache', 'LOCATION': SITE + '/cache'},
}
HAYSTACK_CONNECTIONS = {'default': {'ENGINE': 'haystack.backends.simple_backend.SimpleEngine'}}
MACHINA_FORUM_NAME = 'The Net Loft'
MACHINA_TOPIC_POSTS_NUMBER_PER_PAGE = 15
INSTALLED_APPS = [
    'django.contrib.admin', 'django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'django.contrib.messages',
    'django.contrib.staticfiles', 'mptt', 'haystack', 'widget_tweaks', 'machina', 'machina.apps.forum', 'machina.apps.forum_conversation',
    'machina.apps.forum_conversation.forum_attachments', 'machina.apps.forum_conversation.forum_polls', 'machina.apps.forum_feeds',
    'machina.apps.forum_moderation', 'machina.apps.forum_search', 'machina.apps.forum_tracking', 'machina.apps.forum_member',
    'machina.apps.forum_permission',
]
MIDDLEWARE = [
    'django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.common.CommonMiddleware',
    'django.middleware.csrf.CsrfViewMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware',
    'django.contrib.messages.middleware.MessageMiddleware', 'machina.apps.forum_permission.middleware.ForumPermissionMiddleware',
]
TEMPLATES = [{
    'BACKEND': 'django.template.backends.django.DjangoTemplates', 'DIRS': [SITE + '/app/templates', MACHINA_MAIN_TEMPLATE_DIR],
    # Loaders that do not cache: the template of topics is changed while the site runs.
    'OPTIONS': {'loaders': ['django.template.loaders.filesystem.Loader', 'django.template.loaders.app_directories.Loader'], 'context_processors': [
        'django.template.context_processors.request', 'django.contrib.auth.context_processors.auth',
        'django.contrib.messages.context_processors.messages', 'machina.core.context_processors.metadata',
    ]},
}]
