// A seller's account, and a buyer that pays the URLs it is given, with the published client from
// examples/paid-api. Reads one JSON object a line and answers with one: first the seller's address,
// then the result of each request.

import { createInterface } from 'node:readline';
import { buyUsdc, openAccount } from '../../../examples/paid-api/account.mjs';
import { createPayer, outcomeOf } from '../../../examples/paid-api/payer.mjs';

const seller = await openAccount('seller');
const buyer = await openAccount('buyer');
await buyUsdc(buyer, '1');
const pay = createPayer(buyer).payWith(fetch);
say({ ready: { seller: seller.publicKey(), buyer: buyer.publicKey() } });

for await (const line of createInterface({ input: process.stdin })) {
  const { url, method, body } = JSON.parse(line);
  const response = await pay(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  }).catch((error) => error);
  if (response instanceof Error) say({ failed: response.message });
  else say({ paid: { ...outcomeOf(response), body: await response.text() } });
}

function say(told) {
  console.log(JSON.stringify(told));
}
