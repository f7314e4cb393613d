# An API on Flask with one resource that is sold. Nothing here knows of payments.
import sys

from flask import Flask, request

app = Flask(__name__)


@app.route("/weather/<city>", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
def weather(city):
    return {"secret": "sunny", "city": city}


@app.get("/free")
def free():
    return {"free": True, "payer": request.headers.get("X402-Payer")}


app.run(host="127.0.0.1", port=int(sys.argv[1]))
