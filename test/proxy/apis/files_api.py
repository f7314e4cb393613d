# Python's own server of static files.
import http.server
import os
import sys
import tempfile

folder = tempfile.mkdtemp()
os.makedirs(os.path.join(folder, "weather"))
for name, text in [("weather/Lima", '{"secret": "sunny"}'), ("free", '{"free": true}')]:
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
os.chdir(folder)
http.server.test(http.server.SimpleHTTPRequestHandler, port=int(sys.argv[1]), bind="127.0.0.1")
