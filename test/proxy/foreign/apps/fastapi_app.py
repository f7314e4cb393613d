from fastapi import FastAPI

app = FastAPI()


@app.get("/weather/{city}")
def weather(city: str):
    return {"city": city, "tempC": 19}
