import { randomBytes } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress, StellarAddress } from '../../../src/protocol/index.ts';
import {
  accountSignature,
  type Grants,
  passkeySignature,
  type SignerKey,
  toSigner,
  toSignerKey,
} from '../../../src/protocol/smartAccount/index.ts';
import {
  toI128,
  toScAddress,
  uptoAuthorizedInvocation,
  uptoInvocation,
} from '../../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../../src/protocol/wire/index.ts';
import { freshNonce } from '../../support/freshPayment.ts';
import { softwarePasskey, type TestPasskey } from '../../support/passkey.ts';
import { type TestKey, testKey } from '../../support/payer.ts';
import { USDC } from '../../support/payment.ts';
import { type Chain, type Ended, type SignHash, signEntry } from './chain.ts';
import { MODULES } from './contractModules.ts';
import { exactPayment } from './exactPayment.ts';

const address = (value: StellarAddress) => xdr.ScVal.scvAddress(toScAddress(value));
const ADDED = { expirationLedger: null, storage: 'Persistent' } as const;

export interface NarrowLimits {
  readonly most?: bigint;
  readonly list?: readonly StellarAddress[];
  readonly payments?: number;
  readonly sliding?: boolean;
}

/** A smart account whose owner is a passkey, and whose agent has a key with grants. */
export class AgentWallet {
  readonly chain: Chain;
  readonly id: ContractAddress;
  readonly owner: TestPasskey;
  readonly agent: TestKey;

  private constructor(chain: Chain, id: ContractAddress, owner: TestPasskey, agent: TestKey) {
    this.chain = chain;
    this.id = id;
    this.owner = owner;
    this.agent = agent;
  }

  static async open(
    chain: Chain,
    name: string,
    owner: TestPasskey = softwarePasskey(name),
    module: (typeof MODULES)['account'] = MODULES.account,
  ): Promise<AgentWallet> {
    const key: SignerKey = { kind: 'secp256r1', keyId: owner.keyId };
    const signer = toSigner({ key, publicKey: owner.publicKey, grants: null, ...ADDED });
    const id = await chain.deploy(module, [signer]);
    return new AgentWallet(chain, id, owner, testKey(`agent of ${name}`));
  }

  /** The passkey's signature: one prompt each. */
  readonly byOwner: SignHash = async (hash) =>
    accountSignature([passkeySignature(this.owner.keyId, await this.owner.assert(hash))]);

  readonly byAgent: SignHash = (hash) => {
    const { publicKey } = this.agent;
    return accountSignature([{ kind: 'ed25519', publicKey, signature: this.agent.sign(hash) }]);
  };

  attach(policy: ContractAddress): Promise<Ended> {
    const key: SignerKey = { kind: 'policy', policy };
    const signer = toSigner({ key, grants: new Map(), ...ADDED });
    return this.chain.call(this.id, 'add_signer', [signer], this.byOwner);
  }

  detach(policy: ContractAddress): Promise<Ended> {
    const key = toSignerKey({ kind: 'policy', policy });
    return this.chain.call(this.id, 'remove_signer', [key], this.byOwner);
  }

  /** Lets the agent call these contracts when these policies agree. */
  grant(contracts: readonly ContractAddress[], policies: readonly ContractAddress[]) {
    const approvers = policies.map((policy): SignerKey => ({ kind: 'policy', policy }));
    const grants: Grants = new Map(contracts.map((contract) => [contract, approvers]));
    const key: SignerKey = { kind: 'ed25519', publicKey: this.agent.publicKey };
    return this.chain.call(
      this.id,
      'add_signer',
      [toSigner({ key, grants, ...ADDED })],
      this.byOwner,
    );
  }

  /** @param narrow the most of one payment, who may be paid, how many payments, and whether the window slides */
  async limit(
    upto: ContractAddress | undefined,
    cap: bigint,
    seconds: bigint,
    token = USDC,
    narrow: NarrowLimits = {},
  ) {
    const { most, list, payments, sliding = false } = narrow;
    return this.chain.deploy(MODULES.spendingLimit, [
      address(this.id),
      address(token),
      upto === undefined ? xdr.ScVal.scvVoid() : address(upto),
      toI128(cap),
      xdr.ScVal.scvU64(seconds),
      most === undefined ? xdr.ScVal.scvVoid() : toI128(most),
      list === undefined ? xdr.ScVal.scvVoid() : xdr.ScVal.scvVec(list.map(address)),
      payments === undefined ? xdr.ScVal.scvVoid() : xdr.ScVal.scvU32(payments),
      xdr.ScVal.scvBool(sliding),
    ]);
  }

  /** A payment of scheme `exact` that the agent signed. */
  async exactPayment(
    payTo: StellarAddress,
    amount: bigint,
    sign = this.byAgent,
  ): Promise<FacilitatorRequest> {
    return exactPayment(this.chain, { from: this.id, payTo, amount }, sign);
  }

  /** Signs a ceiling as the agent, and settles under it. */
  async settle(upto: ContractAddress, payTo: StellarAddress, ceiling: bigint, actual: bigint) {
    const terms = {
      contract: upto,
      token: USDC,
      from: this.id,
      to: payTo,
      maxAmount: ceiling,
      expirationLedger: (await this.chain.latestLedger()) + 500,
      nonce: randomBytes(32),
    };
    const { args } = uptoInvocation(terms, actual);
    const credentials = new xdr.SorobanAddressCredentials({
      address: toScAddress(this.id),
      nonce: freshNonce(),
      signatureExpirationLedger: terms.expirationLedger,
      signature: xdr.ScVal.scvVoid(),
    });
    const root = uptoAuthorizedInvocation(terms);
    const entry = await signEntry(credentials, root, this.chain.networkId, this.byAgent);
    return this.chain.present(upto, 'settle', [...args], [entry]);
  }
}
