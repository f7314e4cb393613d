import { createHash } from 'node:crypto';
import { Address, Contract, type Keypair, Operation, type xdr } from '@stellar/stellar-sdk';
import type { Scene } from './scene.ts';

/** Uploads a contract and creates it. */
export async function deploy(
  { server, signed, submit }: Scene,
  by: Keypair,
  wasm: Uint8Array,
  constructorArgs: readonly xdr.ScVal[] = [],
): Promise<Contract> {
  const run = async (operation: xdr.Operation) => {
    const transaction = await server.prepareTransaction(await signed(by, operation));
    transaction.sign(by);
    return await submit(transaction);
  };
  await run(Operation.uploadContractWasm({ wasm }));
  const { returnValue } = await run(
    Operation.createCustomContract({
      address: Address.fromString(by.publicKey()),
      wasmHash: createHash('sha256').update(wasm).digest(),
      constructorArgs: [...constructorArgs],
    }),
  );
  if (returnValue?.type !== 'scvAddress') throw new Error('the contract has no address');
  return new Contract(Address.fromScAddress(returnValue.address).toString());
}
