export { encodeXdr } from './encodeXdr.ts';
export { knownXdr, rememberXdr } from './wireEncoder.ts';
export { XdrCursor } from './xdrCursor.ts';
