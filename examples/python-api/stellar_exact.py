"""The scheme `exact` on Stellar for the published package `x402`: one class for sellers, one for buyers."""

import time

from stellar_sdk import Account, Keypair, Network, SorobanServer, TransactionBuilder, scval
from stellar_sdk.auth import authorize_entry
from stellar_sdk.xdr import SorobanAuthorizationEntry
from x402.schemas import AssetAmount, PaymentRequirements
from x402.schemas.helpers import convert_to_token_amount, parse_money

NETWORK = "stellar:testnet"
USDC = "CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA"
DECIMALS = 7
# Simulations run from it. It never signs, and the facilitator replaces it with its own account.
NOBODY = "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF"
SECONDS_PER_LEDGER = 6
BASE_FEE = 100


class ExactStellarSeller:
    """Turns prices into USDC, and adds what the facilitator names in `/supported`."""

    scheme = "exact"
    default_asset_transfer_method = "default"
    payment_flows = {"default": {"supported": ("authorization",), "default": "authorization"}}

    def get_asset_decimals(self, asset, network):
        return DECIMALS if asset == USDC else None

    def parse_price(self, price, network):
        if isinstance(price, AssetAmount):
            return price
        amount = convert_to_token_amount(parse_money(price)["amount"], DECIMALS)
        return AssetAmount(amount=amount, asset=USDC, extra={})

    def enhance_payment_requirements(self, requirements, supported_kind, extension_keys):
        requirements.extra = {**(requirements.extra or {}), **(supported_kind.extra or {})}
        return requirements


class ExactStellarBuyer:
    """Signs one transfer of USDC. The facilitator pays the fee and submits it."""

    scheme = "exact"

    def __init__(self, secret: str, rpc_url: str):
        self._key = Keypair.from_secret(secret)
        self._rpc = SorobanServer(rpc_url)

    @staticmethod
    def find_default_asset(asset, network):
        """Lets x402 apply its limit for a payment to USDC."""
        if asset != USDC or network != NETWORK:
            return None
        return {"asset": USDC, "symbol": "USDC", "decimals": DECIMALS}

    def create_payment_payload(self, requirements: PaymentRequirements) -> dict:
        recorded = self._simulate(self._transfer(requirements, []))
        entries = [
            SorobanAuthorizationEntry.from_xdr(entry) for entry in recorded.results[0].auth or []
        ]
        if len(entries) != 1 or entries[0].root_invocation.sub_invocations:
            raise ValueError("the transfer asks for other signatures than the payer's alone")
        ledgers = max(1, -(-requirements.max_timeout_seconds // SECONDS_PER_LEDGER))
        expires = recorded.latest_ledger + ledgers
        passphrase = Network.TESTNET_NETWORK_PASSPHRASE
        signed = [authorize_entry(entries[0], self._key, expires, passphrase)]
        # The second simulation includes the cost of checking the signature.
        enforced = self._simulate(self._transfer(requirements, signed))
        return {"transaction": self._transfer(requirements, signed, enforced).to_xdr()}

    def _transfer(self, requirements, authorizations, simulated=None):
        """The transfer, with the resources that a simulation found."""
        fee = BASE_FEE + (simulated.min_resource_fee if simulated else 0)
        builder = TransactionBuilder(
            Account(NOBODY, -1), Network.TESTNET_NETWORK_PASSPHRASE, base_fee=fee
        )
        builder.add_time_bounds(0, int(time.time()) + 300)
        builder.append_invoke_contract_function_op(
            contract_id=requirements.asset,
            function_name="transfer",
            parameters=[
                scval.to_address(self._key.public_key),
                scval.to_address(requirements.pay_to),
                scval.to_int128(int(requirements.amount)),
            ],
            auth=authorizations,
        )
        if simulated:
            builder.set_soroban_data(simulated.transaction_data)
        return builder.build()

    def _simulate(self, transaction):
        answer = self._rpc.simulate_transaction(transaction)
        if answer.error:
            raise ValueError(f"this payment would fail on the ledger: {answer.error}")
        return answer
