/** `/.well-known/x402`: what this host offers to whoever finds it by its name. */
export { type Manifest, manifestSchema } from './manifest.ts';
export { mountWellKnown } from './mountWellKnown.ts';
