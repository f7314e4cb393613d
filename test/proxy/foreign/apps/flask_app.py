from flask import Flask

app = Flask(__name__)


@app.get("/weather/<city>")
def weather(city):
    return {"city": city, "tempC": 19}
