export { isSignedBy, masterKey } from './accountSigners.ts';
export {
  createSignatureVerifier,
  type SignatureVerifier,
  type VerifySignature,
} from './ed25519.ts';
export { Impersonation } from './impersonation.ts';
export { SignatureChecker, type WeightedSigner } from './signatureChecker.ts';
export { verifyAhead } from './verifyAhead.ts';
