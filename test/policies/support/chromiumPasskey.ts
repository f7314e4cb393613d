import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { chromiumProgram } from '../../support/chromium.ts';
import type { TestPasskey } from '../../support/passkey.ts';
import { skipUnless } from './requireClients.ts';

/** What is used of puppeteer-core, which is installed beside the browser tests alone. */
interface Page {
  goto(url: string): Promise<unknown>;
  createCDPSession(): Promise<{ send(method: string, params?: object): Promise<unknown> }>;
  evaluate<T>(code: string): Promise<T>;
}
interface Puppeteer {
  launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
}

const manifest = fileURLToPath(new URL('../browser/package.json', import.meta.url));

function puppeteer(): Puppeteer | undefined {
  try {
    const loaded = createRequire(manifest)('puppeteer-core') as Puppeteer & { default?: Puppeteer };
    return loaded.default ?? loaded;
  } catch {
    return undefined;
  }
}

const executablePath = chromiumProgram();

/** Why it cannot be tried here; false when it can. */
export const noChromium =
  skipUnless(executablePath !== undefined, 'there is no Chromium') ||
  skipUnless(
    puppeteer() !== undefined,
    'puppeteer-core is not installed: `npm run lab -- policies` does it',
  );

/** In the page: bytes travel as base64url. */
const HELPERS = `
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
`;

const decode = (text: string) => Buffer.from(text, 'base64url');

export interface ChromiumPasskey extends TestPasskey {
  close(): Promise<void>;
}

/** Opens a page on loopback in Chromium, gives it a virtual authenticator, and makes a passkey there. */
export async function openChromiumPasskey(): Promise<ChromiumPasskey> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>passkey</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const driver = puppeteer();
  if (driver === undefined) throw new Error('puppeteer-core is not installed');
  const browser = await driver.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${port}/`);
  const session = await page.createCDPSession();
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const made = await page.evaluate<{ id: string; publicKey: string }>(`(async () => {
    ${HELPERS}
    const made = await navigator.credentials.create({ publicKey: {
      challenge: new Uint8Array(32),
      rp: { name: 'Svc', id: 'localhost' },
      user: { id: new Uint8Array(8), name: 'owner', displayName: 'owner' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    } });
    return { id: made.id, publicKey: text(made.response.getPublicKey()) };
  })()`);
  let prompts = 0;
  return {
    keyId: decode(made.id),
    publicKey: decode(made.publicKey).subarray(-65),
    get prompts() {
      return prompts;
    },
    async assert(challenge) {
      prompts += 1;
      const asked = JSON.stringify(Buffer.from(challenge).toString('base64url'));
      const assertion = await page.evaluate<
        Record<'data' | 'client' | 'signature', string>
      >(`(async () => {
        ${HELPERS}
        const { response } = await navigator.credentials.get({ publicKey: {
          challenge: bytes(${asked}),
          allowCredentials: [{ type: 'public-key', id: bytes(${JSON.stringify(made.id)}) }],
        } });
        return {
          data: text(response.authenticatorData),
          client: text(response.clientDataJSON),
          signature: text(response.signature),
        };
      })()`);
      return {
        authenticatorData: decode(assertion.data),
        clientDataJSON: decode(assertion.client),
        signature: decode(assertion.signature),
      };
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
