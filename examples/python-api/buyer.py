"""Pays for one request and prints what it bought and the hash of the payment."""

import base64
import json
import os
import sys

from stellar_exact import NETWORK, USDC, ExactStellarBuyer
from x402.client import x402ClientSync
from x402.http.clients import x402_requests

secret, rpc_url = os.environ.get("PAYER_SECRET"), os.environ.get("STELLAR_RPC_URL")
if not secret or not rpc_url:
    sys.exit("Set STELLAR_RPC_URL, and PAYER_SECRET to the key of an account that holds USDC.")
url = os.environ.get("RESOURCE_URL", "http://127.0.0.1:4022/weather/Lima")

# At most 0.10 USDC for one payment, and no other asset.
most = {"network": NETWORK, "asset": USDC, "max_amount_per_payment": "1000000"}
client = x402ClientSync().set_spend_controls({"allowed_assets": [most]})
client.register(NETWORK, ExactStellarBuyer(secret, rpc_url))
response = x402_requests(client).get(url)
receipt = response.headers.get("PAYMENT-RESPONSE")
settlement = json.loads(base64.b64decode(receipt)) if receipt else None
print(json.dumps({"status": response.status_code, "body": response.text, "payment": settlement}))
sys.exit(0 if response.ok else 1)
