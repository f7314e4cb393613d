# An API on FastAPI with one resource that is sold. Nothing here knows of payments.
import sys

import uvicorn
from fastapi import FastAPI

app = FastAPI()


@app.api_route("/weather/{city}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
def weather(city: str):
    return {"secret": "sunny", "city": city}


@app.get("/free")
def free():
    return {"free": True}


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
