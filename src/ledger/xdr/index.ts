export { encodeXdr } from './encodeXdr.ts';
export { knownXdr, rememberXdr } from './wireEncoder.ts';
