# An API on Django with one resource that is sold. Nothing here knows of payments.
import sys
from wsgiref.simple_server import make_server

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import JsonResponse
from django.urls import path

settings.configure(DEBUG=True, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="of a test")


def weather(request, city):
    return JsonResponse({"secret": "sunny", "city": city})


def free(request):
    return JsonResponse({"free": True})


urlpatterns = [path("weather/<str:city>", weather), path("free", free)]
make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()).serve_forever()
