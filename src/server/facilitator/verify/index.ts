/** `POST /verify` without HTTP. */
export { verifyPayment } from './verifyPayment.ts';
