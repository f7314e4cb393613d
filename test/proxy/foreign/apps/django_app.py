import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import JsonResponse
from django.urls import path

settings.configure(DEBUG=True, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="of a test")
urlpatterns = [path("weather/<str:city>", lambda _, city: JsonResponse({"city": city, "tempC": 19}))]

if __name__ == "__main__":
    execute_from_command_line([sys.argv[0], "runserver", "--noreload", f"127.0.0.1:{sys.argv[1]}"])
