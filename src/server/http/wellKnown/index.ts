/** `/.well-known/x402`: what this host offers to clients that know only its name. */
export { type Manifest, manifestSchema } from './manifest.ts';
export { mountWellKnown } from './mountWellKnown.ts';
