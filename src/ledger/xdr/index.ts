export { encodeXdr } from './encodeXdr.ts';
