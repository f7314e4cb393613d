// An app that sells by itself with `svc-x402/seller`, without a proxy. Arguments: its port, the address that is paid, and the facilitator.

import { createServer } from 'node:http';
import { createSeller } from '../../dist/seller.js';

const [port, payTo, facilitator] = process.argv.slice(2);
const SMALL = JSON.stringify({ city: 'Lima', tempC: 19, note: 'x'.repeat(960) });
const sold = createSeller({ payTo, facilitator }).node({ price: '0.001' });

createServer((request, response) =>
  sold(request, response, () => {
    response.setHeader('Content-Type', 'application/json');
    response.end(SMALL);
  }),
).listen(Number(port), '127.0.0.1');
