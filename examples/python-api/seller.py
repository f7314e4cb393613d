"""A Flask API that charges 0.01 USDC for one of its routes."""

import os
import sys

from flask import Flask, jsonify, request
from stellar_exact import NETWORK, ExactStellarSeller
from x402.extensions.bazaar import OutputConfig, declare_discovery_extension
from x402.http import FacilitatorConfig, HTTPFacilitatorClientSync
from x402.http.middleware.flask import payment_middleware
from x402.http.types import PaymentOption, RouteConfig
from x402.server import x402ResourceServerSync

facilitator_url, pay_to = os.environ.get("FACILITATOR_URL"), os.environ.get("PAY_TO")
if not facilitator_url or not pay_to:
    sys.exit("Set FACILITATOR_URL, and PAY_TO to an account with a USDC trustline.")

facilitator = HTTPFacilitatorClientSync(FacilitatorConfig(url=facilitator_url))
x402 = x402ResourceServerSync(facilitator).register(NETWORK, ExactStellarSeller())
app = Flask(__name__)
price = os.environ.get("PRICE", "$0.01")
option = PaymentOption(scheme="exact", network=NETWORK, pay_to=pay_to, price=price)
routes = {
    "GET /weather/:city": RouteConfig(
        accepts=option,
        description="Weather by city",
        mime_type="application/json",
        service_name="Demo Weather in Python",
        tags=["weather", "demo"],
        extensions=declare_discovery_extension(
            output=OutputConfig(example={"city": "Lima", "tempC": 19})
        ),
    )
}
payment_middleware(app, routes, x402)


@app.before_request
def answer_head():
    # HEAD asks for no payment, and Flask would run the handler of GET for it.
    return "" if request.method == "HEAD" else None


@app.get("/weather/<city>")
def weather(city):
    return jsonify(city=city, tempC=19)


if __name__ == "__main__":
    app.run(host=os.environ.get("HOST", "127.0.0.1"), port=int(os.environ.get("PORT", "4022")))
