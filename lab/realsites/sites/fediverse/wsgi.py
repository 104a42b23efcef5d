import os

import app

application = app.serve(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), 'posts.sqlite'))
