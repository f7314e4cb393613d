"""Calls of the Python package `stellar-sdk` over an embedded network: Horizon, RPC and friendbot."""

import os

import pytest
import requests
from stellar_sdk import Asset, Keypair, Server, SorobanServer, TransactionBuilder, scval
from stellar_sdk.contract import ContractClient
from stellar_sdk.exceptions import BadRequestError, NotFoundError
from stellar_sdk.soroban_rpc import EventFilter, EventFilterType

HORIZON = os.environ["HORIZON_URL"]
RPC = os.environ["RPC_URL"]
PASSPHRASE = os.environ["NETWORK_PASSPHRASE"]
ADA, BOB = Keypair.random(), Keypair.random()
COIN = Asset("COIN", ADA.public_key)


@pytest.fixture(scope="module", autouse=True)
def funded():
    for pair in (ADA, BOB):
        requests.get(f"{HORIZON}/friendbot", {"addr": pair.public_key}).raise_for_status()


@pytest.fixture()
def horizon():
    with Server(HORIZON) as server:
        yield server


@pytest.fixture()
def rpc():
    with SorobanServer(RPC) as server:
        yield server


def submit(server, signer, add, *others):
    builder = TransactionBuilder(server.load_account(signer.public_key), PASSPHRASE, 100)
    add(builder)
    transaction = builder.set_timeout(300).build()
    for one in (signer, *others):
        transaction.sign(one)
    return server.submit_transaction(transaction)


def test_payment_with_trustline(horizon):
    def add(builder):
        builder.append_change_trust_op(COIN, source=BOB.public_key)
        builder.append_payment_op(BOB.public_key, COIN, "12.5")

    assert submit(horizon, ADA, add, BOB)["successful"]
    lines = horizon.load_account(BOB.public_key).raw_data["balances"]
    assert [line["balance"] for line in lines if line["asset_type"] != "native"] == ["12.5000000"]


def test_offer_and_path(horizon):
    submit(horizon, BOB, lambda b: b.append_manage_sell_offer_op(COIN, Asset.native(), "5", "2"))
    book = horizon.orderbook(COIN, Asset.native()).call()
    assert book["asks"][0]["amount"] == "5.0000000"
    paths = horizon.strict_receive_paths([Asset.native()], COIN, "1").call()
    assert paths["_embedded"]["records"][0]["source_amount"] == "2.0000000"


def test_data_and_effects(horizon):
    answer = submit(horizon, ADA, lambda b: b.append_manage_data_op("name", b"value"))
    effects = horizon.effects().for_transaction(answer["hash"]).call()["_embedded"]["records"]
    assert [effect["type"] for effect in effects] == ["data_created"]


def test_failure_has_codes(horizon):
    with pytest.raises(BadRequestError) as failure:
        submit(horizon, ADA, lambda b: b.append_payment_op(BOB.public_key, Asset.native(), "9999999"))
    assert failure.value.extras["result_codes"]["operations"] == ["op_underfunded"]


def test_missing_account(horizon):
    with pytest.raises(NotFoundError):
        horizon.load_account(Keypair.random().public_key)


def test_stream(horizon):
    stream = horizon.ledgers().cursor("0").stream()
    first, second, third = (next(stream)["sequence"] for _ in range(3))
    assert (second, third) == (first + 1, first + 2)


@pytest.mark.parametrize(
    "name", ["get_health", "get_network", "get_version_info", "get_fee_stats", "get_latest_ledger"]
)
def test_rpc_method(rpc, name):
    assert getattr(rpc, name)()


def test_rpc_past(rpc):
    assert rpc.get_transactions(2).transactions
    assert rpc.get_ledgers(2).ledgers[0].sequence == 2


def test_contract_of_an_asset(rpc):
    contract = ContractClient.create_stellar_asset_contract_from_asset(COIN, ADA.public_key, ADA, rpc)
    with ContractClient(contract, RPC, PASSPHRASE) as client:
        parties = [scval.to_address(ADA.public_key), scval.to_address(BOB.public_key)]
        start = rpc.get_latest_ledger().sequence
        client.invoke(
            "transfer", [*parties, scval.to_int128(7)], ADA.public_key, ADA
        ).sign_and_submit()
        balance = client.invoke(
            "balance", [parties[1]], ADA.public_key, parse_result_xdr_fn=scval.from_int128
        ).result()
        assert balance == 125_000_007
        events = rpc.get_events(
            start, filters=[EventFilter(event_type=EventFilterType.CONTRACT, contract_ids=[contract])]
        ).events
        assert len(events) == 1
