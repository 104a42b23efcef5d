# The project as Spirit makes it, with what does not need a second program.
from app.settings.base import *

SITE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECRET_KEY = 'a laboratory keeps no secrets'
ALLOWED_HOSTS = ['*']
DEFAULT_AUTO_FIELD = 'django.db.models.AutoField'
STATIC_ROOT = SITE + '/www/static'
MEDIA_ROOT = SITE + '/media'
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': SITE + '/forum.sqlite'}}
CACHES = {name: {'BACKEND': 'django.core.cache.backends.locmem.LocMemCache', 'LOCATION': name} for name in CACHES}
HAYSTACK_CONNECTIONS = {'default': {'ENGINE': 'haystack.backends.simple_backend.SimpleEngine'}}
ST_SITE_URL = 'http://spirit.realsites.test/'
ST_RATELIMIT_ENABLE = False
