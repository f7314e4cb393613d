"""Runs the payment checks of the package x402-conformance, unchanged, on real payments.

The package runs F1 to F14 and S5 on doubles: a payment is a dictionary, and the ledger a table. Here a payment with the same
members is signed by test/x402conf/stellarPayments.ts and sent to a running facilitator, and the ledger is the embedded network.

usage: paymentChecks.py SERVICE PAYMENTS PAY_TO ASSET none|undeclared|declared
Prints {"checks": [...]} as JSON.
"""

import json
import sys
import urllib.error
import urllib.request

from x402conf.harness import check_safety
from x402conf.mock import Chain, load_fixture, vectors

SERVICE, PAYMENTS, PAY_TO, ASSET, IDENTIFIERS = sys.argv[1:6]
NETWORK = "stellar:testnet"
AMOUNT = 10000


def post(url, body):
    """Returns status and JSON; a failure is an answer too."""
    request = urllib.request.Request(
        url, data=json.dumps(body).encode(), headers={"content-type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


class Network(Chain):
    """The embedded network, in the place of the package's table."""

    def __init__(self, memos):
        super().__init__()
        self.memos = memos

    def set(self, tx, status):
        super().set(tx, status)
        self.move(self.memos[tx], status)

    def move(self, memo, status):
        post(PAYMENTS + "/chain", {"memo": memo, "status": status})


class Service:
    """The facilitator over HTTP. Answers name a transaction by the label that the checks gave it."""

    def __init__(self):
        self.memos = {}
        self.hashes = {}
        self.chain = Network(self.memos)
        self.statuses = []

    def request(self, payment, terms):
        if not isinstance(payment, dict) or not payment.get("tx"):
            payload = {"x402Version": 2, "accepted": terms, "payload": payment}
            return {"x402Version": 2, "paymentPayload": payload, "paymentRequirements": terms}
        self.memos[payment["tx"]] = payment["memo"]
        asked = {
            **{name: payment[name] for name in ("tx", "memo", "amount", "mint", "dest", "net")},
            "requirements": terms,
            "identifier": payment.get("named", IDENTIFIERS != "none"),
            "declared": IDENTIFIERS == "declared",
            "required": payment.get("required", False),
            **({"sale": payment["sale"]} if "sale" in payment else {}),
        }
        status, body = post(PAYMENTS + "/payment", asked)
        if status != 200:
            raise RuntimeError(f"no payment could be made: {body}")
        return body

    def call(self, path, payment, terms):
        status, body = post(SERVICE + path, self.request(payment, terms))
        self.statuses.append(status)
        return dict(body, httpStatus=status)

    def verify(self, payment, terms):
        return self.call("/verify", payment, terms)

    def settle(self, payment, terms):
        label = payment.get("tx") if isinstance(payment, dict) else None
        if label is not None:
            finalized = self.chain.status(payment) != Chain.PENDING
            self.chain.move(payment["memo"], Chain.CONFIRMED if finalized else Chain.PENDING)
        body = self.call("/settle", payment, terms)
        found = body.get("transaction") or ""
        if label is not None and found and self.hashes.setdefault(label, found) == found:
            body["transaction"] = label
        return body

    def supported(self):
        with urllib.request.urlopen(SERVICE + "/supported", timeout=30) as response:
            return json.loads(response.read())


def balance():
    return float(post(PAYMENTS + "/balance", {})[1]["balance"])


def sale_checks(service, make, terms):
    """What the extension payment-identifier adds: one sale, one response."""
    payment = dict(make("good"), tx="tx-sale", memo="m-sale")
    before = balance()
    first, again = service.settle(payment, terms), service.settle(payment, terms)
    moved = round((balance() - before) * 10_000_000)
    served = (first.get("success") is True) + (again.get("success") is True)
    if IDENTIFIERS != "declared":
        yield "I0 without a declaration of the seller each payment is served once", served == 1 and moved == AMOUNT, {
            "first": first,
            "again": again,
            "moved": moved,
        }
        return
    same = again.get("success") is True and again.get("transaction") == first.get("transaction")
    yield "I1 same identifier, same payload: the same response, and one payment", same and moved == AMOUNT, {
        "first": first,
        "again": again,
        "moved": moved,
    }
    fresh = dict(payment, tx="tx-sale-fresh", memo="m-sale-fresh", sale="m-sale")
    others = {
        "I2 same identifier, a fresh payment: a conflict": (fresh, terms),
        "I3 same identifier and nonce, another signature: a conflict": (dict(payment, tx="tx-sale-other"), terms),
        "I4 same identifier and payload, another resource: a conflict": (
            payment,
            dict(terms, resource="https://paid.example/other"),
        ),
    }
    for name, (other, asked) in others.items():
        verdict, answer = service.verify(other, asked), service.settle(other, asked)
        refused = verdict.get("isValid") is False and answer.get("success") is not True
        # The seller answers 409; a facilitator's verdicts have their reason in the body.
        conflict = answer["httpStatus"] == 409 or answer.get("reason") == "payment_identifier_conflict"
        yield name, refused and conflict, {"verify": verdict, "settle": answer}
    unnamed = dict(make("good"), tx="tx-unnamed", memo="m-unnamed", named=False, required=True)
    verdict, answer = service.verify(unnamed, terms), service.settle(unnamed, terms)
    refused = verdict.get("isValid") is False and answer.get("success") is not True
    yield "I5 required identifier is absent: 400", refused and answer["httpStatus"] == 400, {
        "verify": verdict,
        "settle": answer,
    }


def main():
    terms = {
        **{"scheme": "exact", "network": NETWORK, "asset": ASSET, "payTo": PAY_TO},
        **{"amount": str(AMOUNT), "maxTimeoutSeconds": 300},
    }
    fixture = {"requirements": terms, "vectors": load_fixture()["vectors"]}
    make = vectors(fixture)
    service = Service()
    checks = check_safety(service, make)
    for name, passed, detail in sale_checks(service, make, terms):
        checks.append({"check": name, "pass": passed, "detail": detail})
    print(json.dumps({"checks": checks}))


if __name__ == "__main__":
    main()
