import { configFromEnvironment } from '../../../src/server/index.ts';
import { openSigners } from '../../../src/server/settlement/index.ts';
import { testKey } from '../../support/payer.ts';
import type { Attack, AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';

const { secret: SECRET } = testKey('a sponsor in an environment');

const RIGHT = {
  STELLAR_RPC_URL: 'http://127.0.0.1:8000/rpc',
  SPONSOR_SECRET: SECRET,
  CHANNEL_SEED: 'a seed that is long enough to be one',
} as const;

/** Starts with an environment that somebody else wrote, and returns the variable that is refused. */
function variable(name: string, value: string, refused = name): Attack<Target> {
  return {
    name: `${name}=${value.length > 60 ? `${value.slice(0, 60)}…` : JSON.stringify(value)}`,
    refused: `${refused} refused, its value not repeated`,
    async run(target) {
      try {
        openSigners(configFromEnvironment({ ...RIGHT, [name]: value }));
        return 'started';
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        target.see(said);
        if (!said.includes(refused)) return said;
        const isSecret = /SECRET|SEED|DATABASE/.test(name) && said.includes(value.trim());
        return isSecret ? 'the value repeated' : `${refused} refused, its value not repeated`;
      }
    },
  };
}

/** Values that an `.env` of somebody else may hold. */
export const ENVIRONMENT: AttackTable<Target> = {
  kind: 'environment',
  attacks: [
    variable('STELLAR_RPC_URL', 'javascript:alert(1)'),
    variable('STELLAR_RPC_URL', 'file:///etc/passwd'),
    variable('HORIZON_URL', 'data:application/json,{}'),
    variable('EMBEDDINGS_URL', 'file:///etc/passwd'),
    variable('SPONSOR_SECRET', `${SECRET.slice(0, -1)}A`, 'sponsor secret'),
    variable('SPONSOR_SECRET', SECRET.toLowerCase(), 'sponsor secret'),
    variable(
      'SPONSOR_SECRET',
      'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
      'sponsor secret',
    ),
    variable('CHANNEL_SEED', 'tiny-seed'),
    variable('TRUSTED_PROXIES', '10.0.0.0/33'),
    variable('TRUSTED_PROXIES', '*'),
    variable('OPERATOR_PORT', '65536'),
    variable('DATABASE_URL', 'mysql://user:password@host/database'),
    variable('DATABASE_URL', '/etc/passwd'),
    variable('PORT', '-1'),
    variable('PORT', '65536'),
    variable('PORT', '4021; rm -rf /'),
    variable('RATE_LIMIT_PER_MINUTE', '1e9'),
    variable('TRUSTED_PROXY_HOPS', '11'),
    variable('MAX_TX_FEE_STROOPS', '99999999999999999999'),
    variable('SPONSOR_FLOOR_XLM', '-1'),
    variable('ANSWER_WITHIN_MS', '0'),
    variable('ALLOWED_ORIGINS', '*'),
    variable('ALLOWED_ORIGINS', 'null'),
    variable('ALLOWED_ORIGINS', 'https://evil.example/path'),
    variable('BUSY_PORT', 'kill'),
    variable('SPEND_LIMITS_REFUSE', 'yes please'),
  ],
};
