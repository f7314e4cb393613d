export { decodeXdr, type XdrClass } from './decodeXdr.ts';
export { encodeXdr, encodeXdrList, hashXdr } from './encodeXdr.ts';
export { lazyXdr } from './lazyXdr.ts';
export { knownXdr, rememberXdr } from './wireEncoder.ts';
export { XdrCursor } from './xdrCursor.ts';
