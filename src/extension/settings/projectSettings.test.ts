import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confirmedOnly, describeProjectSetting, projectSettings } from './projectSettings.ts';
import { readSettings } from './settings.ts';

const OWN = 'GCA2YZDJXO3VHRGPGIDFMWDRFK5XPMDSH5CAHR5IT34CMQWOZNRM5MQO';
const THIEF = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const EVIL = 'https://evil.example';

type Values = Readonly<Record<string, unknown>>;

/** The layers of an editor: what a project sets takes precedence over what the user sets. */
const layers = (own: Values, project: Values) => (name: string) => ({
  own: own[name],
  value: project[name] ?? own[name],
});

function settings(own: Values, project: Values, confirmed: readonly string[] = []) {
  const decided = ({ name }: { name: string }) => (confirmed.includes(name) ? 'use' : undefined);
  return readSettings(confirmedOnly(layers(own, project), decided));
}

describe('An address that comes from a project', () => {
  it('is not used before the user has confirmed it, whichever setting it is', () => {
    const project = {
      payToAddress: THIEF,
      facilitatorUrl: EVIL,
      policyGatewayUrl: EVIL,
      rpcUrl: EVIL,
      horizonUrl: EVIL,
      explorerUrl: EVIL,
    };
    const read = settings({ payToAddress: OWN }, project);
    assert.equal(read.payTo, OWN);
    assert.equal(read.payToText, OWN);
    for (const url of ['facilitatorUrl', 'policyGatewayUrl', 'rpcUrl', 'horizonUrl'] as const) {
      assert.equal(read[url], undefined, url);
    }
    assert.equal(read.explorerUrl, undefined);
    const names = projectSettings(layers({ payToAddress: OWN }, project)).map(({ name }) => name);
    assert.deepEqual(new Set(names), new Set(Object.keys(project)));
  });

  it('is used once it is confirmed, but no other value', () => {
    const project = { payToAddress: THIEF, facilitatorUrl: EVIL };
    const read = settings({ payToAddress: OWN }, project, ['facilitatorUrl']);
    assert.equal(read.facilitatorUrl, EVIL);
    assert.equal(read.payTo, OWN);
  });

  it('needs no confirmation if the user set the same value, or it is empty', () => {
    const own = { payToAddress: OWN, facilitatorUrl: 'https://mine.example' };
    assert.deepEqual(projectSettings(layers(own, { payToAddress: ` ${OWN} ` })), []);
    assert.deepEqual(projectSettings(layers(own, { facilitatorUrl: '' })), []);
    assert.equal(settings(own, { facilitatorUrl: '' }).facilitatorUrl, undefined);
  });

  it('is reported, without asking, if it is invalid', () => {
    const project = { payToAddress: `${THIEF.slice(0, -1)}A`, rpcUrl: 'javascript:alert(1)' };
    assert.deepEqual(projectSettings(layers({}, project)), []);
    const { payTo, rpcUrl, problems } = settings({}, project);
    assert.equal(payTo, undefined);
    assert.equal(rpcUrl, undefined);
    assert.deepEqual(problems.map(({ name }) => name).sort(), ['payToAddress', 'rpcUrl']);
  });

  it('other settings of a project apply unchanged', () => {
    assert.equal(settings({}, { defaultPrice: '0.5' }).defaultPrice, '0.5');
    assert.equal(settings({}, { network: 'testnet' }).network, 'testnet');
  });

  it('is shown with its real host, next to the user’s own value', () => {
    const line = (name: string, value: string, own = '') =>
      describeProjectSetting({ name, value, own });
    assert.equal(line('payToAddress', THIEF, OWN), `Payment address: ${THIEF}\nYours: ${OWN}`);
    assert.match(line('facilitatorUrl', EVIL), /^Facilitator: https:\/\/evil\.example\/\nYou have/);
    assert.match(line('rpcUrl', 'https://rpc.example@evil.example/'), /\(host evil\.example\)/);
    // Cyrillic letters, a line end, a mark that turns the direction of the text.
    const odd = line('rpcUrl', 'https://еxample.org/a\nb\u202e');
    assert.match(odd, /xn--/);
    assert.doesNotMatch(odd.split('\nYou')[0] ?? '', /[^\x20-\x7e]/);
    assert.ok(line('rpcUrl', `https://evil.example/${'a'.repeat(5_000)}`).length < 250);
  });
});
