/**
 * `npm run story [-- --out FOLDER]`
 *
 * From an agent that finds nothing to a developer who has been paid, over real parts only; then the
 * same with three facilitators on PostgreSQL, of which one is killed. Writes `story.md` with pictures.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { transfersTo } from '../helpers/transferFollower.ts';
import { postgresMissing } from '../store/privatePostgres.ts';
import { type Developer, openDeveloper } from './developer.mjs';
import { startInstances } from './instances.ts';
import { countEarnings, findNothing, payUntilRefused } from './loop.ts';
import { App, copyProject, PRICE, ROUTE, type Service, startService } from './scene.ts';
import { Tale } from './tale.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'docs/evidence' },
    editor: { type: 'string', default: 'build/editors/newest' },
    vsix: { type: 'string', default: '' },
  },
});
if (postgresMissing !== undefined) {
  console.error(postgresMissing);
  process.exit(1);
}

const tale = new Tale(resolve(values.out));
const data = mkdtempSync(join(tmpdir(), 'svc-story-data-'));
const project = copyProject();
/** What was opened, to be closed in the other order. */
const opened: { close(): Promise<void> }[] = [];
const closing = <T>(one: T, close: (one: T) => Promise<void>): T => {
  opened.unshift({ close: () => close(one) });
  return one;
};
const PATH = '/weather/Nairobi';
/** Whose window is kept as a picture when the story breaks off. */
let seen: Developer | undefined;

/** The developer pays the running app once, from the editor. */
function testFromEditor(
  { rpcUrl }: Service,
  developer: Developer,
  app: App,
  { picture }: { readonly picture: string },
) {
  return tale.step('The developer tests the payment from the editor', async () => {
    assert.equal(await app.status(PATH), 402);
    const paid = async () => [...(await transfersTo(rpcUrl, developer.payTo, 2)).values()].flat();
    const before = await paid();
    await developer.testPayment(`${app.url}${PATH}`);
    assert.equal((await paid()).length, before.length + 1);
    await developer.seeRow('My Endpoints', '/weather');
    const [row = ''] = await developer.rows('My Endpoints');
    await developer.picture(join(tale.pictures, picture));
    return {
      text: [
        `“Svc: Test Payment by URL” with \`${app.url}${PATH}\`: a throwaway key is funded, buys USDC, is asked for a payment (402), pays ${PRICE} USDC and is answered. By that settlement the endpoint enters the catalog; My Endpoints shows “${row}”.`,
      ],
      picture: [picture, 'The report of the test payment, and the views of the sidebar'],
    };
  });
}

/** Who is there after the first chapter, and the hashes that the agent received. */
interface AfterFirst {
  readonly developer: Developer;
  readonly app: App;
  readonly told: readonly string[];
}

async function onOneMachine(service: Service): Promise<AfterFirst> {
  tale.chapter('On one machine');
  await findNothing(tale, service, service.facilitatorUrl);

  let developer: Developer | undefined;
  await tale.step('A developer opens an API project in the editor', async () => {
    const machine = { 'svc-x402.dataFolder': data };
    const { editor, vsix } = values;
    developer = closing(
      await openDeveloper({ editor: resolve(editor), vsix: resolve(vsix), project, machine }),
      (one) => one.close(),
    );
    await developer.createWallet();
    await developer.picture(join(tale.pictures, '1-wallet.jpg'));
    return {
      text: [
        `The newest code-server with the packed extension; the sidebar finds the service that runs. “Svc: Create Local Wallet” makes the address that is to be paid, \`${developer.payTo}\`.`,
      ],
      picture: ['1-wallet.jpg', 'The project, and a wallet that is loaded'],
    };
  });
  if (developer === undefined) throw new Error('no editor is open');
  seen = developer;
  const present = developer;

  await tale.step('The developer adds x402 by the command', async () => {
    const text = await present.addPayment('server.js', ROUTE, PRICE);
    assert.ok(text.includes(present.payTo));
    assert.ok(text.includes(`price: '$${PRICE}'`));
    await present.picture(join(tale.pictures, '2-gated.jpg'));
    return {
      text: [
        `“Svc: Add x402 payment to this endpoint”, \`${ROUTE}\`, ${PRICE} USDC: a price with a digit in each of its seven places, so that a stroop that is lost would show.`,
      ],
      picture: ['2-gated.jpg', 'The route with a payment in front of it'],
    };
  });

  let app: App | undefined;
  await tale.step('The developer starts the app', async () => {
    app = closing(await App.start(project, service.facilitatorUrl), (one) => one.stop());
    assert.equal(await app.status(PATH), 402);
    return { text: [`\`node server.js\` on ${app.url}: \`GET ${PATH}\` is answered 402.`] };
  });
  if (app === undefined) throw new Error("the app isn't running");

  await testFromEditor(service, present, app, { picture: '3-tested.jpg' });
  const run = await payUntilRefused(tale, service, service.facilitatorUrl, present.payTo);
  const told = run.all('paid').map(({ transaction }) => String(transaction));
  await countEarnings(tale, service, present, {
    ...{ told, tests: 1, picture: '4-earnings.jpg' },
    facilitatorUrl: service.facilitatorUrl,
    cataloged: told.length + 1,
  });
  return { developer: present, app, told };
}

async function onThreeInstances(
  service: Service,
  { developer, app, told }: AfterFirst,
): Promise<void> {
  tale.chapter('On three facilitators and PostgreSQL');
  const instances = closing(await startInstances(service), (one) => one.close());
  await findNothing(tale, service, instances.url);

  let restarted = app;
  await tale.step('The developer moves to the three', async () => {
    await app.stop();
    restarted = closing(await App.start(project, instances.url, app.port), (one) => one.stop());
    await developer.set({ 'svc-x402.facilitatorUrl': instances.url });
    return {
      text: [
        `Three \`svc-x402 facilitator\` share one PostgreSQL and a sponsor, behind a load balancer that sends each request to the next one: ${instances.url}. The app is started again with it as \`FACILITATOR_URL\`, and the editor's setting \`svc-x402.facilitatorUrl\` names it.`,
      ],
    };
  });
  await testFromEditor(service, developer, restarted, {
    picture: '5-tested-on-three.jpg',
  });

  instances.killAt(2);
  const run = await payUntilRefused(tale, service, instances.url, developer.payTo);
  await tale.step('One instance was killed in the midst of a settlement', async () => {
    const { killed = -1, unanswered } = instances;
    const settlements = unanswered.filter(([path]) => path === '/settle');
    assert.deepEqual(settlements[0], ['/settle', killed]);
    return {
      text: [
        `\`kill -9\` of instance ${killed + 1} while it had the second of these payments: the ledger had taken its transaction, and it did not live to hear of it. The load balancer sent the identical \`/settle\` to the next instance, which waited until the settlement was decided and returned its outcome. The other ${unanswered.length - 1} requests that fell to the dead instance went to the next one as well.`,
      ],
    };
  });
  const all = [...told, ...run.all('paid').map(({ transaction }) => String(transaction))];
  await countEarnings(tale, service, developer, {
    told: all,
    tests: 2,
    picture: '6-earnings-of-both.jpg',
    facilitatorUrl: instances.url,
    cataloged: run.all('paid').length + 1,
  });
}

try {
  const service = closing(await startService(data), (one) => one.stop());
  await onThreeInstances(service, await onOneMachine(service));
  tale.write([
    `Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`,
    'The network, the facilitators, the discovery server and the agent are programs of their own (`dist/cli.js`, `examples/agent`); the app is on the published `@x402/express`; the editor is code-server in Chromium with the packed extension.',
  ]);
} catch (error) {
  await seen?.picture(join(tale.pictures, 'broken-off.jpg'));
  throw error;
} finally {
  for (const one of opened) await one.close().catch((error) => console.error(error));
  for (const folder of [data, project]) rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
