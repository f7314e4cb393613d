import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress, StellarAddress } from '../../src/protocol/index.ts';
import { addressBytes, toI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { PAYER, SELLER, USDC } from './payment.ts';

export interface EventParts {
  readonly contract?: ContractAddress | null;
  readonly name?: xdr.ScVal;
  readonly parties?: readonly StellarAddress[];
  readonly data?: xdr.ScVal;
  readonly type?: xdr.ContractEventType;
}

/** A contract event; by default that of the usual payment's transfer. */
export function contractEvent(parts: EventParts = {}): xdr.DiagnosticEvent {
  const { contract = USDC, parties = [PAYER.address, SELLER.address] } = parts;
  return new xdr.DiagnosticEvent({
    inSuccessfulContractCall: true,
    event: new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: contract === null ? null : new xdr.ContractId(addressBytes(contract)),
      type: parts.type ?? xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0({
          topics: [
            parts.name ?? xdr.ScVal.scvSymbol('transfer'),
            ...parties.map((party) => xdr.ScVal.scvAddress(toScAddress(party))),
            xdr.ScVal.scvString('USDC:ISSUER'),
          ],
          data: parts.data ?? toI128(100_000n),
        }),
      ),
    }),
  });
}
