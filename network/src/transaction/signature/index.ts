export { Impersonation } from './impersonation.ts';
export {
  createSignatureVerifier,
  isSignedBy,
  masterKey,
  SignatureChecker,
  type SignatureVerifier,
  type VerifySignature,
  verifyAhead,
  type WeightedSigner,
} from './signatureChecker.ts';
