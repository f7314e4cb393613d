import { createPublicKey } from 'node:crypto';
import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../protocol/index.ts';
import { toSigner } from '../../../protocol/smartAccount/index.ts';
import { accountPreimage, contractIdOf, moduleKey } from '../contractIds.ts';
import { creationOperation, uploadOperation } from '../deployment/deployOperation.ts';
import type { SponsorTools } from '../deployment/sponsorTransaction.ts';
import { accountModule } from '../policyModules.ts';
import { reaching } from '../reaching.ts';
import { PasskeyError } from './passkeyError.ts';

/**
 * Deploys a smart account whose only owner is a passkey; the sponsor pays. The same passkey always
 * has the same account.
 * @param spki the passkey's public key as browsers return it (DER)
 * @throws PasskeyError `malformed_request`, PolicyError
 */
export async function createAccount(
  keyId: Uint8Array,
  spki: Uint8Array,
  tools: SponsorTools,
  run: (operation: xdr.Operation) => Promise<string>,
): Promise<{ readonly wallet: ContractAddress; readonly transaction: string }> {
  const { wasm, hash } = accountModule();
  const signer = toSigner({
    key: { kind: 'secp256r1', keyId },
    publicKey: publicKeyOf(spki),
    grants: null,
    expirationLedger: null,
    storage: 'Persistent',
  });
  const { entries } = await reaching(() => tools.network.getLedgerEntries([moduleKey(hash)]));
  if (entries[0] === undefined) await run(uploadOperation(wasm));
  const preimage = accountPreimage(tools.signer.address, keyId);
  const transaction = await run(creationOperation(preimage, hash, [signer]));
  return { wallet: contractIdOf(preimage), transaction };
}

/** 65 bytes, uncompressed (SEC 1). */
function publicKeyOf(spki: Uint8Array): Uint8Array {
  try {
    const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
    const { crv, x = '', y = '' } = key.export({ format: 'jwk' });
    if (crv === 'P-256') {
      return Buffer.concat([
        Buffer.of(4),
        Buffer.from(x, 'base64url'),
        Buffer.from(y, 'base64url'),
      ]);
    }
  } catch {
    // Reported below.
  }
  throw new PasskeyError('malformed_request', 'the passkey does not have a P-256 key');
}
